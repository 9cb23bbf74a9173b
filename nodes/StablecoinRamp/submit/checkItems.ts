import { sleep, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { refuse } from '../../../client/refusal';
import { endpoints, type TransactionOperation } from '../../../client/endpoints';
import { draft, type Draft } from './draft';
import { vendorFinder } from './findVendor';
import { itemReader } from './readItem';
import { fingerprint, type Transaction } from './memory/claims';
import { referenceMaker } from './reference';
import { dryRun, notStarted, otherValuesInRun, refused, twiceInRun, type Result } from './result';
import { rules } from './rules';
import type { Settings } from './settings';
import type { Tries } from './memory/tries';

/** A transaction that has passed the checks and is to be sent. */
export interface Entry extends Transaction {
	itemIndex: number;
	reference: string;
	body: IDataObject;
	draft: Draft;
	/** The entry before it that has the same reference and values: what becomes of that becomes of this. */
	sameAs?: Entry;
}

export const isEntry = (checked: Result | Entry): checked is Entry => 'draft' in checked;

const checkedAtOnce = 50;

/**
 * Reads and checks every item, before the first one is sent. An item that needs no sending (refused, sent by an
 * earlier try, a dry run) has its result already; the others are entries to be sent.
 */
export async function checkItems(
	context: IExecuteFunctions,
	operation: TransactionOperation,
	settings: Settings,
	tries: Tries,
): Promise<Array<Result | Entry>> {
	const draftItem = itemDrafter(context, operation, settings);
	const entries = new Map<string, Entry>();
	const sentByEarlierTry = new Map<string, number>();
	const checked: Array<Result | Entry> = [];
	for (let itemIndex = 0; itemIndex < context.getInputData().length; itemIndex++) {
		// n8n has one thread: without a pause nobody could cancel a long list.
		if (itemIndex % checkedAtOnce === checkedAtOnce - 1) await sleep(0);
		if (context.getExecutionCancelSignal()?.aborted) {
			checked.push(tries.before(itemIndex) ?? notStarted());
			continue;
		}
		const before = tries.before(itemIndex);
		const drafted = before && !isShared(before) ? before : await draftItem(itemIndex);
		const isKept = before && before.reference === drafted.reference;
		if (isKept) sentByEarlierTry.set(before.reference!, itemIndex);
		const result = isKept ? before : amongOthers(drafted, entries, sentByEarlierTry);
		if (isEntry(result) && !result.sameAs) entries.set(result.reference, result);
		checked.push(result);
	}
	return withinTotal(checked, settings.maximumTotal);
}

/** It was never sent itself: with another reference by now it is another transaction. */
const isShared = ({ outcome }: Result) => outcome === 'skipped';

function itemDrafter(
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

		const { vendorSource, vendor } = read.raw;
		const { hasVendor } = rules[operation];
		const listed = hasVendor ? await findVendor(vendorSource, vendor) : undefined;
		const drafted = draft({ operation, raw: read.raw, credentials, vendor: listed });
		const payload = fingerprint(drafted.body);
		const reference = drafted.ownReference || makeReference(itemIndex, payload);
		const body = { ...drafted.body, reference };
		if (drafted.dryRun || dryRunOnly) {
			return dryRun(reference, { method, url: `${baseUrl}${path}`, body }, drafted, dryRunOnly);
		}
		if (drafted.refusals.length > 0) return refused(drafted.refusals, reference);
		const key = fingerprint([workflowId, baseUrl, operation, reference]);
		return { itemIndex, reference, key, payload, body, draft: drafted };
	};
}

/** One reference stands for one transaction, also within a run. */
function amongOthers(
	result: Result | Entry,
	entries: Map<string, Entry>,
	sentByEarlierTry: Map<string, number>,
): Result | Entry {
	if (!isEntry(result)) return result;
	const { reference, payload, draft: drafted } = result;
	const earlier = entries.get(reference);
	const earlierIndex = earlier?.itemIndex ?? sentByEarlierTry.get(reference);
	if (earlierIndex === undefined || drafted.ifAlreadySubmitted === 'submitAgain') return result;
	const isSame = payload === earlier?.payload;
	if (isSame && drafted.ifAlreadySubmitted !== 'fail') return { ...result, sameAs: earlier };
	// Of one that an earlier try has sent, the values are not known any more.
	const isTwice = isSame || (!earlier && drafted.ifAlreadySubmitted === 'fail');
	const refusal = (isTwice ? twiceInRun : otherValuesInRun)(reference, earlierIndex);
	return refused([refusal], reference);
}

function withinTotal(checked: Array<Result | Entry>, maximum: number): Array<Result | Entry> {
	const entries = checked.filter(isEntry).filter(({ sameAs }) => !sameAs);
	const sum = entries.reduce((before, { body }) => before + Number(body.amount), 0);
	// 15000.1 and 15000.2 are a little more than 30000.3 as JavaScript adds them.
	const total = Number(sum.toPrecision(15));
	if (total <= maximum) return checked;
	const refusal = refuse(
		`This run would submit ${total} in all, above the 'Maximum Total' of ${maximum}`,
		"Submit fewer at a time, or raise 'Maximum Total' in Options",
	);
	return checked.map((one) => (isEntry(one) ? refused([refusal], one.reference) : one));
}
