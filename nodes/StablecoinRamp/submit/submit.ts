import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { TransactionOperation } from '../service/endpoints';
import { refuse, type Refusal } from '../checks/verdict';
import { checkItems, isEntry, type Entry } from './check';
import { openLedger } from './ledger';
import { openMemory, type Memory } from './tries';
import { readSettings } from './settings';
import { isSetback, leftOver, refused, setbackItem, stopError, type Result } from './result';
import { sendEntries } from './send';

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
	const continueOnFail = context.continueOnFail();
	const memory = openMemory(context);
	const results = await submitItems(context, operation, memory, continueOnFail).catch(
		(thrown: Error) => remembered(context, memory, unexpected(thrown)),
	);

	if (!continueOnFail && results.some(isSetback)) throw stopError(context.getNode(), results);

	const items = results.map((result, item): INodeExecutionData => ({
		json: isSetback(result) ? setbackItem(result) : result.receipt,
		pairedItem: keepsInput(result) ? { item } : item,
	}));
	if (!results.some(isSetback) && !triesAgain(items)) memory.forget();
	return [items];
}

// n8n adds the input to an item that goes to the error output, unless the link to it is a plain number.
const keepsInput = (result: Result) => !(isSetback(result) && result.hasSecret);

/** n8n takes such a first item for a reason to try again, and a try needs its memory. */
const triesAgain = ([first]: INodeExecutionData[]) =>
	![undefined, null, false].includes(first?.json.error as undefined);

async function submitItems(
	context: IExecuteFunctions,
	operation: TransactionOperation,
	memory: Memory,
	continueOnFail: boolean,
): Promise<Result[]> {
	const reached = await readSettings(context);
	if (!reached.ok) return remembered(context, memory, reached);

	const { service } = reached;
	const checked = await checkItems(context, operation, service, memory);
	const entries = checked.filter(isEntry);
	const mayStart =
		continueOnFail || !checked.some((result) => !isEntry(result) && isSetback(result));
	const ledger = openLedger(context);
	const sent = mayStart
		? await sendEntries({ context, operation, service, memory, ledger, continueOnFail }, entries)
		: new Map<Entry, Result>();

	if (service.batching) hint(context, batchingHint, 'info');
	const unavailable = ledger.unavailable();
	if (unavailable) hint(context, unrecordedHint(unavailable), 'warning');
	return checked.map((result) =>
		isEntry(result) ? (sent.get(result) ?? leftOver(result.reference)) : result,
	);
}

/** What earlier tries have sent stays what it is, whatever keeps this one from sending. */
const remembered = (context: IExecuteFunctions, memory: Memory, refusal: Refusal): Result[] =>
	context.getInputData().map((_, index) => memory.moved(index)?.result ?? refused([refusal]));

const unexpected = ({ message }: Error) =>
	refuse('This node met with something it does not expect', `Report it. n8n says: ${message}`);

/** An older n8n has no hints; that must not cost anybody a receipt. */
const hint = (context: Partial<IExecuteFunctions>, message: string, type: 'info' | 'warning') =>
	context.addExecutionHints?.({ message, type, location: 'outputPane' });

const batchingHint =
	'Batching under Request Options in Settings does not apply to buys and sells: they are sent one after another. To send several at a time, use Parallel Requests in Options.';

const unrecordedHint = (why: string) =>
	`The references were not recorded in n8n's database, because ${why}. Within this execution each was sent at most once; a later execution will not know them.`;
