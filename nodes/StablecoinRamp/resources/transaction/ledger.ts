import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

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
	claim(claims: readonly Claim[]): Promise<ClaimVerdict[]>;
	/**
	 * Ends the run: releases the claims under which nothing can have moved, and keeps the others. Tells whether that
	 * worked, and never throws: what the run has found out by now must not get lost.
	 */
	close(released: readonly Claim[]): Promise<boolean>;
	/** Why n8n's database takes no claims, once that is known. */
	unavailable(): string | undefined;
}

/** How many references a node remembers; the oldest go first. Each takes two records. */
export const rememberedReferences = 10_000;

const records = { mode: 'entries', maxEntries: rememberedReferences * 2 } as const;

const referenceRecord = ({ reference }: Claim) => `reference ${reference}`;
const payloadRecord = ({ reference, payload }: Claim) => `payload ${payload} ${reference}`;
const bothRecords = (claim: Claim) => [referenceRecord(claim), payloadRecord(claim)];

/** Claims references in n8n's own database, which keeps them across executions, restarts and workers. */
export function openLedger(context: IExecuteFunctions): Ledger {
	const node = `${context.getWorkflow().id ?? ''} ${context.getNode().id}`;
	const own = executionRecords(context);
	const mine = new Set<string>();
	let unavailable: string | undefined;

	return {
		claim: async (claims) =>
			await inTurn(node, async () => {
				const before = await record(claims);
				const verdicts = claims.map((claim): ClaimVerdict => {
					const flying = inFlight.get(flightOf(claim));
					if (flying !== undefined) return flying === claim.payload ? 'submitted' : 'otherPayload';
					if (!before.has(referenceRecord(claim))) return 'new';
					return before.has(payloadRecord(claim)) ? 'submitted' : 'otherPayload';
				});
				const withVerdict = (wanted: ClaimVerdict) =>
					claims.filter((_, index) => verdicts[index] === wanted);
				for (const claim of withVerdict('new')) {
					inFlight.set(flightOf(claim), claim.payload);
					mine.add(flightOf(claim));
				}
				// A record that could not be taken back does no harm: the reference is refused with or without it.
				await forget(withVerdict('otherPayload').map(payloadRecord));
				return verdicts;
			}),
		close: async (released) => {
			const done = await inTurn(node, async () => await forget(released.flatMap(bothRecords)));
			mine.forEach((flight) => inFlight.delete(flight));
			return done;
		},
		unavailable: () => unavailable,
	};

	function flightOf({ reference }: Claim): string {
		return `${node} ${reference}`;
	}

	async function record(claims: readonly Claim[]): Promise<Set<string>> {
		const wanted = claims.flatMap(bothRecords);
		if (unavailable) return own.record(wanted);
		try {
			const { processed } = await context.helpers.checkProcessedAndRecord(wanted, 'node', records);
			return new Set(processed.map(String));
		} catch (thrown) {
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
			else await context.helpers.removeProcessed(forgotten, 'node', records);
			return true;
		} catch {
			return false;
		}
	}
}

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

const turns = new Map<string, Promise<unknown>>();

/** n8n reads and writes its records in two steps, so the executions in this process take turns. */
async function inTurn<T>(node: string, work: () => Promise<T>): Promise<T> {
	const mine = (turns.get(node) ?? Promise.resolve()).then(work, work);
	turns.set(node, mine);
	try {
		return await mine;
	} finally {
		if (turns.get(node) === mine) turns.delete(node);
	}
}

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
