import type { IDataObject, IExecuteFunctions, INode, IWorkflowBase } from 'n8n-workflow';

import { columns, newMoment, openRegister } from '../../../nodes/StablecoinRamp/submit/register.ts';
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
	const moment = newMoment();
	const sending = ['a', 'b'].map((one) => register.sending(entryOf(one), moment));
	const settled = ['a', 'b'].map((one) => register.settled(entryOf(one), moment, isAccepted));
	await register.write(sending);
	return { table, register, settled };
}

const next = 'c';
const done = ['a accepted', 'b accepted'];

it('enters what is settled once, however often it is given', async () => {
	const { table, register, settled } = await begun();
	expect(table.outcomes()).toEqual(['a sending', 'b sending']);
	await register.write(settled);
	await register.write(settled);
	await register.finish();
	expect(table.outcomes()).toEqual(done);
});

it.each(['insert', 'deleteRows'])(
	'completes at the end what %s did not, and takes out what was not sent after all',
	async (operation) => {
		const { table, register, settled } = await begun();
		table.failing((one) => (one === operation ? new Error('the database blinked') : undefined));
		const claimed = register.sending(entryOf(next), newMoment());
		await expect(register.write([claimed, ...settled])).rejects.toThrow('blinked');
		table.failing(() => undefined);
		await register.finish();
		expect(table.outcomes()).toEqual(done);
		expect(register.unfinished).toEqual([]);
	},
);

it('goes on without anybody waiting when the execution has had its time', async () => {
	const { table, register, settled } = await begun();
	const over = new Error('The execution was cancelled because it timed out');
	table.failing((_, isAlone) => (isAlone ? undefined : over));
	await expect(register.write(settled)).rejects.toThrow('timed out');
	await register.finish();
	expect(table.outcomes()).toEqual(done);
});

it('names what it could not complete', async () => {
	const { table, register, settled } = await begun();
	table.failing(() => new Error('no more room'));
	await expect(register.write(settled)).rejects.toThrow('no more room');
	await register.finish();
	expect(register.unfinished).toEqual(['a', 'b']);
	expect(table.outcomes()).toEqual(['a sending', 'b sending']);
});

it('tells what was accepted, with its amount', async () => {
	const { register, settled } = await begun();
	await register.write(settled);
	const found = await register.accepted(['a']);
	expect(found.get('a')).toMatchObject({ amount: 20000 });
});
