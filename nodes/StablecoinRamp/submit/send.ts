import type { IExecuteFunctions } from 'n8n-workflow';

import { endpoints, type TransactionOperation } from '../../../client/endpoints';
import { sendRequest } from '../../../client/sendRequest';
import type { Entry } from './checkItems';
import type { Draft } from './draft';
import { longestRequest, oldFromNow } from './memory/lease';
import type { Again, Lease, Records } from './memory/claims';
import { isMade } from './reference';
import type { Register } from './memory/register';
import {
	alreadyAccepted,
	awaitingAnswer,
	isSetback,
	lookedUp,
	mayHaveMoved,
	notEntered,
	notLookedUp,
	notRecorded,
	notSentAgain,
	notStarted,
	resultOf,
	toolSubmittedBefore,
	unrecorded,
	type KnownBefore,
	type Result,
} from './result';
import type { Settings } from './settings';
import type { Tries } from './memory/tries';

export interface Run {
	context: IExecuteFunctions;
	operation: TransactionOperation;
	settings: Settings;
	records: Records;
	register?: Register;
	tries: Tries;
	results: Map<Entry, Result>;
	/** The latest attempt at what a person has looked for, when the run began. */
	attempts: Map<Entry, number>;
	hadSetback: boolean;
}

/** An entry that this run has claimed. */
interface Held {
	entry: Entry;
	/** Undefined once it has run out, and what took its place is not this run's. */
	lease: Lease | undefined;
}

/** What came of claiming an entry: one that is not this run's to send has its result. */
type Claimed = Held | { entry: Entry; result: Result };

const isHeld = (one: Claimed): one is Held => 'lease' in one;

/**
 * Claims, sends and settles, chunk by chunk. While one chunk is sent, the next is claimed and the last is settled.
 * Nothing of a chunk is sent before all of it is claimed and in the register. After a setback nothing further is
 * started, unless Continue On Fail is set.
 */
export async function sendEntries(run: Run, entries: Entry[]): Promise<void> {
	await noteAttempts(run, entries.filter(isUnsure));
	let held: Held[] = [];
	let toSettle: Held[] = [];
	for (const next of [...inChunks(entries, run.settings.parallelRequests), []]) {
		const turning = turn(run, toSettle, next);
		await sendChunk(run, held);
		const { unsettled, claimed } = await turning;
		toSettle = [...unsettled, ...held];
		held = claimed.filter(isHeld);
		for (const one of claimed) if (!isHeld(one)) note(run, one.entry, one.result);
		if (isStopped(run)) break;
	}
	toSettle = (await turn(run, [...toSettle, ...held], [])).unsettled;
	await settleTheLast(run, toSettle);
	await lookUpTheRest(run, entries);
}

const chunk = { least: 5, most: 50, shareOfRun: 1 / 20 };

/** Small, because what is claimed and not settled when a process is killed has to be looked up by a person. */
function inChunks(entries: Entry[], parallelRequests: number): Entry[][] {
	const share = Math.min(Math.ceil(entries.length * chunk.shareOfRun), chunk.most);
	return inPieces(entries, Math.max(parallelRequests, chunk.least, share));
}

const inPieces = (entries: Entry[], size: number): Entry[][] =>
	Array.from({ length: Math.ceil(entries.length / size) }, (_, index) =>
		entries.slice(index * size, (index + 1) * size),
	);

const isUnsure = ({ draft }: Entry) => draft.ifAlreadySubmitted === 'submitUnknownAgain';

/** A person has looked for what was there when the run began, and for nothing that was sent since. */
async function noteAttempts({ records, attempts }: Run, unsure: Entry[]): Promise<void> {
	for (const piece of inPieces(unsure, lookedUpAtOnce)) {
		const note = async (entry: Entry) =>
			attempts.set(entry, (await records.lookUp(entry))?.attempt ?? 0);
		await Promise.allSettled(piece.map(note));
	}
}

const isCancelled = ({ context }: Run) => context.getExecutionCancelSignal()?.aborted === true;

const isStopped = (run: Run) =>
	(run.hadSetback && !run.context.continueOnFail()) || isCancelled(run);

function note(run: Run, entry: Entry, result: Result): void {
	run.results.set(entry, result);
	run.hadSetback ||= isSetback(result);
}

export const resultIn = ({ results }: Run, entry: Entry) =>
	results.get(entry) ?? notStarted(entry.reference);

