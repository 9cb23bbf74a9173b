import type { IExecuteFunctions } from 'n8n-workflow';

import type { Entry } from '../../../nodes/StablecoinRamp/submit/checkItems.ts';
import { openRegister } from '../../../nodes/StablecoinRamp/submit/memory/register.ts';
import type { Result } from '../../../nodes/StablecoinRamp/submit/result.ts';
import { someTable } from '../../support/dataTable.ts';
import { entry } from './entry.ts';

const address = 'https://service.example/';
const entryOf = (reference: string) => ({ ...entry(reference), body: { amount: 20000 } });
const isAccepted: Result = { outcome: 'accepted', standing: 'accepted', id: 'id', receipt: {} };

async function begun() {
	const table = someTable();
	const context = {
		executeWorkflow: table.executeWorkflow,
		getExecutionId: () => '1',
		getExecutionCancelSignal: () => undefined,
		getWorkflow: () => ({ id: 'ours' }),
	} as unknown as IExecuteFunctions;
	const opened = await openRegister(context, 'buy', address, 'Register');
	if (!opened.ok) throw new Error(opened.message);
	const { register } = opened;
	const entries = ['a', 'b'].map(entryOf);
	await register.write({ sending: entries, settled: [], withdrawn: [] });
	const settle = async (sending: Entry[] = []) =>
		await register.write({
			sending,
			settled: entries.map((one) => [one, isAccepted]),
			withdrawn: [],
		});
	return { table, register, settle, entries };
}

const nothingMissing = { lacking: new Set(), unconfirmed: new Set() };
const accepted = (entry: Entry): [Entry, Result] => [entry, isAccepted];
const done = ['a accepted', 'b accepted'];

it('enters what is settled once, however often it is given', async () => {
	const { table, register, settle } = await begun();
	expect(table.outcomes()).toEqual(['a sending', 'b sending']);
	await settle();
	await settle();
	await register.finish();
	expect(table.outcomes()).toEqual(done);
});

it.each(['insert', 'deleteRows'])(
	'completes at the end what %s did not, and takes out what was not sent after all',
	async (operation) => {
		const { table, register, settle } = await begun();
		table.failing((one) => (one === operation ? new Error('the database blinked') : undefined));
		await expect(settle([entryOf('c')])).rejects.toThrow('blinked');
		table.failing(() => undefined);
		expect(await register.finish()).toEqual(nothingMissing);
		expect(table.outcomes()).toEqual(done);
	},
);

it('enters what failed before anything else the next time, and once', async () => {
	const { table, register, settle } = await begun();
	table.failing((one) => (one === 'deleteRows' ? new Error('the database blinked') : undefined));
	await expect(settle()).rejects.toThrow('blinked');
	table.failing((one) => (one === 'upsert' ? new Error('still away') : undefined));
	await expect(settle([entryOf('c')])).rejects.toThrow('still away');
	table.failing(() => undefined);
	await settle([entryOf('c')]);
	expect(await register.finish()).toEqual(nothingMissing);
	expect(table.outcomes()).toEqual([...done, 'c sending']);
});

it.each([[[]], [['deleteRows']]])(
	'takes out what somebody else has claimed, also when %j fails at first',
	async (failing: string[]) => {
		const { table, register, entries } = await begun();
		table.failing((one) => (failing.includes(String(one)) ? new Error('away') : undefined));
		const settled: Array<[Entry, Result]> = [[entries[0]!, isAccepted]];
		const withdrawn = entries.slice(1);
		await register.write({ sending: [], settled, withdrawn }).catch(() => undefined);
		table.failing(() => undefined);
		expect(await register.finish()).toEqual(nothingMissing);
		expect(table.outcomes()).toEqual(['a accepted']);
	},
);

it('takes out what somebody else has claimed where there is nothing to enter', async () => {
	const { table, register, entries } = await begun();
	await register.write({ sending: [], settled: [], withdrawn: entries });
	expect(table.outcomes()).toEqual([]);
});

it('goes on without anybody waiting when the execution has had its time', async () => {
	const { table, register, settle, entries } = await begun();
	const over = new Error('The execution was cancelled because it timed out');
	table.failing((_, isAlone) => (isAlone ? undefined : over));
	await expect(settle()).rejects.toThrow('timed out');
	const unconfirmed = new Set(entries);
	expect(await register.finish()).toEqual({ ...nothingMissing, unconfirmed });
	expect(table.outcomes()).toEqual(done);
});

it('completes at the end what two writes in a row did not', async () => {
	const { table, register, settle } = await begun();
	const more = [entryOf('c')];
	await settle(more);
	table.failing(() => new Error('away'));
	const next = { sending: [entryOf('d')], settled: more.map(accepted), withdrawn: [] };
	await expect(register.write({ ...next, settled: [] })).rejects.toThrow('away');
	await expect(register.write({ ...next, sending: [] })).rejects.toThrow('away');
	table.failing(() => undefined);
	expect(await register.finish()).toEqual(nothingMissing);
	expect(table.outcomes()).toEqual([...done, 'c accepted']);
});

it.each(['no more room', 'Database connection timed out'])(
	'names what it could not complete: %s',
	async (message) => {
		const { table, register, settle, entries } = await begun();
		table.failing(() => new Error(message));
		await expect(settle()).rejects.toThrow(message);
		expect(await register.finish()).toEqual({ ...nothingMissing, lacking: new Set(entries) });
		expect(table.outcomes()).toEqual(['a sending', 'b sending']);
	},
);

it('tells what was accepted, and whether the amount is the same', async () => {
	const { register, settle } = await begun();
	await settle();
	const same = entryOf('a');
	const other = { ...entryOf('b'), body: { amount: 30000 } };
	const found = await register.accepted([same, other, entryOf('c')]);
	expect([...found]).toEqual([
		[same, { answer: { transaction_id: 'id' }, hasSameAmount: true }],
		[other, { answer: { transaction_id: 'id' }, hasSameAmount: false }],
	]);
});

it.each([
	['another workflow', { workflowId: 'theirs' }, false],
	['another address of the service', { service: `${address}live` }, false],
	['a sell', { operation: 'sell' }, false],
	['one that was rejected', { outcome: 'rejected' }, false],
	['a row that a person has added', { workflowId: null, amount: null, executionId: null }, true],
])('does not take the transaction of another for its own: %s', async (_, different, isOurs) => {
	const { table, register, settle } = await begun();
	await settle();
	table.change((row) => ({ ...row, ...different }));
	expect((await register.accepted([entryOf('a')])).size).toBe(isOurs ? 1 : 0);
});

it('asks for a reference that n8n would take for an expression', async () => {
	const { table, register } = await begun();
	const odd = '={{ $env.HOME }}';
	await register.accepted([entryOf(odd)]);
	expect(table.asked().at(-1)).toEqual([odd]);
	expect(table.evaluated().filter((one) => one.includes('$env'))).toEqual([]);
});
