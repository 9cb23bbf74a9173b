import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { type TransactionOperation, endpoints } from '../service/endpoints';
import { draft, type Draft } from './draft';
import { fingerprint, type Memory } from './tries';
import { itemReader } from './readItem';
import {
	dryRun,
	refused,
	skipped,
	submittedInThisExecution,
	submittedWithOtherValues,
	twiceInOneRun,
	type Result,
} from './result';
import type { Service } from './settings';
import { vendorFinder } from './findVendor';

/** A transaction that has passed the checks and is to be sent. */
export interface Entry {
	itemIndex: number;
	reference: string;
	/** Fingerprint of what is sent, the reference left out. */
	payload: string;
	body: IDataObject;
	draft: Draft;
}

/**
 * Reads and checks every item, before the first one is sent. An item that needs no sending (refused, remembered from
 * an earlier try, a dry run) has its result already; the others are entries to be sent.
 */
export async function checkItems(
	context: IExecuteFunctions,
	operation: TransactionOperation,
	service: Service,
	memory: Memory,
): Promise<Array<Result | Entry>> {
	const readItem = itemReader(context, operation);
	const findVendor = vendorFinder(context, service.extras);
	const firstWith = new Map<string, Entry>();
	const checked: Array<Result | Entry> = [];
	for (let itemIndex = 0; itemIndex < context.getInputData().length; itemIndex++) {
		checked.push(await checkItem(itemIndex));
	}
	return checked;

	async function checkItem(itemIndex: number): Promise<Result | Entry> {
		const read = readItem(itemIndex);
		const before = memory.moved(itemIndex);
		if (!read.ok) return before?.result ?? refused([read]);

		const { vendorSource, vendor } = read.raw;
		const drafted = draft(operation, read.raw, {
			credentials: service.credentials,
			vendor: operation === 'buy' ? await findVendor(vendorSource, vendor) : undefined,
		});
		const payload = fingerprint(drafted.body);
		const reference = drafted.ownReference || memory.makeReference(itemIndex, payload);
		const body = { ...drafted.body, reference };

		if (before) {
			const isSame = before.payload === payload || drafted.refusals.length > 0;
			return isSame ? before.result : submittedInThisExecution(before.result, before.reference);
		}
		if (drafted.dryRun || service.dryRunOnly) {
			const { method, path } = endpoints.transaction[operation];
			return dryRun(
				{ method, url: `${service.baseUrl}${path}`, body },
				drafted,
				service.dryRunOnly,
			);
		}
		if (drafted.refusals.length > 0) return refused(drafted.refusals, reference);

		const earlier = firstWith.get(reference);
		if (earlier && earlier.payload !== payload) return submittedWithOtherValues(reference);
		if (earlier && drafted.ifAlreadySubmitted === 'fail') {
			return twiceInOneRun(reference, earlier.itemIndex);
		}
		if (earlier && drafted.ifAlreadySubmitted === 'skip') return skipped(reference);

		const entry = { itemIndex, reference, payload, body, draft: drafted };
		firstWith.set(reference, entry);
		return entry;
	}
}

export const isEntry = (checked: Result | Entry): checked is Entry => 'draft' in checked;
