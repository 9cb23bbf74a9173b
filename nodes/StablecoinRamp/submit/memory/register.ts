import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { inOneLine, refuse, type Refusal } from '../../../../client/refusal';
import type { TransactionOperation } from '../../../../client/endpoints';
import { isObject, parseBody } from '../../../../client/reply';
import type { Entry } from '../checkItems';
import { runOwn, type OwnNode } from '../ownWorkflow';
import { idIn, isSetback, type Result } from '../result';

/**
 * A data table of n8n's with a row for each transaction: written before its request leaves, and again when it is
 * known what became of it. It survives what an execution does not: a kill, a timeout, n8n's own tidying up.
 *
 * n8n can insert many rows at once, but changes them one by one. So what is settled is inserted, and the rows that
 * said `sending` are deleted behind that. Killed in between, both are there.
 */
export interface Register {
	/** Throws where it did not work. What failed then is entered before anything else the next time. */
	write(rows: Writing): Promise<void>;
	/** The run is over: what did not work is tried once more. */
	finish(): Promise<Missing>;
	/** Those that the register knows as accepted. */
	accepted(entries: Entry[]): Promise<Map<Entry, Accepted>>;
}

interface Writing {
	/** About to be sent. */
	sending: Entry[];
	/** What became of those that were; entered once, however often it is given. */
	settled: Array<[Entry, Result]>;
	/** Not sent after all, because somebody else has them. */
	withdrawn: Entry[];
}

/** Those of which the register may still say `sending`, or nothing. */
interface Missing {
	lacking: Set<Entry>;
	/** The execution was cancelled or timed out: written by a workflow that n8n lets nobody wait for. */
	unconfirmed: Set<Entry>;
}

interface Accepted {
	/** What the service answered. */
	answer: IDataObject;
	hasSameAmount: boolean;
}

export const columns = {
	reference: 'string',
	operation: 'string',
	amount: 'number',
	service: 'string',
	outcome: 'string',
	transaction_id: 'string',
	message: 'string',
	response: 'string',
	workflowId: 'string',
	executionId: 'string',
	item: 'number',
	sentAt: 'string',
	settledAt: 'string',
};

export async function openRegister(
	context: IExecuteFunctions,
	operation: TransactionOperation,
	baseUrl: string,
	name: string,
): Promise<{ ok: true; register: Register } | Refusal> {
	const table = await findTable(context, name);
	if ('ok' in table) return table;

	/** The rows that say `sending`. */
	const open = new Map<Entry, IDataObject>();
	/** Rows whose write failed. Some may be there all the same, so only what is missing is inserted. */
	const left = new Map<Entry, IDataObject>();
	const workflowId = context.getWorkflow().id;
	const executionId = context.getExecutionId();
	const shared = { operation, service: baseUrl, workflowId, executionId };
	const enterWhatIsLeft = async (options?: { doNotWaitToFinish: boolean }) => {
		if (left.size === 0) return;
		await enterAgain(context, table.id, [...left.values()], options);
		left.clear();
	};
	const register: Register = {
		write: async ({ sending, settled, withdrawn }) => {
			const rows = new Map<Entry, IDataObject>();
			/** The rows that say `sending` of those that are over. */
			const over = new Map<Entry, IDataObject>();
			for (const entry of [...settled.map(([one]) => one), ...withdrawn]) {
				if (open.has(entry)) over.set(entry, open.get(entry)!);
				open.delete(entry);
			}
			for (const [entry, result] of settled) {
				if (over.has(entry)) rows.set(entry, { ...over.get(entry), ...became(result) });
			}
			const sentAt = newMoment();
			for (const entry of sending) {
				const { reference, itemIndex: item, body } = entry;
				const amount = Number(body.amount);
				const row = { ...shared, reference, amount, outcome: 'sending', item, sentAt };
				open.set(entry, row);
				rows.set(entry, row);
			}
			const insert = rows.size > 0 ? [insertInto(table.id)] : [];
			const nodes = [...insert, ...deletesOf(table.id, [...over.values()])];
			const items = rows.size > 0 ? [...rows.values()] : [{}];
			const enter = async () => {
				await enterWhatIsLeft();
				if (nodes.length > 0) await runOwn(context, nodes, items);
			};
			await enter().catch(async (thrown: Error) => {
				for (const [entry, row] of [...over, ...rows]) left.set(entry, row);
				return await Promise.reject(thrown);
			});
		},
		finish: async () => {
			const [lacking, unconfirmed] = [new Set<Entry>(), new Set<Entry>()];
			const entries = [...left.keys()];
			await enterWhatIsLeft().catch(async (thrown: Error) => {
				const isCancelled = context.getExecutionCancelSignal()?.aborted;
				const isOver = isCancelled || /execution was cancelled/i.test(thrown.message);
				for (const entry of entries) (isOver ? unconfirmed : lacking).add(entry);
				// n8n gives more time only to a workflow that nobody waits for.
				if (isOver) await enterWhatIsLeft({ doNotWaitToFinish: true }).catch(() => undefined);
			});
			return { lacking, unconfirmed };
		},
		accepted: async (entries) => {
			if (entries.length === 0) return new Map();
			const references = entries.map(({ reference }) => reference);
			const rows = await runOwn(context, [getFrom(table.id, references)], [{ references }]);
			// The same reference stands for another transaction elsewhere. A person who adds a row may leave the workflow out.
			const isOurs = (row: IDataObject) =>
				row.operation === operation &&
				row.service === baseUrl &&
				(row.workflowId || workflowId) === workflowId;
			const accepted = rows.filter((row) => row.outcome === 'accepted' && isOurs(row));
			const found = new Map(accepted.map((row) => [row.reference, row]));
			const known = new Map<Entry, Accepted>();
			for (const entry of entries) {
				const row = found.get(entry.reference);
				if (row) known.set(entry, { answer: answerIn(row), hasSameAmount: isAmount(row, entry) });
			}
			return known;
		},
	};
	return { ok: true, register };
}

