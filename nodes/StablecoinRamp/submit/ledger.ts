import { randomUUID } from 'crypto';
import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

import { inTurn, othersHaveWritten, recordTogether, seeOthers, seesOthers } from './turns';

/** A reference, and a fingerprint of what is sent under it. */
export interface Claim {
	reference: string;
	payload: string;
}

/**
 * - new: claimed now, by this run
 * - submitted: claimed before, with the same payload
 * - otherPayload: claimed before, with another payload
 */
export type ClaimVerdict = 'new' | 'submitted' | 'otherPayload';

export interface Ledger {
	/** Where this throws, nothing may be sent under these claims. The next call takes the same ones up again. */
	claim(claims: readonly Claim[]): Promise<ClaimVerdict[]>;
	/**
	 * Ends the run: releases the claims under which nothing can have moved, and keeps the others. Tells whether that
	 * worked, and never throws: what the run has found out by now must not get lost.
	 */
	close(released: readonly Claim[]): Promise<boolean>;
	/** Why n8n's database takes no claims, once that is known. */
	unavailable(): string | undefined;
}

/** A claim under way, also one that was interrupted. */
interface Attempt {
	/** The record that is its alone. */
	write: string;
	verdicts: Map<Claim, ClaimVerdict>;
	isRecorded: boolean;
}

/** How many references a node remembers; the oldest go first. Each takes two records, and one for its write. */
export const rememberedReferences = 10_000;

const records = { mode: 'entries', maxEntries: rememberedReferences * 3 } as const;

const referenceRecord = ({ reference }: Claim) => `reference ${reference}`;
const payloadRecord = ({ reference, payload }: Claim) => `payload ${payload} ${reference}`;
const bothRecords = (claim: Claim) => [referenceRecord(claim), payloadRecord(claim)];

/**
 * Claims references in n8n's own database, which keeps them across executions, restarts and workers.
 *
 * n8n reads all records of a node, then writes them all back, so two workers can overwrite each other's. A claim
 * therefore carries a record that is its alone, and is looked at again when whoever had read before it has written:
 * - its own record is there: the claim has lasted, and whoever reads from now on finds it
 * - its own record is gone, its reference is there: another worker has claimed the same reference
 * - both are gone: another worker has overwritten the claim, which looking at it has made anew
 */
