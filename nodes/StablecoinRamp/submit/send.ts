import { endpoints } from '../../../client/endpoints';
import { hideIn } from '../../../client/masking';
import { inOneLine } from '../../../client/refusal';
import { isAnswer, type Reply } from '../../../client/reply';
import { endingIn, sendRequest } from '../../../client/sendRequest';
import {
	besideWhatWas,
	claimChunk,
	renew,
	settledMeanwhile,
	type ClaimedChunk,
	type Held,
} from './claim';
import { awaitingAnswer, isAboutItem, judge, notUnderstood, outcomeOf } from './judge';
import { nextFor } from './steps';
import type { Lease } from './memory/claims';
import { holds, leaseTime, longestRequest, oldFromClaimAt } from './memory/lease';
import { claimNotWritten, notStarted, outcomeNotWritten, registerNotWritten } from './notSent';
import { isSetback, mayHaveMoved, type Result, type Setback } from './result';
import {
	asked,
	hiddenSecrets,
	inPieces,
	isOutage,
	isStopped,
	longestPause,
	note,
	pause,
	type Entry,
	type Run,
} from './run';
import { watchRegister, type Watch } from './watch';

/**
 * Claims, sends and settles, chunk by chunk. While one chunk is sent, the next is claimed and the previous is settled.
 * Nothing of a chunk is sent before all of it is claimed and in the register. After a setback nothing further is
 * started, unless Continue On Fail is set.
 */
export async function sendEntries(run: Run, entries: Entry[]): Promise<void> {
	const chunks = inChunks(entries, run.settings.parallelRequests);
	let held: Held[] = [];
	let rest: Held[] = [];
	let toSettle: Held[] = [];
	const watch = watchRegister(run);
	do {
		const next = rest.length > 0 ? [] : (chunks.shift() ?? []);
		const meanwhile = claimNextAndSettlePrevious(run, next, toSettle, watch);
		const sent = await sendChunk(run, held, watch);
		const { unsettled, claimed } = await meanwhile;
		rest = sent.rest;
		toSettle = [...unsettled, ...sent.held];
		held = [...rest, ...claimed.held];
		for (const [entry, result] of claimed.results) note(run, entry, result);
	} while (!isStopped(run) && (held.length > 0 || chunks.length > 0));
	await watch.end();
	const { unsettled } = await enterAndSettle(run, [], [...toSettle, ...held], watch);
	await settleWhatIsLeft(run, entries, unsettled);
}

const chunk = { least: 5, most: 50, shareOfRun: 1 / 20 };

/** Small, because what is claimed and not settled when a process is killed has to be looked up by a person. */
function inChunks(entries: Entry[], parallelRequests: number): Entry[][] {
	const share = Math.min(Math.ceil(entries.length * chunk.shareOfRun), chunk.most);
	return inPieces(entries, Math.max(parallelRequests, chunk.least, share));
}

async function claimNextAndSettlePrevious(
	run: Run,
	next: Entry[],
	previous: Held[],
	watch: Watch,
): Promise<{ claimed: ClaimedChunk; unsettled: Held[] }> {
	const claimed = await claimChunk(run, next, watch);
	const { unsettled, thrown } = await enterAndSettle(run, claimed.held, previous, watch);
	if (!thrown) return { claimed, unsettled };
	// What is not in the register is not sent.
	const release = async ({ entry, lease }: Held) => {
		const result = await run.memory.claims.release(entry, lease.attempt).then(
			() => registerNotWritten(entry.reference, thrown),
			(failed: Error) => claimNotWritten(entry.reference, failed),
		);
		claimed.results.set(entry, besideWhatWas(result, entry, lease));
	};
	await Promise.all(claimed.held.map(release));
	return { claimed: { held: [], results: claimed.results }, unsettled };
}

/**
 * Enters in the register what is to be sent, together with what became of the previous chunk, and then settles that one:
 * whoever finds a reference settled as accepted finds its receipt in the register.
 */
