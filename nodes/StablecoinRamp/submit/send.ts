import type { IExecuteFunctions } from 'n8n-workflow';

import { endpoints, type TransactionOperation } from '../service/endpoints';
import { sendRequest } from '../service/sendRequest';
import type { Entry } from './check';
import type { Draft } from './draft';
import type { Again, Records } from './records';
import { isMade } from './reference';
import type { Register } from './register';
import {
	alreadyAccepted,
	awaitingAnswer,
	isSetback,
	lookedUp,
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
import type { Tries } from './tries';

export interface Run {
	context: IExecuteFunctions;
	operation: TransactionOperation;
	settings: Settings;
	records: Records;
	register?: Register;
	tries: Tries;
	results: Map<Entry, Result>;
	hadSetback: boolean;
}

/** An entry that this run has claimed. */
type Held = { entry: Entry; attempt: number };

/** What came of claiming an entry: one that is not this run's to send has its result. */
type Claimed = Held | { entry: Entry; result: Result };

const isHeld = (one: Claimed): one is Held => 'attempt' in one;

/**
 * Claims, sends and settles, chunk by chunk. While one chunk is sent, the next is claimed and the last is settled.
 * Nothing of a chunk is sent before all of it is claimed. After a setback nothing further is started, unless Continue
 * On Fail is set.
 */
export async function sendEntries(run: Run, entries: Entry[]): Promise<void> {
	let held: Held[] = [];
	let toSettle: Held[] = [];
	for (const next of [...inChunks(entries, run.settings.parallelRequests), []]) {
		const turning = settleAndClaim(run, toSettle, next);
		await sendChunk(run, held);
		const { unsettled, claimed } = await turning;
		toSettle = [...unsettled, ...held];
		held = claimed.filter(isHeld);
		for (const one of claimed) if (!isHeld(one)) note(run, one.entry, one.result);
		if (isStopped(run)) break;
	}
	toSettle.push(...held);
	// Twice, because the database may have been away for a moment only.
	for (let time = 0; time < 2; time++)
		toSettle = (await settleAndClaim(run, toSettle, [])).unsettled;
	await run.register?.finish();

	for (const { entry } of toSettle) run.results.set(entry, unrecorded(resultIn(run, entry)));
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

const isCancelled = ({ context }: Run) => context.getExecutionCancelSignal()?.aborted === true;

const isStopped = (run: Run) =>
	(run.hadSetback && !run.context.continueOnFail()) || isCancelled(run);

function note(run: Run, entry: Entry, result: Result): void {
	run.results.set(entry, result);
	run.hadSetback ||= isSetback(result);
}

export const resultIn = ({ results }: Run, entry: Entry) =>
	results.get(entry) ?? notStarted(entry.reference);

/** Settles what was claimed, and claims what comes next. Both go into the register together, which is faster. */
async function settleAndClaim(run: Run, toSettle: Held[], next: Entry[]) {
	const [unsettled, claimed] = await Promise.all([settle(run, toSettle), claimChunk(run, next)]);
	return { unsettled, claimed: await enterInRegister(run, toSettle, claimed) };
}

/** Nothing is sent that is not in the register: where that does not work, the claims are released. */
async function enterInRegister(run: Run, settled: Held[], claimed: Claimed[]): Promise<Claimed[]> {
	try {
		await run.register?.write(
			claimed.filter(isHeld).map(({ entry }) => entry),
			settled.map(({ entry }) => [entry, resultIn(run, entry)]),
		);
		return claimed;
	} catch (thrown) {
		const release = async ({ entry, attempt }: Held) => {
			const failed = await run.records.release(entry, attempt).catch((error: unknown) => error);
			return { entry, result: notRecorded(entry.reference, failed ?? thrown) };
		};
		return await Promise.all(claimed.map(async (one) => (isHeld(one) ? await release(one) : one)));
	}
}

const againBy: Record<Draft['ifAlreadySubmitted'], Again> = {
	fail: 'never',
	skip: 'never',
	submitUnknownAgain: 'ifUnknown',
	submitAgain: 'always',
};

async function claimChunk(run: Run, entries: Entry[]): Promise<Claimed[]> {
	const unsure = entries.filter(({ draft }) => draft.ifAlreadySubmitted === 'submitUnknownAgain');
	const accepted = run.register?.accepted(unsure);
	const known = new Map<Entry, KnownBefore>();
	const claimOne = async (entry: Entry): Promise<Claimed[]> => {
		try {
			if (unsure.includes(entry) && (await accepted)?.has(entry)) {
				known.set(entry, (await run.records.lookUp(entry)) ?? acceptedElsewhere);
				return [];
			}
			const claim = await run.records.claim(entry, againBy[entry.draft.ifAlreadySubmitted]);
			if (claim.isMine) return [{ entry, attempt: claim.attempt }];
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
	const waiting = held.map(({ entry }) => entry);
	const work = async (): Promise<void> => {
		while (waiting.length > 0 && !isStopped(run)) {
			const entry = waiting.shift()!;
			note(run, entry, await send(run, entry));
		}
	};
	await Promise.all(Array.from({ length: run.settings.parallelRequests }, work));
}

async function send({ context, operation, settings, tries }: Run, entry: Entry): Promise<Result> {
	const { itemIndex, reference, body } = entry;
	const { credentials, requestOptions } = settings;
	// From here on the service may have it, whatever happens in this process.
	tries.keep(itemIndex, awaitingAnswer(operation, reference));
	const endpoint = endpoints.transaction[operation];
	const request = { ...requestOptions, body };
	const reply = await sendRequest(withoutCancelling(context), credentials, endpoint, request);
	const result = resultOf(reply, operation, entry, credentials.secretKey);
	tries.keep(itemIndex, result);
	return result;
}

/** Cancelling an execution stops before the next item; to cut off the one under way would leave its outcome unknown. */
const withoutCancelling = (context: IExecuteFunctions): IExecuteFunctions =>
	Object.create(context, {
		getExecutionCancelSignal: { value: () => undefined },
	}) as IExecuteFunctions;

/** Records what became of each, and gives those for which that did not work. */
async function settle(run: Run, held: Held[]): Promise<Held[]> {
	const settled = await Promise.allSettled(
		held.map(async ({ entry, attempt }) => {
			const { outcome } = resultIn(run, entry);
			await (outcome === 'accepted' || outcome === 'unknown'
				? run.records.settle(entry, attempt, outcome)
				: run.records.release(entry, attempt));
		}),
	);
	return held.filter((_, index) => settled[index]!.status === 'rejected');
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