export function openLedger(context: IExecuteFunctions): Ledger {
	const node = `${context.getWorkflow().id ?? ''} ${context.getNode().id}`;
	const own = executionRecords(context);
	const mine = new Map<string, Claim>();
	const writes = new Map<string, readonly Claim[]>();
	let begun: Attempt | undefined;
	let unavailable: string | undefined;

	return {
		claim: async (claims) => {
			begun ??= { write: `write ${randomUUID()}`, verdicts: new Map(), isRecorded: false };
			const { verdicts } = begun;
			const open = claims.filter((claim) => {
				if (verdicts.has(claim)) return false;
				const flying = inFlight.get(flightOf(claim));
				if (flying === undefined) takeOff(claim);
				else verdicts.set(claim, flying === claim.payload ? 'submitted' : 'otherPayload');
				return flying === undefined;
			});
			await claimInDatabase(open, begun);
			begun = undefined;
			return claims.map((claim) => verdicts.get(claim)!);
		},
		close: async (released) => {
			const gone = new Set(released.map(flightOf));
			const kept = new Set([...mine.values()].filter((claim) => !gone.has(flightOf(claim))));
			// Left behind, they would push the oldest references out whenever known ones are submitted again.
			const unused = [...writes].filter(([, claims]) => !claims.some((claim) => kept.has(claim)));
			const done = await forget([
				...[...released, ...(await recordedInVain())].flatMap(bothRecords),
				...unused.map(([write]) => write),
			]);
			if (kept.size > 0 && seesOthers()) {
				await record([...kept].flatMap(bothRecords)).catch(() => {});
			}
			land([...mine.values()]);
			return done;
		},
		unavailable: () => unavailable,
	};

	async function claimInDatabase(claims: readonly Claim[], attempt: Attempt): Promise<void> {
		const { write, verdicts } = attempt;
		let open = claims;
		try {
			for (let look = 0; open.length > 0; look++) {
				if (attempt.isRecorded) await othersHaveWritten();
				const known = await record([...open.flatMap(bothRecords), write]);
				if (known.has(write)) {
					if (attempt.isRecorded) break;
					// The database did so when it last did not answer, and has not told what was there before.
					throw new Error('It is not known whether the reference was recorded before');
				}
				if (attempt.isRecorded) seeOthers();
				else writes.set(write, claims);
				attempt.isRecorded = true;
				const taken = open.filter((claim) => known.has(referenceRecord(claim)));
				for (const claim of taken) {
					verdicts.set(claim, known.has(payloadRecord(claim)) ? 'submitted' : 'otherPayload');
				}
				open = open.filter((claim) => !verdicts.has(claim));
				if (unavailable) break;
				if (look === mostLooks) throw new Error('Too many workers record at the same time');
			}
		} catch (thrown) {
			land(claims);
			throw new NodeOperationError(context.getNode(), thrown as Error);
		}
		open.forEach((claim) => verdicts.set(claim, 'new'));
		land(claims.filter((claim) => verdicts.get(claim) !== 'new'));
		// A record that could not be taken back does no harm: the reference is refused with or without it.
		await forget(
			claims.filter((claim) => verdicts.get(claim) === 'otherPayload').map(payloadRecord),
		);
	}

	/** What an interrupted claim has recorded, and is not another worker's by now: nothing was sent under it. */
	async function recordedInVain(): Promise<Claim[]> {
		if (!begun?.isRecorded) return [];
		const { write, verdicts } = begun;
		const open = (writes.get(write) ?? []).filter((claim) => !verdicts.has(claim));
		try {
			const known = await record([...open.flatMap(bothRecords), write]);
			return open.filter((claim) => known.has(write) || !known.has(referenceRecord(claim)));
		} catch {
			return [];
		}
	}

	function flightOf({ reference }: Claim): string {
		return `${node} ${reference}`;
	}

	function takeOff(claim: Claim): void {
		inFlight.set(flightOf(claim), claim.payload);
		mine.set(flightOf(claim), claim);
	}

	function land(claims: readonly Claim[]): void {
		for (const flight of claims.map(flightOf)) {
			inFlight.delete(flight);
			mine.delete(flight);
		}
	}

	/** Those that were there before. */
	async function record(wanted: string[]): Promise<Set<string>> {
		if (unavailable) return own.record(wanted);
		try {
			return await recordTogether(node, wanted, async (together) => {
				const { processed } = await context.helpers.checkProcessedAndRecord(
					together,
					'node',
					records,
				);
				return new Set(processed.map(String));
			});
		} catch (thrown) {
			// Two workers made a node's first record, and the other one's is there now.
			if (/duplicate key|unique constraint/i.test(String((thrown as Error).message)))
				return await record(wanted);
			unavailable = whyUnavailable(context, thrown);
			if (unavailable === undefined)
				throw new NodeOperationError(context.getNode(), thrown as Error);
			return own.record(wanted);
		}
	}

	async function forget(forgotten: string[]): Promise<boolean> {
		if (forgotten.length === 0) return true;
		try {
			if (unavailable) own.forget(forgotten);
			else
				await inTurn(
					node,
					async () => await context.helpers.removeProcessed(forgotten, 'node', records),
				);
			return true;
		} catch {
			return false;
		}
	}
}

const mostLooks = 20;

/** Where n8n has no place for records, the execution keeps them, through its loops, tries and retries. */
function executionRecords(context: IExecuteFunctions) {
	const node = context.getContext('node') as { records?: string[] };
	return {
		/** Those that were there before. */
		record: (wanted: string[]): Set<string> => {
			const known = new Set(node.records);
			node.records = [...new Set([...known, ...wanted])];
			return new Set(wanted.filter((one) => known.has(one)));
		},
		forget: (forgotten: string[]): void => {
			const gone = new Set(forgotten);
			node.records = node.records?.filter((one) => !gone.has(one));
		},
	};
}

/** What this process has claimed and not settled, with its payload: holds also where n8n keeps no records. */
const inFlight = new Map<string, string>();

/** The cases in which n8n has no place for records; a database that merely does not answer is not one of them. */
function whyUnavailable(context: IExecuteFunctions, thrown: unknown): string | undefined {
	if (typeof context.helpers.checkProcessedAndRecord !== 'function') {
		return 'this version of n8n has no place for them';
	}
	const { code, message } = thrown as { code?: unknown; message?: unknown };
	if (code === 'ERR_ASSERTION' || /foreign key/i.test(String(message))) {
		return 'the workflow is not saved yet';
	}
	return undefined;
}
