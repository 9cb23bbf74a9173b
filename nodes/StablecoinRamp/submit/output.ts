import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isThisMachine } from '../../../client/addresses';
import { asHtml } from '../../../client/n8nErrors';
import { nextFor } from './steps';
import { isSaved } from './memory/memory';
import { isMade } from './reference';
import { isSetback, mayHaveMoved, type Result } from './result';
import { hasRegister, type Settings } from './settings';
import { differencesInWords, notWrittenIn } from './stopError';

export function outputItem(
	context: IExecuteFunctions,
	result: Result,
	item: number,
): INodeExecutionData {
	const json = jsonOf(result, hasRegister(context.getNode()));
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

/** What is put out for an item, on whichever output. */
export function jsonOf(result: Result, withRegister: boolean): IDataObject {
	const { outcome, reference = null } = result;
	if (!isSetback(result)) {
		const first = { outcome, reference };
		return { ...first, ...result.receipt, ...first };
	}
	const { message, httpCode = null } = result;
	return { outcome, reference, error: message, message: nextFor(result, withRegister), httpCode };
}

/**
 * n8n takes a first item with an error for a reason to try again, up to 2.20 also where that is null or false; and a try
 * needs to know what was sent.
 */
export const isTriedAgain = ([first]: INodeExecutionData[]) => first?.json.error !== undefined;

/** What a person should know after a run that does not throw: after one that does, n8n shows no hints. */
export function addHints(context: IExecuteFunctions, settings: Settings, all: Result[]): void {
	const moved = all.filter(mayHaveMoved);
	if (!isSaved(context)) hint(context, 'warning', unsavedHint);
	if (settings.batching) hint(context, 'info', batchingHint);
	if (moved.length > 0 && isThisMachine(settings.baseUrl)) hint(context, 'info', sandboxHint);
	if (moved.some(({ reference }) => isMade(reference))) hint(context, 'info', madeHint);
	for (const message of [...differencesInWords(all), ...notWrittenIn(all)]) {
		hint(context, 'warning', message);
	}
}

const hint = (context: IExecuteFunctions, type: 'info' | 'warning', message: string) =>
	context.addExecutionHints({ message: asHtml(message), type, location: 'outputPane' });

const sandboxHint =
	"This went to the sandbox: the 'Base URL' of the credential is on this machine.";

const batchingHint =
	"'Batching' under Request Options in Settings does not apply to buys and sells: they are sent one after another. To send several at a time, use 'Parallel Requests' in Options.";

const madeHint =
	"Without a 'Reference' of your own, this is submitted once for this execution and its retries. A new execution, Execute step pressed again, or a parent workflow that tries again would submit it again: give it a 'Reference', e.g. an order number.";

const unsavedHint =
	"The workflow is not saved yet, so n8n's database has no place for what was submitted. Within this execution each reference was sent at most once; a later execution will not know them. Save the workflow.";
