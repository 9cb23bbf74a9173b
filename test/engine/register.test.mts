import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { someTable } from '../support/engine/fakeDataTable.mts';
import { startProcess } from '../support/engine/processes.mts';
import { goingOn, onErrors, useSubmitting } from '../support/engine/submitting.mts';
import { startService } from '../support/servers.mts';
import { outcomesOf, toldBy } from '../support/told.mts';
import { referencesTo } from '../support/transactions.mts';

const { engine, sandbox, optionsFor, posts, accepted } = useSubmitting();

let table: ReturnType<typeof someTable>;
beforeEach(() => {
	table = someTable();
});

/** In a process that has just started, with a register that is not n8n's own. */
async function buy(
	options: INodeParameters,
	different: Parameters<typeof optionsFor>[2] = {},
	parameters: INodeParameters = {},
	change: (context: IExecuteFunctions) => void = () => {},
) {
	const { executeWorkflow } = table;
	const withTable = (context: IExecuteFunctions) => {
		Object.assign(context, { executeWorkflow });
		change(context);
	};
	// Who is unsure has waited until a look proves something.
	const ahead = options.ifAlreadySubmitted === 'submitUnknownAgain' ? 25 : 0;
	const process = startProcess(engine, withTable, { ahead });
	const all = { ...parameters, options: { register: 'Register', ...options } };
	return (await process.run(optionsFor('buy', all, different)))!;
}

const gone = () => new Error('no more room');
const continuing = { node: goingOn };

it('sends nothing that it could not enter, and leaves it free', async () => {
	const items = referencesTo(7);
	table.failing((operation) => (operation === 'insert' ? gone() : undefined));
	const ran = await buy({}, { ...continuing, items });
	expect(outcomesOf(ran)).toEqual(items.map(() => 'notSent'));
	expect(ran.json[0]!.message).toContain('no more room');
	expect(posts()).toEqual([]);
	table.failing(() => undefined);
	expect(outcomesOf(await buy({}, { items }))).toEqual(items.map(() => 'accepted'));
});

it('says so where it could neither enter one nor release it', async () => {
	table.failing((operation) => {
		if (operation !== 'insert') return undefined;
		engine.processedData.outage = new Error('the database is gone');
		return gone();
	});
	const ran = await buy({}, continuing);
	expect(outcomesOf(ran)).toEqual(['notSent']);
	expect(ran.json[0]!.message).toContain('the database is gone');
	expect(posts()).toEqual([]);
});

