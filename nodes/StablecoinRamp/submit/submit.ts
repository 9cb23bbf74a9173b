import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { TransactionOperation } from '../../../client/endpoints';
import { inOneLine, refuse, type Refusal } from '../../../client/refusal';
import { checkItems, type Checked } from './checkItems';
import { lookUpTheRest, withinTotal } from './claim';
import { amongReferencesOf, enterRefused, isToBeSeenTo, sayNotEntered } from './enterRefused';
import { openMemory } from './memory/memory';
import { openTries, type Tries } from './memory/tries';
import {
	notEntered,
	notLookedUp,
	notOpened,
	notStarted,
	notStartedFor,
	refused,
	sharedResult,
} from './notSent';
import { addHints, isTriedAgain, outputItem } from './output';
import { isKept, isSetback, neverSent, type Result, type Setback } from './result';
import type { Run } from './run';
import { sendEntries } from './send';
import { hasRegister, readSettings } from './settings';
import { stopError } from './stopError';

/**
 * Read, check, send, report: a transaction is submitted at most once, unless a person asks for more by If Already
 * Submitted, and no receipt is lost.
 *
 * n8n calls this through `customOperations`, with all items at once. Its declarative engine would send them all at
 * the same time, and throw every receipt away when one of them does not work out.
 */
export async function submit(
	context: IExecuteFunctions,
	operation: TransactionOperation,
): Promise<INodeExecutionData[][]> {
	const tries = openTries<Result>(context, isKept);
	const results = await submitItems(context, operation, tries).catch((thrown: unknown) =>
		refuseAll(context, operation, tries, unexpected(thrown)),
	);

	// Report
	if (!context.continueOnFail() && results.some(isSetback)) {
		throw stopError(context.getNode(), results);
	}
	const items = results.map((result, index) => outputItem(context, result, index));
	// Results are kept as long as n8n may run the node once more.
	if (!results.some(isSetback) && !isTriedAgain(items)) tries.forget();
	return [items];
}

/** What became of each item. */
async function submitItems(
	context: IExecuteFunctions,
	operation: TransactionOperation,
	tries: Tries<Result>,
): Promise<Result[]> {
	// Read
	const read = await readSettings(context);
	if (!read.ok) return refuseAll(context, operation, tries, read);
	const settings = read.value;
	const where = `a ${operation} to ${settings.baseUrl}`;
	const elsewhere = tries.sendTo(where);
	if (elsewhere) {
		const changed = changedBetweenTries(elsewhere, where);
		return refuseAll(context, operation, tries, changed, 'this try was refused as a whole');
	}

	// Check
	const checked = await checkItems(context, operation, settings, tries);
	const { entries, repeats, results, refusedEntries } = checked;
	const known = results.filter((result) => result !== undefined);
	const mustNotSend = known.some(isSetback) && !context.continueOnFail();
	const isOver = entries.length === 0 || (mustNotSend && known.every(neverSent));
	const toEnter = settings.registerName ? refusedEntries.filter(isToBeSeenTo(operation)) : [];
	if (settings.registerName && operation === 'buy') {
		sayNotEntered(results, checked.nameless, "its 'Reference' cannot be used");
	}
	if (isOver && toEnter.length === 0) return withTheRest(checked, notStarted);

	// Send
	const { registerName, baseUrl: service } = settings;
	const { beganAt } = tries;
	const memory = await openMemory(context, { registerName, operation, service, beganAt });
	if (!memory.ok) {
		sayNotEntered(results, toEnter, inOneLine(memory));
		if (isOver) return withTheRest(checked, notStarted);
		const words = mustNotSend ? notLookedUp : notOpened;
		return withTheRest(checked, (reference) => words(reference, memory));
	}
	const run: Run = {
		context,
		operation,
		settings,
		memory: memory.value,
		tries,
		results,
		hadSetback: false,
		silences: 0,
		pausedUntil: 0,
	};
	try {
		// An earlier try has sent something and this one may not send: the rest is looked up, for the message.
		const toSend = mustNotSend ? [] : await withinTotal(run, entries);
		await enterRefused(run, [...refusedEntries, ...entries], toSend);
		if (isOver) return withTheRest(checked, notStarted);
		if (toSend.length > 0) await sendEntries(run, toSend);
		await lookUpTheRest(run, entries);
		// One that has the reference of another item was left out as long as that one was to be sent.
		const unsent = toSend.filter(({ itemIndex }) => neverSent(results[itemIndex]!));
		await enterRefused(run, refusedEntries.filter(amongReferencesOf(unsent)), []);
	} finally {
		run.memory.claims.close();
	}
	for (const { itemIndex, reference, of } of repeats) {
		const result = sharedResult(results[of.itemIndex]!, of.itemIndex, reference);
		results[itemIndex] = result;
		// Kept with the one that was sent, so that a later try sends neither.
		if (tries.before(of.itemIndex)) tries.keep(itemIndex, result);
	}
	addHints(context, settings, results as Result[]);
	return results as Result[];
}

/** Nothing is sent: all that has no result yet gets the same one. */
function withTheRest(
	{ entries, repeats, results }: Checked,
	because: (reference: string) => Result,
): Result[] {
	for (const { itemIndex, reference } of [...entries, ...repeats]) {
		results[itemIndex] = because(reference);
	}
	return results as Result[];
}

/** What may have been sent, by an earlier try or by this one, keeps its result. All others are refused. */
function refuseAll(
	context: IExecuteFunctions,
	operation: TransactionOperation,
	tries: Tries<Result>,
	refusal: Refusal,
	why = 'nothing of this run could be checked',
): Result[] {
	const isForRegister = operation === 'buy' && hasRegister(context.getNode());
	const result = (index: number): Setback => {
		// One that names no item holds for every item.
		const { itemIndex = index } = refusal;
		return itemIndex === index ? refused([refusal]) : notStartedFor(refusal, itemIndex);
	};
	const told = (setback: Setback) => (isForRegister ? notEntered(setback, why) : setback);
	return context.getInputData().map((_, index) => tries.before(index) ?? told(result(index)));
}

const changedBetweenTries = (before: string, now: string) =>
	refuse(
		`An earlier try of this execution has sent ${before}, and this one would send ${now}`,
		"To go on with this execution, set the operation, and 'Base URL' in the credential, back to what they were. To send the rest to the new address, start a new execution with only what was not sent",
	);

const unexpected = (thrown: unknown) =>
	refuse(
		'Something happened that this node does not expect',
		`Report it at https://github.com/n8n-nodes-stablecoin-ramp/n8n-nodes-stablecoin-ramp/issues. n8n says: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
	);