/**
 * Claims what comes next, enters it in the register together with what became of the last chunk, and then settles that
 * one. Whoever finds a reference settled as accepted finds its receipt in the register.
 */
async function turn(run: Run, toSettle: Held[], next: Entry[]) {
	const claimed = await claimChunk(run, next);
	try {
		await run.register?.write({
			sending: claimed.filter(isHeld).map(({ entry }) => entry),
			settled: toSettle.filter(hasLease).map(({ entry }) => [entry, resultIn(run, entry)]),
			withdrawn: toSettle.filter((one) => !hasLease(one)).map(({ entry }) => entry),
		});
	} catch (thrown) {
		// What is not in the register is not sent.
		const release = async ({ entry, lease }: Held) => {
			const failed = await run.records
				.release(entry, lease!.attempt)
				.catch((error: unknown) => error);
			const result = failed
				? notRecorded(entry.reference, failed)
				: notEntered(entry.reference, thrown as Error);
			return { entry, result };
		};
		const released = claimed.map(async (one) => (isHeld(one) ? await release(one) : one));
		return { unsettled: toSettle, claimed: await Promise.all(released) };
	}
	return { unsettled: await settle(run, toSettle), claimed };
}

const hasLease = (held: Held): held is Held & { lease: Lease } => held.lease !== undefined;

/** The run is over. What could not be entered or settled is tried once more, and then told. */
async function settleTheLast(run: Run, toSettle: Held[]): Promise<void> {
	const { lacking, unconfirmed } = (await run.register?.finish()) ?? none;
	// Settled all the same, so that nobody sends it again; but after a cancelled execution nobody is told of its receipt.
	const isKnown = ({ entry }: Held) =>
		!unconfirmed.has(entry) || resultIn(run, entry).outcome !== 'accepted';
	const tell = (entry: Entry, result: Result) => {
		run.results.set(entry, result);
		// In later tries too.
		if (mayHaveMoved(result)) run.tries.keep(entry.itemIndex, result);
	};
	for (const { entry } of await settle(run, toSettle.filter(isKnown))) {
		tell(entry, unrecorded(resultIn(run, entry)));
	}
	for (const entry of lacking) tell(entry, { ...resultIn(run, entry), isNotInRegister: true });
}

const none = { lacking: new Set<Entry>(), unconfirmed: new Set<Entry>() };

const againBy: Record<Draft['ifAlreadySubmitted'], Again> = {
	fail: 'never',
	skip: 'never',
	submitUnknownAgain: 'ifUnknown',
	submitAgain: 'always',
};

async function claimChunk(run: Run, entries: Entry[]): Promise<Claimed[]> {
	const unsure = entries.filter(isUnsure);
	const accepted = run.register?.accepted(unsure);
	const known = new Map<Entry, KnownBefore>();
	const claimOne = async (entry: Entry): Promise<Claimed[]> => {
		try {
			if (unsure.includes(entry) && (await accepted)?.has(entry)) {
				known.set(entry, (await run.records.lookUp(entry)) ?? acceptedElsewhere);
				return [];
			}
			const again = againBy[entry.draft.ifAlreadySubmitted];
			const claim = await run.records.claim(entry, again, run.attempts.get(entry) ?? 0);
			if (claim.isMine) return [{ entry, lease: claim }];
			known.set(entry, claim.known);
			return [];
		} catch (thrown) {
			return [{ entry, result: notRecorded(entry.reference, thrown) }];
		}
	};
	const claimed = (await Promise.all(entries.map(claimOne))).flat();
	await addAnswers(run, known);
	for (const [entry, one] of known) claimed.push({ entry, result: heldByAnother(run, entry, one) });
	return claimed;
}

/** Right before the request leaves: what speaks against it, if the lease has run out and somebody else has claimed it. */
async function renew(run: Run, held: Held): Promise<Result | undefined> {
	const { entry, lease } = held;
	try {
		const claim = await run.records.renew(entry, lease!, againBy[entry.draft.ifAlreadySubmitted]);
		held.lease = claim.isMine ? claim : undefined;
		if (claim.isMine) return undefined;
		const known = new Map<Entry, KnownBefore>([[entry, claim.known]]);
		await addAnswers(run, known);
		return heldByAnother(run, entry, known.get(entry)!);
	} catch (thrown) {
		return notRecorded(entry.reference, thrown);
	}
}

/** A person has entered it in the register, and this workflow knows nothing of it. */
const acceptedElsewhere: KnownBefore = { attempt: 0, state: 'accepted', hasSameValues: true };

