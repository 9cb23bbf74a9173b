import { createHash } from 'crypto';

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
 * - claimed: about to be sent by another process, or sent and not settled; nobody can say which if that process is gone
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
}

/** Which known references may be attempted once more: none, those that nobody can tell of, or all. */
export type Again = 'never' | 'ifUnknown' | 'always';

export type Claim = { isMine: true; attempt: number } | { isMine: false; known: Known };

/**
 * What was submitted, by every node of this workflow and every process that runs it. What one process knows cannot be
 * undone by another that is late, because rows are only ever inserted. An attempt has rows of its own:
 *
 *     claim        inserted before the request leaves; who is second is refused
 *     the state    inserted when it is known: with the values in its name, then without; the second is what counts
 *     released     inserted when nothing can have moved; the next attempt is then free to anybody
 *     cleared      inserted by that next attempt where all before it were released, so that nobody looks further back
 *
 * All of these throw where the database does not answer: then it is not known whether a row was inserted.
 */
export interface Records {
	claim(transaction: Transaction, again: Again): Promise<Claim>;
	settle(transaction: Transaction, attempt: number, state: 'accepted' | 'unknown'): Promise<void>;
	/** Nothing can have moved under this claim: the reference is what it was before. */
	release(transaction: Transaction, attempt: number): Promise<void>;
	lookUp(transaction: Transaction): Promise<Known | undefined>;
	/** The run is over: what it has claimed and not settled is unknown from now on. */
	close(): void;
}

export function openRecords(rows: Rows): Records {
	const run = {};
	return {
		// Runs of this process claim the same one after the other, so that the second knows that the first goes on.
		claim: async (transaction, again) =>
			await inTurn(transaction.key, async () => await claim(rows, run, transaction, again)),
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
			return last > 0 ? await knownFrom(rows, transaction, last) : undefined;
		},
		close: () => {
			for (const [key, runs] of alive) {
				if (runs.delete(run) && runs.size === 0) alive.delete(key);
			}
		},
	};
}

const rowsOf =
	({ key }: Transaction, attempt: number) =>
	(what: 'claim' | 'released' | 'cleared' | 'accepted' | 'unknown', payload?: string) =>
		fingerprint([key, attempt, what, payload]);

/** The runs that go on in this process and have claimed it, by key. */
const alive = new Map<string, Set<object>>();

async function claim(
	rows: Rows,
	run: object,
	transaction: Transaction,
	again: Again,
): Promise<Claim> {
	for (let attempt = 1; ;) {
		if (await rows.insert(rowsOf(transaction, attempt)('claim'))) {
			alive.set(transaction.key, (alive.get(transaction.key) ?? new Set()).add(run));
			return { isMine: true, attempt };
		}
		const last = await lastFrom(rows, transaction, attempt);
		const known = await knownFrom(rows, transaction, last);
		const isLate = attempt > 1 && again !== 'always';
		if (known && (isLate || !mayRepeat[again](known))) return { isMine: false, known };
		if (!known) await rows.insert(rowsOf(transaction, last)('cleared'));
		attempt = last + 1;
	}
}

const mayRepeat: Record<Again, (known: Known) => boolean> = {
	never: () => false,
	ifUnknown: ({ state }) => state === 'unknown' || state === 'claimed',
	always: () => true,
};

/** The last attempt. There are no gaps, so it is looked for in ever longer steps: there may be very many. */
async function lastFrom(
	rows: Rows,
	transaction: Transaction,
	attempt: number,
	step = 1,
): Promise<number> {
	if (await rows.isThere(rowsOf(transaction, attempt + step)('claim'))) {
		return await lastFrom(rows, transaction, attempt + step, 2 * step);
	}
	return step === 1 ? attempt : await lastFrom(rows, transaction, attempt);
}

/** What is known from the attempts up to this one; nothing where all of them were released. */
async function knownFrom(
	rows: Rows,
	transaction: Transaction,
	attempt: number,
): Promise<Known | undefined> {
	const row = rowsOf(transaction, attempt);
	const isThere = async (...of: Parameters<typeof row>) => await rows.isThere(row(...of));
	// Asked before the rows are read: a run that ends meanwhile has settled, and what was read may not show it.
	const isAlive = alive.has(transaction.key);
	for (const state of ['accepted', 'unknown'] as const) {
		if (await isThere(state)) {
			return { attempt, state, hasSameValues: await isThere(state, transaction.payload) };
		}
	}
	if (!(await isThere('released'))) {
		return { attempt, state: isAlive ? 'sending' : 'claimed', hasSameValues: true };
	}
	const isEnd = attempt === 1 || (await isThere('cleared'));
	return isEnd ? undefined : await knownFrom(rows, transaction, attempt - 1);
}

const turns = new Map<string, Promise<unknown>>();

async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
	const turn = (turns.get(key) ?? Promise.resolve()).catch(() => undefined).then(work);
	turns.set(key, turn);
	return await turn.finally(() => turns.get(key) === turn && turns.delete(key));
}
