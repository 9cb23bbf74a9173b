import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { endpoints, type TransactionOperation } from '../service/endpoints';
import { sendRequest } from '../service/sendRequest';
import type { Entry } from './check';
import type { Draft } from './draft';
import type { Again, Known, Records } from './records';
import { isMade } from './reference';
import { newMoment, type Register } from './register';
import {
	alreadyAccepted,
	awaitingAnswer,
	isSetback,
	knownBefore,
	mayHaveMoved,
	notLookedUp,
	notRecorded,
	notStarted,
	resultOf,
	sameAs,
	stillClaimed,
	toolSubmittedBefore,
	type Result,
} from './result';
import type { Settings } from './settings';
import type { Tries } from './tries';

export interface Run {
	context: IExecuteFunctions;
	operation: TransactionOperation;
	settings: Settings;
	records: Records;
	register?: Register;
	tries: Tries;
	continueOnFail: boolean;
	results: Map<Entry, Result>;
	hadSetback: boolean;
}

/** An entry that this run has claimed. */
interface Held {
	entry: Entry;
	attempt: number;
	/** When it was entered in the register. */
	moment: string;
}

/**
 * Claims, sends and settles, chunk by chunk. While one chunk is sent, the next is claimed and the last is settled.
 * Nothing of a chunk is sent before all of it is claimed. After a setback nothing further is started, unless Continue
 * On Fail is set. Gives those that could not be settled, because n8n's database did not answer.
 */
export async function sendEntries(run: Run, entries: Entry[]): Promise<Entry[]> {
	const chunks = inChunks(
		entries.filter((entry) => !entry.sameAs),
		run.settings.parallelRequests,
	);
	let held: Held[] = [];
	let open: Held[] = [];
	for (const next of [...chunks, []]) {
		const turning = turn(run, open, next);
		await sendChunk(run, held);
		const { claimed, unsettled } = await turning;
		open = [...unsettled, ...held];
		held = claimed.filter(isHeld);
		for (const one of claimed) if (!isHeld(one)) note(run, one.entry, one.result);
		if (isStopped(run)) break;
	}
	open.push(...held);
	// Twice, because the database may have been away for a moment only.
	for (let time = 0; time < 2; time++) open = (await turn(run, open)).unsettled;
	await run.register?.finish();

	for (const { entry } of open) {
		const result = resultIn(run, entry);
		// What may have moved says already what to do.
		if (isSetback(result) && !mayHaveMoved(result)) run.results.set(entry, stillClaimed(result));
	}
	await lookUpTheRest(run, chunks.flat());
	for (const entry of entries) {
		const earlier = entry.sameAs && run.results.get(entry.sameAs);
		if (!earlier) continue;
		const result = sameAs(earlier, entry.sameAs!.itemIndex);
		run.results.set(entry, result);
		run.tries.keep(entry.itemIndex, result);
	}
	return open.map(({ entry }) => entry);
}

const chunk = { least: 5, most: 50, shareOfRun: 1 / 20 };

/** Small, because what is claimed and not settled when a process is killed has to be looked up by a person. */
function inChunks(entries: Entry[], parallelRequests: number): Entry[][] {
	const share = Math.min(Math.ceil(entries.length * chunk.shareOfRun), chunk.most);
	const size = Math.max(parallelRequests, chunk.least, share);
	return Array.from({ length: Math.ceil(entries.length / size) }, (_, index) =>
		entries.slice(index * size, (index + 1) * size),
	);
}

const isStopped = ({ context, continueOnFail, hadSetback }: Run) =>
	(hadSetback && !continueOnFail) || context.getExecutionCancelSignal()?.aborted === true;

function note(run: Run, entry: Entry, result: Result): void {
	run.results.set(entry, result);
	run.hadSetback ||= isSetback(result);
}

const resultIn = ({ results }: Run, entry: Entry) =>
	results.get(entry) ?? notStarted(entry.reference);

/** Settles what was sent, and claims what comes next. Both go into the register together, which is faster. */
async function turn(
	run: Run,
	sent: Held[],
	next: Entry[] = [],
): Promise<{ unsettled: Held[]; claimed: Claimed[] }> {
	const [unsettled, claimed] = await Promise.all([settle(run, sent), claimChunk(run, next)]);
	return { unsettled, claimed: await enter(run, sent, claimed) };
}

/** Nothing is sent that is not in the register: where that does not work, the claims are released. */
async function enter(run: Run, sent: Held[], claimed: Claimed[]): Promise<Claimed[]> {
	const { register, records } = run;
	if (!register) return claimed;
	try {
		await register.write([
			...claimed.filter(isHeld).map(({ entry, moment }) => register.sending(entry, moment)),
			...sent.map(({ entry, moment }) => register.settled(entry, moment, resultIn(run, entry))),
		]);
		return claimed;
	} catch (thrown) {
		return await Promise.all(
			claimed.map(async (one) => {
				if (!isHeld(one)) return one;
				const { entry, attempt } = one;
				const failed = await records.release(entry, attempt).catch((error: unknown) => error);
				return { entry, result: notRecorded(entry.reference, failed ?? thrown) };
			}),
		);
	}
}

type Choice = Draft['ifAlreadySubmitted'];

const againBy: Record<Choice, Again> = {
	fail: 'never',
	skip: 'never',
	submitUnknownAgain: 'ifUnknown',
	submitAgain: 'always',
};

/** An entry that is not this run's to send has its result. */
type Claimed = Held | { entry: Entry; result: Result };

const isHeld = (one: Claimed): one is Held => 'attempt' in one;

