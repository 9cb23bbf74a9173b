import { openClaims, type Earlier } from '../../../nodes/StablecoinRamp/submit/memory/claims.ts';
import { fingerprint } from '../../../nodes/StablecoinRamp/submit/memory/fingerprint.ts';
import type { Rows } from '../../../nodes/StablecoinRamp/submit/memory/rows.ts';
import type { Choice } from '../../../nodes/StablecoinRamp/submit/policy.ts';
import { sentAgainBy } from '../../support/claims/rounds.mts';
import { tell } from '../../support/figures.mts';
import { someOf } from '../../support/quick.mts';

// By hand: INTERLEAVINGS_FAULTS=2, or INTERLEAVINGS_PROCESSES=3.
const { INTERLEAVINGS_FAULTS = '1', INTERLEAVINGS_PROCESSES = '2' } = process.env;
const mostFaults = Number(INTERLEAVINGS_FAULTS);
const processCount = Number(INTERLEAVINGS_PROCESSES);

const minute = 60_000;
/** Not when a step of five minutes begins, so that nothing depends on a happy moment. */
const began = 1000 * 120 * minute + 3 * minute;
/** A request has ended by then. */
const longest = 4 * minute;
/** Its owner has begun to send it by then, or never does. */
const lease = 5 * minute;
/** So old is a claim that is taken over, at least, where clocks differ by five minutes. */
const oldEnough = 10 * minute;

const one = { referenceFingerprint: 'order', valuesFingerprint: 'values' };

/** What a process asks of the world: of the database, of time, of the service. */
type Question =
	| { ask: 'numberOf'; name: string }
	| { ask: 'insert'; name: string; number: number; isSettling: boolean }
	/** Its turn comes, now or later. */
	| { ask: 'turn' }
	/** Its request has left. */
	| { ask: 'answer'; attempt: number; claimedAt: number }
	/** It is done, or was refused. */
	| { ask: 'nothing'; refused?: Earlier };

type Became = 'accepted' | 'lost' | 'rejected';

interface Answer {
	given: number | boolean | Became | 'fails' | undefined;
	/** What its clock says from then on. */
	clock: number;
}

interface Asked {
	question: Question;
	/** Whether it has looked at its clock since the last answer. */
	hasLooked: boolean;
}

/** One process that submits the transaction, on the real claims: what it asks next after it was given these answers. */
async function asks(choice: Choice, answers: Answer[]): Promise<Asked> {
	const gone = new Error('gone');
	let at = 0;
	let clock = answers[0]!.clock;
	const isUnsure = choice === 'submitUnknownAgain';
	// What was there when it began depends on when that was.
	let hasLooked = isUnsure;
	let next: Question | undefined;
	const ask = async <T,>(question: Question): Promise<T> => {
		const answer = answers[++at];
		if (!answer) next ??= question;
		if (!answer || answer.given === 'fails') {
			clock = answer?.clock ?? clock;
			hasLooked &&= !answer;
			throw gone;
		}
		clock = answer.clock;
		hasLooked = false;
		return answer.given as T;
	};
	let isSettling = false;
	const rows: Rows = {
		numberOf: async (name) => await ask({ ask: 'numberOf', name }),
		insert: async (name, number = 1) => await ask({ ask: 'insert', name, number, isSettling }),
	};
	const claims = openClaims(rows, isUnsure ? clock : Infinity, () => {
		hasLooked ||= next === undefined;
		return clock;
	});
	try {
		const claim = await claims.claim(one, sentAgainBy(choice));
		// It may be a while until its turn comes.
		if (claim.isMine) await ask({ ask: 'turn' });
		const held = claim.isMine ? await claims.renew(one, claim, sentAgainBy(choice)) : claim;
		if (!held.isMine) return { question: { ask: 'nothing', refused: held.earlier }, hasLooked };
		const { attempt, claimedAt } = held;
		const became = await ask<Became>({ ask: 'answer', attempt, claimedAt });
		isSettling = true;
		const settle = async () =>
			became === 'rejected'
				? await claims.release(one, attempt)
				: await claims.settle(one, attempt, became === 'accepted' ? 'accepted' : 'unknown');
		// Twice, as the node does.
		await settle().catch(settle);
		return { question: { ask: 'nothing' }, hasLooked };
	} catch (thrown) {
		if (thrown !== gone) throw thrown;
		return { question: next ?? { ask: 'nothing' }, hasLooked };
	} finally {
		claims.close();
	}
}

