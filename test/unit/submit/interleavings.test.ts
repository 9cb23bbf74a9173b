import type * as Claims from '../../../nodes/StablecoinRamp/submit/records.ts';
import { fingerprint } from '../../../nodes/StablecoinRamp/submit/records.ts';
import type { Again, Known } from '../../../nodes/StablecoinRamp/submit/records.ts';
import { rowsInExecution, type Rows } from '../../../nodes/StablecoinRamp/submit/rows.ts';
import { tell } from '../../support/figures.ts';
import { everySchedule, type Move, type World } from './schedules.ts';

// By hand: INTERLEAVINGS_FAULTS=2, or INTERLEAVINGS_PROCESSES=3.
const { INTERLEAVINGS_FAULTS = '1', INTERLEAVINGS_PROCESSES = '2' } = process.env;
const mostFaults = Number(INTERLEAVINGS_FAULTS);
const processCount = Number(INTERLEAVINGS_PROCESSES);

const minute = 60_000;
/** No step of five minutes begins then, so that what is said of a clock does not depend on a happy moment. */
const began = 1000 * 120 * minute + 3 * minute;
/** A request has ended by then. */
const longest = 4 * minute;
/** Its owner has begun to send it by then, or never does. */
const lease = 5 * minute;
/** So old is a claim that is taken over, at least, where clocks differ by five minutes. */
const oldEnough = 10 * minute;

const one = { key: 'order', payload: 'values' };

const modules = Array.from({ length: processCount + 1 }, (): typeof Claims => {
	let loaded: typeof Claims | undefined;
	// Each process has the module, and what that remembers, to itself.
	jest.isolateModules(() => {
		loaded = require('../../../nodes/StablecoinRamp/submit/records.ts') as typeof Claims;
	});
	return loaded!;
});

/** What is there when they begin. */
const beginnings = {
	nothing: [],
	'an unknown one': ['claim', 'unknown'],
	'an accepted one': ['claim', 'accepted'],
	'a released one': ['claim', 'released'],
	'an old claim of a dead process': ['claim', 'wait'],
	'a young claim of a dead process': ['claim'],
} as const;
type Beginning = keyof typeof beginnings;

const choices: Again[] = ['never', 'ifUnknown', 'always'];

/** A request that has left. */
interface Left {
	by: number;
	again: Again;
	claimedAt: number;
	at: number;
	/** What the service made of it. One that was rejected has moved nothing. */
	became?: 'accepted' | 'lost' | 'rejected';
	attempt: number;
}

type Step = 'claiming' | 'waiting' | 'answer' | 'settling';

interface Waiting {
	what: Step;
	/** Goes on; where it fails, before or after what it does. */
	go(fails?: 'before' | 'after', answer?: Left['became']): void;
}

