import { decisionsIn } from './examples.mts';

// The functions of example 9, out of the example's own file.

export interface Line {
	at: number;
	day: string;
	way: 'in' | 'out';
	kobo: number;
	text: string;
}

interface Unread {
	at: number;
	text: string;
	why: string;
}

export interface Lines {
	lines: Line[];
	/** Lines without an amount. */
	empty: Unread[];
	unread: Unread[];
	/** Which way each went, where no column says it. */
	taken?: string;
}

export interface RegisterRow {
	id: number;
	reference: string;
	operation: string | null;
	outcome: string;
	amount: number | null;
	createdAt: string;
	[column: string]: unknown;
}

interface Transaction extends RegisterRow {
	day: string;
	/** On which it may have been paid. */
	days: string[];
	kobo?: number;
	state: 'accepted' | 'closed' | 'open';
	arrival?: { is: 'yes' | 'no' | 'differs' | 'unsure'; lines: Line[] };
}

export interface Entry {
	lines: Array<Line & Unread>;
	transactions: Transaction[];
	how: string;
	note: string;
	/** Nothing is missing, though it cannot be told what belongs to what. */
	isFine: boolean;
}

export type ListName =
	| 'notSubmitted'
	| 'notPaid'
	| 'differs'
	| 'several'
	| 'notArrived'
	| 'open'
	| 'cameBack'
	| 'unread'
	| 'matched'
	| 'closed'
	| 'sold'
	| 'elsewhere'
	| 'other'
	| 'outside';

export interface Month {
	lists: Record<ListName, Entry[]>;
	wallet: Record<string, Line[]> | null;
	/** In kobo. */
	missing: number;
	warnings: string[];
	services: string[];
}

interface Table {
	heading: { at: number; cells: string[] };
	lines: Array<{ at: number; cells: string[] }>;
	problem?: string;
}

interface Columns {
	date: number;
	amount: number;
	in?: number;
	type?: number;
	text: number[];
}

export interface Asked {
	month: string;
	zone: string;
	statement: Lines;
	wallet?: Lines;
	rows: RegisterRow[];
	/** Older ones, which only say when something was first submitted. */
	earlier: RegisterRow[];
	words: { only: string; without: string; wallet: string };
}

interface Told {
	month: string;
	title: string;
	zone: string;
	register: string;
	files: string[];
	made: string;
	notes: string[];
	chosen: string[];
}

const { declaredIn } = decisionsIn('09-the-month.json');

export const tableOf = declaredIn<(bytes: Buffer) => Table>('Tables of the files', 'tableOf');
export const fieldsOf = declaredIn<
	(
		read: { statement: Table; wallet?: Table },
		months: string[],
	) => Array<{ fieldName: string; defaultValue: string | string[] }>
>('Tables of the files', 'fieldsOf');
export const linesOf = declaredIn<
	(table: Table, columns: Columns, how: { zone: string; usually: 'in' | 'out' }) => Lines
>('Lines', 'linesOf');
export const amountOf = declaredIn<(text: string) => { kobo: number; sign: string } | undefined>(
	'Lines',
	'amountOf',
);
export const dayOf = declaredIn<(text: string, zone: string) => string | undefined>(
	'Lines',
	'dayOf',
);
export const match = declaredIn<(asked: Asked) => Month>('Match', 'match');
export const draw = declaredIn<(month: Month, told: Told) => { page: string; csv: string }>(
	'Draw',
	'draw',
);