/** A request that has left. */
interface Left {
	by: number;
	choice: Choice;
	attempt: number;
	claimedAt: number;
	at: number;
	/** What the service made of it. One that was rejected has moved nothing. */
	became?: Became;
}

interface Process extends Asked {
	choice: Choice;
	answers: Answer[];
	/** The answers as a text: they decide what it asks next. */
	key: string;
	/** By how much its clock is ahead; and was, when it last looked at it. */
	offset: number;
	offsetThen: number;
	/** What time it really was, by what its clock said. */
	readings: Record<number, number>;
	/** When it last read a row. */
	readAt: number;
	/** When it began, and what there was then. */
	begin?: { at: number; accepted: number; attempts: number };
}

interface World {
	now: number;
	faults: number;
	rows: Record<string, number>;
	/** When an attempt was settled as accepted. */
	acceptedAt: Record<number, number>;
	left: Left[];
	processes: Process[];
}

const shortNames = new Map<string, number>();
const shortName = (row: string): number => {
	if (!shortNames.has(row)) shortNames.set(row, shortNames.size);
	return shortNames.get(row)!;
};

const rowNames = new Map<string, string>();
function rowOf(attempt: number, what: string): string {
	const name = `${attempt} ${what}`;
	const row =
		rowNames.get(name) ?? fingerprint([one.referenceFingerprint, attempt, what, undefined]);
	rowNames.set(name, row);
	return row;
}

/** How many attempts there are, and which of them everybody who begins now knows as accepted, if any. */
function knownIn({ rows }: World): { attempts: number; accepted: number } {
	let [attempts, latest] = [0, 0];
	while (rowOf(attempts + 1, 'claim') in rows) {
		attempts++;
		if (!(rowOf(attempts, 'released') in rows)) latest = attempts;
	}
	return { attempts, accepted: rowOf(latest, 'accepted') in rows ? latest : 0 };
}

const isInFlight = ({ now }: World, { at, became }: Left) =>
	became === undefined && now < at + longest;

/** What a request that leaves breaks: nothing may have moved, unless somebody wanted to send it all the same. */
function brokenBy(world: World, by: number, attempt: number): string[] {
	const { choice, begin, readAt } = world.processes[by]!;
	const { acceptedAt } = world;
	if (choice === 'submitAgain') return [];
	return world.left.flatMap((earlier) => {
		const hasMoved = earlier.became !== 'rejected';
		// Somebody wanted to send it once more, after this one was claimed or before.
		const isOnPurpose =
			(earlier.choice === 'submitAgain' && earlier.attempt > attempt) ||
			(attempt > earlier.attempt + 1 &&
				world.processes.some((other) => other.choice === 'submitAgain'));
		const wasAccepted =
			choice === 'submitUnknownAgain' &&
			begin!.accepted === earlier.attempt &&
			begin!.attempts === attempt - 1;
		// It was there for minutes when this one has read the rows.
		const isSettled = acceptedAt[earlier.attempt]! < readAt;
		// A person has looked before it began.
		const isLookedFor = begin!.at >= earlier.claimedAt + oldEnough;
		const isAllowed = choice === 'submitUnknownAgain' && isLookedFor && !isInFlight(world, earlier);
		return hasMoved && (wasAccepted || (!isOnPurpose && (isSettled || !isAllowed)))
			? [`${by} sends what ${earlier.by} has sent`]
			: [];
	});
}

/** What a refusal says and is not so. */
function falseIn(world: World, by: number, known: Earlier): string[] {
	const { attempt, state, hasSameValues, lookFrom } = known;
	const { left, now, processes } = world;
	const { offsetThen: offset } = processes[by]!;
	const says = (isSo: boolean) => (isSo ? [] : [`${by} says ${JSON.stringify(known)}`]);
	if (state === 'accepted') return says(left.some(({ became }) => became === 'accepted'));
	if (state === 'unknown') return says(left.some(({ became }) => became !== 'rejected'));
	// What is said of times is worth as much as the clocks are.
	if (processes.some((process) => process.offset > lease)) return [];
	const claims = left.filter((request) => request.attempt === attempt);
	return says(
		state === 'claimed' &&
			hasSameValues &&
			(lookFrom === undefined
				? claims.every((claim) => now >= claim.claimedAt + oldEnough && !isInFlight(world, claim))
				: // Who looks then finds whatever was sent under that claim, and does not wait for long.
					lookFrom - offset <= now + 25 * minute &&
					claims.every(({ claimedAt }) => lookFrom - offset >= claimedAt + lease + longest)),
	);
}

