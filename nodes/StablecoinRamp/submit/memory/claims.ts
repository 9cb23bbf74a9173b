import { fingerprint } from './fingerprint';
import { holds, numberAt, oldFrom, oldFromClaimAt } from './lease';
import type { Rows } from './rows';

// The service is not known to look for repeated references, docs/interface.md (1): claims do.

/** A transaction as its claims know it: two fingerprints, of which nothing can be read. */
export interface Fingerprints {
	/** Of the workflow, the service's address, the operation and the reference. */
	referenceFingerprint: string;
	/** Of what is sent, the reference left out. */
	valuesFingerprint: string;
}

/**
 * - claimedHere: claimed by a run that goes on in this process
 * - claimed: about to be sent by another process, or sent and not settled; which of them, nobody can say
 * - accepted: the service took it
 * - unknown: it left, and nobody here can say what became of it
 * - closed, unreadable: by a person; the claims do not know that, the register does
 */
export type State = 'claimedHere' | 'claimed' | 'accepted' | 'unknown' | 'closed' | 'unreadable';

/** The latest attempt under a reference that was not released, whoever made it. */
export interface Earlier {
	attempt: number;
	state: State;
	/** A claimed one has not told its values yet, and counts as having the same. */
	hasSameValues: boolean;
	/** When a look for it begins to prove something, in milliseconds; left out where that was so when the run began. */
	lookFrom?: number;
}

/** An attempt that this run may send, for a time that begins when it was claimed. */
export interface Lease {
	isMine: true;
	attempt: number;
	claimedAt: number;
	/** The attempt before it that may have moved, which is sent again now. */
	after?: Earlier;
}

export type Claim = Lease | { isMine: false; earlier: Earlier };

/** Whether to make a further attempt after this one. */
export type IsSentAgain = (earlier: Earlier) => boolean;

/**
 * What keeps a transaction from being sent twice (the field calls it idempotency; the reference is the key), for every
 * node of this workflow and every process that runs it. What one process knows cannot be undone by another that is
 * late, because rows are only ever inserted. An attempt has rows of its own:
 *
 *     claim        inserted before the request leaves, with the time as its number; who is second is refused
 *     the state    two rows: one with the values in its name, then one without, which makes it final
 *     released     inserted when nothing can have moved; the next attempt is then free to anybody
 *     cleared      inserted by that next attempt where all before it were released, so that nobody looks further back
 *
 * A claim is a lease. Its owner begins no request after five minutes, so the request of an old claim has ended, whether
 * or not that was written down: it may be taken over by who has looked for it. People look before they begin a run, so
 * what was not old then has not been looked for.
 *
 * All of these throw where the database does not answer: then it is not known whether a row was inserted.
 */
export interface Claims {
	claim(transaction: Fingerprints, isSentAgain: IsSentAgain): Promise<Claim>;
	/** Asked right before the request leaves: the same lease, or a new one where that has run out. */
	renew(transaction: Fingerprints, lease: Lease, isSentAgain: IsSentAgain): Promise<Claim>;
	settle(transaction: Fingerprints, attempt: number, state: 'accepted' | 'unknown'): Promise<void>;
	/** Nothing can have moved under this claim: the reference is what it was before. */
	release(transaction: Fingerprints, attempt: number): Promise<void>;
	lookUp(transaction: Fingerprints): Promise<Earlier | undefined>;
	/** The run is over: what it has claimed and not settled is unknown from now on. */
	close(): void;
}

interface Where {
	rows: Rows;
	/** When the first try began, in milliseconds. */
	beganAt: number;
	clock: () => number;
}

export function openClaims(rows: Rows, beganAt = Infinity, clock = Date.now): Claims {
	const where: Where = { rows, beganAt, clock };
	const run = {};
	const forget = (reference: string) => {
		const runs = alive.get(reference);
		if (runs?.delete(run) && runs.size === 0) alive.delete(reference);
	};
	// Runs of this process claim the same one after the other, so that the second knows that the first goes on.
	const claimFrom = async (first: number, transaction: Fingerprints, isSentAgain: IsSentAgain) =>
		await inTurn(transaction.referenceFingerprint, async () => {
			const made = await claim(where, first, transaction, isSentAgain);
			if (made.isMine) {
				const runs = alive.get(transaction.referenceFingerprint) ?? new Set();
				alive.set(transaction.referenceFingerprint, runs.add(run));
			}
			return made;
		});
	const claims: Claims = {
		claim: async (...asked) => await claimFrom(1, ...asked),
		renew: async (transaction, lease, isSentAgain) => {
			let held: Claim = lease;
			while (held.isMine && !holds(held.claimedAt, clock())) {
				await claims.release(transaction, held.attempt);
				forget(transaction.referenceFingerprint);
				held = await claimFrom(held.attempt + 1, transaction, isSentAgain);
				if (held.isMine) held.after ??= lease.after;
			}
			return held;
		},
		settle: async (transaction, attempt, state) => {
			const row = rowsOf(transaction, attempt);
			await rows.insert(row(state, transaction.valuesFingerprint));
			await rows.insert(row(state));
		},
		release: async (transaction, attempt) => {
			await rows.insert(rowsOf(transaction, attempt)('released'));
		},
		lookUp: async (transaction) => {
			const last = await lastFrom(rows, transaction, 0);
			return last > 0 ? await earlierUpTo(where, transaction, last) : undefined;
		},
		close: () => {
			for (const reference of alive.keys()) forget(reference);
		},
	};
	return claims;
}

