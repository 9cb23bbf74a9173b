import type { IDataObject, INode, IWorkflowBase } from 'n8n-workflow';

import { columns } from '../../nodes/StablecoinRamp/submit/register.ts';

type Fails = (operation: unknown, doNotWaitToFinish: boolean) => Error | undefined;

/** A data table that does not always work, in place of the workflow that reaches n8n's own. That one is in test/n8n. */
export function someTable() {
	let rows: IDataObject[] = [];
	let fails: Fails = () => undefined;
	const asked: unknown[] = [];
	const evaluated: string[] = [];
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
			const names = ['reference', 'executionId', 'item', 'sentAt', 'outcome'];
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
		if (operation !== 'get') return items;
		const { references } = items[0] as { references: string[] };
		asked.push(references);
		evaluated.push(...conditions.map((one) => one.keyValue));
		return rows.filter(({ reference }) => references.includes(String(reference)));
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
		// What nobody waits for gives nothing.
		return { data: [doNotWaitToFinish ? null : items.map((json) => ({ json }))] };
	};
	return {
		executeWorkflow,
		outcomes: () => rows.map(({ reference, outcome }) => `${reference} ${outcome}`),
		failing: (when: Fails) => (fails = when),
		change: (changed: (row: IDataObject) => IDataObject) => (rows = rows.map(changed)),
		/** The references that were asked for, and the texts that n8n would have evaluated for it. */
		asked: () => asked,
		evaluated: () => evaluated,
	};
}
