import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IExecuteFunctions } from 'n8n-workflow';

import {
	areKeptApart,
	rowsInDatabase,
	rowsInExecution,
} from '../../../nodes/StablecoinRamp/submit/memory/rows.ts';

/** n8n's two helpers, on a table with a row for each node. They read the id of their node at once, or too late. */
function helped({ countsLate = false, recordsLate = false, addsMarks = false } = {}) {
	const node = { id: 'own' };
	const table = new Map<string, string[]>();
	const idOf = async (isLate: boolean) => {
		if (isLate) await nextTurn();
		return node.id;
	};
	const helpers = {
		getProcessedDataCount: async () => table.get(await idOf(countsLate))?.length ?? 0,
		checkProcessedAndRecord: async (marks: string[]) => {
			const id = await idOf(recordsLate);
			const found = table.get(id);
			if (!found || addsMarks) table.set(id, [...(found ?? []), ...marks]);
			return { new: found ? [] : marks, processed: found ? marks : [] };
		},
	};
	return { node, table, rows: rowsInDatabase({ node, helpers } as unknown as IExecuteFunctions) };
}

it('gives the node the name of a row for its id, and its own id back at once', async () => {
	const { node, table, rows } = helped();
	const inserting = rows.insert('a');
	expect(node.id).toBe('own');
	expect(await inserting).toBe(true);
	expect(await rows.insert('a')).toBe(false);
	expect([await rows.numberOf('a'), await rows.numberOf('b')]).toEqual([1, 0]);
	expect([...table.keys()]).toEqual(['a']);
});

it.each([
	{ countsLate: false, recordsLate: false, isGood: true },
	{ countsLate: true, recordsLate: false, isGood: false },
	{ countsLate: false, recordsLate: true, isGood: false },
	{ countsLate: true, recordsLate: true, isGood: false },
	{ addsMarks: true, isGood: false },
])('knows whether an n8n keeps rows apart, with their numbers: %j', async ({ isGood, ...late }) => {
	const { rows } = helped(late);
	// Also the second time, when something is there.
	expect([await areKeptApart(rows), await areKeptApart(rows)]).toEqual([isGood, isGood]);
});

it('asks the helpers for the scope and the mode in which n8n keeps a row for each node', async () => {
	const asked: unknown[] = [];
	const helpers = {
		getProcessedDataCount: async (...args: unknown[]) => asked.push(args),
		checkProcessedAndRecord: async (...args: unknown[]) => {
			asked.push(args);
			return { new: args[0], processed: [] };
		},
	};
	const rows = rowsInDatabase({ node: { id: 'own' }, helpers } as unknown as IExecuteFunctions);
	await rows.numberOf('a');
	await rows.insert('a', 2);
	expect(asked).toEqual([
		['node', { mode: 'entries' }],
		[['here', 'here'], 'node', { mode: 'entries' }],
	]);
});

it('does not write again what tells whether rows are kept apart', async () => {
	const { rows } = helped();
	const insert = jest.spyOn(rows, 'insert');
	await areKeptApart(rows);
	const { length } = insert.mock.calls;
	await areKeptApart(rows);
	expect(insert.mock.calls).toHaveLength(length);
});

it('gives a row the number that it was inserted with, whoever comes later', async () => {
	const { rows } = helped();
	expect([await rows.insert('a', 7), await rows.insert('a', 12)]).toEqual([true, false]);
	expect(await rows.numberOf('a')).toBe(7);
});

it('keeps the rows of an execution in its context', async () => {
	const kept: Parameters<typeof rowsInExecution>[0] = {};
	expect(await rowsInExecution(kept).insert('a', 3)).toBe(true);
	expect(await rowsInExecution(kept).insert('a')).toBe(false);
	expect(await rowsInExecution(kept).numberOf('a')).toBe(3);
	expect(kept).toEqual({ stablecoinRamp: { a: 3 } });
});

/** A database that refuses the INSERT in its own words. */
const refusing = (thrown: Error) =>
	rowsInDatabase({
		node: { id: 'own' },
		helpers: { checkProcessedAndRecord: async () => await Promise.reject(thrown) },
	} as unknown as IExecuteFunctions);

it.each([
	['SQLite', new Error('SQLITE_CONSTRAINT: UNIQUE constraint failed: processed_data.context')],
	['PostgreSQL', new Error('duplicate key value violates unique constraint "PK_1"')],
	[
		'PostgreSQL in German',
		Object.assign(new Error('doppelter Schlüsselwert verletzt Unique-Constraint'), {
			code: '23505',
		}),
	],
	['MySQL', new Error("Duplicate entry '1' for key 'PRIMARY'")],
])('knows that another was first from what %s says', async (_, thrown) => {
	await expect(refusing(thrown).insert('a')).resolves.toBe(false);
});

it.each(['FOREIGN KEY constraint failed', 'Connection terminated'])(
	'takes nothing else for that: %s',
	async (message) => {
		await expect(refusing(new Error(message)).insert('a')).rejects.toThrow(message);
	},
);
