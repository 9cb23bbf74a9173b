import type { IDataObject } from 'n8n-workflow';

import { settledBy, settledInRegister } from './lookUp';
import type { EarlierWithAnswer } from './notSent';
import type { Entry, Run } from './run';

/**
 * What the register has of what a run is about to send. Until it is sent, another workflow may submit it too, or a
 * person close it.
 */
export interface Watch {
	/** What settles these by now. Throws where the register cannot be read; else they are watched from here on. */
	begin(entries: Entry[]): Promise<Map<Entry, EarlierWithAnswer>>;
	/** These are in the register as about to be sent since `readAt`, and this is what it had of them behind that. */
	entered(entries: Entry[], rows: Map<string, IDataObject[]>, readAt: number): void;
	/** What settles one that is watched, as it was two seconds before this was asked, or later. Throws as above. */
	settled(entry: Entry): Promise<EarlierWithAnswer | undefined>;
	/** Waits for a reading that is still under way. */
	end(): Promise<void>;
}

/** In milliseconds. In between it is read anew without anybody waiting for it. */
const [freshFor, goodFor] = [1000, 2000];

export function watchRegister(run: Run): Watch {
	/** What was read of each, when, and by which reading: one that began earlier may end later. */
	const watched = new Map<Entry, { readAt: number; by: number; settled?: EarlierWithAnswer }>();
	let readings = 0;
	const readAtOf = (entry: Entry) => watched.get(entry)!.readAt;
	const read = async (entries: Entry[]) => {
		const [readAt, by] = [Date.now(), ++readings];
		const settled = await settledInRegister(run, entries);
		for (const one of entries) {
			if ((watched.get(one)?.by ?? 0) < by)
				watched.set(one, { readAt, by, settled: settled.get(one) });
		}
		return settled;
	};
	/** A reading of the future is of before the clock was set back. */
	const isBefore = (time: number, entry: Entry) =>
		readAtOf(entry) < time || readAtOf(entry) > Date.now();
	const refresh = async () => {
		for (const one of watched.keys()) if (run.results[one.itemIndex]) watched.delete(one);
		const before = Date.now() - freshFor;
		await read([...watched.keys()].filter((one) => isBefore(before, one)));
	};
	let underWay: Promise<void> | undefined;
	/** Once for all that wait for it. */
	const refreshed = async () =>
		await (underWay ??= refresh().finally(() => (underWay = undefined)));
	return {
		entered: (entries, rows, readAt) => {
			// What was asked before these were entered says less, also if it is answered later.
			const by = ++readings;
			const settled = settledBy(rows, run, entries);
			for (const one of entries) watched.set(one, { readAt, by, settled: settled.get(one) });
		},
		begin: async (entries) => (run.memory.register ? await read(entries) : new Map()),
		settled: async (entry) => {
			if (!run.memory.register) return undefined;
			const asked = Date.now();
			// Where this fails, whoever has to wait for it is told.
			if (isBefore(asked - freshFor, entry)) void refreshed().catch(() => undefined);
			// The clock may be set back while somebody waits.
			while (isBefore(Math.min(asked, Date.now()) - goodFor, entry)) await refreshed();
			return watched.get(entry)!.settled;
		},
		end: async () => await underWay?.catch(() => undefined),
	};
}
