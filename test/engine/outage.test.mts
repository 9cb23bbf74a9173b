// What a run does about a service that does not work, or asks for time.
import { setTimeout as wait } from 'node:timers/promises';

import { startServer, startService, type Answer } from '../support/servers.mts';
import { goingOn, useSubmitting } from '../support/engine/submitting.mts';
import { outcomesOf } from '../support/told.mts';
import { referencesTo } from '../support/transactions.mts';
import { until } from '../support/waiting.mts';

const { submit, sandbox, accepted } = useSubmitting();

const took: Answer = { body: { status: 'success', transaction: { transaction_id: 'T' } } };
const continuing = { node: goingOn };
const times = <Of,>(count: number, one: Of): Of[] => Array.from({ length: count }, () => one);

/** A service that gives these answers, in order, and then accepts. */
async function serviceWith(...answers: Answer[]) {
	const service = await startService((_, index) => answers[index] ?? took);
	const buy = async (count: number, options = {}, more = {}) =>
		await submit(
			'buy',
			{ options },
			{
				items: referencesTo(count),
				credentials: service.credentials,
				...continuing,
				...more,
			},
		);
	return { ...service, buy };
}

describe('three requests in a row that say nothing about their items', () => {
	it.each([
		[503, 'unknown'],
		[500, 'unknown'],
		[302, 'unknown'],
		[401, 'rejected'],
		[403, 'rejected'],
		[404, 'rejected'],
		[429, 'rejected'],
	])('end a run that continues: %d', async (status, outcome) => {
		const { buy, received } = await serviceWith(...times(20, { status }));
		const ran = await buy(20);
		expect(outcomesOf(ran)).toEqual([...times(3, outcome), ...times(17, 'notSent')]);
		expect(received).toHaveLength(3);
		expect(ran.json[3]).toMatchObject({
			error: 'Not sent, because the service did not work for the three requests before it',
			message: 'It may be submitted again when the service works.',
		});
	});

	it('end it where they did not leave', async () => {
		const { url, close } = await startServer(() => took);
		await close();
		const { buy } = await serviceWith();
		const ran = await buy(
			20,
			{},
			{ credentials: { ...(await serviceWith()).credentials, baseUrl: url } },
		);
		expect(outcomesOf(ran)).toEqual(times(20, 'notSent'));
		const told = ran.json.map(({ error }) => String(error).slice(0, 27));
		expect(told.filter((one) => one === 'The buy was not sent. Nothi')).toHaveLength(3);
	});

	it('leave the rest free to be submitted', async () => {
		sandbox.fault({ kind: 'unavailable', on: 'buy', times: 3 });
		const items = referencesTo(10);
		const stopped = await submit('buy', {}, { items, ...continuing });
		expect(outcomesOf(stopped)).toEqual([...times(3, 'unknown'), ...times(7, 'notSent')]);
		const rest = await submit('buy', {}, { items: items.slice(3) });
		expect(outcomesOf(rest)).toEqual(times(7, 'accepted'));
		expect(accepted()).toEqual(items.slice(3).map(({ reference }) => reference));
	});

	it.each([2, 10])(
		'let no more leave than are under way (%d at a time)',
		async (parallelRequests) => {
			const { buy, received } = await serviceWith(...times(60, { status: 503 }));
			const ran = await buy(60, { parallelRequests });
			expect(received.length).toBeLessThanOrEqual(2 + parallelRequests);
			const sent = received.length;
			expect(outcomesOf(ran).toSorted()).toEqual([
				...times(60 - sent, 'notSent'),
				...times(sent, 'unknown'),
			]);
		},
	);

	it('are the end, though an answer that was slow comes after them', async () => {
		const service = await startService(async (_, index) => {
			if (index > 0) return { status: 503 };
			await until(() => service.received.length === 4);
			return await wait(300, took);
		});
		const { credentials, received } = service;
		const items = referencesTo(20);
		const options = { parallelRequests: 2 };
		const ran = await submit('buy', { options }, { items, credentials, ...continuing });
		expect(received).toHaveLength(4);
		expect(outcomesOf(ran)).toEqual(['accepted', ...times(3, 'unknown'), ...times(16, 'notSent')]);
	});

	it('leave what was accepted before as it is: passed over, with nothing to mend', async () => {
		const items = referencesTo(20);
		await submit('buy', {}, { items: items.slice(10) });
		sandbox.fault({ kind: 'unavailable', on: 'buy', times: 3 });
		const options = { ifAlreadySubmitted: 'skip' };
		const node = { onError: 'continueErrorOutput' } as const;
		const { json, errorItems } = await submit('buy', { options }, { items, node });
		expect(json.map(({ outcome }) => outcome)).toEqual(times(10, 'skipped'));
		expect(errorItems).toHaveLength(10);
	});

	it.each([
		['accepted', took],
		['rejected for what it is', { status: 400 }],
	])('are not in a row where one is %s', async (_, answer) => {
		const away = times(2, { status: 503 });
		const { buy, received } = await serviceWith(...away, answer, ...away, answer, ...away);
		await buy(12);
		expect(received).toHaveLength(12);
	});

	it('are in a row whatever the checks refuse in between', async () => {
		const { credentials, received } = await startService(() => ({ status: 503 }));
		const items = referencesTo(10).map((item, index) => ({
			...item,
			amount: index % 2 === 0 ? 20000 : 1,
		}));
		const ran = await submit(
			'buy',
			{ amount: '={{ $json.amount }}' },
			{ items, credentials, ...continuing },
		);
		expect(received.map(({ reference }) => reference)).toEqual(['order-0', 'order-2', 'order-4']);
		expect(outcomesOf(ran).filter((one) => one === 'unknown')).toHaveLength(3);
	});
});

