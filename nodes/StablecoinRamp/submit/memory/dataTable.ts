import type { IDataObject, IExecuteFunctions, INode, IWorkflowBase } from 'n8n-workflow';

/** A data table of n8n's. All of it throws where n8n cannot do it. */
export interface DataTable {
	/** Inserts the rows at once, then deletes what matches. */
	insert(rows: IDataObject[], gone: Match[]): Promise<void>;
	/** Does the same, and then finds. */
	insertAndFind(rows: IDataObject[], gone: Match[], search: Search): Promise<IDataObject[]>;
	/** Inserts or updates the rows by these keys, one by one, which takes its time; then deletes what matches. */
	put(rows: IDataObject[], keys: string[], gone: Match[], waiting?: Waiting): Promise<void>;
	find(search: Search): Promise<IDataObject[]>;
}

/** The rows that have one of these in a column, or look like one of these patterns, in which % is any text. */
export interface Search {
	column: string;
	texts: Array<string | number>;
	patterns: string[];
	/** And the row with this id and all that were added after it. */
	from?: number;
}

/** What a row has in some of its columns; null where it has nothing. */
export type Match = Record<string, Sought>;

type Sought = string | number | null | { from: number };

interface Waiting {
	doNotWaitToFinish: boolean;
}

export async function findTable(
	context: IExecuteFunctions,
	name: string,
): Promise<{ id: string; columns: string[] } | undefined> {
	const tables = await run(context, [tableNode('list', { options: { filterName: name } })]);
	const found = tables.find((table) => table.name === name);
	if (!found) return undefined;
	const columns = (found.columns as IDataObject[]).map((column) => String(column.name));
	return { id: String(found.id), columns };
}

export async function makeTable(
	context: IExecuteFunctions,
	name: string,
	columns: Record<string, string>,
): Promise<string> {
	const column = Object.entries(columns).map(([one, type]) => ({ name: one, type }));
	const options = { createIfNotExists: true };
	const create = tableNode('create', { tableName: name, columns: { column }, options });
	const [made] = await run(context, [create]);
	return String(made?.id);
}

export function tableAt(context: IExecuteFunctions, id: string): DataTable {
	const rowNode = (name: string, operation: string, parameters: INode['parameters']) =>
		dataTableNode(name, {
			resource: 'row',
			operation,
			dataTableId: { __rl: true, mode: 'id', value: id },
			...parameters,
		});
	const columns = { mappingMode: 'autoMapInputData', value: null };
	const insert = rowNode('Insert', 'insert', { columns, options: { optimizeBulk: true } });
	const put = (keys: string[]) =>
		rowNode('Put', 'upsert', {
			matchType: 'allConditions',
			filters: { conditions: keys.map((name) => condition(name, `={{ $json.${name} }}`)) },
			columns,
		});
	const remove = (match: Match, index: number): OwnNode => ({
		...rowNode(`Delete ${index}`, 'deleteRows', {
			matchType: 'allConditions',
			filters: {
				conditions: Object.entries(match).map(([name, text]) => condition(name, text)),
			},
		}),
		// Once for all the rows, and on to the next node whether or not there were any.
		executeOnce: true,
		alwaysOutputData: true,
	});
	const get = ({ column, texts, patterns, from }: Search): OwnNode => ({
		...rowNode('Get', 'get', {
			returnAll: true,
			matchType: 'anyCondition',
			filters: {
				conditions: [
					...texts.map((text) => condition(column, asItIs(text))),
					...patterns.map((pattern) => ({
						keyName: column,
						condition: 'like',
						keyValue: pattern,
					})),
					...(from === undefined ? [] : [condition('id', { from })]),
				],
			},
		}),
		executeOnce: true,
	});
	const changing = (first: OwnNode, rows: IDataObject[], gone: Match[]): OwnNode[] => [
		...(rows.length > 0 ? [first] : []),
		...gone.map(remove),
	];
	const change = async (nodes: OwnNode[], rows: IDataObject[], waiting?: Waiting) =>
		nodes.length > 0 ? await run(context, nodes, rows.length > 0 ? rows : [{}], waiting) : [];
	return {
		insert: async (rows, gone) => void (await change(changing(insert, rows, gone), rows)),
		insertAndFind: async (rows, gone, search) =>
			await change([...changing(insert, rows, gone), get(search)], rows),
		put: async (rows, keys, gone, waiting) =>
			void (await change(changing(put(keys), rows, gone), rows, waiting)),
		find: async (search) => await change([get(search)], []),
	};
}

/** n8n takes a text that begins with = for an expression, so it gets one that gives the text, and has nothing else in it. */
const asItIs = (text: string | number) =>
	typeof text === 'string' && text.startsWith('=')
		? `={{ "${text.replace(/[^]/g, escaped)}" }}`
		: text;

const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

const condition = (keyName: string, sought: Sought) => {
	if (sought === null) return { keyName, condition: 'isEmpty' };
	return typeof sought === 'object'
		? { keyName, condition: 'gte', keyValue: sought.from }
		: { keyName, condition: 'eq', keyValue: sought };
};

type OwnNode = Pick<INode, 'name' | 'type' | 'typeVersion' | 'parameters'> & Partial<INode>;

const dataTableNode = (name: string, parameters: INode['parameters']): OwnNode => ({
	name,
	type: 'n8n-nodes-base.dataTable',
	typeVersion: 1,
	parameters,
});

const tableNode = (operation: string, parameters: INode['parameters']) =>
	dataTableNode('Table', { resource: 'table', operation, ...parameters });

/**
 * Runs a small workflow that this node brings along, because only n8n's Data Table node has a way to data tables.
 * n8n runs it in the same process and under the id of the calling workflow, and keeps no execution of it. Gives what
 * the last node put out, or nothing where it does not wait for it.
 */
async function run(
	context: IExecuteFunctions,
	nodes: OwnNode[],
	items: IDataObject[] = [{}],
	waiting?: Waiting,
): Promise<IDataObject[]> {
	const input = items.map((json) => ({ json }));
	const code = inARow(nodes);
	const { data } = await context.executeWorkflow({ code }, input, undefined, waiting);
	return (data[0] ?? []).map(({ json }) => json);
}

const start: OwnNode = {
	name: 'Start',
	type: 'n8n-nodes-base.executeWorkflowTrigger',
	typeVersion: 1.1,
	parameters: { inputSource: 'passthrough' },
};

function inARow(nodes: OwnNode[]): IWorkflowBase {
	const all = [start, ...nodes];
	const connections = nodes.map(({ name }, index) => [
		all[index]!.name,
		{ main: [[{ node: name, type: 'main', index: 0 }]] },
	]);
	return {
		name: 'Register of Stablecoin Ramp',
		nodes: all.map((node, index) => ({ id: node.name, ...node, position: [0, index] })),
		connections: Object.fromEntries(connections) as IWorkflowBase['connections'],
		// Of its own, so that it has neither the error workflow of the calling one nor an entry in the list of executions.
		settings: {
			executionOrder: 'v1',
			saveDataSuccessExecution: 'none',
			saveDataErrorExecution: 'none',
			saveExecutionProgress: false,
			executionTimeout: -1,
		},
	} as unknown as IWorkflowBase;
}
