import { sleep, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { endpoints, type TransactionOperation } from '../../../client/endpoints';
import { refuse, type Refusal } from '../../../client/refusal';
import { isObject } from '../../../client/reply';
import { sentName } from '../resources/transaction';
import { draft } from './draft';
import { vendorFinder } from './findVendor';
import { fingerprint, fingerprintOfValues, keyForm } from './memory/fingerprint';
import type { Tries } from './memory/tries';
import { dryRun, notStarted, otherValuesInRun, refused, sharedResult, twiceInRun } from './notSent';
import { decideWithinRun } from './policy';
import { isEmpty, itemReader } from './readItem';
import { referenceMaker } from './reference';
import type { Result, Setback } from './result';
import type { Entry, Results } from './run';
import type { Settings } from './settings';
import { aboveTotal, sumOf } from './total';

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
	/** Those that were refused, as far as they could be read: their results say why. */
	refusedEntries: Entry[];
	/** Those among them whose own reference was refused. */
	nameless: Entry[];
}

/** An item that cannot be sent, as far as it could be read. */
interface Refused {
	entry: Entry;
	result: Setback;
	/** Nobody knows whether Dry Run is on. */
	isPerhapsDryRun: boolean;
	/** It was given a reference that is refused. */
	isNameless: boolean;
}

/** An item that is not sent, and what would be said of it. */
interface DryRun {
	entry: Entry;
	/** Nothing speaks against it alone. */
	isGood: boolean;
	tell(more: Refusal[]): Result;
}

const nothingChecked = (): Checked => ({
	entries: [],
	repeats: [],
	results: [],
	refusedEntries: [],
	nameless: [],
});

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
	const checked: Checked = { ...nothingChecked(), results };
	const dryRuns: DryRun[] = [];
	const place = placer(checked);
	for (const itemIndex of results.keys()) {
		// n8n has one thread: without a pause nobody could cancel a long list.
		if (itemIndex % checkedAtOnce === checkedAtOnce - 1) await sleep(0);
		const before = tries.before(itemIndex);
		if (context.getExecutionCancelSignal()?.aborted) {
			results[itemIndex] = before ?? notStarted();
			continue;
		}
		if (before && !isShared(before)) {
			place.sentBefore(itemIndex, before);
			continue;
		}
		const item = await checkItem(itemIndex);
		const { reference } = 'entry' in item ? item.entry : item;
		if (before && isSameReference(before.reference, reference)) place.sentBefore(itemIndex, before);
		else if ('tell' in item) dryRuns.push(item);
		else if ('result' in item) {
			results[itemIndex] = item.result;
			if (item.isPerhapsDryRun) continue;
			checked.refusedEntries.push(item.entry);
			if (item.isNameless) checked.nameless.push(item.entry);
		} else place.entry(item);
	}
	rehearse(dryRuns, settings.maximumTotal, results);
	return checked;
}

/** Whether the options of an item say that it is no dry run. */
const isNoDryRun = (options: unknown) =>
	isObject(options) && [false, 'false'].includes(options.dryRun as string);

const isSameReference = (one = '', other = '') => keyForm(one) === keyForm(other);

/** It shared the result of another item and was never sent itself: with another reference it is a new transaction. */
const isShared = ({ outcome }: Result) => outcome === 'skipped';

