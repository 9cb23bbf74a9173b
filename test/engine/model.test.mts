import fc from 'fast-check';

import { faultKinds, type FaultRule } from '../../sandbox/server.mts';
import {
	credentialsFor,
	useEngine,
	type Engine,
	type Ran,
	type RunOptions,
} from '../support/engine/engine.mts';
import { edited } from '../support/engine/changedContext.mts';
import { startProcess, type Process } from '../support/engine/processes.mts';
import { watch } from '../support/watch.mts';
import { times } from '../support/quick.mts';
import { onErrors } from '../support/engine/submitting.mts';
import { toldBy, type Told } from '../support/told.mts';
import { fromItem, submitting } from '../support/transactions.mts';

const { engine, sandbox } = useEngine();

type Choice = 'stop' | 'skip' | 'submitUnknownAgain' | 'submitAgain';
type Outcome = Told['outcome'];

/** One list, submitted by one of two processes. */
interface Submission {
	process: 0 | 1;
	items: Array<{ reference: string; amount: number }>;
	choice: Choice;
	onError: (typeof onErrors)[number];
	retryOnFail: boolean;
	parallelRequests: number;
}

/** What happens at the same time. */
interface Round {
	submissions: Submission[];
	faults: Array<FaultRule | undefined>;
	/** The first one's process stops existing after so many steps out of it. */
	death?: number;
	blip?: Engine['processedData']['blip'];
}

/**
 * What the claims may have of a reference: nothing, that it was accepted, that nobody can say, or a claim so young that
 * its owner might still send it.
 */
type State = 'free' | 'accepted' | 'doubt' | 'claimed';

/** The model. What a run tells of a reference, by what is known of it; what is sent may become anything. */
const mustTell: Record<State, Record<Choice, Outcome | 'sent'>> = {
	free: { stop: 'sent', skip: 'sent', submitUnknownAgain: 'sent', submitAgain: 'sent' },
	accepted: {
		stop: 'skipped',
		skip: 'skipped',
		submitUnknownAgain: 'skipped',
		submitAgain: 'sent',
	},
	doubt: { stop: 'unknown', skip: 'unknown', submitUnknownAgain: 'sent', submitAgain: 'sent' },
	claimed: {
		stop: 'unknown',
		skip: 'unknown',
		submitUnknownAgain: 'unknown',
		submitAgain: 'sent',
	},
};

/** What it tells of one that it did not reach before it stopped. */
const lookedUp: Record<State, Outcome> = {
	free: 'notSent',
	accepted: 'skipped',
	doubt: 'unknown',
	claimed: 'unknown',
};

function mayBeTold(
	state: State,
	choice: Choice,
	isCalm: boolean,
	hasSameValues: boolean,
): Outcome[] {
	const told = mustTell[state][choice];
	if (told !== 'sent') return hasSameValues ? [told] : [told, 'notSent'];
	return isCalm ? ['accepted'] : ['accepted', 'rejected', 'notSent', 'unknown', lookedUp[state]];
}

function mayBeSent(
	states: Set<State>,
	submissions: Submission[],
	reference: string,
	isStruck: boolean,
): number {
	const has = ({ items }: Submission) =>
		items.filter((item) => item.reference === reference).length;
	const by = (choice: Choice) => submissions.filter((one) => one.choice === choice && has(one) > 0);
	const again = by('submitUnknownAgain');
	const isFirst = states.has('free') && [...again, ...by('stop'), ...by('skip')].length > 0;
	const isTakenOver = states.has('doubt') && again.length > 0;
	// One of them may have come when the other had ended, and was told that nobody can say.
	const isLater = submissions.length > 1 && isStruck;
	const repeated = by('submitAgain').reduce((sum, one) => sum + has(one), 0);
	return repeated + Number(isFirst || isTakenOver) + (isLater ? again.length : 0);
}

