import { lookUp, settledInRegister } from './lookUp';
import type { Earlier, IsSentAgain, Lease } from './memory/claims';
import {
	alreadyAccepted,
	besideEarlier,
	claimNotWritten,
	lookedUp,
	notLookedUp,
	notSentAgain,
	notStarted,
	notStartedInOutage,
	refused,
	registerNotRead,
	registerNotWritten,
	toolSubmittedBefore,
	totalNotKnown,
	type EarlierWithAnswer,
} from './notSent';
import { choiceForMade, decide, isLookedFor } from './policy';
import { isSetback, mayHaveMoved, type Result } from './result';
import { aboveTotal, sumOf } from './total';
import { isOutage, isStopped, note, type Entry, type Run } from './run';
import type { Watch } from './watch';

/** An entry that this run has claimed. */
export interface Held {
	entry: Entry;
	lease: Lease;
	/** The lease has run out, and another run has taken it over. */
	isLost?: true;
	/** Not sent after all, because of what the register has by now. */
	isWithdrawn?: true;
}

/** What came of claiming a chunk: what is this run's to send, in order, and what became of the others. */
export interface ClaimedChunk {
	held: Held[];
	results: Map<Entry, Result>;
}

/** What the register has as accepted or closed and what is claimed by others is not this run's to send. */
export async function claimChunk(run: Run, entries: Entry[], watch: Watch): Promise<ClaimedChunk> {
	const { claims } = run.memory;
	const results = new Map<Entry, Result>();
	const earlier = new Map<Entry, EarlierWithAnswer>();
	/** Accepted before, and to be sent all the same. */
	const sentAgain = new Map<Entry, EarlierWithAnswer>();
	try {
		for (const [entry, settled] of await watch.begin(entries)) {
			if (decideFor(entry, settled) !== 'send') earlier.set(entry, settled);
			else if (settled.state === 'accepted') sentAgain.set(entry, settled);
		}
	} catch (thrown) {
		return { held: [], results: await toldByClaims(run, entries, thrown as Error) };
	}
	const claimOne = async (entry: Entry): Promise<Held[]> => {
		try {
			const claim = await claims.claim(entry, isSentAgain(entry));
			if (claim.isMine) {
				const after = sentAgain.get(entry) ?? claim.after;
				return [{ entry, lease: { ...claim, ...(after && { after }) } }];
			}
			earlier.set(entry, claim.earlier);
		} catch (thrown) {
			results.set(entry, claimNotWritten(entry.reference, thrown));
		}
		return [];
	};
	const toClaim = entries.filter((entry) => !earlier.has(entry));
	const held = (await Promise.all(toClaim.map(claimOne))).flat();
	await correctByRegister(run, earlier);
	for (const [entry, one] of earlier) results.set(entry, whyNotSent(run, entry, one));
	return { held, results };
}

/** The register cannot be read, so nothing is sent. What is not to be sent by what the claims say is told for what it is. */
async function toldByClaims(run: Run, entries: Entry[], thrown: Error) {
	const { earlier } = await lookUp({ ...run, memory: { claims: run.memory.claims } }, entries);
	return new Map(
		entries.map((entry): [Entry, Result] => {
			const one = earlier.get(entry);
			return one && decideFor(entry, one) !== 'send'
				? [entry, whyNotSent(run, entry, one)]
				: [entry, registerNotRead(entry.reference, thrown)];
		}),
	);
}

/**
 * Right before the request leaves: with a lease that holds, or with what became of it instead. A new lease means a new
 * row with the present time. A person may have closed the old row meanwhile, so the register is read again, and what
 * is not sent then leaves no row above that.
 */
export async function renew(
	run: Run,
	held: Held,
	watch: Watch,
): Promise<Held & { result?: Result }> {
	const { entry, lease } = held;
	try {
		const claim = await run.memory.claims.renew(entry, lease, isSentAgain(entry));
		if (claim === lease) return held;
		if (claim.isMine) {
			const renewed = { ...held, lease: claim };
			const result = await enterAgain(run, renewed, watch);
			return result ? { ...renewed, isWithdrawn: true, result } : renewed;
		}
		const earlier = new Map<Entry, EarlierWithAnswer>([[entry, claim.earlier]]);
		await correctByRegister(run, earlier);
		return { ...held, isLost: true, result: whyNotSent(run, entry, earlier.get(entry)!) };
	} catch (thrown) {
		const result = besideWhatWas(claimNotWritten(entry.reference, thrown), entry, lease);
		return { ...held, isWithdrawn: true, result };
	}
}

async function enterAgain(
	{ memory: { register } }: Run,
	{ entry, lease }: Held,
	watch: Watch,
): Promise<Result | undefined> {
	const failing = (words: typeof registerNotRead) => (thrown: Error) =>
		besideWhatWas(words(entry.reference, thrown), entry, lease);
	return (
		(await register?.enterAgain(entry.itemIndex).catch(failing(registerNotWritten))) ??
		(await watch.begin([entry]).then(() => undefined, failing(registerNotRead)))
	);
}