/** Some processes that submit the same transaction once each, on the real claims. */
async function beginWorld(all: Again[], beginning: Beginning): Promise<World> {
	const kept: { rows?: Record<string, number> } = {};
	const there = rowsInExecution(kept);
	const left: Left[] = [];
	let now = began;
	let faults = 0;
	let isOver = false;
	const gone = new Error('gone');

	const before = modules.at(-1)!.openRecords(there, () => now);
	for (const what of beginnings[beginning]) {
		if (what === 'claim') {
			await before.claim(one, 'never');
			const nobody = { by: -1, again: 'never' as const, attempt: 1, claimedAt: now, at: now };
			// Nobody can say whether that of a dead process has left.
			left.push({ ...nobody, became: beginning === 'a released one' ? 'rejected' : 'accepted' });
		}
		if (what === 'wait') now += 25 * minute;
		if (what === 'released') await before.release(one, 1);
		if (what === 'unknown' || what === 'accepted') await before.settle(one, 1, what);
	}
	before.close();

	const isSettledAs =
		(state: 'accepted' | 'unknown') =>
		({ attempt }: Left) =>
			fingerprint([one.key, attempt, state, undefined]) in kept.rows!;
	const isInFlight = ({ at, became }: Left) => became === undefined && now < at + longest;

	const processes = all.map((again, by) => {
		const process = {
			again,
			offset: 0,
			/** When it last looked at its clock. */
			offsetThen: 0,
			history: [] as string[],
			waiting: undefined as Waiting | undefined,
			/** What was settled as accepted when it took its first step. */
			acceptedBefore: undefined as Left[] | undefined,
			isDone: false,
			isDead: false,
			arrived: Promise.resolve(),
			work: Promise.resolve(),
		};
		let tellArrival = () => {};
		const clock = () => {
			process.offsetThen = process.offset;
			const time = now + process.offset;
			process.history.push(`clock ${time - began}`);
			return time;
		};
		const expectArrival = () => {
			process.arrived = new Promise<void>((resolve) => (tellArrival = resolve));
		};

		/** Waits until it is this process's turn. */
		const turn = async <T>(
			what: Step,
			work: (answer?: Left['became']) => Promise<T>,
		): Promise<T> => {
			if (isOver) throw gone;
			return await new Promise<T>((resolve, reject) => {
				process.waiting = {
					what,
					go: (fails, answer) => {
						process.waiting = undefined;
						process.acceptedBefore ??= left.filter(isSettledAs('accepted'));
						expectArrival();
						if (isOver || fails === 'before') {
							process.history.push('failed');
							reject(gone);
							return;
						}
						void work(answer).then((result) => {
							process.history.push(fails ? 'failed' : (JSON.stringify(result) ?? ''));
							if (fails) reject(gone);
							else resolve(result);
						});
					},
				};
				tellArrival();
			});
		};

		const rows: Rows = {
			numberOf: async (name) => await turn(step, async () => await there.numberOf(name)),
			insert: async (name, number) =>
				await turn(step, async () => await there.insert(name, number)),
		};
		let step: Step = 'claiming';
		const records = modules[by]!.openRecords(rows, clock);

		const submit = async () => {
			const claim = await records.claim(one, again);
			if (!claim.isMine) return isTrue(claim.known, by);
			// It may be a while until its turn comes.
			await turn('waiting', async () => undefined);
			const held = await records.renew(one, claim, again);
			if (!held.isMine) return isTrue(held.known, by);
			mayLeave(by);
			const claimedAt = held.claimedAt - process.offset;
			const request: Left = { by, again, attempt: held.attempt, at: now, claimedAt };
			left.push(request);
			const became = await turn('answer', async (answer) => (request.became = answer));
			step = 'settling';
			const settle = async () =>
				became === 'rejected'
					? await records.release(one, held.attempt)
					: await records.settle(one, held.attempt, became === 'accepted' ? 'accepted' : 'unknown');
			// Twice, as the node does.
			await settle().catch(settle);
		};
		process.work = (async () => {
			expectArrival();
			try {
				await submit();
			} catch (thrown) {
				if (thrown !== gone) broken.push(thrown as Error);
			} finally {
				records.close();
				process.isDone = true;
				tellArrival();
			}
		})();
		return process;
	});
	const broken: Error[] = [];

	/** Nothing may have moved, unless somebody wanted to send it all the same. */
	function mayLeave(by: number): void {
		const { again, acceptedBefore } = processes[by]!;
		const moved = left.filter(({ became }) => became !== 'rejected');
		if (again === 'always') return;
		for (const earlier of moved) {
			const isOld = now >= earlier.claimedAt + oldEnough && !isInFlight(earlier);
			const isUnknown = isSettledAs('unknown')(earlier) && !isInFlight(earlier);
			const mayRepeat =
				again === 'ifUnknown' && (isUnknown || isOld) && !acceptedBefore!.includes(earlier);
			if (!mayRepeat) {
				throw new Error(`${by} sends what ${earlier.by} has sent: ${JSON.stringify(left)}`);
			}
		}
	}

	/** What a refusal says is so. */
	function isTrue({ attempt, state, hasSameValues, lookFrom }: Known, by: number): void {
		const { offsetThen: offset } = processes[by]!;
		const says = `${by} says ${state}, look from ${lookFrom && lookFrom - offset - began}`;
		const expectThat = (isSo: boolean) => {
			if (!isSo) throw new Error(`${says}: ${JSON.stringify(left)}, now ${now - began}`);
		};
		expectThat(hasSameValues);
		if (state === 'accepted') expectThat(left.some(({ became }) => became === 'accepted'));
		if (state === 'unknown') expectThat(left.some(({ became }) => became !== 'rejected'));
		if (state === 'sending') expectThat(false);
		// What is said of times is worth as much as the clocks are.
		if (state !== 'claimed' || processes.some((process) => process.offset > lease)) return;
		if (lookFrom === undefined) {
			const claims = left.filter((request) => request.attempt === attempt);
			expectThat(claims.every((one) => now >= one.claimedAt + oldEnough && !isInFlight(one)));
			return;
		}
		// Who looks then finds whatever was sent under a claim that is there now, and does not wait for long.
		expectThat(lookFrom - offset <= now + 25 * minute);
		const claims = left.filter((request) => request.attempt === attempt);
		expectThat(claims.every(({ claimedAt }) => lookFrom - offset >= claimedAt + lease + longest));
	}

	const settled = async () => {
		await Promise.all(
			processes.filter(({ isDone, isDead }) => !isDone && !isDead).map((p) => p.arrived),
		);
		if (broken.length > 0) throw broken[0]!;
	};
	await settled();

	const after = (name: string, work: () => void): Move => ({
		name,
		take: async () => {
			work();
			await settled();
		},
	});
	const fault = (name: string, work: () => void): Move[] =>
		faults < mostFaults
			? [
					after(name, () => {
						faults++;
						work();
					}),
				]
			: [];

	/** Clocks that differ by more than five minutes are beyond what a lease can bear. */
	const jumps = () => [
		...[4, 20].flatMap((minutes) =>
			fault(`${minutes} minutes pass`, () => (now += minutes * minute)),
		),
		...processes.flatMap((process, by) =>
			(all.includes('ifUnknown') ? [4] : [4, 20]).flatMap((minutes) =>
				process.offset === 0 && process.waiting && !process.isDead
					? fault(`${by} is ahead by ${minutes}`, () => (process.offset += minutes * minute))
					: [],
			),
		),
	];

	return {
		moves: () => {
			const running = processes.flatMap((process, by) =>
				process.waiting && !process.isDead ? [{ process, by, waiting: process.waiting }] : [],
			);
			if (running.length === 0) return [];
			return [
				...running.flatMap(({ process, by, waiting }) => [
					...(waiting.what === 'answer'
						? (['accepted', 'lost', 'rejected'] as const).map((answer) =>
								after(`${by} is ${answer}`, () => waiting.go(undefined, answer)),
							)
						: [after(`${by} goes on`, () => waiting.go())]),
					// While it claims, a call that fails ends its run, which is the same as if it died there.
					...(waiting.what === 'settling' ? (['before', 'after'] as const) : []).flatMap((when) =>
						fault(`${by} fails ${when}`, () => waiting.go(when)),
					),
					...fault(`${by} dies`, () => {
						process.isDead = true;
						// The service has what was on its way.
						for (const request of left) {
							if (request.by === by) request.became ??= 'accepted';
						}
					}),
				]),
				...jumps(),
			];
		},
		state: () =>
			JSON.stringify([
				Object.entries(kept.rows!).sort(),
				left,
				now,
				faults,
				processes.map(({ history, isDead, isDone, offset }) =>
					isDead || isDone ? [] : [history, offset],
				),
			]),
		end: async () => {
			// Whatever happened, somebody who comes when every claim is old can go on, unless it was accepted.
			now += 30 * minute;
			const later = modules.at(-1)!.openRecords(there, () => now);
			const known = await later.lookUp(one);
			const moved = left.filter(({ became }) => became !== 'rejected');
			if (!known && moved.length > 0) throw new Error('It is free, and may have moved');
			const claim = await later.claim(one, known ? 'ifUnknown' : 'never');
			later.close();
			if (claim.isMine || claim.known.state === 'accepted') return;
			throw new Error(`It cannot be claimed any more: ${JSON.stringify(claim.known)}`);
		},
		close: async () => {
			isOver = true;
			for (const { waiting } of processes) waiting?.go('before');
			await Promise.all(processes.map(async ({ work }) => await work));
		},
	};
}

/** Who is who makes no difference. */
const several = (count: number, from = 0): Again[][] =>
	count === 0
		? [[]]
		: choices.flatMap((one, index) =>
				index < from ? [] : several(count - 1, index).map((some) => [one, ...some]),
			);

let schedules = 0;
const start = Date.now();

describe('in every interleaving of processes, with a crash, a failing call or a jump of the clock', () => {
	it.each(several(processCount).map((all) => [all.join(', '), all] as const))(
		'nothing is sent twice, and what is said is true (%s)',
		async (_, all) => {
			for (const beginning of Object.keys(beginnings) as Beginning[]) {
				const t = Date.now();
				let worlds = 0;
				const n = await everySchedule(async () => (worlds++, await beginWorld(all, beginning)));
				schedules += n;
				process.stderr.write(
					[all.join(), beginning, n, 'worlds', worlds, Date.now() - t, 'ms\n'].join(' '),
				);
			}
		},
		3_600_000,
	);
});

afterAll(() => {
	tell(
		'code',
		`Interleavings: ${schedules.toLocaleString('en')} schedules (${((Date.now() - start) / 1000).toFixed(0)} s)`,
	);
	if (!schedules) throw new Error('Nothing was tried');
});
