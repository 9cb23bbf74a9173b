import type { IExecuteFunctions } from 'n8n-workflow';

import { isThisMachine } from '../../../client/addresses';
import { isMade } from './reference';
import { mayHaveMoved, unrecordedIn, type Result } from './result';
import type { Run } from './send';

/** What a person should know after a run that does not throw: after one that does, n8n shows no hints. */
export function addHints({ context, settings }: Run, all: Result[]): void {
	const moved = all.filter(mayHaveMoved);
	if (!isSaved(context)) hint(context, 'warning', unsavedHint);
	if (settings.batching) hint(context, 'info', batchingHint);
	if (moved.length > 0 && isThisMachine(settings.baseUrl)) hint(context, 'info', sandboxHint);
	if (moved.some(({ reference }) => isMade(reference))) hint(context, 'info', madeHint);
	for (const message of unrecordedIn(all)) hint(context, 'warning', message);
}

export const isSaved = (context: IExecuteFunctions) => Boolean(context.getWorkflow().id);

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
