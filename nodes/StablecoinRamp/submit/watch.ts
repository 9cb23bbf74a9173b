import { settledInRegister } from './lookUp';
import type { EarlierWithAnswer } from './notSent';
import type { Entry, Run } from './run';

/** What the register has by now: while a run sends, another workflow may submit some of it, or a person close it. */
export interface Watch {
	/** What settles these, as it was read a moment ago at most. Throws where the register cannot be read. */
	settled(entries: Entry[]): Promise<Map<Entry, EarlierWithAnswer>>;
	/** Reads it for what comes next, so that nobody has to wait for it. */
	readAhead(): Promise<void>;
}

/** How long what was read counts as what the register says now, in milliseconds. */
const freshFor = 1000;

/** Each time it is read for all that is to be sent next: one reading costs about the same for many as for one. */
export function watchRegister(run: Run, entries: Entry[], atOnce: number): Watch {
	let known = { readAt: 0, read: new Set<Entry>(), settled: new Map<Entry, EarlierWithAnswer>() };
	let reading: Promise<void> | undefined;
	const readNow = async () => {
		const readAt = Date.now();
		const next = entries.filter(({ itemIndex }) => !run.results[itemIndex]).slice(0, atOnce);
		const settled = await settledInRegister(run, next);
		known = { readAt, read: new Set(next), settled };
	};
	// Once for all that wait for it.
	const read = async () => await (reading ??= readNow().finally(() => (reading = undefined)));
	const isRead = (some: Entry[]) => some.every((one) => known.read.has(one));
	const isFresh = () => Math.abs(Date.now() - known.readAt) <= freshFor;
	return {
		settled: async (some) => {
			if (!run.memory.register) return known.settled;
			if (!isFresh() || !isRead(some)) await read();
			if (!isRead(some)) throw new Error('it was read for others');
			return known.settled;
		},
		readAhead: async () => {
			// What did not work is read again by whoever has to know it.
			if (run.memory.register) await read().catch(() => undefined);
		},
	};
}
