import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IDataObject, INode, IWorkflowBase } from 'n8n-workflow';

import type { GoingOut } from './processes.mts';

type Fails = (
	operation: unknown,
	doNotWaitToFinish: boolean,
	items: IDataObject[],
) => Error | undefined;

/**
 * A data table that does not always work, in place of the workflow that reaches n8n's own. That one is in test/n8n. It
 * has the columns that are given; without any it does not exist.
 */
export function someTable(has?: string[]) {
	let rows: IDataObject[] = [];
	let fails: Fails = () => undefined;
	const asked: unknown[] = [];
	const evaluated: string[] = [];
	const made: unknown[] = [];
	let ids = 0;
	// n8n's own gives each time as a Date of its own.
	const then = () => new Date(0) as unknown as string;
	const withId = (row: IDataObject): IDataObject => ({
		...row,
		id: ++ids,
		createdAt: then(),
		updatedAt: then(),
	});
	const toldApartBy: string[][] = [];
	const matches = (row: IDataObject, wanted: IDataObject, names: string[]) =>
		names.every((name) => (row[name] ?? null) === (wanted[name] ?? null));

	function take({ parameters }: INode, items: IDataObject[]): IDataObject[] {
		const { operation, filters } = parameters;
		if (operation === 'list') {
			return has ? [{ name: 'Register', id: 't', columns: has.map((name) => ({ name })) }] : [];
		}
		if (operation === 'create') {
			made.push(parameters);
			return [{ id: 't' }];
		}
		const { conditions = [] } = (filters ?? {}) as { conditions?: Condition[] };
		if (operation === 'insert') rows.push(...items.map(withId));
		if (operation === 'upsert') {
			const names = conditions.map(({ keyName }) => keyName);
			toldApartBy.push(names);
			for (const item of items) {
				rows = [...rows.filter((row) => !matches(row, item, names)), withId(item)];
			}
		}
		if (operation === 'deleteRows') {
			rows = rows.filter((row) => !conditions.every((one) => fulfils(row, one)));
		}
		if (operation !== 'get') return items;
		const texts = conditions
			.filter((one) => one.keyName === 'reference')
			.map((one) => one.keyValue);
		asked.push(conditions.filter(isEqual).map(({ keyValue }) => asEvaluated(keyValue)));
		evaluated.push(...texts.map(String));
		return rows.filter((row) => conditions.some((one) => fulfils(row, one)));
	}

	/** Each node of the small workflow goes out of the process by itself. */
	const executeWorkflowBy =
		(goingOut: GoingOut) =>
		async (
			{ code }: { code: IWorkflowBase },
			given: Array<{ json: IDataObject }>,
			_?: unknown,
			{ doNotWaitToFinish = false } = {},
		) => {
			let items = given.map(({ json }) => json);
			const runAll = async () => {
				for (const node of code.nodes.slice(1)) {
					const run = goingOut(async () => {
						await nextTurn();
						const thrown = fails(node.parameters.operation, doNotWaitToFinish, items);
						if (thrown) throw thrown;
						items = take(node, items);
					});
					await run();
				}
			};
			if (!doNotWaitToFinish) {
				await runAll();
				return { data: [items.map((json) => ({ json }))] };
			}
			// Nobody is told what became of it.
			await runAll().catch(() => undefined);
			return { data: [null] };
		};
	return {
		executeWorkflow: executeWorkflowBy((work) => work),
		executeWorkflowBy,
		rows: () => rows,
		outcomes: () => rows.map(({ reference, outcome }) => `${reference} ${outcome}`),
		failing: (when: Fails) => (fails = when),
		/** As a person does in n8n's Data tables. */
		change: (changed: (row: IDataObject) => IDataObject) =>
			(rows = rows.map((row) => ({
				...changed(row),
				updatedAt: new Date(1) as unknown as string,
			}))),
		add: (row: IDataObject) => void rows.push(withId(row)),
		/** The references that were asked for, and the texts that n8n would have evaluated for it. */
		asked: () => asked,
		evaluated: () => evaluated,
		/** The columns by which rows were found that may be there already, each time. */
		toldApartBy: () => toldApartBy,
		/** The tables that were asked for because there was none. */
		made: () => made,
	};
}

interface Condition {
	keyName: string;
	condition: string;
	keyValue?: string | number;
}

const isEqual = ({ condition }: Condition) => condition === 'eq';

const fulfils = (row: IDataObject, { keyName, condition, keyValue }: Condition) => {
	const value = row[keyName] ?? null;
	if (condition === 'isEmpty') return value === null;
	if (condition === 'gte') return Number(value) >= Number(keyValue);
	return condition === 'like'
		? isLike(String(value), String(keyValue))
		: value === asEvaluated(keyValue);
};

/** As n8n does with what begins with =. */
const asEvaluated = (value: unknown) =>
	typeof value === 'string' && value.startsWith('=')
		? (JSON.parse(value.slice('={{'.length, -'}}'.length)) as string)
		: value;

/** With any text in place of the % at its beginning or end. */
const isLike = (text: string, pattern: string) =>
	(pattern.startsWith('%') && text.endsWith(pattern.slice(1))) ||
	(pattern.endsWith('%') && text.startsWith(pattern.slice(0, -1)));
