import type { Earlier, IsSentAgain, Lease } from './memory/claims';
import { holds } from './memory/lease';
import { acceptedBy, acceptedInRegister, decideFor, lookUp, whyNotSent } from './lookUp';
import {
	claimNotWritten,
	lookedUp,
	notLookedUp,
	notStarted,
	notStartedInOutage,
	refused,
	registerNotRead,
	type EarlierWithAnswer,
} from './notSent';
import { isLookedFor } from './policy';
import { isMade } from './reference';
import type { Result } from './result';
import { aboveTotal } from './total';
import { isOutage, isStopped, note, type Entry, type Run } from './run';

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

/** Under Submit Unknown Again: of each entry the latest attempt for which a look could prove something when the run began. */
export type LookedFor = Map<Entry, number>;

/** A person has looked for what was there when the run began, and for nothing that was sent since. */
export async function noteLookedFor(run: Run, entries: Entry[]): Promise<LookedFor> {
	const asked = entries.filter(({ ifAlreadySubmitted }) => isLookedFor(ifAlreadySubmitted));
	const { earlier } = await lookUp(run, asked);
	// In a process that was frozen since, or in a later try, others may have sent it meanwhile.
	const isInTime = holds(run.tries.beganAt, Date.now());
	const upTo = ({ attempt, lookFrom }: Earlier) => (lookFrom === undefined ? attempt : attempt - 1);
	return new Map(
		asked.map((entry) => {
			const latest = earlier.get(entry);
			return [entry, latest && isInTime ? upTo(latest) : 0];
		}),
	);
}

/** What the register has as accepted and what is claimed by others is not this run's to send. */
export async function claimChunk(
	run: Run,
	entries: Entry[],
	lookedFor: LookedFor,
): Promise<ClaimedChunk> {
	const { claims } = run.memory;
	const results = new Map<Entry, Result>();
	const earlier = new Map<Entry, EarlierWithAnswer>();
	/** Accepted before, and to be sent all the same. */
	const sentAgain = new Map<Entry, EarlierWithAnswer>();
	const own = entries.filter(({ reference }) => !isMade(reference));
	try {
		for (const [entry, row] of await acceptedInRegister(run, own)) {
			const accepted = acceptedBy(row, entry);
			(decideFor(entry, accepted) === 'send' ? sentAgain : earlier).set(entry, accepted);
		}
	} catch (thrown) {
		return { held: [], results: await toldByClaims(run, entries, thrown as Error) };
	}
	const claimOne = async (entry: Entry): Promise<Held[]> => {
		try {
			const upTo = lookedFor.get(entry) ?? Infinity;
			const claim = await claims.claim(entry, isSentAgain(entry), upTo);
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

const isSentAgain =
	(entry: Entry): IsSentAgain =>
	(earlier) =>
		decideFor(entry, earlier) === 'send';

/** Somebody else has it, and may have entered it in the register since this run has read that. */
async function correctByRegister(run: Run, earlier: Map<Entry, EarlierWithAnswer>): Promise<void> {
	const unanswered = [...earlier.keys()].filter((entry) => !earlier.get(entry)!.answer);
	// Where it cannot be read, what the claims say is still true.
	const rows = await acceptedInRegister(run, unanswered).catch(() => new Map());
	for (const [entry, row] of rows) earlier.set(entry, acceptedBy(row, entry, earlier.get(entry)));
}

/** When a run stops, what it did not reach is looked up: a person is told what was accepted before, unknown, or new. */
export async function lookUpTheRest(run: Run, entries: Entry[]): Promise<void> {
	const { results } = run;
	const rest = entries.filter(({ itemIndex }) => results[itemIndex] === undefined);
	const { earlier, failed } = await lookUp(run, rest);
	const because = isOutage(run) ? notStartedInOutage : notStarted;
	for (const entry of rest) {
		const { itemIndex, reference } = entry;
		const [one, thrown] = [earlier.get(entry), failed.get(entry)];
		if (one) results[itemIndex] = lookedUp(reference, one);
		else results[itemIndex] = thrown ? notLookedUp(reference, thrown) : because(reference);
	}
}

/**
 * Maximum Total counts what will be sent, so where all together are too much, all are looked up. What is not to be sent
 * then is not sent by this run, whatever happens meanwhile. Gives what may be sent: nothing, if that is still too much.
 */
export async function withinTotal(run: Run, entries: Entry[]): Promise<Entry[]> {
	const { maximumTotal } = run.settings;
	if (!aboveTotal(entries, maximumTotal)) return entries;
	const { earlier } = await lookUp(run, entries);
	for (const [entry, one] of earlier) {
		if (decideFor(entry, one) !== 'send') note(run, entry, whyNotSent(run, entry, one));
	}
	if (isStopped(run)) return [];
	const toSend = entries.filter(({ itemIndex }) => run.results[itemIndex] === undefined);
	const tooMuch = aboveTotal(toSend, maximumTotal);
	if (!tooMuch) return toSend;
	for (const entry of toSend) note(run, entry, refused([tooMuch], entry.reference));
	return [];
}
