import type { IExecuteFunctions } from 'n8n-workflow';

import { type TransactionOperation, endpoints } from '../service/endpoints';
import { sendRequest } from '../service/sendRequest';
import type { Entry } from './check';
import type { ClaimVerdict, Ledger } from './ledger';
import type { Memory } from './tries';
import { mayHaveMoved } from './outcome';
import type { Service } from './settings';
import {
	awaitingAnswer,
	isSetback,
	leftOver,
	notRecorded,
	resultOf,
	skipped,
	stillClaimed,
	submittedBefore,
	submittedWithOtherValues,
	type Result,
} from './result';

interface Sending {
	context: IExecuteFunctions;
	operation: TransactionOperation;
	service: Service;
	memory: Memory;
	ledger: Ledger;
	/** Whether the others go on after a setback of one. */
	continueOnFail: boolean;
}

/**
 * Claims and sends in order, as many at a time as asked for. After a setback no further entry is started, unless
 * the others go on; an entry that was not started gets no result, and its claim is released.
 */
export async function sendEntries(
	{ context, operation, service, memory, ledger, continueOnFail }: Sending,
	entries: Entry[],
): Promise<Map<Entry, Result>> {
	const results = new Map<Entry, Result>();
	const claims = claimAhead(ledger, entries, service.parallelRequests);
	const uncancelled = withoutCancelling(context);
	let next = 0;
	let hadSetback = false;
	const mayStart = () =>
		(continueOnFail || !hadSetback) && !context.getExecutionCancelSignal()?.aborted;

	async function work(): Promise<void> {
		while (next < entries.length && mayStart()) {
			const entry = entries[next++]!;
			const result = (await heldBack(entry)) ?? (mayStart() ? await send(entry) : undefined);
			if (!result) return;
			results.set(entry, result);
			hadSetback ||= isSetback(result);
		}
	}

	/** The result of an entry that is not to be sent. */
	async function heldBack(entry: Entry): Promise<Result | undefined> {
		const { reference, draft } = entry;
		let verdict: ClaimVerdict;
		try {
			verdict = await claims.of(entry);
		} catch (thrown) {
			return notRecorded(reference, thrown);
		}
		if (verdict === 'otherPayload') return submittedWithOtherValues(reference);
		if (verdict === 'new' || draft.ifAlreadySubmitted === 'submitAgain') return undefined;
		return draft.ifAlreadySubmitted === 'skip' ? skipped(reference) : submittedBefore(reference);
	}

	async function send(entry: Entry): Promise<Result> {
		const { itemIndex, reference, payload, body } = entry;
		const settle = (result: Result): Result => {
			memory.remember(itemIndex, { reference, payload, result });
			return result;
		};
		// From here on the service may have it, whatever happens in this process.
		const waiting = settle(awaitingAnswer(operation, reference));
		try {
			const reply = await sendRequest(
				uncancelled,
				service.credentials,
				endpoints.transaction[operation],
				{
					...service.extras,
					body,
				},
			);
			return settle(resultOf(reply, operation, entry, service.credentials.secretKey));
		} catch {
			return waiting;
		}
	}

	await Promise.all(Array.from({ length: service.parallelRequests }, work));

	// By reference, since Submit Again lets several entries share one.
	const moved = new Set(
		entries
			.filter((entry) => mayHaveMoved(results.get(entry)?.outcome))
			.map(({ reference }) => reference),
	);
	const unused = (await claims.made()).filter(({ reference }) => !moved.has(reference));
	if (await ledger.close(unused)) return results;
	for (const entry of unused) {
		const result = results.get(entry) ?? leftOver(entry.reference);
		if (isSetback(result)) results.set(entry, stillClaimed(result));
	}
	return results;
}

/** Cancelling an execution stops before the next item; to cut off the one under way would leave its outcome unknown. */
const withoutCancelling = (context: IExecuteFunctions): IExecuteFunctions =>
	Object.create(context, {
		getExecutionCancelSignal: { value: () => undefined },
	}) as IExecuteFunctions;

const ahead = { shareOfTime: 1 / 3, shareOfRun: 1 / 20, most: 100 };

/**
 * A claim costs two reads and writes of everything the node remembers, and a pause between them, so the next are
 * claimed while these are sent, and more at once where that takes more than its share of the time. Never many: those
 * that are claimed and not sent when the process is killed look as if their outcome were unknown.
 */
function claimAhead(ledger: Ledger, entries: Entry[], parallelRequests: number) {
	const most = Math.min(Math.ceil(entries.length * ahead.shareOfRun), ahead.most);
	let batch = parallelRequests;
	let began: number | undefined;
	let took = 0;
	const verdicts = new Map<Entry, ClaimVerdict>();
	/** What is claimed next, also when claiming it has failed before. */
	let next: Entry[] = [];
	let claiming: Promise<void> | undefined;
	let asked = 0;

	async function claimMore(): Promise<void> {
		const now = Date.now();
		if (next.length === 0) takeMore(now);
		const answers = await ledger.claim(next);
		next.forEach((entry, index) => verdicts.set(entry, answers[index]!));
		next = [];
		took = Date.now() - now;
	}

	function takeMore(now: number): void {
		const isSlow = began !== undefined && took > (now - began) * ahead.shareOfTime;
		if (isSlow && batch < most) batch = Math.min(4 * batch, most);
		// Nothing is sent during the first claim, so it tells nothing.
		if (verdicts.size > 0) began = now;
		next = entries.slice(verdicts.size, verdicts.size + batch);
	}

	const claimNext = () =>
		(claiming ??= claimMore().finally(() => {
			claiming = undefined;
		}));

	return {
		of: async (entry: Entry): Promise<ClaimVerdict> => {
			while (!verdicts.has(entry)) await claimNext();
			asked++;
			const runsOut = verdicts.size - asked < batch && verdicts.size < entries.length;
			// Claimed while these are sent; what keeps them from it is told when it is their turn.
			if (runsOut) void claimNext().catch(() => {});
			return verdicts.get(entry)!;
		},
		/** Those that were new: what was claimed before stays claimed. */
		made: async (): Promise<Entry[]> => {
			await claiming?.catch(() => {});
			return entries.filter((entry) => verdicts.get(entry) === 'new');
		},
	};
}
