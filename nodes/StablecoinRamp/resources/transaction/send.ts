import type { IExecuteFunctions } from 'n8n-workflow';

import { ask } from '../../ask';
import { endpoints, type TransactionOperation } from '../../service';
import type { Entry } from './check';
import type { ClaimVerdict, Ledger } from './ledger';
import type { Memory } from './memory';
import type { Service } from './reachService';
import {
	awaitingAnswer,
	isSetback,
	notRecorded,
	resultOf,
	skipped,
	submittedBefore,
	submittedWithOtherValues,
	type Result,
} from './report';

interface Sending {
	context: IExecuteFunctions;
	operation: TransactionOperation;
	service: Service;
	memory: Memory;
	ledger: Ledger;
	/** Whether the others go on after a setback of one. */
	goOn: boolean;
}

/**
 * Claims and sends in order, as many at a time as asked for. After a setback no further entry is started, unless
 * the others go on; an entry that was not started gets no result, and its claim is released.
 */
export async function sendEntries(
	{ context, operation, service, memory, ledger, goOn }: Sending,
	entries: Entry[],
): Promise<Map<Entry, Result>> {
	const results = new Map<Entry, Result>();
	const claims = claimAhead(ledger, entries, service.parallelRequests);
	const uncancelled = withoutCancelling(context);
	let next = 0;
	let hadSetback = false;
	const mayStart = () => (goOn || !hadSetback) && !context.getExecutionCancelSignal()?.aborted;

	async function work(): Promise<void> {
		while (next < entries.length && mayStart()) {
			const entry = entries[next++]!;
			const result = await sendEntry(entry);
			if (!result) return;
			results.set(entry, result);
			hadSetback ||= isSetback(result);
		}
	}

	async function sendEntry(entry: Entry): Promise<Result | undefined> {
		const { itemIndex, reference, payload, body, draft } = entry;
		let verdict: ClaimVerdict;
		try {
			verdict = await claims.of(entry);
		} catch (thrown) {
			return notRecorded(reference, thrown);
		}
		if (verdict === 'otherPayload') return submittedWithOtherValues(reference);
		if (verdict === 'submitted' && draft.ifAlreadySubmitted === 'fail')
			return submittedBefore(reference);
		if (verdict === 'submitted' && draft.ifAlreadySubmitted === 'skip') return skipped(reference);
		if (!mayStart()) return undefined;

		memory.remember(itemIndex, {
			reference,
			payload,
			result: awaitingAnswer(operation, reference),
		});
		const reply = await ask(uncancelled, service.credentials, endpoints.transaction[operation], {
			...service.extras,
			body,
		});
		const result = resultOf(reply, operation, entry, service.credentials.secretKey);
		memory.remember(itemIndex, { reference, payload, result });
		return result;
	}

	try {
		await Promise.all(Array.from({ length: service.parallelRequests }, work));
	} finally {
		const unused = claims.made().filter((entry) => isReleased(results.get(entry)));
		await ledger.close(unused);
	}
	return results;
}

const isReleased = (result: Result | undefined) =>
	result === undefined || result.outcome === 'rejected' || result.outcome === 'notSent';

/** Cancelling an execution stops before the next item; to cut off the one under way would leave its outcome unknown. */
const withoutCancelling = (context: IExecuteFunctions): IExecuteFunctions =>
	Object.create(context, {
		getExecutionCancelSignal: { value: () => undefined },
	}) as IExecuteFunctions;

const fewestAhead = 10;
const shareAhead = 1 / 100;

/**
 * A claim costs a read and a write of everything the node remembers, so several are made at once. Not many: those
 * that are claimed and not sent when the process is killed look as if their outcome were unknown.
 */
function claimAhead(ledger: Ledger, entries: Entry[], parallelRequests: number) {
	const batch = Math.max(fewestAhead, parallelRequests, Math.ceil(entries.length * shareAhead));
	const verdicts = new Map<Entry, ClaimVerdict>();
	let claiming: Promise<void> | undefined;

	async function claimMore(): Promise<void> {
		const ahead = entries.slice(verdicts.size, verdicts.size + batch);
		const answers = await ledger.claim(ahead);
		ahead.forEach((entry, index) => verdicts.set(entry, answers[index]!));
	}

	return {
		of: async (entry: Entry): Promise<ClaimVerdict> => {
			while (!verdicts.has(entry)) {
				claiming ??= claimMore().finally(() => {
					claiming = undefined;
				});
				await claiming;
			}
			return verdicts.get(entry)!;
		},
		/** Those that were new: what was claimed before stays claimed. */
		made: () => entries.filter((entry) => verdicts.get(entry) === 'new'),
	};
}
