import type { IExecuteFunctions } from 'n8n-workflow';

import { isThisMachine } from '../../../credentials/addresses';
import type { Entry } from './check';
import { isMade } from './reference';
import { mayHaveMoved } from './result';
import { resultIn, type Run } from './send';

/** What a person should know after a run that went well. */
export function addHints(run: Run, unsettled: Entry[]): void {
	const { context, settings, register, results } = run;
	const hasMoved = (entry: Entry) => mayHaveMoved(resultIn(run, entry));
	const moved = [...results.keys()].filter(hasMoved);
	if (settings.batching) hint(context, 'info', batchingHint);
	if (moved.length > 0 && isThisMachine(settings.baseUrl)) hint(context, 'info', sandboxHint);
	if (moved.some(({ reference }) => isMade(reference))) hint(context, 'info', madeHint);
	const forgotten = unsettled.filter(hasMoved);
	if (forgotten.length > 0) hint(context, 'warning', unsettledHint(forgotten));
	if (register?.unfinished.length) hint(context, 'warning', unfinishedHint(register.unfinished));
}

export const addUnsavedHint = (context: IExecuteFunctions) => hint(context, 'warning', unsavedHint);

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
