import { createHash } from 'crypto';
import { sleep } from 'n8n-workflow';

import { NotEntered, type Rows, type Step } from './ownWorkflow';

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

/** What is entered in the register along with it. */
type Entry = Step['entry'];

interface Latest {
	last: number;
	known?: Known;
}

export type Claim = { isMine: true; attempt: number } | { isMine: false; known: Known };

/**
 * What was submitted, by every node of this workflow and every process that runs it. Rows are inserted, and never
 * updated or deleted: what one process knows cannot be undone by another that is late. An attempt has rows of its own:
 *
 *     claim        inserted before the request leaves; who finds it, or fails to insert it, is second
 *     the state    inserted when it is known, behind a row that also has the values in its name
 *     released     inserted when nothing can have moved; the next attempt is then free to anybody
 *     cleared      inserted by that next attempt where no earlier one counts either, so that nobody looks further back
 *
 * All of these throw where the database does not answer: then it is not known whether a row was written.
 */
export interface Records {
	claim(transaction: Transaction, again: Again, entry?: Entry): Promise<Claim>;
	settle(
		transaction: Transaction,
		attempt: number,
		state: 'accepted' | 'unknown',
		entry?: Entry,
	): Promise<void>;
	/** Nothing can have moved under this claim: the reference is what it was before. */
	release(transaction: Transaction, attempt: number, entry?: Entry): Promise<void>;
	lookUp(transaction: Transaction): Promise<Known | undefined>;
	/** The run is over: what it has claimed and not settled is unknown from now on. */
	close(): void;
}

/** The runs that go on in this process and have claimed it, by key. */
const alive = new Map<string, Set<object>>();

export function openRecords(rows: Rows): Records {
	const run = {};
	const take = together(rows);
	const look = async (row: string) => await take({ row, what: 'look' });

	/** What is known from the attempts up to this one; nothing where all of them were released. */
	async function knownFrom(transaction: Transaction, attempt: number): Promise<Known | undefined> {
		const { payload } = transaction;
		const row = rowsOf(transaction, attempt);
		// Asked before the rows are read: a run that ends meanwhile has settled, and what was read may not show it.
		const isAlive = alive.has(transaction.key);
		const [isAccepted, isUnknown, isReleased, isSameAccepted, isSameUnknown] = await Promise.all([
			look(row('accepted')),
			look(row('unknown')),
			look(row('released')),
			look(row('accepted', payload)),
			look(row('unknown', payload)),
		]);
		if (isAccepted) return { attempt, state: 'accepted', hasSameValues: isSameAccepted };
		if (isUnknown) return { attempt, state: 'unknown', hasSameValues: isSameUnknown };
		if (!isReleased) {
			return { attempt, state: isAlive ? 'sending' : 'claimed', hasSameValues: true };
		}
		const isEnd = attempt === 1 || (await look(row('cleared')));
		return isEnd ? undefined : await knownFrom(transaction, attempt - 1);
	}

	/** The last attempt, where this one is there. There are no gaps, so most of them can be leapt over. */
	async function lastFrom(transaction: Transaction, attempt: number): Promise<number> {
		const isThere = await Promise.all(
			leaps.map(async (leap) => await look(rowsOf(transaction, attempt + leap)('claim'))),
		);
		const leap = leaps[isThere.lastIndexOf(true)];
		return leap === undefined ? attempt : await lastFrom(transaction, attempt + leap);
	}

	async function latest(transaction: Transaction, attempt: number): Promise<Latest> {
		const [known, hasNext] = await Promise.all([
			knownFrom(transaction, attempt),
			look(rowsOf(transaction, attempt + 1)('claim')),
		]);
		if (!hasNext) return { last: attempt, known };
		const last = await lastFrom(transaction, attempt + 1);
		return { last, known: await knownFrom(transaction, last) };
	}

	async function tryToClaim(transaction: Transaction, attempt: number, entry: Entry) {
		const row = rowsOf(transaction, attempt);
		const isMine = await take({ row: row('claim'), what: 'claim', entry }).catch(
			async (thrown: Error) => {
				if (thrown instanceof NotEntered) await take({ row: row('released'), what: 'put' });
				return await Promise.reject(thrown);
			},
		);
		if (isMine) alive.set(transaction.key, (alive.get(transaction.key) ?? new Set()).add(run));
		return isMine;
	}

	async function claim(transaction: Transaction, again: Again, entry: Entry): Promise<Claim> {
		for (let attempt = 1; ;) {
			if (await tryToClaim(transaction, attempt, entry)) return { isMine: true, attempt };
			const { known, last } = await latest(transaction, attempt);
			const isLate = attempt > 1 && again !== 'always';
			if (known && (isLate || !mayRepeat[again](known))) return { isMine: false, known };
			if (!known) await take({ row: rowsOf(transaction, last)('cleared'), what: 'put' });
			attempt = last + 1;
		}
	}

	return {
		claim: async (transaction, again, entry) =>
			await inTurn(transaction.key, async () => await claim(transaction, again, entry)),
		settle: async (transaction, attempt, state, entry) => {
			const row = rowsOf(transaction, attempt);
			await Promise.all([
				take({ row: row(state, transaction.payload), what: 'put' }),
				take({ row: row(state), what: 'put', entry }),
			]);
		},
		release: async (transaction, attempt, entry) => {
			await take({ row: rowsOf(transaction, attempt)('released'), what: 'put', entry });
		},
		lookUp: async (transaction) =>
			(await look(rowsOf(transaction, 1)('claim')))
				? (await latest(transaction, 1)).known
				: undefined,
		close: () => {
			for (const [key, runs] of alive) {
				if (runs.delete(run) && runs.size === 0) alive.delete(key);
			}
		},
	};
}

