import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { outputsOf, usePlayground, type Execution } from '../support/playground.ts';
import { fromItem, submitting } from '../support/transactions.ts';
import { until } from '../support/waiting.ts';
import { credentialsIn, inARow, publish } from '../support/workflows.ts';

const playground = usePlayground();

beforeEach(() => playground.sandbox.reset());

const path = (name: string) => name.toLowerCase().replaceAll(' ', '-');

/** Publishes a workflow that buys what is posted to its address: a list of items. */
async function publishBuys(name: string, parameters: Parameters<typeof submitting>[1]) {
	const steps = [
		{
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			webhookId: path(name),
			parameters: { path: path(name), httpMethod: 'POST', responseMode: 'onReceived' },
		},
		{
			name: 'Items',
			type: 'n8n-nodes-base.splitOut',
			parameters: { fieldToSplitOut: 'body' },
		},
		{ name: 'Buy', parameters: submitting('buy', parameters) },
	];
	const credentials = await credentialsIn(playground.rest);
	const id = await publish(playground.rest, { ...inARow(steps, credentials), name });
	return { id, post: async (items: object[]) => await post(id, name, items) };
}

async function post(
	workflowId: string,
	name: string,
	items: object[],
): Promise<() => Promise<Execution>> {
	const before = await playground.executionsOf(workflowId);
	// n8n registers the address a moment after it has published the workflow, or started.
	await until(async () => {
		const { ok } = await fetch(`${playground.n8n.baseUrl}/webhook/${path(name)}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(items),
		});
		return ok;
	});
	const id = await until(async () =>
		(await playground.executionsOf(workflowId)).find((one) => !before.includes(one)),
	);
	return async () => await playground.executionEnded(id);
}

const retry = async ({ id }: Execution) => {
	const { id: retried } = await playground.rest.post<{ id: string }>(`/executions/${id}/retry`, {
		loadWorkflow: false,
	});
	return await playground.executionEnded(retried);
};

const acceptedReferences = () =>
	playground.sandbox.transactions().map(({ reference }) => reference);

const stoppedBy = (execution: Execution) => {
	const [run] = execution.data.resultData.runData.Buy ?? [];
	const { message = '', description = '' } = (run?.error ?? {}) as Record<string, string>;
	return `${message}\n${description}`;
};

it('submits a reference once, in a second execution and after a restart of n8n too', async () => {
	const buys = await publishBuys('Once', fromItem('reference'));
	const item = { reference: 'once-1' };

	const first = await (await buys.post([item]))();
	expect(first.status).toBe('success');
	expect(outputsOf(first, 'Buy')[0]).toEqual([expect.objectContaining(item)]);

	expect(stoppedBy(await (await buys.post([item]))())).toContain('once-1 was submitted before');
	await playground.n8n.stop();
	await playground.restart();
	expect(stoppedBy(await (await buys.post([item]))())).toContain('once-1 was submitted before');

	expect(acceptedReferences()).toEqual(['once-1']);
});

it("replays the receipts of a failed execution when somebody presses Retry, also without a person's reference", async () => {
	const buys = await publishBuys('Retried', fromItem('amount'));
	playground.sandbox.fault({ kind: 'badRequest', on: 'buy', skip: 1 });
	const items = [{ amount: 15001 }, { amount: 15002 }, { amount: 15003 }];

	const failed = await (await buys.post(items))();
	expect(failed.status).toBe('error');
	const [first] = playground.sandbox.transactions();
	expect(stoppedBy(failed)).toContain(first!.transaction_id);

	const retried = await retry(failed);
	expect(retried.status).toBe('success');
	expect(outputsOf(retried, 'Buy')[0]).toEqual(
		items.map((item) => expect.objectContaining({ ...item, transaction_id: expect.any(String) })),
	);
	expect(playground.sandbox.transactions().map(({ amount }) => amount)).toEqual([
		15001, 15002, 15003,
	]);
});

it('does not send an unknown outcome again when somebody presses Retry', async () => {
	const buys = await publishBuys('Unknown', fromItem('amount'));
	playground.sandbox.fault({ kind: 'acceptThenDrop', on: 'buy' });

	const failed = await (await buys.post([{ amount: 15001 }, { amount: 15002 }]))();
	const [reference] = acceptedReferences();
	for (const execution of [failed, await retry(failed)]) {
		expect(stoppedBy(execution)).toContain('It is not known whether the buy was accepted');
		expect(stoppedBy(execution)).toContain(reference);
	}
	expect(acceptedReferences()).toEqual([reference]);
});

it('knows a reference that was accepted when n8n was killed before it heard of it', async () => {
	const buys = await publishBuys('Killed', fromItem('reference'));
	playground.sandbox.fault({ kind: 'delay', on: 'buy', delayMs: 60_000 });

	await buys.post([{ reference: 'killed-1' }]);
	await until(() => acceptedReferences().length > 0);
	await playground.n8n.kill();
	await playground.restart();

	const again = await (await buys.post([{ reference: 'killed-1' }]))();
	expect(stoppedBy(again)).toContain('Reference killed-1 was submitted before');
	expect(acceptedReferences()).toEqual(['killed-1']);

	const other = await (await buys.post([{ reference: 'killed-2' }]))();
	expect(other.status).toBe('success');
});

it('leaves the secret key in nothing that n8n keeps or says', async () => {
	const folder = join(playground.userFolder, '.n8n');
	const files = (await readdir(folder)).filter((name) => name.startsWith('database.sqlite'));
	expect(files).not.toEqual([]);
	for (const file of files) {
		const kept = await readFile(join(folder, file), 'latin1');
		expect(kept.includes(playground.sandbox.secretKey)).toBe(false);
	}
	expect(playground.n8n.logs()).not.toContain(playground.sandbox.secretKey);
});