/** Right before it is sent: what became of it instead, by what the register has by now. */
export async function settledMeanwhile(
	run: Run,
	{ entry, lease }: Held,
	watch: Watch,
): Promise<Result | undefined> {
	try {
		const one = await watch.settled(entry);
		return one && decideFor(entry, one) !== 'send' ? whyNotSent(run, entry, one) : undefined;
	} catch (thrown) {
		return besideWhatWas(registerNotRead(entry.reference, thrown as Error), entry, lease);
	}
}

/** What is told of an attempt that moved nothing, where one before it may have. */
export const besideWhatWas = (
	result: Result,
	{ ifAlreadySubmitted }: Entry,
	{ after }: Lease,
): Result =>
	after && isSetback(result) && !mayHaveMoved(result)
		? besideEarlier(result, after, !isLookedFor(ifAlreadySubmitted))
		: result;

const isSentAgain =
	(entry: Entry): IsSentAgain =>
	(earlier) =>
		decideFor(entry, earlier) === 'send';

const choiceFor = ({ isReferenceMade, ifAlreadySubmitted }: Entry) =>
	isReferenceMade ? choiceForMade(ifAlreadySubmitted) : ifAlreadySubmitted;

const decideFor = (entry: Entry, earlier: Earlier) => decide(choiceFor(entry), earlier);

function whyNotSent(
	{ operation, settings }: Run,
	entry: Entry,
	earlier: EarlierWithAnswer,
): Result {
	const { reference, isReferenceMade, simplify } = entry;
	const setback = notSentAgain(reference, earlier, isLookedFor(choiceFor(entry)));
	if (settings.isTool && isReferenceMade) return toolSubmittedBefore(operation, setback);
	return decideFor(entry, earlier) === 'skip'
		? alreadyAccepted(reference, earlier, simplify)
		: setback;
}

/** Somebody else has it, and may have entered it in the register since this run has read that. */
async function correctByRegister(run: Run, earlier: Map<Entry, EarlierWithAnswer>): Promise<void> {
	const unanswered = [...earlier.keys()].filter((entry) => !earlier.get(entry)!.answer);
	// Where it cannot be read, what the claims say is still true.
	const settled = await settledInRegister(run, unanswered, earlier).catch(() => none);
	for (const [entry, one] of settled) earlier.set(entry, one);
}

const none = new Map<Entry, EarlierWithAnswer>();

/** When a run stops, what it did not reach is looked up: a person is told what was accepted before, unknown, or new. */
export async function lookUpTheRest(run: Run, entries: Entry[]): Promise<void> {
	const { results } = run;
	const rest = entries.filter(({ itemIndex }) => results[itemIndex] === undefined);
	const { earlier, failed } = await lookUp(run, rest);
	const because = isOutage(run) ? notStartedInOutage : notStarted;
	for (const entry of rest) {
		const { itemIndex, reference } = entry;
		const [one, thrown] = [earlier.get(entry), failed.get(entry)];
		if (one && decideFor(entry, one) === 'skip') results[itemIndex] = whyNotSent(run, entry, one);
		else if (one) results[itemIndex] = lookedUp(reference, one);
		else results[itemIndex] = thrown ? notLookedUp(reference, thrown) : because(reference);
	}
}

/**
 * Maximum Total counts what will be sent, so where all together are too much, all are looked up. What is not to be sent
 * then is not sent by this run, whatever happens meanwhile. Gives what may be sent: nothing, if that is still too much.
 */
export async function withinTotal(run: Run, entries: Entry[]): Promise<Entry[]> {
	const { maximumTotal } = run.settings;
	const sentBefore = run.results.flatMap((result) => result?.amount ?? []);
	const tooMuchIn = (some: Entry[]) =>
		aboveTotal(sumOf([...sentBefore, ...some.map(({ amount }) => amount)]), maximumTotal);
	if (!tooMuchIn(entries)) return entries;
	const { earlier, failed } = await lookUp(run, entries);
	for (const [entry, one] of earlier) {
		if (decideFor(entry, one) !== 'send') note(run, entry, whyNotSent(run, entry, one));
	}
	if (isStopped(run)) return [];
	const toSend = entries.filter(({ itemIndex }) => run.results[itemIndex] === undefined);
	const tooMuch = tooMuchIn(toSend);
	if (!tooMuch) return toSend;
	const [thrown] = failed.values();
	for (const entry of toSend) {
		const { reference } = entry;
		note(run, entry, thrown ? totalNotKnown(reference, thrown) : refused([tooMuch], reference));
	}
	return [];
}
