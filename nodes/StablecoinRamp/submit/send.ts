import type { IExecuteFunctions } from 'n8n-workflow';

import { endpoints } from '../../../client/endpoints';
import { inOneLine } from '../../../client/refusal';
import { sendRequest } from '../../../client/sendRequest';
import {
	claimChunk,
	lookUpTheRest,
	noteLookedFor,
	renew,
	type ClaimedChunk,
	type Held,
	type LookedFor,
} from './claim';
import { awaitingAnswer, judge } from './judge';
import type { Lease } from './memory/claims';
import { longestRequest, oldFromNow } from './memory/lease';
import { claimNotWritten, notStarted, outcomeNotWritten, registerNotWritten } from './notSent';
import { isSetback, mayHaveMoved, type Result } from './result';
import { inPieces, isStopped, note, type Entry, type Run } from './run';

/**
 * Claims, sends and settles, chunk by chunk. While one chunk is sent, the next is claimed and the last is settled.
 * Nothing of a chunk is sent before all of it is claimed and in the register. After a setback nothing further is
 * started, unless Continue On Fail is set.
 */
export async function sendEntries(run: Run, entries: Entry[]): Promise<void> {
	const lookedFor = await noteLookedFor(run, entries);
	let held: Held[] = [];
	let toSettle: Held[] = [];
	for (const next of [...inChunks(entries, run.settings.parallelRequests), []]) {
		const turning = turn(run, toSettle, next, lookedFor);
		await sendChunk(run, held);
		const { unsettled, claimed } = await turning;
		toSettle = [...unsettled, ...held];
		held = claimed.held;
		for (const [entry, result] of claimed.results) note(run, entry, result);
		if (isStopped(run)) break;
	}
	toSettle = (await turn(run, [...toSettle, ...held], [], lookedFor)).unsettled;
	await settleTheLast(run, entries, toSettle);
	await lookUpTheRest(run, entries);
}

const chunk = { least: 5, most: 50, shareOfRun: 1 / 20 };

/** Small, because what is claimed and not settled when a process is killed has to be looked up by a person. */
function inChunks(entries: Entry[], parallelRequests: number): Entry[][] {
	const share = Math.min(Math.ceil(entries.length * chunk.shareOfRun), chunk.most);
	return inPieces(entries, Math.max(parallelRequests, chunk.least, share));
}

/**
 * Claims what comes next, enters it in the register together with what became of the last chunk, and then settles that
 * one. Whoever finds a reference settled as accepted finds its receipt in the register.
 */
async function turn(
	run: Run,
	toSettle: Held[],
	next: Entry[],
	lookedFor: LookedFor,
): Promise<{ unsettled: Held[]; claimed: ClaimedChunk }> {
	const claimed = await claimChunk(run, next, lookedFor);
	try {
		await run.memory.register?.write({
			sending: claimed.held.map(({ entry: { itemIndex: item, reference, amount } }) => ({
				item,
				reference,
				amount,
			})),
			settled: toSettle.filter(hasLease).map(({ entry }) => became(run, entry)),
			withdrawn: toSettle.filter((one) => !hasLease(one)).map(({ entry }) => entry.itemIndex),
		});
	} catch (thrown) {
		// What is not in the register is not sent.
		await Promise.all(
			claimed.held.map(async ({ entry, lease }) => {
				const failed = await run.memory.claims
					.release(entry, lease!.attempt)
					.catch((error: unknown) => error);
				const result = failed
					? claimNotWritten(entry.reference, failed)
					: registerNotWritten(entry.reference, thrown as Error);
				claimed.results.set(entry, result);
			}),
		);
		return { unsettled: toSettle, claimed: { held: [], results: claimed.results } };
	}
	return { unsettled: await settle(run, toSettle), claimed };
}

/** For the register. */
function became(run: Run, entry: Entry) {
	const result = resultIn(run, entry);
	return {
		item: entry.itemIndex,
		outcome: result.outcome,
		transaction_id: result.id ?? null,
		message: isSetback(result) ? inOneLine(result) : null,
		response: result.response ?? null,
	};
}

const resultIn = ({ results }: Run, { itemIndex, reference }: Entry): Result =>
	results[itemIndex] ?? notStarted(reference);

const hasLease = (held: Held): held is Held & { lease: Lease } => held.lease !== undefined;

/** The run is over. What could not be entered or settled is tried once more, and then told. */
async function settleTheLast(run: Run, entries: Entry[], toSettle: Held[]): Promise<void> {
	const { lacking, unconfirmed } = (await run.memory.register?.finish()) ?? none;
	// Settled all the same, so that nobody sends it again; but after a cancelled execution nobody is told of its receipt.
	const isKnown = ({ entry }: Held) =>
		!unconfirmed.has(entry.itemIndex) || resultIn(run, entry).outcome !== 'accepted';
	const tell = ({ itemIndex }: Entry, result: Result) => {
		run.results[itemIndex] = result;
		// In later tries too.
		if (mayHaveMoved(result)) run.tries.keep(itemIndex, result);
	};
	for (const { entry } of await settle(run, toSettle.filter(isKnown))) {
		tell(entry, outcomeNotWritten(resultIn(run, entry)));
	}
	for (const entry of entries.filter(({ itemIndex }) => lacking.has(itemIndex))) {
		tell(entry, { ...resultIn(run, entry), isNotInRegister: true });
	}
}

const none = { lacking: new Set<number>(), unconfirmed: new Set<number>() };

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
	const sent = { ...entry, lookFrom: isFirst ? undefined : from };
	const result = judge(reply, operation, sent, credentials.secretKey);
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

/** Writes down what became of each, and gives those for which that did not work. */
async function settle(run: Run, held: Held[]): Promise<Held[]> {
	const { claims } = run.memory;
	const settled = await Promise.allSettled(
		held.filter(hasLease).map(async ({ entry, lease: { attempt } }) => {
			const { outcome } = resultIn(run, entry);
			await (outcome === 'accepted' || outcome === 'unknown'
				? claims.settle(entry, attempt, outcome)
				: claims.release(entry, attempt));
		}),
	);
	return held.filter(hasLease).filter((_, index) => settled[index]!.status === 'rejected');
}
