import type { Rest } from '../../../playground/rest.mts';
import type { AcceptedTransaction } from '../../../sandbox/server.mts';

export type Row = Record<string, unknown>;

/** A data table of n8n's, if there is one of this name. */
export async function tableNamed(rest: Rest, table: string) {
	const filter = encodeURIComponent(JSON.stringify({ name: table }));
	const { data } = await rest.get<{
		data: Array<{ id: string; name: string; projectId: string }>;
	}>(`/data-tables-global?filter=${filter}`);
	return data.find(({ name }) => name === table);
}

export async function makeTable(
	rest: Rest,
	name: string,
	columns: Record<string, string>,
): Promise<void> {
	const { id } = await rest.get<{ id: string }>('/projects/personal');
	await rest.post(`/projects/${id}/data-tables`, {
		name,
		columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
	});
}

export async function renameTable(rest: Rest, from: string, to: string): Promise<void> {
	const { id, projectId } = (await tableNamed(rest, from))!;
	await rest.patch(`/projects/${projectId}/data-tables/${id}`, { name: to });
}

export async function deleteTable(rest: Rest, name: string): Promise<void> {
	const { id, projectId } = (await tableNamed(rest, name))!;
	await rest.delete(`/projects/${projectId}/data-tables/${id}`);
}

export const addRow = async (rest: Rest, table: string, row: Row): Promise<void> =>
	await addRows(rest, table, [row]);

const addedAtOnce = 500;

export async function addRows(rest: Rest, table: string, rows: Row[]): Promise<void> {
	const { id, projectId } = (await tableNamed(rest, table))!;
	const path = `/projects/${projectId}/data-tables/${id}/insert`;
	for (let at = 0; at < rows.length; at += addedAtOnce) {
		await rest.post(path, { data: rows.slice(at, at + addedAtOnce), returnType: 'count' });
	}
}

/** Deletes the rows that have this reference, as a person does under Data tables. */
export async function deleteRows(rest: Rest, table: string, reference: string): Promise<void> {
	const { id, projectId } = (await tableNamed(rest, table))!;
	const filters = [{ columnName: 'reference', condition: 'eq', value: reference }];
	const filter = encodeURIComponent(JSON.stringify({ type: 'and', filters }));
	await rest.delete(`/projects/${projectId}/data-tables/${id}/rows?filter=${filter}`);
}

/** The rows of a data table, oldest first; none where there is no such table. */
export async function rowsOf(rest: Rest, table: string): Promise<Row[]> {
	const found = await tableNamed(rest, table);
	const rows: Row[] = [];
	while (found) {
		const page = await rest.get<{ count: number; data: Row[] }>(
			`/projects/${found.projectId}/data-tables/${found.id}/rows?sortBy=id:asc&take=250&skip=${rows.length}`,
		);
		rows.push(...page.data);
		if (rows.length >= page.count || page.data.length === 0) break;
	}
	return rows;
}

/** What the register says, beside what the service has. */
export function compareRegister(rows: Row[], accepted: AcceptedTransaction[]) {
	const ids = new Map(accepted.map((one) => [one.reference, one.transaction_id]));
	const said = (outcome: string) => rows.filter((row) => row.outcome === outcome);
	const held = new Set(
		['accepted', 'sending', 'unknown'].flatMap(said).map((row) => row.reference),
	);
	return {
		sending: said('sending').map((row) => String(row.reference)),
		/** Accepted by the service, and in no row as accepted, unknown or on its way. */
		missing: [...ids.keys()].filter((reference) => !held.has(reference)),
		/** Said to be accepted, with an id that the service does not have for it. */
		false: said('accepted').filter((row) => ids.get(String(row.reference)) !== row.transaction_id),
		/** Said to be accepted in more than one row. */
		twice: said('accepted').filter((row, index, all) =>
			all.slice(0, index).some(({ reference }) => reference === row.reference),
		),
	};
}