/** Reads and checks one item. */
function itemChecker(
	context: IExecuteFunctions,
	operation: TransactionOperation,
	{ credentials, baseUrl, requestOptions, dryRunBecause, isTool }: Settings,
) {
	const readItem = itemReader(context, operation);
	const findVendor = vendorFinder(context, requestOptions);
	const makeReference = referenceMaker(context, operation, isTool);
	const { method, path } = endpoints.transaction[operation];
	const workflowId = context.getWorkflow().id;
	const options = context.getNode().parameters.options as IDataObject | undefined;
	const mayBeDryRun = Boolean(options?.dryRun);

	return async (itemIndex: number): Promise<Entry | Refused | DryRun> => {
		const { raw, refusal: notRead, unread } = readItem(itemIndex);
		const vendor =
			'vendorSource' in raw ? await findVendor(raw.vendorSource, raw.vendor) : undefined;
		const drafted = draft({ operation, raw, credentials, vendor });
		const valuesFingerprint = fingerprintOfValues(drafted.body);
		const reference = drafted.ownReference || makeReference(itemIndex, valuesFingerprint);
		const body = { ...drafted.body, [sentName(operation, 'reference')]: reference };
		const referenceFingerprint = fingerprint([workflowId, baseUrl, operation, keyForm(reference)]);
		const { amount, ifAlreadySubmitted, simplify } = drafted;
		// What was not read is missing in the draft too, which is no second reason.
		const refusals = notRead ? [notRead] : drafted.refusals;
		const entry = {
			itemIndex,
			reference,
			isReferenceMade: !drafted.ownReference,
			referenceFingerprint,
			valuesFingerprint,
			body,
			amount,
			ifAlreadySubmitted,
			simplify,
			isWalletUnread: unread.has('network') || unread.has('walletAddress'),
		};
		if (drafted.dryRun || dryRunBecause) {
			const request = { method, url: `${baseUrl}${path}`, body };
			const tell = (more: Refusal[]) =>
				dryRun(reference, request, { ...drafted, refusals: [...refusals, ...more] }, dryRunBecause);
			return { entry, isGood: refusals.length === 0, tell };
		}
		if (refusals.length === 0) return entry;
		// Without all that it is to be made of, a reference is not the one that it would be.
		const known = notRead && entry.isReferenceMade ? undefined : reference;
		return {
			entry,
			result: refused(refusals, known),
			isPerhapsDryRun: mayBeDryRun && !isNoDryRun(raw.options),
			isNameless: entry.isReferenceMade && (unread.has('reference') || !isEmpty(raw.reference)),
		};
	};
}

/** Tells dry runs as if they were a run of their own: whether a reference comes twice in it, and its total. */
function rehearse(dryRuns: DryRun[], maximumTotal: number, results: Results): void {
	const run = nothingChecked();
	const place = placer(run);
	for (const { entry, isGood } of dryRuns) if (isGood) place.entry(entry);
	const tooMuch = aboveTotal(sumOf(run.entries.map(({ amount }) => amount)), maximumTotal);
	for (const { entry, isGood, tell } of dryRuns) {
		const twice = run.results[entry.itemIndex] as Setback | undefined;
		const more = twice ? [refuse(twice.message, twice.description)] : [];
		results[entry.itemIndex] = tell([...more, ...(isGood && tooMuch ? [tooMuch] : [])]);
	}
}

/** The latest that has a reference: an entry of this run, or the result of one that an earlier try has sent. */
interface Latest {
	itemIndex: number;
	valuesFingerprint?: string;
	is: { entry: Entry } | { result: Result };
}

/** Puts items where they belong. One reference stands for one transaction, also within a run. */
function placer({ entries, repeats, results, refusedEntries }: Checked) {
	const latest = new Map<string, Latest>();
	return {
		sentBefore: (itemIndex: number, result: Result) => {
			const { reference = '', valuesFingerprint } = result;
			latest.set(keyForm(reference), { itemIndex, valuesFingerprint, is: { result } });
			results[itemIndex] = result;
		},
		entry: (entry: Entry) => {
			const { itemIndex, reference, valuesFingerprint, ifAlreadySubmitted: choice } = entry;
			const key = keyForm(reference);
			const earlier = latest.get(key);
			const isSame = valuesFingerprint === earlier?.valuesFingerprint;
			const decision = earlier ? decideWithinRun(choice, isSame) : 'send';
			if (decision === 'send') {
				entries.push(entry);
				latest.set(key, { itemIndex, valuesFingerprint, is: { entry } });
			} else if (decision === 'skip') {
				const { is } = earlier!;
				if ('entry' in is) repeats.push({ itemIndex, reference, of: is.entry });
				else results[itemIndex] = sharedResult(is.result, earlier!.itemIndex, reference);
			} else {
				const refusal = (isSame ? twiceInRun : otherValuesInRun)(reference, earlier!.itemIndex);
				results[itemIndex] = refused([refusal], reference);
				refusedEntries.push(entry);
			}
		},
	};
}
