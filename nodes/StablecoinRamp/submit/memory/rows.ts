import { randomUUID } from 'crypto';
import type { IExecuteFunctions, INode } from 'n8n-workflow';

/** Rows that have a name and a number, which is 1 unless said otherwise. They are inserted, and never changed or deleted. */
export interface Rows {
	/** The number of a row; 0 where there is none. */
	numberOf(name: string): Promise<number>;
	/** Whether it was this call that inserted it. */
	insert(name: string, number?: number): Promise<boolean>;
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
	// A row's number is how often it holds the mark. Where n8n finds a row, it adds the marks that are not in it yet, which
	// are none: the number stays what it was, whoever writes with whatever number.
	const record = async (marks: string[]) =>
		await helpers.checkProcessedAndRecord(marks, 'node', mode);
	return {
		numberOf: async (name) => await withNodeId(name, count),
		insert: async (name, number = 1) => {
			const marks = Array.from({ length: number }, () => mark);
			return await withNodeId(name, async () => await record(marks)).then(
				({ new: added }) => added.includes(mark),
				async (thrown: Error) => (isTaken(thrown) ? false : await Promise.reject(thrown)),
			);
		},
	};
}

/** SQLite, PostgreSQL in whatever language, and MySQL in older n8n. */
const isTaken = ({ message, code }: Error & { code?: unknown }) =>
	code === '23505' || /unique constraint|duplicate (key|entry)/i.test(message);

const probe = { name: 'kept apart, with their numbers', number: 2 };

/** An n8n that reads the id at another moment would have one row for everything; one that counts otherwise, no numbers. */
export async function areKeptApart(rows: Rows): Promise<boolean> {
	let number = await rows.numberOf(probe.name);
	if (number === 0) {
		await rows.insert(probe.name, probe.number);
		await rows.insert(probe.name, probe.number + 1);
		number = await rows.numberOf(probe.name);
	}
	return number === probe.number && (await rows.numberOf(randomUUID())) === 0;
}

/** Rows of one execution alone, all its nodes together, for a workflow without an id: one that was never saved. */
export function rowsInExecution(kept: { stablecoinRamp?: Record<string, number> }): Rows {
	const rows = (kept.stablecoinRamp ??= {});
	return {
		numberOf: async (name) => rows[name] ?? 0,
		insert: async (name, number = 1) => {
			if (name in rows) return false;
			rows[name] = number;
			return true;
		},
	};
}
