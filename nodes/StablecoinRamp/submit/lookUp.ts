import type { IDataObject } from 'n8n-workflow';

import type { TransactionOperation } from '../../../client/endpoints';
import { quote } from '../../../client/refusal';
import { isObject, parseBody } from '../../../client/reply';
import { doubtAbout, idIn } from '../resources/transaction/answer';
import type { Earlier } from './memory/claims';
import { isClosed, requestColumns, unreadableIn } from './memory/register';
import type { EarlierWithAnswer } from './notSent';
import { inPieces, isCancelled, type Entry, type Run } from './run';

const lookedUpAtOnce = 100;

/** What is known of entries, asked and not claimed. Entries of which nothing is known are in neither. */
export interface Found {
	earlier: Map<Entry, EarlierWithAnswer>;
	/** Nobody could say. */
	failed: Map<Entry, Error>;
}

export async function lookUp(run: Run, entries: Entry[]): Promise<Found> {
	const { claims } = run.memory;
	const found: Found = { earlier: new Map(), failed: new Map() };
	for (const piece of inPieces(entries, lookedUpAtOnce)) {
		if (isCancelled(run)) {
			for (const entry of piece) found.failed.set(entry, new Error('the execution was cancelled'));
			continue;
		}
		const lookUpOne = async (entry: Entry) => {
			try {
				const earlier = await claims.lookUp(entry);
				if (earlier) found.earlier.set(entry, earlier);
			} catch (thrown) {
				found.failed.set(entry, thrown as Error);
			}
		};
		await Promise.all(piece.map(lookUpOne));
		try {
			for (const [entry, settled] of await settledInRegister(run, piece, found.earlier)) {
				found.failed.delete(entry);
				found.earlier.set(entry, settled);
			}
		} catch (thrown) {
			for (const entry of piece) {
				if (!found.earlier.has(entry)) found.failed.set(entry, thrown as Error);
			}
		}
	}
	return found;
}

/** What the register has as accepted or closed is so, whatever the claims say: of whichever workflow, whoever wrote it there. */
export async function settledInRegister(
	run: Run,
	entries: Entry[],
	earlier = new Map<Entry, Earlier>(),
): Promise<Map<Entry, EarlierWithAnswer>> {
	const { register } = run.memory;
	if (!register) return new Map();
	const rows = await register.settled(entries.map(({ reference }) => reference));
	return settledBy(rows, run, entries, earlier);
}

/** The same, of the rows that the register has for each reference. */
export function settledBy(
	rows: Map<string, IDataObject[]>,
	{ operation }: Run,
	entries: Entry[],
	earlier = new Map<Entry, Earlier>(),
): Map<Entry, EarlierWithAnswer> {
	return new Map(
		entries.flatMap((entry): Array<[Entry, EarlierWithAnswer]> => {
			const found = rows.get(entry.reference) ?? [];
			const alike = found.findLast((row) => isFilledAlike(row, entry));
			const row = alike ?? found.at(-1);
			if (!row) return [];
			const attempt = earlier.get(entry)?.attempt ?? 0;
			const column = unreadableIn(row);
			if (column) {
				const because = `In row ${String(row.id)} its '${column}' is ${quote(row[column])}`;
				return [[entry, { attempt, state: 'unreadable', hasSameValues: true, because }]];
			}
			if (isClosed(row)) {
				const because = row.message ? String(row.message) : undefined;
				return [[entry, { attempt, state: 'closed', hasSameValues: true, because }]];
			}
			const differs = parseBody(row.differs);
			const accepted = {
				attempt,
				state: 'accepted' as const,
				hasSameValues: alike !== undefined,
				answer: answerIn(row, operation),
				...(Array.isArray(differs) && { differs: differs as IDataObject[] }),
			};
			return [[entry, accepted]];
		}),
	);
}

/** What a person has left out of a row differs from nothing. */
const isFilledAlike = (row: IDataObject, { body, amount }: Entry) =>
	requestColumns.every((name) => {
		const filled = String(row[name] ?? '').trim();
		if (filled === '') return true;
		return name === 'amount'
			? Number(filled) === amount
			: filled === String(body[name] ?? '').trim();
	});

/** What a person has found on the dashboard has an id, and the answer beside it, if any, is not about that. */
function answerIn(
	{ response, transaction_id: id }: IDataObject,
	operation: TransactionOperation,
): IDataObject {
	const answer = parseBody(response);
	const isReceipt = isObject(answer) && !doubtAbout(answer, operation);
	return isReceipt && (!id || idIn(answer) === String(id)) ? answer : { transaction_id: id };
}
