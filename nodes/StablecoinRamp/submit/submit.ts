import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { TransactionOperation } from '../../../client/endpoints';
import { refuse, type Refusal } from '../../../client/refusal';
import { checkItems, type Checked } from './checkItems';
import { lookUpTheRest } from './claim';
import { openMemory } from './memory/memory';
import { openTries, type Tries } from './memory/tries';
import {
	notLookedUp,
	notOpened,
	notStarted,
	notStartedFor,
	refused,
	sharedResult,
} from './notSent';
import { addHints, isTriedAgain, outputItem } from './output';
import { isKept, isSetback, neverSent, type Result } from './result';
import type { Run } from './run';
import { sendEntries } from './send';
import { readSettings } from './settings';
import { stopError } from './stopError';

/**
 * Read, check, send, report: a transaction is submitted at most once, and no receipt is lost.
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
		refuseAll(context, tries, unexpected(thrown)),
	);

	// Report
	if (!context.continueOnFail() && results.some(isSetback)) {
		throw stopError(context.getNode(), results);
	}
	const items = results.map((result, index) => outputItem(context, result, index));
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
	if (!read.ok) return refuseAll(context, tries, read);
	const settings = read.value;

	// Check
	const checked = await checkItems(context, operation, settings, tries);
	const { entries, repeats, results } = checked;
	const done = results.filter((result) => result !== undefined);
	const isStopped = done.some(isSetback) && !context.continueOnFail();
	if (entries.length === 0 || (isStopped && done.every(neverSent))) {
		return withTheRest(checked, notStarted);
	}

	// Send
	const { register, baseUrl: service } = settings;
	const memory = await openMemory(context, { register, operation, service });
	if (!memory.ok) {
		const unopened = isStopped ? notLookedUp : notOpened;
		return withTheRest(checked, (reference) => unopened(reference, memory));
	}
	const run: Run = {
		context,
		operation,
		settings,
		memory: memory.value,
		tries,
		results,
		hadSetback: false,
	};
	// A try that stops at what an earlier one has sent sends nothing, and says what the rest is.
	const work = isStopped ? lookUpTheRest : sendEntries;
	await work(run, entries).finally(memory.value.claims.close);

	for (const { itemIndex, of } of repeats) {
		const result = sharedResult(results[of.itemIndex]!, of.itemIndex);
		results[itemIndex] = result;
		// In later tries too, if this try has sent that one.
		if (tries.before(of.itemIndex)) tries.keep(itemIndex, result);
	}
	addHints(context, settings, results as Result[]);
	return results as Result[];
}

/** Nothing is sent; what is not known yet has the same words. */
function withTheRest(
	{ entries, repeats, results }: Checked,
	because: (reference: string) => Result,
): Result[] {
	for (const { itemIndex, reference } of [...entries, ...repeats]) {
		results[itemIndex] = because(reference);
	}
	return results as Result[];
}

/** What earlier tries have sent stays what it is, whatever keeps this one from sending. */
const refuseAll = (context: IExecuteFunctions, tries: Tries<Result>, refusal: Refusal): Result[] =>
	context.getInputData().map((_, index) => {
		const { itemIndex = index } = refusal;
		const isCause = itemIndex === index;
		return (
			tries.before(index) ?? (isCause ? refused([refusal]) : notStartedFor(refusal, itemIndex))
		);
	});

const unexpected = (thrown: unknown) =>
	refuse(
		'This node met with something it does not expect',
		`Report it at https://github.com/n8n-nodes-stablecoin-ramp/n8n-nodes-stablecoin-ramp/issues. n8n says: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
	);
