import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { refuse, type Refusal } from '../../../client/refusal';
import type { TransactionOperation } from '../../../client/endpoints';
import { checkItems, isEntry, type Entry } from './checkItems';
import { addHints, isSaved } from './hints';
import { openRecords, type Records } from './memory/claims';
import { openRegister, type Register } from './memory/register';
import {
	isSetback,
	itemOf,
	neverSent,
	notLookedUp,
	notOpened,
	notStarted,
	notStartedFor,
	refused,
	sharedResult,
	type Result,
} from './result';
import { areKeptApart, rowsInDatabase, rowsInExecution } from './memory/rows';
import { lookUpTheRest, resultIn, sendEntries, type Run } from './send';
import { readSettings, type Settings } from './settings';
import { stopError } from './stopError';
import { earlierTries, type Tries } from './memory/tries';

/**
 * Check, claim, send, settle: a transaction is submitted at most once, and no receipt is lost.
 *
 * n8n calls this through `customOperations`, with all items at once. Its declarative engine would send them all at
 * the same time, and throw every receipt away when one of them does not work out.
 */
export async function submit(
	context: IExecuteFunctions,
	operation: TransactionOperation,
): Promise<INodeExecutionData[][]> {
	const tries = earlierTries(context);
	const results = await submitItems(context, operation, tries).catch((thrown: unknown) =>
		sentBefore(context, tries, unexpected(thrown)),
	);
	if (!context.continueOnFail() && results.some(isSetback)) {
		throw stopError(context.getNode(), results);
	}
	const items = results.map((result, index) => outputItem(context, result, index));
	if (!results.some(isSetback) && !triesAgain(items)) tries.forget();
	return [items];
}

async function submitItems(
	context: IExecuteFunctions,
	operation: TransactionOperation,
	tries: Tries,
): Promise<Result[]> {
	const read = await readSettings(context);
	if ('itemIndex' in read) return sentBefore(context, tries, read.refusal, read.itemIndex);
	if (!read.ok) return sentBefore(context, tries, read);
	const { settings } = read;
	const checked = await checkItems(context, operation, settings, tries);
	const entries = checked.filter(isEntry);
	const forEntries = (of: (entry: Entry) => Result) =>
		checked.map((one) => (isEntry(one) ? of(one) : one));
	const others = checked.filter((one): one is Result => !isEntry(one));
	const isStopped = others.some(isSetback) && !context.continueOnFail();
	if (entries.length === 0 || (isStopped && others.every(neverSent))) {
		return forEntries(({ reference }) => notStarted(reference));
	}
	const opened = await open(context, operation, settings);
	const unopened = isStopped ? notLookedUp : notOpened;
	if (!opened.ok) return forEntries(({ reference }) => unopened(reference, opened));
	const { records, register } = opened;
	const run: Run = {
		...{ context, operation, settings, records, register, tries },
		results: new Map<Entry, Result>(),
		attempts: new Map<Entry, number>(),
		hadSetback: false,
	};
	const first = entries.filter((entry) => !entry.sameAs);
	// A try that stops at what an earlier one has sent sends nothing, and says what the rest is.
	const work = isStopped ? lookUpTheRest : sendEntries;
	await work(run, first).finally(records.close);
	const results = forEntries((entry) => becameOf(run, entry));
	addHints(run, results);
	return results;
}

async function open(
	context: IExecuteFunctions,
	operation: TransactionOperation,
	{ register, baseUrl }: Settings,
): Promise<{ ok: true; records: Records; register?: Register } | Refusal> {
	const rows = isSaved(context)
		? rowsInDatabase(context)
		: rowsInExecution(context.getContext('node'));
	try {
		if (!(await areKeptApart(rows))) return notKeptApart;
	} catch (thrown) {
		return refuse(
			"n8n's database could not record what is submitted, so this was not sent",
			`Submit it again when the database answers. n8n says: ${(thrown as Error).message}`,
		);
	}
	const records = openRecords(rows);
	if (!register) return { ok: true, records };
	const opened = await openRegister(context, operation, baseUrl, register);
	return opened.ok ? { ...opened, records } : opened;
}

const notKeptApart = refuse(
	'This n8n keeps records in a way that this version of the node does not know, so this was not sent',
	'Update the node, or go back to the n8n that you had',
);

/** An item with the reference and values of an earlier one shares what became of that. */
function becameOf(run: Run, entry: Entry): Result {
	if (!entry.sameAs) return resultIn(run, entry);
	const result = sharedResult(resultIn(run, entry.sameAs), entry.sameAs.itemIndex);
	// In later tries too, if this try has sent that one.
	if (run.tries.before(entry.sameAs.itemIndex)) run.tries.keep(entry.itemIndex, result);
	return result;
}

/** What earlier tries have sent stays what it is, whatever keeps this one from sending. */
const sentBefore = (
	context: IExecuteFunctions,
	tries: Tries,
	refusal: Refusal,
	because = -1,
): Result[] =>
	context
		.getInputData()
		.map(
			(_, index) =>
				tries.before(index) ??
				(because < 0 || because === index ? refused([refusal]) : notStartedFor(refusal, because)),
		);

const unexpected = (thrown: unknown) =>
	refuse(
		'This node met with something it does not expect',
		`Report it at https://github.com/n8n-nodes-stablecoin-ramp/n8n-nodes-stablecoin-ramp/issues. n8n says: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
	);

function outputItem(context: IExecuteFunctions, result: Result, item: number): INodeExecutionData {
	const json = itemOf(result);
	if (!isSetback(result) || context.getNode().onError !== 'continueErrorOutput') {
		return { json, pairedItem: { item } };
	}
	// n8n adds the input to what goes to the error output. A secret in it is covered.
	const covered = result.hasSecret
		? Object.keys(context.getInputData()[item]!.json).map((name) => [name, '***'])
		: [];
	const shown = { ...Object.fromEntries(covered), ...json };
	const output = { json: shown, pairedItem: { item } };
	return Object.defineProperties(output, {
		// n8n sends an item with an error to the error output, and in the copy that it puts there the error's message takes
		// the place of the json. An error that is not enumerable is seen and not copied, so the json stays as it is. n8n
		// up to 1.120 writes to it.
		error: { value: { message: result.message }, writable: true },
		// Where no node came before, n8n makes no copy, and would put the message into the item itself.
		json: {
			get: () => shown,
			set: () => Object.defineProperty(output, 'json', { value: shown, writable: true }),
		},
	});
}

/**
 * n8n takes a first item with an error for a reason to try again, up to 2.20 also where that is null or false; and a try
 * needs to know what was sent.
 */
const triesAgain = ([first]: INodeExecutionData[]) => first?.json.error !== undefined;