const became = (result: Result): IDataObject => ({
	outcome: result.outcome,
	transaction_id: result.id ?? null,
	message: isSetback(result) ? inOneLine(result) : null,
	response: result.response ?? null,
	settledAt: new Date().toISOString(),
});

/** A person who adds a row may leave the amount out. */
const isAmount = ({ amount }: IDataObject, { body }: Entry) =>
	Number(amount ?? body.amount) === Number(body.amount);

/** What a person has found on the dashboard has an id, and the answer beside it, if any, is not about that. */
function answerIn({ response, transaction_id: id }: IDataObject): IDataObject {
	const answer = parseBody(response);
	return isObject(answer) && (!id || idIn(answer)) ? answer : { transaction_id: id };
}

let lastMoment = 0;

/** No two are the same, because rows are told apart by it. */
function newMoment(): string {
	lastMoment = Math.max(Date.now(), lastMoment + 1);
	return new Date(lastMoment).toISOString();
}

/** What was settled is put there unless it is there already. What was not sent after all is taken out. */
async function enterAgain(
	context: IExecuteFunctions,
	tableId: string,
	rows: IDataObject[],
	options?: { doNotWaitToFinish: boolean },
): Promise<void> {
	const settled = rows.filter(({ outcome }) => outcome !== 'sending');
	const put = settled.length > 0 ? [putInto(tableId)] : [];
	const nodes = [...put, ...deletesOf(tableId, rows)];
	await runOwn(context, nodes, put.length > 0 ? settled : [{}], options);
}

async function findTable(
	context: IExecuteFunctions,
	name: string,
): Promise<{ id: string } | Refusal> {
	try {
		const tables = await runOwn(context, [tableNode('list', { options: { filterName: name } })]);
		const found = tables.find((table) => table.name === name);
		if (!found) return await makeTable(context, name);
		const there = (found.columns as IDataObject[]).map((column) => String(column.name));
		const missing = Object.keys(columns).filter((column) => !there.includes(column));
		if (missing.length === 0) return { id: String(found.id) };
		return refuse(
			`The data table "${name}" is no register: it has no column ${missing.join(', ')}`,
			`Choose another name in 'Register' in Options, or give the table the columns ${Object.keys(columns).join(', ')}`,
		);
	} catch (thrown) {
		return refuse(
			`The register "${name}" cannot be opened`,
			`It is a data table, which n8n has from version 2.3 on, in the editor and its workers but not in 'n8n execute'. Update n8n, or take 'Register' out of Options. n8n says: ${(thrown as Error).message}`,
		);
	}
}

async function makeTable(context: IExecuteFunctions, name: string): Promise<{ id: string }> {
	const column = Object.entries(columns).map(([one, type]) => ({ name: one, type }));
	const options = { createIfNotExists: true };
	const create = tableNode('create', { tableName: name, columns: { column }, options });
	const [made] = await runOwn(context, [create]);
	return { id: String(made?.id) };
}

const dataTable = (name: string, parameters: OwnNode['parameters']): OwnNode => ({
	name,
	type: 'n8n-nodes-base.dataTable',
	typeVersion: 1,
	parameters,
});

const tableNode = (operation: string, parameters: OwnNode['parameters']) =>
	dataTable('Table', { resource: 'table', operation, ...parameters });

const rowNode = (
	name: string,
	operation: string,
	tableId: string,
	parameters: OwnNode['parameters'],
) =>
	dataTable(name, {
		...{ resource: 'row', operation },
		dataTableId: { __rl: true, mode: 'id', value: tableId },
		...parameters,
	});

const insertInto = (tableId: string) =>
	rowNode('Insert', 'insert', tableId, {
		columns: { mappingMode: 'autoMapInputData', value: null },
		options: { optimizeBulk: true },
	});

/** One by one, which takes its time, but does not insert a second time what is there. */
const putInto = (tableId: string) =>
	rowNode('Put', 'upsert', tableId, {
		matchType: 'allConditions',
		filters: {
			conditions: ['reference', 'executionId', 'item', 'sentAt', 'outcome'].map((name) =>
				condition(name, `={{ $json.${name} }}`),
			),
		},
		columns: { mappingMode: 'autoMapInputData', value: null },
	});

/** Delete what says `sending`, of those that were sent together with these. */
const deletesOf = (tableId: string, rows: IDataObject[]): OwnNode[] =>
	[...new Map(rows.map((row) => [row.sentAt, row])).values()].map(({ executionId, sentAt }) => ({
		...rowNode(`Delete ${sentAt}`, 'deleteRows', tableId, {
			matchType: 'allConditions',
			filters: {
				conditions: [
					condition('executionId', String(executionId)),
					condition('sentAt', String(sentAt)),
					condition('outcome', 'sending'),
				],
			},
		}),
		// Once for all the rows, and on to the next node whether or not there were any.
		executeOnce: true,
		alwaysOutputData: true,
	}));

/** By expression: n8n would take a reference that begins with = for one. */
const getFrom = (tableId: string, references: string[]) =>
	rowNode('Get', 'get', tableId, {
		returnAll: true,
		matchType: 'anyCondition',
		filters: {
			conditions: references.map((_, index) =>
				condition('reference', `={{ $json.references[${index}] }}`),
			),
		},
	});

const condition = (keyName: string, keyValue: string) => ({ keyName, condition: 'eq', keyValue });
