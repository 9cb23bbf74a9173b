import type { IDataObject } from 'n8n-workflow';

import type { Ran } from './engine/engine.mts';
import { shown } from './shown.mts';

/** What a run told of one of its items. */
export interface Told {
	outcome: 'accepted' | 'rejected' | 'notSent' | 'unknown' | 'skipped' | 'dryRun';
	reference?: string;
	/** The transaction's id. */
	id?: string;
}

/** What a run told of each of its items: in its outputs, or in the words that stopped it. */
export function toldBy({ items, errorItems, error, given }: Ran): Told[] {
	if (error) return toldInStop(error, given);
	const rows = [...items, ...errorItems].map(({ json, pairedItem }): [number, Told] => [
		(pairedItem as { item: number }).item,
		toldInItem(json),
	]);
	return inOrder(rows, given);
}

export const outcomesOf = (ran: Ran) => toldBy(ran).map(({ outcome }) => outcome);

export function toldInItem(json: IDataObject): Told {
	const { outcome, reference, transaction, transaction_id } = json;
	const id = transaction_id ?? (transaction as IDataObject | undefined)?.transaction_id;
	if (!outcomes.has(outcome as string)) throw new Error(`No outcome in ${JSON.stringify(json)}`);
	return {
		outcome: outcome as Told['outcome'],
		...(typeof reference === 'string' && { reference }),
		...(id !== undefined && { id: String(id) }),
	};
}

const outcomes = new Set(['accepted', 'rejected', 'notSent', 'unknown', 'skipped', 'dryRun']);

interface Stop {
	message: string;
	description?: string | null;
}

/** Reads the message of a stopped run, and throws at the first line that it does not understand. */
export function toldInStop({ message, description }: Stop, given: number): Told[] {
	const lines = shown(description ?? '').split('\n');
	const first = lines.findIndex((line) => heading.test(line));
	if (first >= 0) return inOrder(toldUnderHeadings(lines.slice(first)), given);
	if (lines[0]!.endsWith(' Nothing was sent.')) {
		return Array.from({ length: given }, () => ({ outcome: 'notSent' }));
	}
	if (given !== 1) throw new Error(`Not every item is told of in: ${message}\n${description}`);
	return [toldOfOne(message, lines.join('\n'))];
}

const titles: Record<string, Told['outcome']> = {
	'Accepted in this run': 'accepted',
	'Accepted before': 'skipped',
	'Outcome unknown': 'unknown',
	Rejected: 'rejected',
	'Refused by the checks': 'notSent',
	'New, not sent': 'notSent',
	'Not sent, and nobody could say whether they are new': 'notSent',
	'Dry run, not sent': 'notSent',
};

const heading = new RegExp(`^(${Object.keys(titles).join('|')}) \\((\\d+)\\):$`);
const row =
	/^(?:(?:transaction (\S+)|answer \{.*\}), )?reference (?:not made yet|([^\s:]+))(?:: .+)? \[item (\d+)\]$/;
const lastLine =
	/^(To send the \d+ that (?:are new|were not sent), |n8n's database did not take note of |The register could not be completed\. |The service accepted reference )/;

function toldUnderHeadings(lines: string[]): Array<[index: number, told: Told]> {
	const [title, ...rest] = lines;
	if (title === undefined) return [];
	if (lastLine.test(title)) return toldUnderHeadings(rest);
	const [, name, count] = heading.exec(title) ?? misread(title);
	const rows = rest.slice(0, Number(count)).map((line): [number, Told] => {
		const [, id, reference, index] = row.exec(line) ?? misread(line);
		return [Number(index), { outcome: titles[name!]!, reference, ...(id && { id }) }];
	});
	return [...rows, ...toldUnderHeadings(rest.slice(rows.length))];
}

function inOrder(rows: Array<[number, Told]>, given: number): Told[] {
	const told = new Map(rows);
	if (told.size !== rows.length || rows.length !== given) {
		throw new Error(`${given} items, and told of are ${rows.map(([index]) => index).join(', ')}`);
	}
	return Array.from({ length: given }, (_, index) => told.get(index) ?? misread(`[item ${index}]`));
}

/** A run of one item has no list: its message and the beginning of its next step say it all. */
function toldOfOne(message: string, description: string): Told {
	for (const [outcome, inMessage, inDescription] of ofOne) {
		const said = inMessage.exec(message);
		const reference = said?.[1] ?? inDescription?.exec(description)?.[1];
		if (said && reference) return { outcome, reference };
	}
	return misread(`${message}\n${description}`);
}

const beforeIt = / one before it, under reference (\S+), (?:was|may have been) accepted\./;

const ofOne: Array<[Told['outcome'], RegExp, RegExp?]> = [
	[
		'rejected',
		/^The (?:buy|sell) was rejected\. /,
		/ Reference (\S+) was not accepted and may be submitted again\./,
	],
	[
		'notSent',
		/^The (?:buy|sell) was not sent\. /,
		/ Nothing was submitted for reference (\S+); it may be submitted again\./,
	],
	[
		'unknown',
		/^It is not known whether the (?:buy|sell) was accepted\. /,
		/^It may have been accepted, so this node does not send it again by itself\.[^]*?\n1\. Look for reference (\S+) on the service's dashboard at or after /,
	],
	['rejected', /^The (?:buy|sell) was rejected\. /, beforeIt],
	['notSent', /^The (?:buy|sell) was not sent\. /, beforeIt],
	['skipped', /^Reference (\S+) was accepted before and is not sent again$/],
	['skipped', /^Reference (\S+) was accepted before with other values, /],
	[
		'unknown',
		/(?:^|\. )Reference (\S+) was submitted before(?: with other values)?, and its outcome is unknown: /,
	],
	[
		'notSent',
		/^(?:n8n's database could not record the reference|The register could not (?:be written|say whether it was accepted before)), so nothing was sent$/,
		/^Submit reference (\S+) again /,
	],
];

function misread(text: string): never {
	throw new Error(`The message of a stopped run has something else in this place: ${text}`);
}