describe('a register that cannot be written when the service has accepted', () => {
	const items = referencesTo(3);
	const lacks = (reference: string, id: string) =>
		expect.stringContaining(`reference ${reference} was accepted as transaction ${id}`) as string;
	const ids = () => sandbox.transactions().map(({ transaction_id }) => transaction_id);
	const skip = { ifAlreadySubmitted: 'skip' };

	/** Fails from the second write on: the first says that they are about to be sent. */
	function failingFrom(second: (operation: unknown) => Error | undefined) {
		let inserts = 0;
		table.failing((operation) => {
			if (operation === 'insert') inserts++;
			return inserts > 1 ? second(operation) : undefined;
		});
	}

	it('is completed at the end of the run, and nobody needs to know', async () => {
		failingFrom((operation) => (operation === 'insert' ? gone() : undefined));
		const ran = await buy({}, { items });
		expect(outcomesOf(ran)).toEqual(['accepted', 'accepted', 'accepted']);
		expect(ran.hints.join()).not.toContain('egister');
		expect(table.outcomes()).toEqual(items.map(({ reference }) => `${reference} accepted`));
		table.failing(() => undefined);
		const again = toldBy(await buy(skip, { items }));
		expect(again.map(({ outcome, id }) => [outcome, id])).toEqual(
			ids().map((id) => ['skipped', id]),
		);
		// The claims alone know it too.
		table.failing((operation) => (operation === 'get' ? gone() : undefined));
		expect(outcomesOf(await buy(skip, { items }))).toEqual(['skipped', 'skipped', 'skipped']);
	});

	it('is told in the last try too, which is the only one that people see', async () => {
		sandbox.fault({ kind: 'acceptThenDrop', on: 'buy', skip: 2 });
		failingFrom(gone);
		const node = { retryOnFail: true, maxTries: 2 };
		const { error } = await buy({}, { items, node });
		expect(error?.description).toEqual(lacks('order-0', ids()[0]!));
	});

	it('is completed in the middle of a run, before anything further is sent', async () => {
		let inserts = 0;
		table.failing((operation) => (operation === 'insert' && ++inserts === 3 ? gone() : undefined));
		const many = referencesTo(12);
		const ran = await buy({}, { ...continuing, items: many });
		// The third write has the first five as accepted and the last two as about to be sent.
		const expected = many.map((_, index) => (index < 10 ? 'accepted' : 'notSent'));
		expect(outcomesOf(ran)).toEqual(expected);
		expect(table.outcomes().toSorted()).toEqual(
			many.slice(0, 10).map(({ reference }) => `${reference} accepted`),
		);
		const again = await buy(skip, { ...continuing, items: many });
		expect(outcomesOf(again)).toEqual(
			expected.map((outcome) => (outcome === 'accepted' ? 'skipped' : 'accepted')),
		);
	});

	it('is told in a hint, and the claims have it all the same', async () => {
		failingFrom(gone);
		const ran = await buy({}, { items });
		expect(outcomesOf(ran)).toEqual(['accepted', 'accepted', 'accepted']);
		const hint = ran.hints.find((one) => one.includes('register'));
		for (const [index, id] of ids().entries()) expect(hint).toEqual(lacks(`order-${index}`, id));
		expect(hint).toMatch(/^The register could not be completed\. It lacks these, or still says/);
		expect(hint).toMatch(/Write them there by hand\.$/);
		table.failing(() => undefined);
		const again = await buy(skip, { items });
		expect(outcomesOf(again)).toEqual(['skipped', 'skipped', 'skipped']);
		expect(posts()).toHaveLength(3);
	});

	it('is told in the message where the run stops', async () => {
		failingFrom(gone);
		sandbox.fault({ kind: 'badRequest', on: 'buy', skip: 1 });
		const ran = await buy({}, { items });
		expect(outcomesOf(ran)).toEqual(['accepted', 'rejected', 'notSent']);
		const line = ran.error?.description?.split('\n').find((one) => one.includes('register'));
		expect(line).toEqual(lacks('order-0', ids()[0]!));
		expect(line).toContain('reference order-1 was rejected');
		table.failing(() => undefined);
		const again = await buy(skip, { items });
		expect(outcomesOf(again)).toEqual(['skipped', 'accepted', 'accepted']);
		expect(accepted()).toEqual(['order-0', 'order-1', 'order-2']);
	});
});