const remembered = new Map<string, Promise<Asked>>();
const whatIsAsked = async ({ choice, key, answers }: Process, answer: Answer): Promise<Asked> => {
	const name = `${choice} ${keyAfter(key, answer)}`;
	if (!remembered.has(name)) remembered.set(name, asks(choice, [...answers, answer]));
	return await remembered.get(name)!;
};

const keyAfter = (key: string, { given, clock }: Answer) => `${key} ${given} ${clock - began}`;

interface Next {
	name: string;
	world: World;
	hasLooked: boolean;
}

/** The world after a process was given an answer. */
async function answered(
	world: World,
	by: number,
	name: string,
	given: Answer['given'],
): Promise<Next> {
	const { now } = world;
	const left = [...world.left];
	const process = { ...world.processes[by]! };
	const processes = world.processes.with(by, process);
	const after = { ...world, left, processes };
	const clock = now + process.offset;
	const asked = await whatIsAsked(process, { given, clock });
	// Who has not looked at the clock knows nothing of it: worlds that differ in that alone are the same.
	const last = { given, clock: asked.hasLooked ? clock : began };
	process.key = keyAfter(process.key, last);
	Object.assign(process, asked, { answers: [...process.answers, last] });
	process.begin ??= { at: now, ...knownIn(world) };
	if (asked.hasLooked) {
		process.offsetThen = process.offset;
		process.readings = { ...process.readings, [clock]: now };
	}
	const { question } = asked;
	const broken: string[] = [];
	if (question.ask === 'answer') {
		const { attempt } = question;
		broken.push(...brokenBy(after, by, attempt));
		const claimedAt = process.readings[question.claimedAt]!;
		const isLate = process.offset < lease && now >= claimedAt + lease;
		if (isLate) broken.push(`${by} sends what it has claimed five minutes ago`);
		left.push({ by, choice: process.choice, attempt, claimedAt, at: now });
	}
	if (question.ask === 'nothing') {
		if (question.refused) broken.push(...falseIn(after, by, question.refused));
		process.answers = [];
	}
	if (broken.length > 0) throw new Error(`${broken.join(', ')}: ${JSON.stringify(after)}`);
	return { name, world: after, hasLooked: asked.hasLooked };
}

const reading = (world: World, by: number): World => ({
	...world,
	processes: world.processes.with(by, { ...world.processes[by]!, readAt: world.now }),
});

function writing(world: World, name: string, number: number): World {
	const { rows, acceptedAt, left, now } = world;
	const settled = left.find(({ attempt }) => rowOf(attempt, 'accepted') === name)?.attempt;
	return {
		...world,
		rows: { ...rows, [name]: number },
		acceptedAt: settled ? { ...acceptedAt, [settled]: now } : acceptedAt,
	};
}

/** Whatever a process can be answered. One that dies is one that is never answered: nobody else can tell. */
async function nextOf(world: World, by: number): Promise<Next[]> {
	const { question } = world.processes[by]!;
	const { rows, faults } = world;
	switch (question.ask) {
		case 'nothing':
			return [];
		case 'turn':
			return [await answered(world, by, `${by} goes on`, undefined)];
		case 'numberOf':
			return [await answered(reading(world, by), by, `${by} reads`, rows[question.name] ?? 0)];
		case 'answer': {
			const became = async (one: Became) => {
				const index = world.left.findIndex((request) => request.by === by && !request.became);
				const left = world.left.with(index, { ...world.left[index]!, became: one });
				return await answered({ ...world, left }, by, `${by} is ${one}`, one);
			};
			return [await became('accepted'), await became('lost'), await became('rejected')];
		}
		case 'insert': {
			const { name, number, isSettling } = question;
			const isNew = !(name in rows);
			const written = isNew ? writing(world, name, number) : world;
			const all = [await answered(written, by, `${by} inserts`, isNew)];
			// While it claims, a call that fails ends its run, which is the same as if it died there.
			if (!isSettling || faults === mostFaults) return all;
			for (const [when, then] of Object.entries({ before: world, after: written })) {
				const failing = { ...then, faults: faults + 1 };
				all.push(await answered(failing, by, `${by} fails ${when} its write`, 'fails'));
			}
			return all;
		}
	}
}

