import { createHash } from 'crypto';

import { holds, numberAt, oldFrom, oldFromNow } from './lease';
import type { Rows } from './rows';

/** A transaction as its record knows it: two fingerprints, of which nothing can be read. */
export interface Transaction {
	/** Of the workflow, the service's address, the operation and the reference. */
	key: string;
	/** Of what is sent, the reference left out. */
	payload: string;
}

export const fingerprint = (value: unknown): string =>
	createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 40);

/**
 * - sending: claimed by a run that goes on in this process
 * - claimed: about to be sent by another process, or sent and not settled; which of them, nobody can say
 * - accepted: the service took it
 * - unknown: it left, and nobody here can say what became of it
 */
export type State = 'sending' | 'claimed' | 'accepted' | 'unknown';

/** What is known of a reference from its latest attempt. */
export interface Known {
	attempt: number;
	state: State;
	/** A claimed one has not told its values yet, and counts as having the same. */
	hasSameValues: boolean;
	/** When a look for it begins to prove something, in milliseconds; left out where that is so already. */
	lookFrom?: number;
}

/** Which known references may be attempted once more: none, those that nobody can tell of, or all. */
export type Again = 'never' | 'ifUnknown' | 'always';

/** An attempt that this run may send, for a time that begins when it was claimed. */
export interface Lease {
	isMine: true;
	attempt: number;
	claimedAt: number;
}

export type Claim = Lease | { isMine: false; known: Known };

/**
 * What was submitted, by every node of this workflow and every process that runs it. What one process knows cannot be
 * undone by another that is late, because rows are only ever inserted. An attempt has rows of its own:
 *
 *     claim        inserted before the request leaves, with the time as its number; who is second is refused
 *     the state    inserted when it is known: with the values in its name, then without; the second is what counts
 *     released     inserted when nothing can have moved; the next attempt is then free to anybody
 *     cleared      inserted by that next attempt where all before it were released, so that nobody looks further back
 *
 * A claim is a lease. Its owner begins no request after five minutes, so a claim that is old and not settled is of a
 * request that has ended: it may be taken over by who has looked for it.
 *
 * All of these throw where the database does not answer: then it is not known whether a row was inserted.
 */
export interface Records {
	/** An attempt later than `upTo` is repeated with 'always' alone: nobody can have looked for it. */
	claim(transaction: Transaction, again: Again, upTo?: number): Promise<Claim>;
	/** Asked right before the request leaves: the same lease, or another where the time of that is over. */
	renew(transaction: Transaction, lease: Lease, again: Again): Promise<Claim>;
	settle(transaction: Transaction, attempt: number, state: 'accepted' | 'unknown'): Promise<void>;
	/** Nothing can have moved under this claim: the reference is what it was before. */
	release(transaction: Transaction, attempt: number): Promise<void>;
	lookUp(transaction: Transaction): Promise<Known | undefined>;
	/** The run is over: what it has claimed and not settled is unknown from now on. */
	close(): void;
}

interface Where {
	rows: Rows;
	clock: () => number;
}

export function openRecords(rows: Rows, clock = Date.now): Records {
	const where: Where = { rows, clock };
	const run = {};
	const forget = (key: string) => {
		const runs = alive.get(key);
		if (runs?.delete(run) && runs.size === 0) alive.delete(key);
	};
	// Runs of this process claim the same one after the other, so that the second knows that the first goes on.
	const claimFrom = async (
		first: number,
		transaction: Transaction,
		again: Again,
		upTo = Infinity,
	) =>
		await inTurn(transaction.key, async () => {
			const made = await claim(where, first, transaction, again, upTo);
			if (made.isMine) {
				alive.set(transaction.key, (alive.get(transaction.key) ?? new Set()).add(run));
			}
			return made;
		});
	const records: Records = {
		claim: async (...asked) => await claimFrom(1, ...asked),
		renew: async (transaction, lease, again) => {
			let held: Claim = lease;
			while (held.isMine && !holds(held.claimedAt, clock())) {
				await records.release(transaction, held.attempt);
				forget(transaction.key);
				// Who was faster has it, whatever became of it: nobody has looked for that yet.
				held = await claimFrom(held.attempt + 1, transaction, again);
			}
			return held;
		},
		settle: async (transaction, attempt, state) => {
			const row = rowsOf(transaction, attempt);
			await rows.insert(row(state, transaction.payload));
			await rows.insert(row(state));
		},
		release: async (transaction, attempt) => {
			await rows.insert(rowsOf(transaction, attempt)('released'));
		},
		lookUp: async (transaction) => {
			const last = await lastFrom(rows, transaction, 0);
			return last > 0 ? await knownFrom(where, transaction, last) : undefined;
		},
		close: () => {
			for (const key of alive.keys()) forget(key);
		},
	};
	return records;
}