async function enterAndSettle(
	run: Run,
	toSend: Held[],
	previous: Held[],
	watch: Watch,
): Promise<{ unsettled: Held[]; thrown?: Error }> {
	const { register } = run.memory;
	// What this run did not come to, or somebody else has, was not sent after all.
	const isOver = ({ entry, isLost, isWithdrawn }: Held) =>
		!isLost && !isWithdrawn && run.results[entry.itemIndex] !== undefined;
	const entries = toSend.map(({ entry }) => entry);
	const began = Date.now();
	try {
		const found = await register?.write({
			sending: entries.map((entry) => asked(run, entry)),
			settled: previous.filter(isOver).map(({ entry }) => settledRow(run, entry)),
			withdrawn: previous.flatMap((held) => (isOver(held) ? [] : [held.entry.itemIndex])),
		});
		if (found) watch.entered(entries, found, began);
	} catch (thrown) {
		return { unsettled: previous, thrown: thrown as Error };
	}
	return { unsettled: await settle(run, previous) };
}

/** All data tables of an n8n have one limit together, and an answer may have any length. */
const longestResponse = 20_000;

function settledRow({ results }: Run, entry: Entry) {
	const result = results[entry.itemIndex]!;
	const hide = hiddenSecrets(entry);
	const shown = (words: string | undefined) => (words === undefined ? null : hideIn(words, hide));
	const said = (setback: Setback) => inOneLine({ ...setback, description: nextFor(setback, true) });
	return {
		item: entry.itemIndex,
		outcome: result.outcome,
		transaction_id: result.id ?? null,
		message: shown(isSetback(result) ? said(result) : undefined),
		response: shown(result.response?.slice(0, longestResponse)),
		differs: shown(result.differs && JSON.stringify(result.differs)),
	};
}

const resultIn = ({ results }: Run, { entry, lease }: Held): Result =>
	results[entry.itemIndex] ?? besideWhatWas(notStarted(entry.reference), entry, lease);

/** The run is over. What could not be entered or settled is tried once more, and then told. */
async function settleWhatIsLeft(run: Run, entries: Entry[], left: Held[]): Promise<void> {
	const { lacking, unconfirmed } = (await run.memory.register?.finish()) ?? none;
	// One that was accepted, and of which nobody can say whether its receipt is in the register, stays claimed: a later
	// run tells it as unknown. All others are settled even where the register lacks them: nobody sends them again.
	const maySettle = (held: Held) =>
		!unconfirmed.has(held.entry.itemIndex) || resultIn(run, held).outcome !== 'accepted';
	const tell = ({ itemIndex }: Entry, result: Result) => {
		run.results[itemIndex] = result;
		// In later tries too.
		if (mayHaveMoved(result)) run.tries.keep(itemIndex, result);
	};
	for (const held of await settle(run, left.filter(maySettle))) {
		tell(held.entry, outcomeNotWritten(resultIn(run, held)));
	}
	for (const entry of entries) {
		const result = run.results[entry.itemIndex];
		if (result && lacking.has(entry.itemIndex)) tell(entry, { ...result, isNotInRegister: true });
	}
}

const none = { lacking: new Set<number>(), unconfirmed: new Set<number>() };

/** As long as one chunk may be at work: what was sent is in the register long before a person would look for it. */
const longestChunk = leaseTime;

/** Sends a chunk in its order, and gives what is held of it now: of those it came to, and of the rest. */
async function sendChunk(
	run: Run,
	held: Held[],
	watch: Watch,
): Promise<{ held: Held[]; rest: Held[] }> {
	const now = [...held];
	const waiting = [...held.keys()];
	const until = Date.now() + longestChunk;
	const work = async (): Promise<void> => {
		while (waiting.length > 0 && !isStopped(run) && Date.now() < until) {
			const at = waiting.shift()!;
			const { result, ...renewed } = await renewAfterPause(run, now[at]!, watch);
			now[at] = renewed;
			if (result) note(run, renewed.entry, result);
			else if (!isStopped(run)) {
				const { isWithdrawn, ...became } = await send(run, renewed, watch);
				if (isWithdrawn) now[at] = { ...renewed, isWithdrawn };
				note(run, renewed.entry, became);
			}
		}
	};
	const workers = Array.from(
		{ length: run.settings.parallelRequests },
		async () =>
			await work().catch(async (thrown: unknown) => {
				// Nothing leaves any more once the run has ended.
				waiting.length = 0;
				return await Promise.reject(thrown as Error);
			}),
	);
	await Promise.allSettled(workers);
	await Promise.all(workers);
	const begun = held.length - waiting.length;
	return { held: now.slice(0, begun), rest: now.slice(begun) };
}