/** What the service answered when it accepted these, where there is a register. */
async function addAnswers({ register }: Run, known: Map<Entry, KnownBefore>): Promise<void> {
	// Without it a reference is still told for what it is.
	const accepted = await register?.accepted([...known.keys()]).catch(() => undefined);
	for (const [entry, { answer, hasSameAmount }] of accepted ?? []) {
		const one = known.get(entry)!;
		// Accepted, also where a person has found it on the dashboard and written that into the register.
		const hasSameValues = one.hasSameValues && hasSameAmount;
		known.set(entry, { ...one, state: 'accepted', hasSameValues, answer });
	}
}

function heldByAnother({ operation, settings }: Run, entry: Entry, known: KnownBefore): Result {
	const { reference, draft } = entry;
	const setback = notSentAgain(reference, known);
	if (settings.isTool && isMade(reference)) return toolSubmittedBefore(operation, setback);
	// A reference that the node has made can only come again in a retry of the same execution.
	const mayPass = draft.ifAlreadySubmitted !== 'fail' || isMade(reference);
	const isDone = known.state === 'accepted' && known.hasSameValues;
	return isDone && mayPass ? alreadyAccepted(reference, known.answer, draft.simplify) : setback;
}

async function sendChunk(run: Run, held: Held[]): Promise<void> {
	const waiting = [...held];
	const work = async (): Promise<void> => {
		while (waiting.length > 0 && !isStopped(run)) {
			const one = waiting.shift()!;
			const setback = await renew(run, one);
			if (setback) note(run, one.entry, setback);
			else if (!isStopped(run)) note(run, one.entry, await send(run, one));
		}
	};
	await Promise.all(Array.from({ length: run.settings.parallelRequests }, work));
}

async function send(
	{ context, operation, settings, tries }: Run,
	{ entry, lease }: Held,
): Promise<Result> {
	const { itemIndex, reference, body } = entry;
	const { credentials, requestOptions } = settings;
	// From here on the service may have it, whatever happens in this process.
	const from = oldFromNow(lease!.claimedAt);
	tries.keep(itemIndex, awaitingAnswer(operation, reference, from));
	const endpoint = endpoints.transaction[operation];
	const request = { ...requestOptions, body };
	const reply = await sendRequest(endingInTime(context), credentials, endpoint, request);
	const isFirst = lease!.attempt === 1;
	const asked = { ...entry, lookFrom: isFirst ? undefined : from };
	const result = resultOf(reply, operation, asked, credentials.secretKey);
	tries.keep(itemIndex, result);
	return result;
}

/**
 * Cancelling an execution stops before the next item; to cut off the one under way would leave its outcome unknown. So
 * n8n gets another signal for it: Timeout alone does not end a request whose answer comes a letter at a time.
 */
const endingInTime = (context: IExecuteFunctions): IExecuteFunctions =>
	Object.create(context, {
		getExecutionCancelSignal: { value: () => AbortSignal.timeout(longestRequest) },
	}) as IExecuteFunctions;

/** Records what became of each, and gives those for which that did not work. */
async function settle(run: Run, held: Held[]): Promise<Held[]> {
	const settled = await Promise.allSettled(
		held.filter(hasLease).map(async ({ entry, lease: { attempt } }) => {
			const { outcome } = resultIn(run, entry);
			await (outcome === 'accepted' || outcome === 'unknown'
				? run.records.settle(entry, attempt, outcome)
				: run.records.release(entry, attempt));
		}),
	);
	return held.filter(hasLease).filter((_, index) => settled[index]!.status === 'rejected');
}

const lookedUpAtOnce = 100;

/** When a run stops, each reference that it did not reach is told for what it is. */
export async function lookUpTheRest(run: Run, entries: Entry[]): Promise<void> {
	const { records, results } = run;
	const rest = entries.filter((entry) => !results.has(entry));
	for (const piece of inPieces(rest, lookedUpAtOnce)) {
		if (isCancelled(run)) return;
		const known = new Map<Entry, KnownBefore>();
		const lookUp = async (entry: Entry) => {
			const found = await records.lookUp(entry);
			if (found) known.set(entry, found);
		};
		const failed = (entry: Entry) => (thrown: Error) =>
			results.set(entry, notLookedUp(entry.reference, thrown));
		await Promise.all(piece.map(async (entry) => await lookUp(entry).catch(failed(entry))));
		await addAnswers(run, known);
		for (const [entry, one] of known) results.set(entry, lookedUp(entry.reference, one));
	}
}
