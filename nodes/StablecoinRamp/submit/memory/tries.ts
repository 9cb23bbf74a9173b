import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * What this try and earlier ones of the same execution have sent, by item. It is kept in the execution's own context,
 * which lives through Retry On Fail and through n8n's Retry of a failed execution.
 */
export interface Tries<Kept> {
	/** When the first try began, in milliseconds. */
	beganAt: number;
	/** Notes where this try sends; or gives where an earlier one has sent what is kept, if that is elsewhere: then it must not send. */
	sendTo(where: string): string | undefined;
	/** What was kept of an item, if it may have been sent. */
	before(itemIndex: number): Kept | undefined;
	keep(itemIndex: number, kept: Kept): void;
	/** Receipts that have been handed over need not be kept a second time. */
	forget(): void;
}

export function openTries<Kept>(
	context: IExecuteFunctions,
	counts: (kept: Kept) => boolean,
): Tries<Kept> {
	const runIndex = context.getWorkflowDataProxy(0).$runIndex as number;
	const inContext = context.getContext('node') as {
		submitted?: Record<string, Record<string, Kept>>;
		began?: Record<string, number>;
		sentTo?: Record<string, string>;
	};
	const submitted = (inContext.submitted ??= {});
	const ofRun = (submitted[runIndex] ??= {});
	const began = (inContext.began ??= {});
	const sentTo = (inContext.sentTo ??= {});
	return {
		beganAt: (began[runIndex] ??= Date.now()),
		sendTo: (where) => {
			const before = sentTo[runIndex];
			if (before && before !== where && Object.values(ofRun).some(counts)) return before;
			sentTo[runIndex] = where;
			return undefined;
		},
		before: (itemIndex) => {
			const kept = ofRun[itemIndex];
			return kept && counts(kept) ? kept : undefined;
		},
		keep: (itemIndex, kept) => {
			ofRun[itemIndex] = kept;
		},
		forget: () => {
			delete submitted[runIndex];
		},
	};
}
