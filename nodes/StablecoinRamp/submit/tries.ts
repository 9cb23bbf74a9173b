import { createHash, randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { mayHaveMoved } from './outcome';
import { isTool } from './settings';
import type { Result } from './result';

/** What an execution remembers of an item that was sent. */
export interface Remembered {
	reference: string;
	payload: string;
	result: Result;
}

/** Kept in the execution's own context, which lives through Retry On Fail and n8n's Retry of a failed execution. */
export interface Memory {
	/** An item that may have moved money in an earlier try: it is not sent again. */
	moved(itemIndex: number): Remembered | undefined;
	remember(itemIndex: number, what: Remembered): void;
	/** Receipts that have been handed over need not be kept a second time. */
	forget(): void;
	/** The reference this item had before, or one made of all that tells it from others. */
	makeReference(itemIndex: number, payload: string): string;
}

export const fingerprint = (value: unknown): string =>
	createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);

export function openMemory(context: IExecuteFunctions): Memory {
	const runIndex = context.getWorkflowDataProxy(0).$runIndex as number;
	const node = context.getContext('node') as {
		submitted?: Record<string, Record<string, Remembered>>;
	};
	const submitted = (node.submitted ??= {});
	const run = (submitted[runIndex] ??= {});
	const place = [
		context.getWorkflow().id,
		context.getNode().id,
		context.getExecutionId() ?? randomUUID(),
		// An assistant that is not content with an answer calls again: the same again is not another transaction.
		isTool(context.getNode()) ? 'tool' : runIndex,
	];
	return {
		moved: (itemIndex) => {
			const before = run[itemIndex];
			return before && mayHaveMoved(before.result.outcome) ? before : undefined;
		},
		remember: (itemIndex, what) => {
			run[itemIndex] = what;
		},
		forget: () => {
			delete submitted[runIndex];
		},
		makeReference: (itemIndex, payload) => {
			const before = run[itemIndex];
			return before?.payload === payload
				? before.reference
				: `n8n-${fingerprint([...place, itemIndex, payload])}`;
		},
	};
}
