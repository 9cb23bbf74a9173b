import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isThisMachine } from '../../../credentials/addresses';
import { refuse, type Refusal } from '../checks/verdict';
import type { TransactionOperation } from '../service/endpoints';
import { checkItems, hasSetback, isEntry, type Entry } from './check';
import { openRecords } from './records';
import { isMade } from './reference';
import { openRegister } from './register';
import { isSetback, itemOf, notStarted, refused, type Result } from './result';
import { rowsInDatabase, rowsInExecution, type Rows } from './rows';
import { hasMoved, sendEntries, type Run } from './send';
import { readSettings } from './settings';
import { stopError } from './stopError';
import { earlierTries, type Tries } from './tries';

/**
 * Check, claim, send, settle: a transaction is submitted at most once, and no receipt is lost.
 *
 * n8n calls this through `customOperations`, with all items at once. Its declarative engine would send them all at
 * the same time, and throw every receipt away when one of them does not work out.
 */
export async function submit(
	context: IExecuteFunctions,
	operation: TransactionOperation,
	rows = rowsInDatabase,
): Promise<INodeExecutionData[][]> {
	const tries = earlierTries(context);
	const results = await submitItems(context, operation, tries, rows).catch((thrown: unknown) =>
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
	rows: typeof rowsInDatabase,
): Promise<Result[]> {
	const read = await readSettings(context);
	if (!read.ok) return sentBefore(context, tries, read);
	const { settings } = read;
	const checked = await checkItems(context, operation, settings, tries);
	const entries = checked.filter(isEntry);
	// A dry run, or a run with nothing to send, makes no table.
	const opened =
		settings.register && entries.length > 0
			? await openRegister(context, operation, settings.baseUrl, settings.register)
			: undefined;
	if (opened && !opened.ok) return sentBefore(context, tries, opened);
	const register = opened?.register;
	const continueOnFail = context.continueOnFail();
	const run: Run = {
		...{ context, operation, settings, tries, register, continueOnFail },
		records: openRecords(savedOrNot(context, rows(context))),
		results: new Map<Entry, Result>(),
		hadSetback: false,
	};
	const mayStart = continueOnFail || !hasSetback(checked);
	const unsettled = mayStart ? await sendEntries(run, entries).finally(run.records.close) : [];

	const moved = entries.filter((entry) => hasMoved(run, entry));
	if (settings.batching) hint(context, 'info', batchingHint);
	if (moved.length > 0 && isThisMachine(settings.baseUrl)) hint(context, 'info', sandboxHint);
	if (moved.some(({ reference }) => isMade(reference))) hint(context, 'info', madeHint);
	const forgotten = unsettled.filter((entry) => hasMoved(run, entry));
	if (forgotten.length > 0) hint(context, 'warning', unsettledHint(forgotten));
	if (register?.unfinished.length) hint(context, 'warning', unfinishedHint(register.unfinished));
	return checked.map((one) =>
		isEntry(one) ? (run.results.get(one) ?? notStarted(one.reference)) : one,
	);
}

/** What earlier tries have sent stays what it is, whatever keeps this one from sending. */
const sentBefore = (context: IExecuteFunctions, tries: Tries, refusal: Refusal): Result[] =>
	context.getInputData().map((_, index) => tries.before(index) ?? refused([refusal]));

const unexpected = (thrown: unknown) =>
	refuse(
		'This node met with something it does not expect',
		`Report it at https://github.com/n8n-nodes-stablecoin-ramp/n8n-nodes-stablecoin-ramp/issues. n8n says: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
	);

/** n8n has a place for rows only where the workflow is saved; until then the execution keeps them. */
function savedOrNot(context: IExecuteFunctions, saved: Rows): Rows {
	const kept = rowsInExecution(context.getContext('node') as { rows?: string[] });
	let isSaved = true;
	const either = async (call: (rows: Rows) => Promise<boolean>) => {
		if (!isSaved) return await call(kept);
		return await call(saved).catch(async (thrown: Error) => {
			// Only the editor runs a workflow that was never saved; elsewhere it was deleted meanwhile.
			if (context.getMode() !== 'manual' || !isUnsaved(thrown)) throw thrown;
			if (isSaved) hint(context, 'warning', unsavedHint);
			isSaved = false;
			return await call(kept);
		});
	};
	return {
		isThere: async (name) => await either(async (rows) => await rows.isThere(name)),
		insert: async (name) => await either(async (rows) => await rows.insert(name)),
	};
}

/** What n8n says of a workflow that is not in its database. */
const isUnsaved = ({ message }: Error) =>
	/foreign key|workflow\.id|expression evaluated to a falsy value/i.test(message);

function outputItem(context: IExecuteFunctions, result: Result, item: number): INodeExecutionData {
	const json = itemOf(result);
	if (!isSetback(result) || context.getNode().onError !== 'continueErrorOutput') {
		return { json, pairedItem: { item } };
	}
	// n8n adds the input to what goes to the error output. A secret in it is covered.
	const covered = result.hasSecret
		? Object.keys(context.getInputData()[item]!.json).map((name) => [name, '***'])
		: [];
	const output = { json: { ...Object.fromEntries(covered), ...json }, pairedItem: { item } };
	const { message, description, outcome, reference = null } = result;
	if (!context.getExecuteData().source) {
		// Where nothing came before the node, n8n does not copy; then it goes by these three names.
		return {
			...output,
			json: { error: message, message: description, details: { outcome, reference } },
		};
	}
	// n8n sends an item with an error to the error output, and there puts the error's message in place of all that the
	// item holds. It copies the item before, so an error that is not copied along sends it there and leaves it whole.
	return Object.defineProperty(output, 'error', { value: { message }, enumerable: false });
}

/** n8n takes a first item with an error for a reason to try again, and a try needs to know what was sent. */
const triesAgain = ([first]: INodeExecutionData[]) => Boolean(first?.json.error);

const hint = (context: IExecuteFunctions, type: 'info' | 'warning', message: string) =>
	context.addExecutionHints({ message, type, location: 'outputPane' });

const sandboxHint =
	"This went to the sandbox: the 'Base URL' of the credential is on this machine.";

const batchingHint =
	"'Batching' under Request Options in Settings does not apply to buys and sells: they are sent one after another. To send several at a time, use 'Parallel Requests' in Options.";

const madeHint =
	"Without a 'Reference' of your own, this is submitted once for this execution and its retries. A new execution, Execute step pressed again, or a parent workflow that tries again would submit it again: give it a 'Reference', e.g. an order number.";

const unsavedHint =
	"The workflow is not saved yet, so n8n's database has no place for what was submitted. Within this execution each reference was sent at most once; a later execution will not know them. Save the workflow.";

const unfinishedHint = (references: string[]) =>
	`The register could not be completed and still says 'sending' of ${references.join(', ')}. What became of them is in the output of this node.`;

const unsettledHint = (entries: Entry[]) =>
	`n8n's database did not take note of what became of ${entries.map(({ reference }) => reference).join(', ')}. Later executions will say that the outcome is unknown.`;