/** Clocks that differ by more than five minutes are beyond what a lease can bear, and Submit Unknown Again rests on it. */
function jumpsOf(world: World): Next[] {
	const { processes, now } = world;
	if (world.faults === mostFaults) return [];
	const faults = world.faults + 1;
	const isTimed = processes.some(({ choice }) => choice === 'submitUnknownAgain');
	// Whether a lease has run out is the same for all.
	const isPlain = processes.every(({ choice }) => choice === 'stop');
	const next = (name: string, change: Partial<World>) => ({
		name,
		hasLooked: false,
		world: { ...world, faults, ...change },
	});
	return [
		...(isPlain ? [4, 6, 20] : [4, 20]).map((minutes) =>
			next(`${minutes} minutes pass`, { now: now + minutes * minute }),
		),
		...processes.flatMap((process, by) =>
			(process.offset > 0 || process.question.ask === 'nothing' ? [] : isTimed ? [4] : [4, 20]).map(
				(minutes) => {
					const ahead = { ...process, offset: minutes * minute };
					return next(`${by} is ahead by ${minutes}`, { processes: processes.with(by, ahead) });
				},
			),
		),
	];
}

/** Who comes later knows the rows and the time, and nothing else: what follows from them is looked at once. */
const goodEnds = new Set<string>();

/** Whatever happened, somebody who comes when every claim is old can go on, unless it was accepted. */
async function expectTheEnd(world: World): Promise<void> {
	const mayHaveMoved = world.left.some(({ became }) => became !== 'rejected');
	const end = [world.now, mayHaveMoved, textOf(world.rows)].join(' ');
	if (goodEnds.has(end)) return;
	const rows: Rows = {
		numberOf: async (name) => world.rows[name] ?? 0,
		insert: async (name) => !(name in world.rows),
	};
	const later = openClaims(rows, Infinity, () => world.now + 60 * minute);
	const known = await later.lookUp(one);
	if (!known && mayHaveMoved) {
		throw new Error(`It is free, and may have moved: ${JSON.stringify(world)}`);
	}
	const claim = await later.claim(one, sentAgainBy(known ? 'submitUnknownAgain' : 'stop'));
	later.close();
	if (!claim.isMine && claim.earlier.state !== 'accepted') {
		throw new Error(`It cannot be claimed any more: ${JSON.stringify(world)}`);
	}
	goodEnds.add(end);
}

/**
 * Goes every way from a world, and gives how many there are. What follows from a state is looked at once, however many
 * ways lead to it. A clock may jump whenever somebody looks at it next: at other moments it makes no difference.
 */
async function everyWay(begin: World): Promise<{ ways: number; states: number }> {
	const ways = new Map<string, number>();
	const from = async (world: World): Promise<number> => {
		const state = stateOf(world);
		const known = ways.get(state);
		if (known !== undefined) return known;
		const next: Next[] = [];
		for (const by of world.processes.keys()) next.push(...(await nextOf(world, by)));
		if (next.some(({ hasLooked }) => hasLooked)) next.push(...jumpsOf(world));
		let count = 0;
		for (const { name, world: after } of next) {
			count += await from(after).catch((thrown: Error) => {
				throw new Error(`${name}; ${thrown.message}`);
			});
		}
		const running = world.processes.filter(({ question }) => question.ask !== 'nothing');
		if (running.length < world.processes.length || next.length === 0) {
			await expectTheEnd(world);
			count++;
		}
		ways.set(state, count);
		return count;
	};
	return { ways: await from(begin), states: ways.size };
}

const texts = new WeakMap<World['rows'], string>();
/** Many worlds have the same rows. */
function textOf(rows: World['rows']): string {
	const text =
		texts.get(rows) ??
		Object.entries(rows)
			.map(([name, number]) => `${shortName(name)}:${number}`)
			.sort()
			.join(' ');
	texts.set(rows, text);
	return text;
}

