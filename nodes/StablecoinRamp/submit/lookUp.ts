import type { IDataObject } from 'n8n-workflow';

import { isObject, parseBody } from '../../../client/reply';
import { idIn } from '../resources/transaction/answer';
import type { Earlier } from './memory/claims';
import {
	alreadyAccepted,
	notSentAgain,
	toolSubmittedBefore,
	type EarlierWithAnswer,
} from './notSent';
import { choiceForMade, decide } from './policy';
import { isMade } from './reference';
import type { Result } from './result';
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
			for (const [entry, row] of await acceptedInRegister(run, piece)) {
				found.failed.delete(entry);
				found.earlier.set(entry, acceptedBy(row, entry, found.earlier.get(entry)));
			}
		} catch (thrown) {
			for (const entry of piece) {
				if (!found.earlier.has(entry)) found.failed.set(entry, thrown as Error);
			}
		}
	}
	return found;
}

/** The rows of the register that have these as accepted: of whichever workflow, and whoever wrote them there. */
export async function acceptedInRegister(
	{ memory }: Run,
	entries: Entry[],
): Promise<Map<Entry, IDataObject>> {
	if (!memory.register) return new Map();
	const rows = await memory.register.accepted(entries.map(({ reference }) => reference));
	return new Map(
		entries.flatMap((entry) => {
			const row = rows.get(entry.reference);
			return row ? [[entry, row] as const] : [];
		}),
	);
}

/** What the register has as accepted is accepted, with the answer of the service, whatever the claims say. */
export const acceptedBy = (
	row: IDataObject,
	{ body }: Entry,
	{ attempt = 0 }: Partial<Earlier> = {},
): EarlierWithAnswer => ({
	attempt,
	state: 'accepted',
	hasSameValues: isFilledAlike(row, body),
	answer: answerIn(row),
});

/** What a person has left out of a row differs from nothing. */
const isFilledAlike = (row: IDataObject, body: IDataObject) =>
	Object.entries(body).every(([name, sent]) => {
		const filled = name === 'reference' ? '' : String(row[name] ?? '');
		return filled === '' || filled === String(sent);
	});

/** What a person has found on the dashboard has an id, and the answer beside it, if any, is not about that. */
function answerIn({ response, transaction_id: id }: IDataObject): IDataObject {
	const answer = parseBody(response);
	return isObject(answer) && (!id || idIn(answer)) ? answer : { transaction_id: id };
}

const choiceFor = ({ reference, ifAlreadySubmitted }: Entry) =>
	isMade(reference) ? choiceForMade(ifAlreadySubmitted) : ifAlreadySubmitted;

export const decideFor = (entry: Entry, earlier: Earlier) => decide(choiceFor(entry), earlier);

export function whyNotSent(
	{ operation, settings }: Run,
	entry: Entry,
	earlier: EarlierWithAnswer,
): Result {
	const { reference, simplify } = entry;
	const setback = notSentAgain(reference, earlier);
	if (settings.isTool && isMade(reference)) return toolSubmittedBefore(operation, setback);
	return decideFor(entry, earlier) === 'skip'
		? alreadyAccepted(reference, earlier.answer, simplify)
		: setback;
}
