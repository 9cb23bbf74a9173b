import { randomUUID } from 'crypto';
import type { IExecuteFunctions, INode } from 'n8n-workflow';

/** Rows that have a name and nothing else. They are inserted, and never changed or deleted. */
export interface Rows {
	isThere(name: string): Promise<boolean>;
	/** Whether it was this call that inserted it. */
	insert(name: string): Promise<boolean>;
}

const mode = { mode: 'entries' } as const;
const mark = 'here';

/**
 * Rows in n8n's database.
 *
 * n8n keeps a row for each node that remembers something (`processed_data`, by workflow and node id). The first write
 * of a row is an INSERT, and fails where anybody else was first: that is what a claim rests on.
 *
 * To write many rows, the node takes a row's name for its id, calls n8n's helper, and takes its own id back. The helper
 * reads the id as soon as it is called, before it waits for the database, so nobody else sees the name.
 */
export function rowsInDatabase(context: IExecuteFunctions): Rows {
	const { node } = context as unknown as { node: INode };
	const { helpers } = context;

	/** Must stay synchronous: an `await` in here would let others run while the node has the name for its id. */
	function withNodeId<T>(name: string, call: () => Promise<T>): Promise<T> {
		const { id } = node;
		node.id = name;
		try {
			return call();
		} finally {
			node.id = id;
		}
	}

	const count = async () => await helpers.getProcessedDataCount('node', mode);
	// Where n8n finds a row, it writes it once more without looking. All rows hold the same, so that changes nothing.
	const record = async () => await helpers.checkProcessedAndRecord([mark], 'node', mode);
	return {
		isThere: async (name) => (await withNodeId(name, count)) > 0,
		insert: async (name) =>
			await withNodeId(name, record).then(
				({ new: added }) => added.includes(mark),
				async (thrown: Error) => (isTaken(thrown) ? false : await Promise.reject(thrown)),
			),
	};
}

/** SQLite, PostgreSQL in whatever language, and MySQL in older n8n. */
const isTaken = ({ message, code }: Error & { code?: unknown }) =>
	code === '23505' || /unique constraint|duplicate (key|entry)/i.test(message);

const probe = 'kept apart';

/** An n8n that reads the id at another moment would have one row for everything. */
export async function areKeptApart(rows: Rows): Promise<boolean> {
	if (!(await rows.isThere(probe))) {
		await rows.insert(probe);
		if (!(await rows.isThere(probe))) return false;
	}
	return !(await rows.isThere(randomUUID()));
}

/** Rows of one execution alone, for a workflow without an id: one that was never saved. */
export function rowsInExecution(kept: { rows?: string[] }): Rows {
	const rows = (kept.rows ??= []);
	return {
		isThere: async (name) => rows.includes(name),
		insert: async (name) => !rows.includes(name) && rows.push(name) > 0,
	};
}