async function claimChunk(run: Run, entries: Entry[]): Promise<Claimed[]> {
	const { records, register } = run;
	const moment = newMoment();
	const unsure = entries.filter(({ draft }) => draft.ifAlreadySubmitted === 'submitUnknownAgain');
	const found = register?.accepted(unsure.map(({ reference }) => reference));
	const known: Array<[Entry, Known]> = [];
	const claimOne = async (entry: Entry): Promise<Claimed[]> => {
		try {
			const isFound = unsure.includes(entry) && (await found)?.has(entry.reference);
			const again = isFound ? 'never' : againBy[entry.draft.ifAlreadySubmitted];
			const claim = await records.claim(entry, again);
			if (claim.isMine) return [{ entry, attempt: claim.attempt, moment }];
			known.push([entry, claim.known]);
			return [];
		} catch (thrown) {
			return [{ entry, result: notRecorded(entry.reference, thrown) }];
		}
	};
	const claimed = (await Promise.all(entries.map(claimOne))).flat();
	const told = (await withAnswers(run, known)).map(([entry, one, answer]) => ({
		entry,
		result: heldByAnother(run, entry, one, answer),
	}));
	return [...claimed, ...told];
}

/** With what the service answered when it accepted these, where there is a register. */
async function withAnswers(
	{ register }: Run,
	known: Array<[Entry, Known]>,
): Promise<Array<[Entry, Known, IDataObject?]>> {
	const references = known.map(([{ reference }]) => reference);
	// Without it a reference is still told for what it is.
	const accepted = await register?.accepted(references).catch(() => undefined);
	return known.map(([entry, one]) => {
		const found = accepted?.get(entry.reference);
		if (!found) return [entry, one];
		// A person may have found it on the dashboard, and written that into the register.
		const amount = Number(entry.body.amount);
		const isSameAmount = (found.amount ?? amount) === amount;
		const hasSameValues = one.hasSameValues && isSameAmount;
		return [entry, { ...one, state: 'accepted', hasSameValues }, found.answer];
	});
}

function heldByAnother(run: Run, entry: Entry, known: Known, answer?: IDataObject): Result {
	const { operation, settings } = run;
	const { reference, draft } = entry;
	const isDone = known.state === 'accepted' && known.hasSameValues;
	const setback = knownBefore(reference, known, answer);
	if (settings.isTool && isMade(reference)) return toolSubmittedBefore(operation, setback);
	// A reference that the node has made can only come again in a retry of the same execution.
	const mayPass = draft.ifAlreadySubmitted !== 'fail' || isMade(reference);
	return isDone && mayPass ? alreadyAccepted(reference, answer, draft.simplify) : setback;
}

async function sendChunk(run: Run, held: Held[]): Promise<void> {
	const waiting = held.map(({ entry }) => entry);
	const work = async (): Promise<void> => {
		while (waiting.length > 0 && !isStopped(run)) {
			const entry = waiting.shift()!;
			note(run, entry, await send(run, entry));
		}
	};
	await Promise.all(Array.from({ length: run.settings.parallelRequests }, work));
}

async function send({ context, operation, settings, tries }: Run, entry: Entry): Promise<Result> {
	const { itemIndex, reference, body } = entry;
	const { credentials, requestOptions } = settings;
	// From here on the service may have it, whatever happens in this process.
	tries.keep(itemIndex, awaitingAnswer(operation, reference));
	const reply = await sendRequest(
		withoutCancelling(context),
		credentials,
		endpoints.transaction[operation],
		{ ...requestOptions, body },
	);
	const result = resultOf(reply, operation, entry, credentials.secretKey);
	tries.keep(itemIndex, result);
	return result;
}

/** Cancelling an execution stops before the next item; to cut off the one under way would leave its outcome unknown. */
const withoutCancelling = (context: IExecuteFunctions): IExecuteFunctions =>
	Object.create(context, {
		getExecutionCancelSignal: { value: () => undefined },
	}) as IExecuteFunctions;

/** Records what became of each, and gives those for which that did not work. */
async function settle(run: Run, held: Held[]): Promise<Held[]> {
	const { records } = run;
	const settled = await Promise.allSettled(
		held.map(async ({ entry, attempt }) => {
			const { outcome } = resultIn(run, entry);
			if (outcome === 'accepted' || outcome === 'unknown') {
				await records.settle(entry, attempt, outcome);
			} else {
				await records.release(entry, attempt);
			}
		}),
	);
	return held.filter((_, index) => settled[index]!.status === 'rejected');
}

const lookedUpAtOnce = 100;

/** When a run stops, each reference that it did not reach is told for what it is. */
async function lookUpTheRest(run: Run, entries: Entry[]): Promise<void> {
	const { records, results, context } = run;
	const rest = entries.filter((entry) => !results.has(entry));
	while (rest.length > 0) {
		const isEnded = context.getExecutionCancelSignal()?.aborted === true;
		const known: Array<[Entry, Known]> = [];
		await Promise.all(
			rest.splice(0, lookedUpAtOnce).map(async (entry) => {
				results.set(entry, notStarted(entry.reference));
				try {
					const found = isEnded ? undefined : await records.lookUp(entry);
					if (found) known.push([entry, found]);
				} catch (thrown) {
					results.set(entry, notLookedUp(entry.reference, thrown));
				}
			}),
		);
		for (const [entry, one, answer] of await withAnswers(run, known)) {
			results.set(entry, knownBefore(entry.reference, one, answer));
		}
	}
}

export const hasMoved = ({ results }: Run, entry: Entry) => {
	const result = results.get(entry);
	return result !== undefined && mayHaveMoved(result);
};