describe('a cancelled execution', () => {
	const items = referencesTo(3);

	/** n8n lets nobody wait for a workflow any more when an execution was cancelled or has had its time. */
	async function cancelled(isFiredInVain: boolean, onError: (typeof onErrors)[number]) {
		let isCancelled = false;
		table.failing((_, isAlone) => {
			if (!isCancelled) return undefined;
			return isAlone && !isFiredInVain ? undefined : new Error('The execution was cancelled');
		});
		let cancel = () => {};
		const cancelWhen = new Promise<void>((resolve) => (cancel = resolve));
		const cancelAfterFirst = ({ helpers }: IExecuteFunctions) => {
			const send = helpers.httpRequestWithAuthentication as (
				...args: unknown[]
			) => Promise<unknown>;
			const andCancel = async function (this: unknown, ...args: unknown[]) {
				const answer = await send.apply(this, args);
				isCancelled = true;
				cancel();
				return await nextTurn(answer);
			};
			Object.assign(helpers, { httpRequestWithAuthentication: andCancel });
		};
		await buy({}, { items, cancelWhen, node: { onError } }, {}, cancelAfterFirst);
		expect(posts()).toHaveLength(1);
		table.failing(() => undefined);
	}

	it.each(onErrors)('has its receipts in the register (%s)', async (onError) => {
		await cancelled(false, onError);
		expect(table.outcomes()).toContain('order-0 accepted');
		expect(table.outcomes().join()).not.toContain('sending');
		const told = toldBy(await buy({ ifAlreadySubmitted: 'skip' }, { items }));
		const [first] = sandbox.transactions();
		expect(told[0]).toMatchObject({ outcome: 'skipped', id: first!.transaction_id });
		expect(told.slice(1).map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
		expect(accepted()).toEqual(['order-0', 'order-1', 'order-2']);
	});

	it.each(onErrors)(
		'leaves in doubt what it has accepted and could not enter (%s)',
		async (onError) => {
			await cancelled(true, onError);
			expect(table.outcomes()).toContain('order-0 sending');
			const again = await buy({ ifAlreadySubmitted: 'skip' }, { ...continuing, items });
			expect(outcomesOf(again)).toEqual(['unknown', 'accepted', 'accepted']);
			expect(accepted()).toEqual(['order-0', 'order-1', 'order-2']);
		},
	);
});

it('gives the receipt of what was accepted before', async () => {
	const [first] = (await buy({})).json;
	const [second] = (await buy({ ifAlreadySubmitted: 'skip' })).json;
	expect(second).toMatchObject({
		outcome: 'skipped',
		transaction_id: first!.transaction_id as string,
	});
	const { error } = await buy({}, { items: referencesTo(7) });
	expect(error?.description).toContain(`transaction ${String(first!.transaction_id)}, reference`);
});

it('still says that it was accepted before when the register cannot be read', async () => {
	await buy({});
	table.failing((operation) => (operation === 'get' ? gone() : undefined));
	const [item] = (await buy({ ifAlreadySubmitted: 'skip' })).json;
	expect(item).toMatchObject({ outcome: 'skipped', reference: 'order-0' });
});

it('names the transactions of those that a stopped run did not reach', async () => {
	const items = referencesTo(12);
	await buy({}, { items: items.slice(10) });
	const { error } = await buy({}, { items: [...items.slice(0, 1), ...items.slice(10)] });
	expect(error?.description).toMatch(/Accepted before \(2\):\ntransaction \S+, reference order-10/);

	sandbox.fault({ kind: 'badRequest', on: 'buy' });
	const stopped = await buy({}, { items: items.slice(1) });
	expect(stopped.error?.description).toMatch(/Accepted before \(2\):\ntransaction \S+, reference/);
});

describe('what a person has found on the dashboard', () => {
	const found = (row: IDataObject) => ({ ...row, outcome: 'accepted', transaction_id: 'T-77' });

	async function unknown(enter = found) {
		sandbox.fault({ kind: 'serverError', on: 'buy' });
		expect(outcomesOf(await buy({}))).toEqual(['unknown']);
		table.change(enter);
	}

	it.each(['skip', 'submitUnknownAgain'])('is passed over (%s)', async (ifAlreadySubmitted) => {
		await unknown();
		const [item] = (await buy({ ifAlreadySubmitted })).json;
		expect(item).toMatchObject({ outcome: 'skipped', transaction_id: 'T-77' });
		expect(posts()).toHaveLength(1);
	});

	it('is passed over without an amount, which a person may leave out', async () => {
		await unknown((row) => ({ ...found(row), amount: null }));
		const [item] = (await buy({ ifAlreadySubmitted: 'submitUnknownAgain' })).json;
		expect(item).toMatchObject({ outcome: 'skipped', transaction_id: 'T-77' });
		expect(posts()).toHaveLength(1);
	});

	it.each([
		['another amount', { amount: 20000 }, found],
		['another bank', { bankName: 'Another Bank' }, found],
		[
			'the amount of then, if that is not what was found',
			{},
			(row: IDataObject) => ({ ...found(row), amount: 20000 }),
		],
	])('does not stand for %s', async (_, parameters, enter) => {
		await unknown(enter);
		const again = await buy({ ifAlreadySubmitted: 'submitUnknownAgain' }, {}, parameters);
		expect(again.error?.message).toContain('was accepted before with other values');
		expect(posts()).toHaveLength(1);
	});

	it.each<[string, object, string | null]>([
		['where the answer of then has an id too', { id: 'req-9' }, 'T-77'],
		['where a person has left the id out', { error: 'boom' }, null],
	])('is given back as it was found, %s', async (_, body, transaction_id) => {
		const { credentials } = await startService(() => ({ status: 500, body }));
		const elsewhere = { ...continuing, credentials };
		expect(outcomesOf(await buy({}, elsewhere))).toEqual(['unknown']);
		table.change((row) => ({ ...row, outcome: 'accepted', transaction_id }));
		const [item] = (await buy({ ifAlreadySubmitted: 'skip' }, elsewhere)).json;
		expect(item).toEqual({
			outcome: 'skipped',
			reference: 'order-0',
			transaction_id,
			note: expect.any(String),
		});
	});

	it('counts in the row that has the same values, where two are accepted', async () => {
		await unknown();
		table.rows().push({ ...table.rows()[0]!, amount: 20000, transaction_id: 'T-78' });
		const [item] = (await buy({ ifAlreadySubmitted: 'skip' })).json;
		expect(item).toMatchObject({ outcome: 'skipped', transaction_id: 'T-77' });
	});

	it('does not stand for one without what was found', async () => {
		await unknown((row) => ({ ...found(row), wallet_address: 'GAAA' }));
		const { error } = await buy({ ifAlreadySubmitted: 'skip' });
		expect(error?.message).toContain('was accepted before with other values');
	});

	describe('is not sent by a workflow that has never heard of it', () => {
		beforeEach(async () => {
			await buy({});
			engine.processedData.clear();
		});
		const elsewhere = { workflowId: 'imported anew' };

		it.each(['skip', 'submitUnknownAgain'])('%s', async (ifAlreadySubmitted) => {
			const [item] = (await buy({ ifAlreadySubmitted }, elsewhere)).json;
			expect(item).toMatchObject({
				outcome: 'skipped',
				reference: 'order-0',
				transaction_id: sandbox.transactions()[0]!.transaction_id,
			});
			expect(posts()).toHaveLength(1);
		});

		it('stop', async () => {
			const { error } = await buy({}, elsewhere);
			expect(error?.message).toBe('Reference order-0 was accepted before and is not sent again');
			expect(error?.description).toMatch(/^It is transaction \S+\. /);
			expect(posts()).toHaveLength(1);
		});

		it('stop, with a reference that looks the same and is typed otherwise', async () => {
			const items = [{ reference: 'order\uFF0D0' }];
			const { error } = await buy({}, { ...elsewhere, items });
			expect(error?.message).toContain('was accepted before and is not sent again');
			expect(posts()).toHaveLength(1);
		});

		it('stop, with a reference that another workflow has made', async () => {
			const reference = `n8n-${'0'.repeat(40)}`;
			table.change((row) => ({ ...row, reference }));
			const { error } = await buy({}, { ...elsewhere, items: [{ reference }] });
			expect(error?.message).toContain('was accepted before and is not sent again');
			expect(posts()).toHaveLength(1);
		});

		it('but submitAgain sends it', async () => {
			await buy({ ifAlreadySubmitted: 'submitAgain' }, elsewhere);
			expect(posts()).toHaveLength(2);
		});

		it.each([
			['a sell', { operation: 'sell' }],
			['another address', { service: 'https://elsewhere.example' }],
		])('which is not so of %s', async (_, different) => {
			table.change((row) => ({ ...row, ...different }));
			expect(outcomesOf(await buy({}, elsewhere))).toEqual(['accepted']);
		});
	});

	it('what it has by the time that an item is to be sent counts, not what it had when that was claimed', async () => {
		const items = referencesTo(12);
		const service = await startService(async (request, index) => {
			if (index === 1) {
				// While the second of the list is being sent, another workflow buys one of it, and a person closes one.
				const own = { workflowId: 'another', items: [{ reference: 'order-9' }] };
				await buy({}, { ...own, credentials: service.credentials });
				table.change((row) =>
					row.reference === 'order-8' ? { ...row, outcome: 'closed', message: 'refunded' } : row,
				);
			}
			// A service that takes its time: what was read before is not what the register says now.
			now.mockReturnValue(Date.now() + 3000);
			return { body: { transaction: { reference: request.reference } } };
		});
		const now = jest.spyOn(Date, 'now');
		const ran = await buy(
			{ ifAlreadySubmitted: 'skip' },
			{ ...continuing, items, credentials: service.credentials },
		);
		now.mockRestore();
		const told = outcomesOf(ran);
		expect([told[8], told[9]]).toEqual(['notSent', 'skipped']);
		expect(told.filter((outcome) => outcome === 'accepted')).toHaveLength(10);
		const sent = service.received.map(({ reference }) => reference);
		expect(sent.filter((reference) => reference === 'order-9')).toHaveLength(1);
		expect(sent).not.toContain('order-8');
		expect(table.outcomes().filter((row) => /order-[89] /.test(row))).toEqual([
			'order-8 closed',
			'order-9 accepted',
		]);
	});

	it('what it has when the service, which asked for time, may be asked again counts', async () => {
		const service = await startService(async (request, index) => {
			if (index > 0) return { body: { transaction: { reference: request.reference } } };
			await buy({}, { workflowId: 'another', credentials: service.credentials });
			return { status: 429, headers: { 'retry-after': '3' } };
		});
		const { credentials } = service;
		const ran = await buy({ ifAlreadySubmitted: 'skip' }, { ...continuing, credentials });
		expect(outcomesOf(ran)).toEqual(['skipped']);
		expect(service.received).toHaveLength(2);
		expect(table.outcomes()).toEqual(['order-0 accepted']);
	});

	it.each(['stop', 'skip', 'submitUnknownAgain', 'submitAgain'])(
		'where it cannot be asked for, nothing that is new is sent (%s)',
		async (ifAlreadySubmitted) => {
			table.failing((operation) => (operation === 'get' ? gone() : undefined));
			const items = referencesTo(7);
			const ran = await buy({ ifAlreadySubmitted }, { ...continuing, items });
			expect(outcomesOf(ran)).toEqual(items.map(() => 'notSent'));
			expect(ran.json[6]!.error).toBe(
				'The register could not say whether it was accepted before, so nothing was sent',
			);
			expect(posts()).toEqual([]);
			table.failing(() => undefined);
			expect(outcomesOf(await buy({ ifAlreadySubmitted }, { items }))).toEqual(
				items.map(() => 'accepted'),
			);
		},
	);

	it('is asked for before anything unknown is sent again: nothing is where that does not work', async () => {
		await unknown();
		table.failing((operation) => (operation === 'get' ? gone() : undefined));
		const ran = await buy({ ifAlreadySubmitted: 'submitUnknownAgain' }, continuing);
		expect(outcomesOf(ran)).toEqual(['notSent']);
		expect(posts()).toHaveLength(1);
	});
});

it('goes on with what is unknown and not in the register as accepted', async () => {
	sandbox.fault({ kind: 'serverError', on: 'buy' });
	await buy({}, continuing);
	expect(outcomesOf(await buy({ ifAlreadySubmitted: 'submitUnknownAgain' }))).toEqual(['accepted']);
	expect(accepted()).toEqual(['order-0']);
});

it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
	'does not say notSent of what may have moved and was not come to (%s)',
	async (onError) => {
		const items = referencesTo(4);
		sandbox.fault({ kind: 'acceptThenDrop', on: 'buy', times: 2 });
		await buy({}, { items: items.slice(0, 2), ...continuing });
		// The first is rejected and stops the run, or the first three are silent and end it.
		const isStop = onError === 'stopWorkflow';
		sandbox.fault({
			kind: isStop ? 'badRequest' : 'unavailable',
			on: 'buy',
			times: isStop ? 1 : 3,
		});
		const order = isStop ? [2, 0, 1] : [2, 3, 0, 1];
		const again = { items: order.map((index) => items[index]!), node: { onError } };
		await buy({ ifAlreadySubmitted: 'submitUnknownAgain' }, again);
		const newest = new Map(table.rows().map(({ reference, outcome }) => [reference, outcome]));
		expect(newest.get('order-1')).toBe('unknown');
		expect(newest.get('order-0')).toBe('unknown');
	},
);

