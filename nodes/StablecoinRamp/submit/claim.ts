import type { IDataObject } from 'n8n-workflow';

import { isObject, parseBody } from '../../../client/reply';
import { idIn } from '../resources/transaction/answer';
import type { IsSentAgain, Lease } from './memory/claims';
import {
	alreadyAccepted,
	claimNotWritten,
	lookedUp,
	notLookedUp,
	notSentAgain,
	notStarted,
	toolSubmittedBefore,
	type EarlierWithAnswer,
} from './notSent';
import { choiceForMade, decide, isLookedFor } from './policy';
import { isMade } from './reference';
import type { Result } from './result';
import { inPieces, isCancelled, type Entry, type Run } from './run';

/** An entry that this run has claimed. */
export interface Held {
	entry: Entry;
	lease: Lease;
	/** The lease has run out, and another run has taken it over. */
	isLost?: true;
}

/** What came of claiming a chunk: what is this run's to send, in order, and what became of the others. */
export interface ClaimedChunk {
	held: Held[];
	results: Map<Entry, Result>;
}

/** Under Submit Unknown Again: of each entry the latest attempt when the run began, 0 where there was none. */
export type LookedFor = Map<Entry, number>;

const lookedUpAtOnce = 100;

/** A person has looked for what was there when the run began, and for nothing that was sent since. */
export async function noteLookedFor({ memory }: Run, entries: Entry[]): Promise<LookedFor> {
	const lookedFor: LookedFor = new Map();
	const asked = entries.filter(({ ifAlreadySubmitted }) => isLookedFor(ifAlreadySubmitted));
	for (const entry of asked) lookedFor.set(entry, 0);
	for (const piece of inPieces(asked, lookedUpAtOnce)) {
		const lookUp = async (entry: Entry) => {
			const earlier = await memory.claims.lookUp(entry);
			if (earlier) lookedFor.set(entry, earlier.attempt);
		};
		await Promise.allSettled(piece.map(lookUp));
	}
	return lookedFor;
}

export async function claimChunk(
	run: Run,
	entries: Entry[],
	lookedFor: LookedFor,
): Promise<ClaimedChunk> {
	const { claims, register } = run.memory;
	const results = new Map<Entry, Result>();
	const earlier = new Map<Entry, EarlierWithAnswer>();
	const accepted = register?.accepted(referencesOf(entries.filter((one) => lookedFor.has(one))));
	const claimOne = async (entry: Entry): Promise<Held[]> => {
		try {
			if (lookedFor.has(entry) && (await accepted)?.has(entry.reference)) {
				earlier.set(entry, (await claims.lookUp(entry)) ?? acceptedElsewhere);
				return [];
			}
			const upTo = lookedFor.get(entry) ?? Infinity;
			const claim = await claims.claim(entry, isSentAgain(entry), upTo);
			if (claim.isMine) return [{ entry, lease: claim }];
			earlier.set(entry, claim.earlier);
		} catch (thrown) {
			results.set(entry, claimNotWritten(entry.reference, thrown));
		}
		return [];
	};
	const held = (await Promise.all(entries.map(claimOne))).flat();
	await correctByRegister(run, earlier);
	for (const [entry, one] of earlier) results.set(entry, whyNotSent(run, entry, one));
	return { held, results };
}

/** Right before the request leaves: with a lease that holds, or with what became of it instead. */
export async function renew(run: Run, { entry, lease }: Held): Promise<Held & { result?: Result }> {
	try {
		const claim = await run.memory.claims.renew(entry, lease, isSentAgain(entry));
		if (claim.isMine) return { entry, lease: claim };
		const earlier = new Map<Entry, EarlierWithAnswer>([[entry, claim.earlier]]);
		await correctByRegister(run, earlier);
		return { entry, lease, isLost: true, result: whyNotSent(run, entry, earlier.get(entry)!) };
	} catch (thrown) {
		return { entry, lease, result: claimNotWritten(entry.reference, thrown) };
	}
}

/** When a run stops, what it did not reach is looked up: a person is told what was accepted before, unknown, or new. */
export async function lookUpTheRest(run: Run, entries: Entry[]): Promise<void> {
	const { memory, results } = run;
	const rest = entries.filter(({ itemIndex }) => results[itemIndex] === undefined);
	for (const piece of inPieces(rest, lookedUpAtOnce)) {
		if (isCancelled(run)) break;
		const earlier = new Map<Entry, EarlierWithAnswer>();
		const lookUp = async (entry: Entry) => {
			try {
				const found = await memory.claims.lookUp(entry);
				if (found) earlier.set(entry, found);
			} catch (thrown) {
				results[entry.itemIndex] = notLookedUp(entry.reference, thrown as Error);
			}
		};
		await Promise.all(piece.map(lookUp));
		await correctByRegister(run, earlier);
		for (const [{ itemIndex, reference }, one] of earlier) {
			results[itemIndex] = lookedUp(reference, one);
		}
	}
	for (const { itemIndex, reference } of rest) results[itemIndex] ??= notStarted(reference);
}

const choiceFor = ({ reference, ifAlreadySubmitted }: Entry) =>
	isMade(reference) ? choiceForMade(ifAlreadySubmitted) : ifAlreadySubmitted;

const isSentAgain =
	(entry: Entry): IsSentAgain =>
	(earlier) =>
		decide(choiceFor(entry), earlier) === 'send';

function whyNotSent({ operation, settings }: Run, entry: Entry, earlier: EarlierWithAnswer) {
	const { reference, simplify } = entry;
	const setback = notSentAgain(reference, earlier);
	if (settings.isTool && isMade(reference)) return toolSubmittedBefore(operation, setback);
	return decide(choiceFor(entry), earlier) === 'skip'
		? alreadyAccepted(reference, earlier.answer, simplify)
		: setback;
}

/** A person has entered it in the register, and this workflow knows nothing of it. */
const acceptedElsewhere: EarlierWithAnswer = { attempt: 0, state: 'accepted', hasSameValues: true };

const referencesOf = (entries: Entry[]) => entries.map(({ reference }) => reference);

/**
 * What the register has as accepted is accepted, with the answer of the service, whatever the claims say: a person may
 * have found it on the dashboard and written it there.
 */
async function correctByRegister(
	{ memory }: Run,
	earlier: Map<Entry, EarlierWithAnswer>,
): Promise<void> {
	const references = referencesOf([...earlier.keys()]);
	// Where it cannot be read, what the claims say is still true.
	const rows = await memory.register?.accepted(references).catch(() => undefined);
	for (const [entry, one] of earlier) {
		const row = rows?.get(entry.reference);
		if (!row) continue;
		const hasSameValues = one.hasSameValues && isAmount(row, entry);
		earlier.set(entry, { ...one, state: 'accepted', hasSameValues, answer: answerIn(row) });
	}
}

/** A person who adds a row may leave the amount out. */
const isAmount = (row: IDataObject, { amount }: Entry) => Number(row.amount ?? amount) === amount;

/** What a person has found on the dashboard has an id, and the answer beside it, if any, is not about that. */
function answerIn({ response, transaction_id: id }: IDataObject): IDataObject {
	const answer = parseBody(response);
	return isObject(answer) && (!id || idIn(answer)) ? answer : { transaction_id: id };
}
