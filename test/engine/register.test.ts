import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { someTable } from '../support/dataTable.ts';
import { startProcess } from '../support/processes.ts';
import { goingOn, useSubmitting } from '../support/submitting.ts';
import { outcomesOf } from '../support/told.ts';
import { referencesTo } from '../support/transactions.ts';

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
) {
	const { executeWorkflow } = table;
	const process = startProcess(engine, (context) => Object.assign(context, { executeWorkflow }));
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
		engine.records.outage = new Error('the database is gone');
		return gone();
	});
	const ran = await buy({}, continuing);
	expect(outcomesOf(ran)).toEqual(['notSent']);
	expect(ran.json[0]!.message).toContain('the database is gone');
	expect(posts()).toEqual([]);
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

	it('is not sent by a workflow that has never heard of it', async () => {
		await buy({});
		engine.records.clear();
		const [item] = (await buy({ ifAlreadySubmitted: 'submitUnknownAgain' })).json;
		expect(item).toMatchObject({ outcome: 'skipped', reference: 'order-0' });
		expect(accepted()).toEqual(['order-0']);
	});

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
