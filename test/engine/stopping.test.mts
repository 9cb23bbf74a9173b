import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import { credentialsFor } from '../support/engine/engine.mts';
import { startServer, startService } from '../support/servers.mts';
import { startProcess } from '../support/engine/processes.mts';
import { goingOn, useSubmitting } from '../support/engine/submitting.mts';
import { referencesTo } from '../support/transactions.mts';
import { until } from '../support/waiting.mts';

const { engine, sandbox, optionsFor, submit, posts, accepted } = useSubmitting();

const good = { transaction: { transaction_id: 'T-1' } };

describe('a run that stops', () => {
	it('says of every item what it is, those too that it did not reach', async () => {
		await submit('buy', {}, { items: [{ reference: 'order-7' }] });
		sandbox.fault({ kind: 'serverError', on: 'buy' });
		await submit('buy', {}, { items: [{ reference: 'order-8' }] });

		sandbox.fault({ kind: 'serverError', on: 'buy', skip: 2 });
		const { error } = await submit('buy', {}, { items: referencesTo(9) });
		expect(error?.message).toBe(
			'It is not known whether the buy was accepted. The service is not working at the moment [item 2]',
		);
		expect(error?.description?.split('\n').slice(1)).toEqual([
			expect.stringMatching(
				/^1\. Look for each reference under 'Outcome unknown' on .* at or after /,
			),
			expect.stringMatching(/^2\. /),
			expect.stringMatching(/^3\. /),
			expect.stringMatching(/^4\. /),
			expect.stringMatching(/^More: https:/),
			'Accepted in this run (2):',
			'transaction SBX-000002, reference order-0 [item 0]',
			'transaction SBX-000003, reference order-1 [item 1]',
			'Accepted before (1):',
			'reference order-7 [item 7]',
			'Outcome unknown (2):',
			expect.stringMatching(/^reference order-2: look for it at or after .* \[item 2\]$/),
			expect.stringMatching(/^reference order-8: look for it at or after .* \[item 8\]$/),
			'New, not sent (4):',
			...[3, 4, 5, 6].map((index) => `reference order-${index} [item ${index}]`),
			expect.stringMatching(
				/^To send the 4 that are new, set 'If Already Submitted' in Options to Skip and 'On Error'/,
			),
		]);
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '500' });
	});

	it('stops before the chunk of a known reference, and what it says sends the others does', async () => {
		await submit('buy', {}, { items: [{ reference: 'order-3' }] });
		const { error } = await submit('buy', {}, { items: referencesTo(5) });
		expect(posts()).toHaveLength(1);
		expect(error?.message).toBe(
			'Reference order-3 was accepted before and is not sent again [item 3]',
		);
		expect(error?.description).toContain("set 'If Already Submitted' in Options to Skip, then");
		const options = { ifAlreadySubmitted: 'skip' };
		await submit('buy', { options }, { items: referencesTo(5) });
		expect(accepted().sort()).toEqual(referencesTo(5).map(({ reference }) => reference));
	});

	it('at one that is rejected each time sends the others by what it says', async () => {
		const { credentials, received } = await startService(({ reference }) =>
			reference === 'order-1' ? { status: 400 } : { body: good },
		);
		const items = referencesTo(4);
		const { error } = await submit('buy', {}, { credentials, items });
		expect(error?.description).toContain(
			"To send the 2 that are new, set 'If Already Submitted' in Options to Skip and 'On Error' in Settings to Continue (using error output), then submit all of them again",
		);
		const options = { ifAlreadySubmitted: 'skip' };
		const node = { onError: 'continueErrorOutput' } as const;
		const ran = await submit('buy', { options }, { credentials, items, node });
		expect(ran.json.map(({ outcome }) => outcome)).toEqual(['skipped', 'accepted', 'accepted']);
		expect(ran.errorItems).toMatchObject([{ json: { outcome: 'rejected' } }]);
		expect(received.map(({ reference }) => reference)).toEqual([
			'order-0',
			'order-1',
			'order-1',
			'order-2',
			'order-3',
		]);
	});

	it('names what stopped it, not what it found when it looked up the rest', async () => {
		const service = await startServer(() => ({ body: good }));
		const credentials = { ...credentialsFor(sandbox), baseUrl: service.url };
		await submit('buy', {}, { credentials, items: [{ reference: 'order-7' }] });
		await service.close();
		const { error } = await submit('buy', {}, { credentials, items: referencesTo(8) });
		expect(error?.message).toBe(
			'The buy was not sent. Nothing answers at the address of the service [item 0]',
		);
		expect(error?.description).toContain('Accepted before (1):\nreference order-7 [item 7]');
	});

	it('frees what it did not send', async () => {
		sandbox.fault({ kind: 'badRequest', on: 'buy', skip: 1 });
		await submit('buy', {}, { items: referencesTo(30) });
		await submit('buy', {}, { items: referencesTo(30).slice(1) });
		expect(accepted()).toHaveLength(30);
	});

	it('keeps its own words when a reference contains what n8n takes for a system code', async () => {
		const items = [{ reference: 'preexisting-eperm' }];
		await submit('buy', {}, { items });
		const { error } = await submit('buy', {}, { items });
		expect(error?.message).toBe(
			'Reference preexisting-eperm was accepted before and is not sent again',
		);
	});
});

