import type { IExecuteFunctions } from 'n8n-workflow';

import type { TransactionOperation } from '../../../client/endpoints';
import type { Entry } from './checkItems';
import type { Memory } from './memory/memory';
import type { Tries } from './memory/tries';
import { notStarted } from './notSent';
import { isSetback, type Result } from './result';
import type { Settings } from './settings';

/** One run of the node, from the first request to the last. */
export interface Run {
	context: IExecuteFunctions;
	operation: TransactionOperation;
	settings: Settings;
	memory: Memory;
	tries: Tries<Result>;
	/** One slot for each item; empty until it is known what became of it. */
	results: Array<Result | undefined>;
	hadSetback: boolean;
}

export function note(run: Run, { itemIndex }: Entry, result: Result): void {
	run.results[itemIndex] = result;
	run.hadSetback ||= isSetback(result);
}

export const resultIn = ({ results }: Run, { itemIndex, reference }: Entry): Result =>
	results[itemIndex] ?? notStarted(reference);

export const isCancelled = ({ context }: Run) =>
	context.getExecutionCancelSignal()?.aborted === true;

/** Nothing further is started. */
export const isStopped = (run: Run) =>
	(run.hadSetback && !run.context.continueOnFail()) || isCancelled(run);

export const inPieces = (entries: Entry[], size: number): Entry[][] =>
	Array.from({ length: Math.ceil(entries.length / size) }, (_, index) =>
		entries.slice(index * size, (index + 1) * size),
	);
