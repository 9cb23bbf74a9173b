import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { TransactionOperation } from '../../service';
import { checkItems, isEntry, type Entry } from './check';
import { openLedger } from './ledger';
import { openMemory, type Memory } from './memory';
import { reachService } from './reachService';
import { isSetback, leftOver, refused, setbackItem, stopError, type Result } from './report';
import { sendEntries } from './send';

/**
 * Check, claim, send, settle: a transaction is submitted at most once, and no receipt is lost.
 *
 * n8n calls this through `customOperations`, with all items at once. Its declarative engine would send them all at
 * the same time, and throw every receipt away when one of them does not work out.
 */
export function submit(operation: TransactionOperation) {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const goOn = this.continueOnFail();
		const memory = openMemory(this);
		const results = await submitItems(this, operation, memory, goOn);

		if (!goOn && results.some(isSetback)) throw stopError(this.getNode(), results);

		const items = results.map((result, item): INodeExecutionData => ({
			json: isSetback(result) ? setbackItem(result) : result.receipt,
			pairedItem: { item },
		}));
		// n8n takes a first item with a truthy `error` for a reason to try again, and a try needs its memory.
		if (!results.some(isSetback) && !items[0]?.json.error) memory.forget();
		return [items];
	};
}

async function submitItems(
	context: IExecuteFunctions,
	operation: TransactionOperation,
	memory: Memory,
	goOn: boolean,
): Promise<Result[]> {
	const reached = await reachService(context);
	if (!reached.ok) {
		return context
			.getInputData()
			.map((_, index) => memory.moved(index)?.result ?? refused([reached]));
	}

	const { service } = reached;
	const checked = await checkItems(context, operation, service, memory);
	const entries = checked.filter(isEntry);
	const mayStart = goOn || !checked.some((result) => !isEntry(result) && isSetback(result));
	const ledger = openLedger(context);
	const sent = mayStart
		? await sendEntries({ context, operation, service, memory, ledger, goOn }, entries)
		: new Map<Entry, Result>();

	if (service.batching)
		context.addExecutionHints({ message: batchingHint, location: 'outputPane' });
	const unavailable = ledger.unavailable();
	if (unavailable) {
		context.addExecutionHints({
			message: unrecordedHint(unavailable),
			type: 'warning',
			location: 'outputPane',
		});
	}
	return checked.map((result) =>
		isEntry(result) ? (sent.get(result) ?? leftOver(result.reference)) : result,
	);
}

const batchingHint =
	'Batching in Request Options does not apply to buys and sells: they are sent one after another. To send several at a time, use Parallel Requests in Options.';

const unrecordedHint = (why: string) =>
	`The references were not recorded in n8n's database, because ${why}. Within this execution each was sent at most once; a later execution will not know them.`;