describe('parallel requests', () => {
	const parallel = async (
		parallelRequests: number,
		count: number,
		answer: (body: IDataObject, index: number) => Promise<{ status?: number }>,
	) => {
		const service = await startService(answer);
		const ran = await submit(
			'sell',
			{ options: { parallelRequests } },
			{ credentials: service.credentials, items: referencesTo(count) },
		);
		return { ...ran, ...service };
	};
	it.each([1, 4])(
		'has at most %i on their way, and as many when there are enough',
		async (most) => {
			let arrived = 0;
			const { mostAtOnce, received } = await parallel(most, 12, async () => {
				arrived++;
				await until(() => arrived >= most);
				return await sleep(20, {});
			});
			expect(mostAtOnce()).toBe(most);
			expect(received).toHaveLength(12);
		},
	);

	it('keeps the items in order', async () => {
		const { json } = await parallel(4, 8, async (_, index) => await sleep(5 * (8 - index), {}));
		expect(json.map(({ reference }) => ({ reference }))).toEqual(referencesTo(8));
	});

	it('starts nothing new after a setback, and waits for those on their way', async () => {
		let arrived = 0;
		const { error, received } = await parallel(3, 20, async (_, index) => {
			arrived++;
			if (index === 1) return { status: 500 };
			await until(() => arrived >= 3);
			return await sleep(300, {});
		});
		expect(received).toHaveLength(3);
		expect(error?.description).toContain('Accepted in this run (2)');
		expect(error?.description).toContain('Outcome unknown (1)');
		expect(error?.description).toContain('New, not sent (17)');
	});
});

it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
	'cancelled, a run settles the one under way and frees the others (%s)',
	async (onError) => {
		let answer = (_: { body: unknown }) => {};
		let arrive = () => {};
		const arrived = new Promise<void>((resolve) => (arrive = resolve));
		const service = await startService(async () => {
			arrive();
			return await new Promise((resolve) => (answer = resolve));
		});
		const { credentials } = service;
		const different = { credentials, items: referencesTo(5), node: { onError } };
		const ending = submit('sell', {}, { ...different, cancelWhen: arrived });
		await arrived;
		answer({ body: { transaction_id: 'T-1' } });
		const ran = await ending;
		expect(service.received).toHaveLength(1);
		expect(JSON.stringify([ran.json, ran.error?.description])).toContain('T-1');
		const rows = engine.processedData.count();
		const lookedUp = await submit('sell', {}, { credentials, items: referencesTo(1) });
		expect(lookedUp.error?.message).toContain('Reference order-0 was accepted before');
		expect(engine.processedData.count()).toBe(rows);
	},
);

it('a long list can be cancelled while its items are checked', async () => {
	const items = referencesTo(120).map((item, index) => ({
		...item,
		amount: [40, 60].includes(index) ? 1 : 15000,
	}));
	const cancelling = new AbortController();
	const process = startProcess(engine, (context) => {
		const { getNodeParameter } = context;
		Object.assign(context, {
			getExecutionCancelSignal: () => cancelling.signal,
			getNodeParameter: (...asked: [string, number]) => {
				// A timer, as the pause is: of two, the one that was set first comes first, however busy the machine is.
				if (asked[1] === 10) setTimeout(() => cancelling.abort(), 0);
				return (getNodeParameter as (...all: unknown[]) => unknown).call(context, ...asked);
			},
		});
	});
	// Not a mere field of the item: that would be read without n8n.
	const amount = '={{ $json.amount * 1 }}';
	const ran = await process.run(optionsFor('buy', { amount }, { items, node: goingOn }));
	const said = ran!.json.map(({ error }) => String(error));
	expect(said[40]).toContain('below the minimum');
	expect(said[60]).toContain('the run was stopped before it');
	expect(posts()).toEqual([]);
});
