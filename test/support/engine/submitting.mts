import type { INodeParameters } from 'n8n-workflow';

import { credentialsFor, useEngine, type Ran, type RunOptions } from './engine.mts';
import { startProcess } from './processes.mts';
import { fromItem, referencesTo, submitting, type Operation } from '../transactions.mts';

/** The engine and a sandbox, with a short way to submit and to see what the service got. */
export function useSubmitting() {
	const { engine, sandbox } = useEngine();
	/** One item, order-0, unless told otherwise: the reference comes from the item. */
	const optionsFor = (
		operation: Operation,
		parameters: INodeParameters = {},
		different: Partial<RunOptions> = {},
	): RunOptions => ({
		parameters: submitting(operation, { ...fromItem('reference'), ...parameters }),
		credentials: credentialsFor(sandbox),
		items: referencesTo(1),
		...different,
	});
	return {
		engine,
		sandbox,
		optionsFor,
		submit: async (...of: Parameters<typeof optionsFor>): Promise<Ran> =>
			await engine.run(optionsFor(...of)),
		/** In a process for which it is twenty-five minutes later: who is unsure of an outcome has looked for it by then. */
		submitLater: async (...of: Parameters<typeof optionsFor>): Promise<Ran> =>
			(await startProcess(engine, undefined, { ahead: 25 }).run(optionsFor(...of)))!,
		posts: () => sandbox.requests().filter(({ method }) => method === 'POST'),
		/** The references that the service has accepted, in order. */
		accepted: () => sandbox.transactions().map(({ reference }) => reference),
	};
}

export const onErrors = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

export const goingOn = { onError: 'continueRegularOutput' } as const;
