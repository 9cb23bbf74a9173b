import { sleep, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import type { TransactionOperation } from '../../../client/endpoints';
import { hideKey, type Hide } from '../../../client/masking';
import { secretIn } from '../checks/wallet/secret';
import type { Fingerprints } from './memory/claims';
import type { Memory } from './memory/memory';
import type { Tries } from './memory/tries';
import type { Choice } from './policy';
import { isSetback, type Result } from './result';
import type { Settings } from './settings';

/** The transaction of one item: what is sent, or would be if it were not refused. */
export interface Entry extends Fingerprints {
	itemIndex: number;
	reference: string;
	/** By this node: the person gave none. */
	isReferenceMade: boolean;
	amount: number;
	/** What is sent. */
	body: IDataObject;
	ifAlreadySubmitted: Choice;
	simplify: boolean;
	/** Its wallet could not be read: there may be one all the same. */
	isWalletUnread?: boolean;
}

/** What is entered in the register: what is sent, without a secret that was typed into the wrong field. */
export function asked({ settings }: Run, { itemIndex, reference, body, isWalletUnread }: Entry) {
	const shown = Object.entries(hideKey(body, settings.credentials.secretKey) as IDataObject);
	const kept = shown.filter(([, value]) => !isSecret(value));
	return { item: itemIndex, reference, body: Object.fromEntries(kept), isWalletUnread };
}

const isSecret = (value: unknown): value is string =>
	typeof value === 'string' && secretIn(value) !== undefined;

/** What was typed into the wrong field and is not to be read in what is said of it. A reference has been checked for that. */
export const hiddenSecrets = ({ body, reference }: Entry): Hide =>
	Object.fromEntries(
		Object.values(body)
			.filter(isSecret)
			.filter((secret) => secret !== reference)
			.map((secret) => [secret, '***']),
	);

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
	/** How many requests in a row have said nothing about their items. */
	silences: number;
	/** The service has asked for time: nothing leaves before this moment, in milliseconds. */
	pausedUntil: number;
}

/** So many requests in a row that say nothing about their items are an outage, or too many at once: docs/interface.md (18). */
const outage = 3;

export const isOutage = ({ silences }: Run) => silences >= outage;

export function note(run: Run, { itemIndex }: Entry, result: Result): void {
	run.results[itemIndex] = result;
	run.hadSetback ||= isSetback(result);
}

export const isCancelled = ({ context }: Run) =>
	context.getExecutionCancelSignal()?.aborted === true;

/** Nothing further is started. */
export const isStopped = (run: Run) =>
	(run.hadSetback && !run.context.continueOnFail()) || isOutage(run) || isCancelled(run);

const lookedAtEvery = 100;

/** A service that asks for more is not waited for. */
export const longestPause = 60_000;

/** Waits as the service has asked, unless the execution is cancelled meanwhile, or the clock was set back. */
export async function pause(run: Run): Promise<void> {
	for (let left; (left = run.pausedUntil - Date.now()) > 0 && !isCancelled(run);) {
		if (left > longestPause + lookedAtEvery) run.pausedUntil = 0;
		await sleep(Math.min(left, lookedAtEvery));
	}
}

export const inPieces = (entries: Entry[], size: number): Entry[][] =>
	Array.from({ length: Math.ceil(entries.length / size) }, (_, index) =>
		entries.slice(index * size, (index + 1) * size),
	);