const rowsOf =
	({ key }: Transaction, attempt: number) =>
	(what: 'claim' | 'released' | 'cleared' | 'accepted' | 'unknown', payload?: string) =>
		fingerprint([key, attempt, what, payload]);

/** The runs that go on in this process and have claimed it, by key. */
const alive = new Map<string, Set<object>>();

async function claim(
	where: Where,
	first: number,
	transaction: Transaction,
	again: Again,
	upTo: number,
): Promise<Claim> {
	const { rows, clock } = where;
	for (let attempt = first; ;) {
		const claimedAt = clock();
		if (await rows.insert(rowsOf(transaction, attempt)('claim'), numberAt(claimedAt))) {
			return { isMine: true, attempt, claimedAt };
		}
		const last = await lastFrom(rows, transaction, attempt);
		const known = await knownFrom(where, transaction, last);
		const isLate = attempt > 1 || (known && known.attempt > upTo);
		const mayNot = (isLate && again !== 'always') || (known && !mayRepeat[again](known));
		if (known && mayNot) return { isMine: false, known };
		if (!known) await rows.insert(rowsOf(transaction, last)('cleared'));
		attempt = last + 1;
	}
}

const mayRepeat: Record<Again, (known: Known) => boolean> = {
	never: () => false,
	ifUnknown: ({ state, lookFrom }) => state !== 'accepted' && lookFrom === undefined,
	always: () => true,
};

/** The last attempt. There are no gaps, so it is looked for in ever longer steps: there may be very many. */
async function lastFrom(
	rows: Rows,
	transaction: Transaction,
	attempt: number,
	step = 1,
): Promise<number> {
	if ((await rows.numberOf(rowsOf(transaction, attempt + step)('claim'))) > 0) {
		return await lastFrom(rows, transaction, attempt + step, 2 * step);
	}
	return step === 1 ? attempt : await lastFrom(rows, transaction, attempt);
}

/** What is known from the attempts up to this one; nothing where all of them were released. */
async function knownFrom(
	where: Where,
	transaction: Transaction,
	attempt: number,
): Promise<Known | undefined> {
	// Asked before the rows are read: a run that ends meanwhile has settled, and what was read may not show it.
	const isAlive = alive.has(transaction.key);
	let state = await stateOf(where, transaction, attempt);
	if (state === 'claimed') {
		const number = await where.rows.numberOf(rowsOf(transaction, attempt)('claim'));
		const now = where.clock();
		const from = isAlive ? oldFromNow(now) : oldFrom(number, now);
		const known = { attempt, hasSameValues: true };
		if (from > now) return { ...known, state: isAlive ? 'sending' : 'claimed', lookFrom: from };
		// Its request has ended by now: whether that was written down is asked once more, after the look at the clock.
		state = await stateOf(where, transaction, attempt);
		if (state === 'claimed') return { ...known, state };
	}
	if (state !== 'released') {
		const row = rowsOf(transaction, attempt);
		const hasSameValues = (await where.rows.numberOf(row(state, transaction.payload))) > 0;
		const known = { attempt, state, hasSameValues };
		if (state === 'accepted' || attempt === 1) return known;
		// Who has looked for an earlier attempt may have looked before this one was sent.
		const now = where.clock();
		const from = oldFrom(await where.rows.numberOf(row('claim')), now);
		return { ...known, ...(from > now && { lookFrom: from }) };
	}
	const cleared = rowsOf(transaction, attempt)('cleared');
	const isEnd = attempt === 1 || (await where.rows.numberOf(cleared)) > 0;
	return isEnd ? undefined : await knownFrom(where, transaction, attempt - 1);
}

async function stateOf(
	{ rows }: Where,
	transaction: Transaction,
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