const rowsOf =
	({ referenceFingerprint }: Fingerprints, attempt: number) =>
	(what: 'claim' | 'released' | 'cleared' | 'accepted' | 'unknown', valuesFingerprint?: string) =>
		fingerprint([referenceFingerprint, attempt, what, valuesFingerprint]);

/** The runs that go on in this process and have claimed it, by the fingerprint of its reference. */
const alive = new Map<string, Set<object>>();

async function claim(
	where: Where,
	first: number,
	transaction: Fingerprints,
	isSentAgain: IsSentAgain,
): Promise<Claim> {
	const { rows, clock } = where;
	let after: Earlier | undefined;
	for (let attempt = first; ;) {
		const claimedAt = clock();
		if (await rows.insert(rowsOf(transaction, attempt)('claim'), numberAt(claimedAt))) {
			return { isMine: true, attempt, claimedAt, ...(after && { after }) };
		}
		const last = await lastFrom(rows, transaction, attempt);
		const earlier = await earlierUpTo(where, transaction, last);
		after = earlier;
		if (!earlier) await rows.insert(rowsOf(transaction, last)('cleared'));
		else if (!isSentAgain(earlier)) return { isMine: false, earlier };
		attempt = last + 1;
	}
}

/** The last attempt. Attempts are numbered without a gap; there may be very many, so the steps grow: 1, 2, 4, 8. */
async function lastFrom(
	rows: Rows,
	transaction: Fingerprints,
	attempt: number,
	step = 1,
): Promise<number> {
	if ((await rows.numberOf(rowsOf(transaction, attempt + step)('claim'))) > 0) {
		return await lastFrom(rows, transaction, attempt + step, 2 * step);
	}
	return step === 1 ? attempt : await lastFrom(rows, transaction, attempt);
}

/** What the attempts up to this one say; nothing where all of them were released. */
async function earlierUpTo(
	where: Where,
	transaction: Fingerprints,
	attempt: number,
): Promise<Earlier | undefined> {
	const { rows, beganAt, clock } = where;
	const row = rowsOf(transaction, attempt);
	// Asked before the rows are read: a run that ends meanwhile has settled, and what was read may not show it.
	const isAlive = alive.has(transaction.referenceFingerprint);
	let state = await stateOf(where, transaction, attempt);
	let look: { lookFrom?: number } = {};
	if (state === 'claimed' || state === 'unknown') {
		const number = await rows.numberOf(row('claim'));
		const now = clock();
		const from = isAlive && state === 'claimed' ? oldFromClaimAt(now) : oldFrom(number, now);
		if (from > Math.min(now, beganAt)) look = { lookFrom: from };
		if (state === 'claimed') {
			const here = isAlive ? 'claimedHere' : 'claimed';
			if (from > now) return { attempt, state: here, hasSameValues: true, ...look };
			// Its request has ended by now: whether that was written down is asked once more, after the look at the clock.
			state = await stateOf(where, transaction, attempt);
		}
	}
	if (state !== 'released') {
		const { valuesFingerprint } = transaction;
		const hasSameValues =
			state === 'claimed' || (await rows.numberOf(row(state, valuesFingerprint))) > 0;
		return { attempt, state, hasSameValues, ...(state !== 'accepted' && look) };
	}
	const isEnd = attempt === 1 || (await rows.numberOf(row('cleared'))) > 0;
	return isEnd ? undefined : await earlierUpTo(where, transaction, attempt - 1);
}

async function stateOf(
	{ rows }: Where,
	transaction: Fingerprints,
	attempt: number,
): Promise<'accepted' | 'unknown' | 'released' | 'claimed'> {
	for (const state of ['accepted', 'unknown', 'released'] as const) {
		if ((await rows.numberOf(rowsOf(transaction, attempt)(state))) > 0) return state;
	}
	return 'claimed';
}

const turns = new Map<string, Promise<unknown>>();

async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
	const turn = (turns.get(key) ?? Promise.resolve()).catch(() => undefined).then(work);
	turns.set(key, turn);
	return await turn.finally(() => turns.get(key) === turn && turns.delete(key));
}
