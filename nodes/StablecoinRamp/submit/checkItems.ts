import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { endpoints, type TransactionOperation } from '../../../client/endpoints';
import { refuse } from '../../../client/refusal';
import { sentName } from '../resources/transaction';
import { draft } from './draft';
import { vendorFinder } from './findVendor';
import { fingerprint, fingerprintOfValues } from './memory/fingerprint';
import type { Tries } from './memory/tries';
import { dryRun, notStarted, otherValuesInRun, refused, twiceInRun } from './notSent';
import { decideWithinRun } from './policy';
import { itemReader } from './readItem';
import { referenceMaker } from './reference';
import type { Result } from './result';
import type { Entry, Results, Settings } from './run';

/** An item with the reference and values of an entry before it: what becomes of that becomes of this. */
interface Repeat {
	itemIndex: number;
	reference: string;
	of: Entry;
}

/** Each item is an entry, a repeat, or has its result already, in its own slot. */
export interface Checked {
	entries: Entry[];
	repeats: Repeat[];
	results: Results;
}

const checkedAtOnce = 50;

/**
 * Reads and checks every item, before the first one is sent. An item that needs no sending (refused, sent by an
 * earlier try, a dry run) has its result already; the others are to be sent.
 */
export async function checkItems(
	context: IExecuteFunctions,
	operation: TransactionOperation,
	settings: Settings,
	tries: Tries<Result>,
): Promise<Checked> {
	const checkItem = itemChecker(context, operation, settings);
	const results = context.getInputData().map((): Result | undefined => undefined);
	const checked: Checked = { entries: [], repeats: [], results };
	const place = placer(checked);
	for (const itemIndex of results.keys()) {
		// n8n has one thread: without a pause nobody could cancel a long list.
		if (itemIndex % checkedAtOnce === checkedAtOnce - 1) await sleep(0);
		const before = tries.before(itemIndex);
		if (context.getExecutionCancelSignal()?.aborted) {
			results[itemIndex] = before ?? notStarted();
			continue;
		}
		const item = before && !isShared(before) ? before : await checkItem(itemIndex);
		const isSentBefore = before && before.reference === item.reference;
		if (isSentBefore) place.sentBefore(itemIndex, before);
		else if ('outcome' in item) results[itemIndex] = item;
		else place.entry(item);
	}
	return withinTotal(checked, settings.maximumTotal);
}

/** It shared the result of another item and was never sent itself: with another reference it is a new transaction. */
const isShared = ({ outcome }: Result) => outcome === 'skipped';

/** Reads and checks one item. */
function itemChecker(
	context: IExecuteFunctions,
	operation: TransactionOperation,
	{ credentials, baseUrl, requestOptions, dryRunOnly, isTool }: Settings,
) {
	const readItem = itemReader(context, operation);
	const findVendor = vendorFinder(context, requestOptions);
	const makeReference = referenceMaker(context, operation, isTool);
	const { method, path } = endpoints.transaction[operation];
	const workflowId = context.getWorkflow().id;

	return async (itemIndex: number): Promise<Result | Entry> => {
		const read = readItem(itemIndex);
		if (!read.ok) return refused([read]);

		const raw = read.value;
		const vendor =
			'vendorSource' in raw ? await findVendor(raw.vendorSource, raw.vendor) : undefined;
		const drafted = draft({ operation, raw, credentials, vendor });
		const valuesFingerprint = fingerprintOfValues(drafted.body);
		const reference = drafted.ownReference || makeReference(itemIndex, valuesFingerprint);
		const body = { ...drafted.body, [sentName(operation, 'reference')]: reference };
		if (drafted.dryRun || dryRunOnly) {
			return dryRun(reference, { method, url: `${baseUrl}${path}`, body }, drafted, dryRunOnly);
		}
		if (drafted.refusals.length > 0) return refused(drafted.refusals, reference);
		const referenceFingerprint = fingerprint([workflowId, baseUrl, operation, reference]);
		const { amount, ifAlreadySubmitted, simplify } = drafted;
		return {
			itemIndex,
			reference,
			referenceFingerprint,
			valuesFingerprint,
			body,
			amount,
			ifAlreadySubmitted,
			simplify,
		};
	};
}

/** Puts items where they belong. One reference stands for one transaction, also within a run. */
function placer({ entries, repeats, results }: Checked) {
	const latest = new Map<string, Entry>();
	const sentByEarlierTry = new Map<string, number>();
	return {
		sentBefore: (itemIndex: number, before: Result) => {
			sentByEarlierTry.set(before.reference!, itemIndex);
			results[itemIndex] = before;
		},
		entry: (entry: Entry) => {
			const { itemIndex, reference, valuesFingerprint, ifAlreadySubmitted: choice } = entry;
			const earlier = latest.get(reference);
			const earlierIndex = earlier?.itemIndex ?? sentByEarlierTry.get(reference);
			const isSame = valuesFingerprint === earlier?.valuesFingerprint;
			const decision = earlierIndex === undefined ? 'send' : decideWithinRun(choice, isSame);
			if (decision === 'send') {
				entries.push(entry);
				latest.set(reference, entry);
			} else if (decision === 'skip' && earlier) {
				repeats.push({ itemIndex, reference, of: earlier });
			} else {
				// Without `earlier`, an earlier try has sent that one, and its values were not kept.
				const isTwice = isSame || (!earlier && choice === 'stop');
				const refusal = (isTwice ? twiceInRun : otherValuesInRun)(reference, earlierIndex!);
				results[itemIndex] = refused([refusal], reference);
			}
		},
	};
}

function withinTotal(checked: Checked, maximum: number): Checked {
	const { entries, repeats, results } = checked;
	const sum = entries.reduce((before, { amount }) => before + amount, 0);
	// 15000.1 and 15000.2 are a little more than 30000.3 as JavaScript adds them.
	const total = Number(sum.toPrecision(15));
	if (total <= maximum) return checked;
	const refusal = refuse(
		`This run would submit ${total} in all, above the 'Maximum Total' of ${maximum}`,
		"Submit fewer at a time, or raise 'Maximum Total' in Options",
	);
	for (const { itemIndex, reference } of [...entries, ...repeats]) {
		results[itemIndex] = refused([refusal], reference);
	}
	return { entries: [], repeats: [], results };
}