describe('a 429 that says when to come back', () => {
	const busy = (after: string): Answer => ({ status: 429, headers: { 'retry-after': after } });

	it('is waited for and sent again, and nobody needs to know', async () => {
		const { buy, received } = await serviceWith(busy('1'));
		const began = Date.now();
		expect(outcomesOf(await buy(2))).toEqual(['accepted', 'accepted']);
		expect(Date.now() - began).toBeGreaterThanOrEqual(990);
		expect(received.map(({ reference }) => reference)).toEqual(['order-0', 'order-0', 'order-1']);
	});

	it('is waited for where it says so by a date', async () => {
		const soon = new Date(Date.now() + 2000).toUTCString();
		const { buy, received } = await serviceWith(busy(soon));
		expect(outcomesOf(await buy(1))).toEqual(['accepted']);
		expect(received).toHaveLength(2);
	});

	it('is sent again three times at most', async () => {
		const { buy, received } = await serviceWith(...times(5, busy('0')));
		expect(outcomesOf(await buy(1))).toEqual(['rejected']);
		expect(received).toHaveLength(4);
	});

	it('is not sent again where it names a transaction', async () => {
		const body = { message: 'Being processed', transaction_id: 'T-7' };
		const { buy, received } = await serviceWith({ ...busy('0'), body });
		expect(outcomesOf(await buy(1))).toEqual(['unknown']);
		expect(received).toHaveLength(1);
	});

	it.each(['61', 'soon', '-1', ''])('is not waited for where that is %j', async (after) => {
		const { buy, received } = await serviceWith(busy(after));
		expect(outcomesOf(await buy(1))).toEqual(['rejected']);
		expect(received).toHaveLength(1);
	});

	it('is waited for by the whole run', async () => {
		const at: number[] = [];
		const { credentials } = await startService((_, index) => {
			at.push(Date.now());
			return index === 0 ? busy('1') : took;
		});
		const ran = await submit(
			'buy',
			{ options: { parallelRequests: 3 } },
			{ items: referencesTo(12), credentials },
		);
		expect(outcomesOf(ran)).toEqual(times(12, 'accepted'));
		// Three are under way when it is said; the next comes when the second is over.
		expect(at[3]! - at[0]!).toBeGreaterThanOrEqual(990);
	});

	it('is not waited for by an execution that is cancelled', async () => {
		const { buy, received } = await serviceWith(...times(9, busy('30')));
		const began = Date.now();
		const cancelWhen = until(() => received.length === 1).then(async () => await wait(300));
		await buy(3, {}, { cancelWhen });
		expect(Date.now() - began).toBeLessThan(25_000);
		expect(received).toHaveLength(1);
	});
});
