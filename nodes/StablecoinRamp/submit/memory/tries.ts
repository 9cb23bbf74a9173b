import type { IExecuteFunctions } from 'n8n-workflow';

import { mayHaveMoved, type Result } from '../result';

/**
 * What earlier tries of this execution have sent. It is kept in the execution's own context, which lives through Retry
 * On Fail and through n8n's Retry of a failed execution.
 */
export interface Tries {
	/** The result of an item that may have moved money: it is not sent again, whatever its values are by now. */
	before(itemIndex: number): Result | undefined;
	keep(itemIndex: number, result: Result): void;
	/** Receipts that have been handed over need not be kept a second time. */
	forget(): void;
}

export function earlierTries(context: IExecuteFunctions): Tries {
	const runIndex = context.getWorkflowDataProxy(0).$runIndex as number;
	const kept = context.getContext('node') as {
		submitted?: Record<string, Record<string, Result>>;
	};
	const submitted = (kept.submitted ??= {});
	const results = (submitted[runIndex] ??= {});
	return {
		before: (itemIndex) => {
			const result = results[itemIndex];
			return result && (mayHaveMoved(result) || result.outcome === 'skipped') ? result : undefined;
		},
		keep: (itemIndex, result) => {
			results[itemIndex] = result;
		},
		forget: () => {
			delete submitted[runIndex];
		},
	};
}
