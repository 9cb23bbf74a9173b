import { desk } from './desk.mts';
import { evaluated, type Names } from './examples.mts';
import type { Row } from './n8n/dataTables.mts';

// A person's way through example 6: what its own nodes read, show, ask and say, without n8n.

interface Answers {
	/** Whoever sends the page, if that is somebody else than who opened it. */
	user?: Row;
	transactionId?: string;
	why?: string;
	sure?: string;
}

/** What the last page says, and whether the register is changed. */
interface Done {
	isTaken: boolean;
	said: string;
}

const now = Date.parse('2026-11-17T21:00:00.000Z');
const time = {
	valueOf: () => now,
	toMillis: () => now,
	toUTC: () => time,
	setZone: () => time,
	toFormat: () => '21:00 UTC on 17 November 2026',
};
const DateTime = { fromMillis: () => time, fromISO: () => time };

/** Opens the desk with these rows in the register. What is changed in them afterwards happens meanwhile. */
export function wayThroughTheDesk(rows: Row[]) {
	const outputs = new Map<string, Row[]>();
	/** What of other nodes a text of this node's is made of, with the item that comes to it. */
	const names = ($json: Row = {}): Names => ({
		$: (node: string) => {
			const all = outputs.get(node)?.map((json) => ({ json })) ?? [];
			return { all: () => all, first: () => all[0], isExecuted: all.length > 0 };
		},
		$json,
		$now: time,
		DateTime,
	});
	/** n8n puts out an empty item where there is none. */
	const read = (node: string, items: Row[] = [{}]) => {
		const found = items.flatMap((json) => desk.rowsFoundBy(node, rows, names(json)));
		outputs.set(node, found.length > 0 ? found : [{}]);
	};
	const run = (node: string, $json: Row = {}) => {
		const given = { ...names($json), $input: { first: () => ({ json: $json }) } };
		const code = desk.parametersOf(node).jsCode!;
		const work = new Function(...Object.keys(given), code) as (
			...values: unknown[]
		) => Array<{ json: Row }>;
		outputs.set(
			node,
			work(...Object.values(given)).map(({ json }) => json),
		);
	};
	const assigned = (node: string, name: string, $json: Row = {}, more: Names = {}) =>
		evaluated(String(desk.assignedIn(node, name)), { ...names($json), ...more });

	outputs.set('Entries', [
		Object.fromEntries(
			desk
				.parametersOf('Entries')
				.assignments!.assignments.map(({ name, value }) => [name, value] as const),
		),
	]);
	read('Rows not accepted');
	const references = assigned('What may be open', 'reference') as string[];
	read(
		'All its rows',
		references.length > 0 ? references.map((reference) => ({ reference })) : [{}],
	);
	read('Rows with a space');
	run('Cases');
	const cases = outputs.get('Cases')![0]!.cases as Array<Row & { id: number; name: string }>;

	return {
		/** The references that are listed. */
		listed: cases.map(({ name }) => name),
		/** Chooses a case and what is to be done. Gives what the next page says of it, and its button. */
		choose(id: number, what: string, user?: Row) {
			const which = `that one (row ${id})`;
			outputs.set('Look for it', [{ which, what, user }]);
			run('Case', { which, what, user });
			read('Its likes', outputs.get('Case'));
			const page = desk.parametersOf('Say it').options!.formDescription!;
			return {
				text: String(evaluated(page, names())),
				goOn(answers: Answers, whenTaken = () => {}): Done {
					const row = `${id} ${what}`;
					outputs.set('Say it', [{ sure: 'Yes', row, user, ...answers }]);
					read('As it is now');
					const [condition] = desk.parametersOf('Still so?').conditions!.conditions;
					const isTaken = evaluated(condition!.leftValue, names()) === true;
					outputs.set('Take it', isTaken ? rows.filter((one) => one.id === id) : [{}]);
					if (isTaken) whenTaken();
					if (isTaken) read('Its rows now');
					const before = isTaken ? 'Its rows now' : 'Still so?';
					const $json = outputs.get('Its rows now')?.[0];
					const said = assigned('Said', 'said', $json, { $prevNode: { name: before } });
					return { isTaken, said: String(said) };
				},
			};
		},
	};
}