/** Repeats until nothing has changed: while a claim is renewed, the service may ask for time again, or a person close it. */
async function renewAfterPause(run: Run, held: Held, watch: Watch): ReturnType<typeof renew> {
	await pause(run);
	if (isStopped(run)) return held;
	const result = await settledMeanwhile(run, held, watch);
	if (result) return { ...held, isWithdrawn: true, result };
	const renewed = await renew(run, held, watch);
	const isSame = renewed.lease === held.lease;
	const isReady = renewed.result || isStopped(run) || (isSame && Date.now() >= run.pausedUntil);
	return isReady ? renewed : await renewAfterPause(run, renewed, watch);
}

const mostRepeats = 3;

async function send(
	run: Run,
	held: Held,
	watch: Watch,
): Promise<Result & Pick<Held, 'isWithdrawn'>> {
	const { entry, lease } = held;
	const { context, operation, settings, tries } = run;
	const { itemIndex, reference, valuesFingerprint, amount, body } = entry;
	const { credentials, requestOptions } = settings;
	// From here on the service may have it, whatever happens in this process.
	const from = oldFromClaimAt(lease.claimedAt);
	const sentAs = { valuesFingerprint, amount };
	tries.keep(itemIndex, { ...awaitingAnswer(operation, reference, from), ...sentAs });
	const endpoint = endpoints.transaction[operation];
	const request = { ...requestOptions, body };
	// Not the execution's own signal: to cut off what is under way would leave its outcome unknown. Cancelling stops
	// before the next item.
	const inTime = () => endingIn(longestRequest, context);
	const once = async () => await sendRequest(inTime(), credentials, endpoint, request);
	let meanwhile: Result | undefined;
	const isToBeRepeated = async (reply: Reply) => {
		if (!(await isAskedToWait(run, reply, lease))) return false;
		meanwhile = await settledMeanwhile(run, held, watch);
		return !meanwhile && holds(lease.claimedAt, Date.now());
	};
	const judged = async () => {
		let reply = await once();
		for (let again = 0; again < mostRepeats && (await isToBeRepeated(reply)); again++) {
			reply = await once();
		}
		if (!isAboutItem(reply, operation)) run.silences++;
		// An answer that is late does not end an outage.
		else if (!isOutage(run)) run.silences = 0;
		const sent = { ...entry, lookFrom: from, isLater: lease.after !== undefined };
		return judge(reply, operation, sent, credentials.secretKey);
	};
	// Whatever happens to one, those before it are settled.
	const whatBecame = await judged().catch((thrown: Error) =>
		notUnderstood(operation, reference, from, thrown),
	);
	const result = meanwhile ?? { ...besideWhatWas(whatBecame, entry, lease), ...sentAs };
	tries.keep(itemIndex, result);
	return meanwhile ? { ...result, isWithdrawn: true } : result;
}

/**
 * A 429 that says when to come back was refused, so nothing has moved. The whole run waits, and it is sent again under
 * the same claim, if that holds for so long.
 */
async function isAskedToWait(run: Run, reply: Reply, { claimedAt }: Lease): Promise<boolean> {
	if (!isAnswer(reply) || reply.statusCode !== 429) return false;
	// One that names a transaction was not refused.
	if (outcomeOf(reply, run.operation) !== 'rejected') return false;
	const { retryAfter = Infinity } = reply;
	const until = Date.now() + retryAfter;
	if (retryAfter > longestPause || !holds(claimedAt, until)) return false;
	run.pausedUntil = Math.max(run.pausedUntil, until);
	await pause(run);
	return !isStopped(run);
}

/** Writes down what became of each, and gives those for which that did not work. */
async function settle(run: Run, held: Held[]): Promise<Held[]> {
	const { claims } = run.memory;
	const mine = held.filter(({ isLost }) => !isLost);
	const settled = await Promise.allSettled(
		mine.map(async (one) => {
			const { entry, lease } = one;
			const result = resultIn(run, one);
			const { outcome } = result;
			const isReleased = isSetback(result) && result.isOfEarlier;
			await (!isReleased && (outcome === 'accepted' || outcome === 'unknown')
				? claims.settle(entry, lease.attempt, outcome)
				: claims.release(entry, lease.attempt));
		}),
	);
	return mine.filter((_, index) => settled[index]!.status === 'rejected');
}
