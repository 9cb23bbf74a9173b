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

interface Person {
	email: string;
}

interface Entries {
	buys: string;
	payouts: string;
	approvedAbove: number;
}

export const desk = decisionsIn('06-the-desk.json');
export const watch = decisionsIn('08-watch.json');

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
