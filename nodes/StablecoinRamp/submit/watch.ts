import { settledInRegister } from './lookUp';
import type { EarlierWithAnswer } from './notSent';
import type { Entry, Run } from './run';

/**
 * What the register has of what a run is about to send. Until it is sent, another workflow may submit it too, or a
 * person close it. All of it throws where the register cannot be read.
 */
export interface Watch {
	/** What settles these by now. From here on they are watched. */
	read(entries: Entry[]): Promise<Map<Entry, EarlierWithAnswer>>;
	/** What settles one that is watched, as it was read a moment ago at most. */
	settled(entry: Entry): Promise<EarlierWithAnswer | undefined>;
}

/** How long what was read counts as what the register says now, in milliseconds. */
const freshFor = 2000;

export function watchRegister(run: Run): Watch {
	/** What was read of each that has no result yet, and when. */
	const watched = new Map<Entry, { readAt: number; settled?: EarlierWithAnswer }>();
	const read = async (entries: Entry[]) => {
		const readAt = Date.now();
		const settled = await settledInRegister(run, entries);
		for (const one of entries) watched.set(one, { readAt, settled: settled.get(one) });
		return settled;
	};
	const isOlderThan = (age: number, entry: Entry, now: number) => {
		const { readAt } = watched.get(entry)!;
		// The clock may have been set back.
		return readAt < now - age || readAt > Date.now();
	};
	let reading: Promise<unknown> | undefined;
	/** Once for all that wait for it. */
	const readAgain = async () => await (reading ??= readOld().finally(() => (reading = undefined)));
	const readOld = async () => {
		for (const one of watched.keys()) if (run.results[one.itemIndex]) watched.delete(one);
		const now = Date.now();
		await read([...watched.keys()].filter((one) => isOlderThan(freshFor / 2, one, now)));
	};
	return {
		read,
		settled: async (entry) => {
			if (!run.memory.register) return undefined;
			const now = Date.now();
			// In good time, so that mostly nobody waits for it. Where it fails, whoever has to wait is told.
			if (isOlderThan(freshFor / 2, entry, now)) void readAgain().catch(() => undefined);
			while (isOlderThan(freshFor, entry, now)) await readAgain();
			return watched.get(entry)!.settled;
		},
	};
}