function statesAfter(before: Set<State>, isAdded: boolean, told: Outcome | 'notSure'): Set<State> {
	if (told === 'accepted') return new Set(['accepted']);
	// A first attempt may be repeated at once, a later one when it is old.
	if (told === 'unknown') return new Set(['doubt', 'claimed']);
	if (told !== 'notSure') return before;
	const remembered = [...before].filter((state) => state !== 'free' || !isAdded);
	const accepted = isAdded ? ['accepted' as const] : [];
	return new Set<State>([...remembered, 'doubt', 'claimed', ...accepted]);
}

interface Model {
	states: Map<string, Set<State>>;
	amounts: Map<string, number[]>;
	waited: number;
	/** A run that stopped, which somebody may retry. */
	stopped?: Submission;
}

interface Real {
	processes: [Process, Process];
	/** By how many minutes the clocks are ahead of when it all began. */
	ahead: number;
	stopped?: Ran;
}

const processAt = (ahead: number) => startProcess(engine, undefined, { ahead });

const runOf = ({
	items,
	choice,
	onError,
	retryOnFail,
	parallelRequests,
}: Submission): RunOptions => ({
	parameters: submitting('sell', {
		...fromItem('reference', 'amount'),
		options: { ifAlreadySubmitted: choice, parallelRequests },
	}),
	credentials: credentialsFor(sandbox),
	items,
	node: { onError, retryOnFail, maxTries: 3 },
});

/** Lets it happen and compares. */
async function play(
	{ submissions, faults, death, blip }: Round,
	model: Model,
	real: Real,
	retry?: Partial<RunOptions>,
): Promise<void> {
	faults.forEach((rule, skip) => rule && sandbox.fault({ ...rule, on: 'sell', skip }));
	engine.processedData.blip = blip && { ...blip };
	const dying = submissions[0]!.process;
	let left = death;
	if (left !== undefined) real.processes[dying].dieWhen(() => left!-- <= 0);
	const before = { ledger: sandbox.transactions().length, requests: sandbox.requests().length };
	const broken = watch(sandbox);
	const rans = await Promise.all(
		submissions.map(
			async (one) => await real.processes[one.process].run({ ...runOf(one), ...retry }),
		),
	);
	engine.processedData.blip = undefined;
	if (death !== undefined) real.processes[dying] = processAt(real.ahead);

	const told = rans.flatMap((ran) => (ran ? toldBy(ran) : []));
	const isAlive = rans.every((ran) => ran !== undefined);
	const wrong = broken(told, { duplicates: true, killed: !isAlive });
	const added = sandbox.transactions().slice(before.ledger);
	const requests = sandbox.requests().slice(before.requests);
	const isAlone = isAlive && blip === undefined && submissions.length === 1;
	const { choice, onError } = submissions[0]!;
	const isStruck = requests.some((request) => request.fault);
	const isCalm = !isStruck && onError !== 'stopWorkflow';

	const items = submissions.flatMap((one) => one.items);
	for (const reference of new Set(items.map((item) => item.reference))) {
		const states = model.states.get(reference) ?? new Set<State>(['free']);
		const amounts = items.flatMap((item) => (item.reference === reference ? [item.amount] : []));
		const amountsBefore = model.amounts.get(reference) ?? [];
		const times = added.filter((one) => one.reference === reference).length;
		const most = mayBeSent(states, submissions, reference, isStruck);
		if (times > most) wrong.push(`${reference} was sent ${times} times, and ${most} allowed`);

		const outcome = told.find((one) => one.reference === reference)?.outcome ?? 'notSent';
		const isSure = isAlone && amounts.length === 1;
		const hasSameValues = amountsBefore.every((amount) => amount === amounts[0]);
		const allowed = [...states].flatMap((state) => mayBeTold(state, choice, isCalm, hasSameValues));
		const isTold = told.some((one) => one.reference === reference);
		if (isSure && isTold && !retry && !allowed.includes(outcome)) {
			wrong.push(`${reference} was told as ${outcome}, and not as ${allowed.join(' or ')}`);
		}
		// A retry tells again what an earlier try was told, and that changes nothing.
		const isReplay = retry && isSure && times === 0 && outcome === 'accepted';
		const isNew = isSure && !(retry && outcome === 'unknown');
		model.amounts.set(reference, [...amountsBefore, ...amounts]);
		model.states.set(
			reference,
			isReplay ? states : statesAfter(states, times > 0, isNew ? outcome : 'notSure'),
		);
	}
	const index = rans.findIndex((ran) => ran?.error);
	real.stopped = rans[index];
	model.stopped = submissions[index];
	expect(wrong).toEqual([]);
}

