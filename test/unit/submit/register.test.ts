import type { IDataObject, IExecuteFunctions, INode, IWorkflowBase } from 'n8n-workflow';

import type { Entry } from '../../../nodes/StablecoinRamp/submit/check.ts';
import { columns, openRegister } from '../../../nodes/StablecoinRamp/submit/register.ts';
import type { Result } from '../../../nodes/StablecoinRamp/submit/result.ts';
import { entry } from './entry.ts';

type Fails = (operation: unknown, doNotWaitToFinish: boolean) => Error | undefined;

/** A data table that does not always work. n8n's own is in test/n8n. */
function someTable() {
	let rows: IDataObject[] = [];
	let fails: Fails = () => undefined;
	const matches = (row: IDataObject, wanted: IDataObject, names: string[]) =>
		names.every((name) => row[name] === wanted[name]);

	function take({ parameters }: INode, items: IDataObject[]): IDataObject[] {
		const { operation, filters } = parameters;
		if (operation === 'list') {
			const all = Object.keys(columns).map((name) => ({ name }));
			return [{ name: 'Register', id: 't', columns: all }];
		}
		if (operation === 'insert') rows.push(...items);
		if (operation === 'upsert') {
			const names = ['reference', 'executionId', 'sentAt', 'outcome'];
			for (const item of items) {
				rows = [...rows.filter((row) => !matches(row, item, names)), item];
			}
		}
		const { conditions = [] } = (filters ?? {}) as {
			conditions?: Array<{ keyName: string; keyValue: string }>;
		};
		const wanted = Object.fromEntries(conditions.map((one) => [one.keyName, one.keyValue]));
		if (operation === 'deleteRows') {
			rows = rows.filter((row) => !matches(row, wanted, Object.keys(wanted)));
		}
		return operation === 'get' ? rows : items;
	}

	const executeWorkflow = async (
		{ code }: { code: IWorkflowBase },
		given: Array<{ json: IDataObject }>,
		_?: unknown,
		{ doNotWaitToFinish = false } = {},
	) => {
		let items = given.map(({ json }) => json);
		for (const node of code.nodes.slice(1)) {
			const thrown = fails(node.parameters.operation, doNotWaitToFinish);
			if (thrown) throw thrown;
			items = take(node, items);
		}
		return { data: [items.map((json) => ({ json }))] };
	};
	return {
		outcomes: () => rows.map(({ reference, outcome }) => `${reference} ${outcome}`),
		failing: (when: Fails) => (fails = when),
		context: { executeWorkflow, getExecutionId: () => '1' } as unknown as IExecuteFunctions,
	};
}

const address = 'https://service.example/';
const entryOf = (reference: string) => ({ ...entry(reference), body: { amount: 20000 } });
const isAccepted: Result = { outcome: 'accepted', standing: 'accepted', id: 'id', receipt: {} };

async function begun() {
	const table = someTable();
	const opened = await openRegister(table.context, 'buy', address, 'Register');
	if (!opened.ok) throw new Error(opened.message);
	const { register } = opened;
	const entries = ['a', 'b'].map(entryOf);
	await register.write(entries, []);
	const settle = async (also: Entry[] = []) =>
		await register.write(
			also,
			entries.map((one) => [one, isAccepted]),
		);
	return { table, register, settle };
}

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
		await register.finish();
		expect(table.outcomes()).toEqual(done);
		expect(register.unfinished).toEqual([]);
	},
);

it('goes on without anybody waiting when the execution has had its time', async () => {
	const { table, register, settle } = await begun();
	const over = new Error('The execution was cancelled because it timed out');
	table.failing((_, isAlone) => (isAlone ? undefined : over));
	await expect(settle()).rejects.toThrow('timed out');
	await register.finish();
	expect(table.outcomes()).toEqual(done);
});

it('names what it could not complete', async () => {
	const { table, register, settle } = await begun();
	table.failing(() => new Error('no more room'));
	await expect(settle()).rejects.toThrow('no more room');
	await register.finish();
	expect(register.unfinished).toEqual(['a', 'b']);
	expect(table.outcomes()).toEqual(['a sending', 'b sending']);
});

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
