import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { publishBuys, retry, stoppedBy } from '../support/n8n/buys.mts';
import { outputsOf, usePlayground } from '../support/n8n/playground.mts';
import { closeServers, startService } from '../support/servers.mts';
import { fromItem, submitting } from '../support/transactions.mts';
import { until } from '../support/waiting.mts';
import { credentialsIn, inARow } from '../support/workflows.mts';

const playground = usePlayground();

beforeEach(() => playground.sandbox.reset());
afterEach(closeServers);

const acceptedReferences = () =>
	playground.sandbox.transactions().map(({ reference }) => reference);

describe('a transaction', () => {
	it('submits a reference once, in a second execution and after a restart of n8n too', async () => {
		const buys = await publishBuys(playground, 'Once', fromItem('reference'));
		const item = { reference: 'once-1' };

		const first = await buys.run([item]);
		expect(first.status).toBe('success');
		expect(outputsOf(first, 'Buy')[0]).toEqual([expect.objectContaining(item)]);

		expect(stoppedBy(await buys.run([item]))).toContain('once-1 was accepted before');
		await playground.n8n.stop();
		await playground.restart();
		expect(stoppedBy(await buys.run([item]))).toContain('once-1 was accepted before');

		expect(acceptedReferences()).toEqual(['once-1']);
	});

	it("replays the receipts of a failed execution when somebody presses Retry, also without a person's reference", async () => {
		const buys = await publishBuys(playground, 'Retried', fromItem('amount'));
		playground.sandbox.fault({ kind: 'badRequest', on: 'buy', skip: 1 });
		const items = [{ amount: 15001 }, { amount: 15002 }, { amount: 15003 }];

		const failed = await buys.run(items);
		expect(failed.status).toBe('error');
		const [first] = playground.sandbox.transactions();
		expect(stoppedBy(failed)).toContain(first!.transaction_id);

		const retried = await retry(playground, failed);
		expect(retried.status).toBe('success');
		expect(outputsOf(retried, 'Buy')[0]).toEqual(
			items.map((item) => expect.objectContaining({ ...item, transaction_id: expect.any(String) })),
		);
		expect(playground.sandbox.transactions().map(({ amount }) => amount)).toEqual([
			15001, 15002, 15003,
		]);
	});

	it('does not send an unknown outcome again when somebody presses Retry', async () => {
		const buys = await publishBuys(playground, 'Unknown', fromItem('amount'));
		playground.sandbox.fault({ kind: 'acceptThenDrop', on: 'buy' });

		const failed = await buys.run([{ amount: 15001 }, { amount: 15002 }]);
		const [reference] = acceptedReferences();
		for (const execution of [failed, await retry(playground, failed)]) {
			expect(stoppedBy(execution)).toContain('It is not known whether the buy was accepted');
			expect(stoppedBy(execution)).toContain(reference);
		}
		expect(acceptedReferences()).toEqual([reference]);
	});

	it('sends what is new beside an unknown outcome when somebody does what the message says', async () => {
		const buys = await publishBuys(playground, 'Advised', fromItem('amount'));
		playground.sandbox.fault({ kind: 'serverError', on: 'buy' });
		const failed = await buys.run([{ amount: 15001 }, { amount: 15002 }]);
		expect(stoppedBy(failed)).toContain(
			"set 'On Error' in Settings to Continue (using error output), save the workflow, and press Retry with currently saved workflow",
		);

		const workflow = await playground.workflow(buys.id);
		const nodes = workflow.nodes.map((node) =>
			node.name === 'Buy' ? { ...node, onError: 'continueErrorOutput' } : node,
		);
		await playground.rest.patch(`/workflows/${buys.id}`, { ...workflow, nodes });
		const retried = await retry(playground, failed, { loadWorkflow: true });
		expect(outputsOf(retried, 'Buy')).toEqual([
			[expect.objectContaining({ outcome: 'accepted', amount: 15002 })],
			[expect.objectContaining({ outcome: 'unknown' })],
		]);
		expect(playground.sandbox.transactions().map(({ amount }) => amount)).toEqual([15002]);
	});

	it('knows a reference that was accepted when n8n was killed before it heard of it', async () => {
		const buys = await publishBuys(playground, 'Killed', fromItem('reference'));
		playground.sandbox.fault({ kind: 'delay', on: 'buy', delayMs: 60_000 });

		await buys.post([{ reference: 'killed-1' }]);
		await until(() => acceptedReferences().length > 0);
		await playground.n8n.kill();
		await playground.restart();

		const again = await buys.run([{ reference: 'killed-1' }]);
		expect(stoppedBy(again)).toContain(
			'Reference killed-1 was submitted before, and its outcome is unknown',
		);
		expect(acceptedReferences()).toEqual(['killed-1']);

		const other = await buys.run([{ reference: 'killed-2' }]);
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
});

describe('error outputs', () => {
	const start = { name: 'Start', type: 'n8n-nodes-base.manualTrigger' };

	/** What each output has when the node runs after another one, or alone. */
	async function outputs(isAlone: boolean, parameters: ReturnType<typeof submitting>) {
		const { rest } = playground;
		const ramp = { name: 'Ramp', parameters, onError: 'continueErrorOutput' as const };
		const workflow = inARow(isAlone ? [ramp] : [start, ramp], await credentialsIn(rest));
		const { id } = await rest.post<{ id: string }>('/workflows', workflow);
		const ran = isAlone ? playground.runStep(id, 'Ramp') : playground.run(id, 'Start');
		return outputsOf(await ran, 'Ramp');
	}

	describe.each([
		['after a node', false],
		['with no node before it', true],
	])('%s', (_, isAlone) => {
		const words = { error: expect.any(String) as string, message: expect.any(String) as string };

		it.each([
			['badRequest', 'rejected', '400'],
			['serverError', 'unknown', '500'],
		] as const)(
			'a buy that meets %s leaves by the error output as %s',
			async (kind, outcome, httpCode) => {
				playground.sandbox.fault({ kind, on: 'buy' });
				const reference = 'order-1';

				expect(await outputs(isAlone, submitting('buy', { reference }))).toEqual([
					[],
					[{ ...words, outcome, reference, httpCode }],
				]);
				expect(acceptedReferences()).toEqual([]);
			},
		);

		it('a read that fails leaves by the error output, with its status', async () => {
			playground.sandbox.fault({ kind: 'unavailable' });
			const message = expect.stringContaining('(HTTP 503)') as string;

			expect(await outputs(isAlone, { resource: 'rate', operation: 'usdc' })).toEqual([
				[],
				[{ ...words, message }],
			]);
		});

		it('what is accepted or read leaves by the first output', async () => {
			expect(await outputs(isAlone, submitting('buy', { reference: 'order-2' }))).toEqual([
				[expect.objectContaining({ outcome: 'accepted', reference: 'order-2' })],
				[],
			]);
			expect(acceptedReferences()).toEqual(['order-2']);
			expect(await outputs(isAlone, { resource: 'rate', operation: 'usdc' })).toEqual([
				[expect.objectContaining({ USD: 1476.8 })],
				[],
			]);
		});
	});

	it('keeps a receipt with an error that is null, for which some n8n try again', async () => {
		const answer = { error: null, transaction: { transaction_id: 'T-1' } };
		const service = await startService(() => ({ body: answer }));
		const stablecoinRampApi = await playground.rest.post<{ id: string; name: string }>(
			'/credentials',
			{
				name: 'Answers with null',
				type: 'stablecoinRampApi',
				data: service.credentials,
			},
		);
		const parameters = submitting('buy', { reference: 'order-3', simplify: false });
		const ramp = { name: 'Ramp', parameters, retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const workflow = inARow([start, ramp], { stablecoinRampApi });
		const { id } = await playground.rest.post<{ id: string }>('/workflows', workflow);

		expect(outputsOf(await playground.run(id, 'Start'), 'Ramp')).toEqual([
			[{ outcome: 'accepted', reference: 'order-3', ...answer }],
		]);
		expect(service.received).toHaveLength(1);
	});
});