it('an answer that nobody could read through ends neither the run nor the receipts before it', async () => {
	const deep = `${'{"a":'.repeat(2200)}1${'}'.repeat(2200)}`;
	const service = await startService(({ reference }, index) => ({
		body:
			index === 3 ? `{"transaction":{"id":"T-3"},"more":${deep}}` : { transaction: { reference } },
	}));
	const items = referencesTo(14);
	const ran = await buy({}, { ...continuing, items, credentials: service.credentials });
	expect(outcomesOf(ran)).toEqual(items.map(() => 'accepted'));
	expect(ran.json[3]!.transaction_id).toBe('T-3');
	expect(table.outcomes().toSorted()).toEqual(
		items.map(({ reference }) => `${reference} accepted`).toSorted(),
	);
});

it('keeps no more of an answer than a row should hold, and puts it out whole', async () => {
	const long = 'x'.repeat(30_000);
	const service = await startService(() => ({ body: { transaction: { id: 'T-1' }, long } }));
	const { credentials } = service;
	const { json } = await buy({}, { credentials }, { simplify: false });
	expect(json[0]).toMatchObject({ outcome: 'accepted', long });
	expect(table.rows()[0]).toMatchObject({ transaction_id: 'T-1' });
	expect(String(table.rows()[0]!.response)).toHaveLength(20_000);
	const again = await buy({ ifAlreadySubmitted: 'skip' }, { credentials });
	expect(again.json[0]).toMatchObject({ outcome: 'skipped', transaction_id: 'T-1' });
});