type Command = fc.AsyncCommand<Model, Real>;

const submit = (round: Round): Command => ({
	check: () => true,
	run: async (model, real) => await play(round, model, real),
	toString: () => `submit(${JSON.stringify(round)})`,
});

const retry = (process: 0 | 1, correction: { amount?: number }): Command => ({
	check: ({ stopped }) => stopped !== undefined,
	run: async (model, real) => {
		const retryOf = edited(real.stopped!.run, correction);
		const items = model.stopped!.items.map((item) => ({ ...item, ...correction }));
		const submissions = [{ ...model.stopped!, process, items }];
		await play({ submissions, faults: [] }, model, real, { retryOf });
	},
	toString: () => `retry(${process}, ${JSON.stringify(correction)})`,
});

const restart = (process: 0 | 1): Command => ({
	check: () => true,
	run: async (_, real) => {
		real.processes[process] = processAt(real.ahead);
	},
	toString: () => `restart(${process})`,
});

/** Until every claim is old. After two hours old ones would look young once more. */
const wait = (): Command => ({
	check: ({ waited }) => waited < 4,
	run: async (model, real) => {
		model.waited++;
		real.ahead += 25;
		real.processes = [processAt(real.ahead), processAt(real.ahead)];
		for (const states of model.states.values()) if (states.delete('claimed')) states.add('doubt');
	},
	toString: () => 'wait()',
});

const process = fc.constantFrom(0 as const, 1 as const);
const amount = fc.constantFrom(15000, 15000, 15000, 16000);
const fault = fc.option(
	fc
		.constantFrom(...faultKinds.filter(({ delayMs }) => delayMs === 0))
		.chain(({ kind, accepts, choosable }) =>
			fc.record({
				kind: fc.constant(kind),
				accept: choosable ? fc.boolean() : fc.constant(accepts),
			}),
		),
	{ nil: undefined, freq: 2 },
);
const submission: fc.Arbitrary<Submission> = fc.record({
	process,
	items: fc.array(fc.record({ reference: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), amount }), {
		minLength: 1,
		maxLength: 7,
	}),
	choice: fc.constantFrom('stop', 'skip', 'submitUnknownAgain', 'submitAgain'),
	onError: fc.constantFrom(...onErrors),
	retryOnFail: fc.boolean(),
	parallelRequests: fc.constantFrom(1, 1, 3),
});
const round: fc.Arbitrary<Round> = fc.record({
	submissions: fc.array(submission, { minLength: 1, maxLength: 2 }),
	faults: fc.array(fault, { maxLength: 8 }),
	death: fc.option(fc.nat(40), { nil: undefined, freq: 3 }),
	blip: fc.option(
		fc.record({
			call: fc.integer({ min: 1, max: 25 }),
			when: fc.constantFrom('before' as const, 'after' as const),
		}),
		{ nil: undefined, freq: 3 },
	),
});

it('does what the model says through any sequence of submissions, faults, kills, retries, corrections and waits', async () => {
	const commands = fc.commands<Model, Real, false>(
		[
			round.map(submit),
			round.map(submit),
			fc.tuple(process, fc.record({ amount }, { requiredKeys: [] })).map((one) => retry(...one)),
			process.map(restart),
			fc.constant(undefined).map(wait),
		],
		{ maxCommands: 12 },
	);
	await fc.assert(
		fc.asyncProperty(commands, async (sequence) => {
			sandbox.reset();
			engine.processedData.clear();
			const model: Model = { states: new Map(), amounts: new Map(), waited: 0 };
			const real: Real = { processes: [processAt(0), processAt(0)], ahead: 0 };
			await fc.asyncModelRun(() => ({ model, real }), sequence);
		}),
		{ numRuns: times(60) },
	);
}, 180_000);
