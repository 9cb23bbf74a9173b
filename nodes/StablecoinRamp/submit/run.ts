import type { ICredentialDataDecryptedObject, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { TransactionOperation } from '../../../client/endpoints';
import type { RequestOptions } from '../../../client/sendRequest';
import type { Fingerprints } from './memory/claims';
import type { Memory } from './memory/memory';
import type { Tries } from './memory/tries';
import type { Choice } from './policy';
import { isSetback, type Result } from './result';

/** What holds for a whole run. */
export interface Settings {
	credentials: ICredentialDataDecryptedObject;
	baseUrl: string;
	requestOptions: RequestOptions;
	parallelRequests: number;
	/** Infinity where there is none. */
	maximumTotal: number;
	/** Name of the data table that keeps a row for each transaction; none where it is empty. */
	registerName: string;
	/** Set in the Request Options, where it has no say over buys and sells. */
	batching: boolean;
	isTool: boolean;
	/** Used as a tool by an assistant that nobody has allowed to submit. */
	dryRunOnly: boolean;
}

/** A transaction that has passed the checks and is to be sent. */
export interface Entry extends Fingerprints {
	itemIndex: number;
	reference: string;
	amount: number;
	/** What is sent. */
	body: IDataObject;
	ifAlreadySubmitted: Choice;
	simplify: boolean;
}

/** One slot for each item: what became of it, empty until that is known. */
export type Results = Array<Result | undefined>;

/** One run of the node, from the first claim to the last. */
export interface Run {
	context: IExecuteFunctions;
	operation: TransactionOperation;
	settings: Settings;
	memory: Memory;
	tries: Tries<Result>;
	results: Results;
	hadSetback: boolean;
}

export function note(run: Run, { itemIndex }: Entry, result: Result): void {
	run.results[itemIndex] = result;
	run.hadSetback ||= isSetback(result);
}

export const isCancelled = ({ context }: Run) =>
	context.getExecutionCancelSignal()?.aborted === true;

/** Nothing further is started. */
export const isStopped = (run: Run) =>
	(run.hadSetback && !run.context.continueOnFail()) || isCancelled(run);

export const inPieces = (entries: Entry[], size: number): Entry[][] =>
	Array.from({ length: Math.ceil(entries.length / size) }, (_, index) =>
		entries.slice(index * size, (index + 1) * size),
	);