const leaps = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

const mayRepeat: Record<Again, (known: Known) => boolean> = {
	never: () => false,
	ifUnknown: ({ state }) => state === 'unknown' || state === 'claimed',
	always: () => true,
};

const rowsOf =
	({ key }: Transaction, attempt: number) =>
	(what: 'claim' | 'released' | 'cleared' | 'accepted' | 'unknown', payload?: string) =>
		fingerprint([key, attempt, what, payload]);

const turns = new Map<string, Promise<unknown>>();

/** Runs of this process claim the same one after the other, so that the second knows that the first goes on. */
async function inTurn<T>(key: string, claim: () => Promise<T>): Promise<T> {
	const turn = (turns.get(key) ?? Promise.resolve()).catch(() => undefined).then(claim);
	turns.set(key, turn);
	return await turn.finally(() => turns.get(key) === turn && turns.delete(key));
}

/** Steps that are asked for at the same moment are taken in one go. */
function together(rows: Rows) {
	let waiting: Array<{ step: Step; tell: (result: boolean | Error) => void }> = [];

	async function takeAll(): Promise<void> {
		await sleep(0);
		const taken = waiting;
		waiting = [];
		const results = await rows(taken.map(({ step }) => step));
		taken.forEach(({ tell }, index) => tell(results[index]!));
	}

	return async (step: Step): Promise<boolean> => {
		const result = await new Promise<boolean | Error>((tell) => {
			if (waiting.push({ step, tell }) === 1) void takeAll();
		});
		if (typeof result !== 'boolean') throw result;
		return result;
	};
}

/** Rows of one execution alone, for a workflow that n8n has never saved. */
export const rowsInExecution =
	(kept: { rows?: string[] }): Rows =>
	async (steps) =>
		steps.map(({ row, what }) => {
			const wasThere = kept.rows?.includes(row) ?? false;
			if (what !== 'look' && !wasThere) (kept.rows ??= []).push(row);
			return what === 'claim' ? !wasThere : what === 'put' || wasThere;
		});
