import { decisionsIn, evaluated } from './examples.mts';
import type { Row } from './n8n/dataTables.mts';

// The functions of examples 6 and 8, out of the examples' own files.

export interface Case extends Row {
	id: number;
	/** The reference, or which row it is. */
	name: string;
	standing: string;
	/** What to correct in the data table; empty where nothing is. */
	wrong: string;
	isDoubtful: boolean;
	/** In milliseconds. */
	lookFrom: number;
}

export interface Person {
	id: string;
	email: string;
	firstName: string;
	lastName: string;
}

interface Entries {
	buys: string;
	payouts: string;
	approvedAbove: number;
}

export const desk = decisionsIn('06-the-desk.json');
export const watch = decisionsIn('08-watch.json');
const list = decisionsIn('04-pay-out-a-list.json');

export const casesOf = desk.declaredIn<(rows: Row[], now: number) => Case[]>('Cases', 'casesOf');
export const hindranceTo = desk.declaredIn<
	(what: string, row: Partial<Case>, user: Person | undefined, entries: Entries) => string
>('Case', 'hindranceTo');
export const messageOf = watch.declaredIn<
	(
		cases: Case[],
		told: string[],
		how: { now: number; desk: string; rows: number; fits: number; isMorning: boolean },
	) => { references: string; rows: string; text: string }
>('Message', 'messageOf');

/** What the page says after something was sent: by what its workflow has put out, and by the row that it left. */
export function saidAfterSending(row: Case, sent: Row, left: Row): string {
	const outputs: Record<string, Row> = {
		Case: { row, what: 'It is not there: send it again', whyNot: '' },
		'Send it': sent,
		'Its values': row,
	};
	const $ = (name: string) => ({ first: () => ({ json: outputs[name] }) });
	const text = String(desk.assignedIn('Said', 'said'));
	return String(evaluated(text, { $, $json: left, $prevNode: { name: 'Sign its new row' } }));
}

const time = { toUTC: () => time, toFormat: () => '12:00 UTC on 18 November 2026' };

/** What nodes have put out. */
type Outputs = Record<string, object>;

/** What a Data Table node writes into `by`. */
const writtenBy = ({ parametersOf }: typeof desk, node: string, outputs: Outputs) => {
	const $ = (name: string) => ({
		first: () => ({ json: outputs[name] }),
		isExecuted: name in outputs,
	});
	const DateTime = { fromISO: () => time };
	return String(evaluated(parametersOf(node).columns!.value!.by!, { $, $now: time, DateTime }));
};

/** How example 4 signs a payout of this person's list, which somebody may have approved. */
export const uploadedBy = (user: Person, approver?: Person): string =>
	writtenBy(list, 'Sign the rows', {
		'Upload the list': { user },
		...(approver && { Approval: { user: approver } }),
	});

/** How the desk signs a row that has this in `by`, when this person sends it again. */
export const sentAgainBy = (user: Person, by: string | null): string =>
	writtenBy(desk, 'Take it', {
		Case: { what: 'It is not there: send it again', row: { by } },
		'Say it': { user },
	});