const stateOf = ({ now, faults, rows, acceptedAt, left, processes }: World) =>
	JSON.stringify([
		now,
		faults,
		textOf(rows),
		acceptedAt,
		left,
		processes.map(({ choice, key, offset, question, begin, readAt }) =>
			question.ask === 'nothing'
				? ''
				: [key, offset, readAt, choice === 'submitUnknownAgain' && begin?.at].join(' '),
		),
	]);

/** What is there when they begin, and for how many minutes it has been. */
const beginnings: Array<{ what: string; rows: string[]; age: number }> = [
	{ what: 'nothing', rows: [], age: 0 },
	{ what: 'an unknown one', rows: ['claim', 'unknown'], age: 25 },
	{ what: 'a young unknown one', rows: ['claim', 'unknown'], age: 0 },
	{ what: 'an accepted one', rows: ['claim', 'accepted'], age: 0 },
	{ what: 'a released one', rows: ['claim', 'released'], age: 0 },
	{ what: 'an old claim of a dead process', rows: ['claim'], age: 25 },
	{ what: 'a young claim of a dead process', rows: ['claim'], age: 0 },
];

/** What a rejection makes of nothing anyway is a beginning of its own only where there are few ways. */
const beginningsOf = (all: Choice[]) =>
	beginnings.filter(
		({ what }) =>
			(what !== 'a released one' || (all.includes('stop') && !all.includes('submitAgain'))) &&
			(what !== 'a young unknown one' || all.includes('submitUnknownAgain')),
	);

async function worldWith(
	all: Choice[],
	{ rows: states, age }: (typeof beginnings)[number],
): Promise<World> {
	const now = began + age * minute;
	const rows: World['rows'] = {};
	const left: Left[] = [];
	if (states.length > 0) {
		const claims = openClaims(
			{
				numberOf: async (name) => rows[name] ?? 0,
				insert: async (name, number = 1) => !(name in rows) && (rows[name] = number) > 0,
			},
			Infinity,
			() => began,
		);
		await claims.claim(one, sentAgainBy('stop'));
		const isReleased = states.includes('released');
		if (isReleased) await claims.release(one, 1);
		if (states.includes('unknown')) await claims.settle(one, 1, 'unknown');
		if (states.includes('accepted')) await claims.settle(one, 1, 'accepted');
		claims.close();
		// Nobody can say whether that of a dead process has left, so it has.
		const became = isReleased ? 'rejected' : 'accepted';
		left.push({ by: -1, choice: 'stop', attempt: 1, claimedAt: began, at: began, became });
	}
	// Where everybody submits again, a crash is enough.
	const faults = all.every((choice) => choice === 'submitAgain') ? 1 : 0;
	const world: World = { now, faults, rows, acceptedAt: {}, left, processes: [] };
	for (const choice of all) {
		const begins = { question: { ask: 'turn' } as const, hasLooked: false };
		world.processes.push({
			...begins,
			choice,
			answers: [],
			key: '',
			readAt: 0,
			offset: 0,
			offsetThen: 0,
			readings: {},
		});
	}
	return world;
}

const choices: Choice[] = ['stop', 'submitUnknownAgain', 'submitAgain'];

/** Who is who makes no difference. */
const several = (count: number, from = 0): Choice[][] =>
	count === 0
		? [[]]
		: choices.flatMap((choice, index) =>
				index < from ? [] : several(count - 1, index).map((some) => [choice, ...some]),
			);

describe('in every interleaving of processes, with a crash, a failing call or a jump of the clock', () => {
	const started = Date.now();
	const total = { ways: 0, states: 0 };
	it.each(someOf(several(processCount)).map((all) => [all.join(', '), all] as const))(
		'nothing is sent twice, and what is said is true (%s)',
		async (_, all) => {
			for (const beginning of beginningsOf(all)) {
				const { ways, states } = await everyWay(await worldWith(all, beginning));
				expect(ways).toBeGreaterThan(10);
				total.ways += ways;
				total.states += states;
			}
		},
		24 * 60 * minute,
	);
	afterAll(() => {
		const seconds = ((Date.now() - started) / 1000).toFixed(0);
		tell(
			'code',
			`Interleavings: ${total.ways.toPrecision(3)} schedules through ${total.states} states, nothing sent twice, nothing false (${seconds} s)`,
		);
	});
});
