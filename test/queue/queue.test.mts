import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { N8nProcess } from '../../playground/n8n.mts';
import { freePort } from '../../playground/ports.mts';
import { readDocument } from '../support/documents.mts';
import { heapUsed } from '../support/heapUsed.mts';
import {
	begunBy,
	isIdle,
	startCluster,
	type Answer,
	type Cluster,
	type Runs,
} from '../support/queue/cluster.mts';
import { installing } from '../support/n8n/playground.mts';
import { minutesLater } from '../support/n8n/later.mts';
import { asAsked, submit } from '../support/n8n/lists.mts';
import { watch } from '../support/watch.mts';
import { publishClaimCalls, takeIn } from '../support/claims/publish.mts';
import { claimsSuite, type Place } from '../support/claims/suite.mts';
import { compareRegister, rowsOf } from '../support/n8n/dataTables.mts';
import { toldInItem, type Told } from '../support/told.mts';
import { until } from '../support/waiting.mts';
import { rampType, type Step } from '../support/workflows.mts';
import { chart } from './chart.mts';

jest.setTimeout(20 * 60_000);

const oneMinute = 60_000;

let cluster: Cluster;
let buys: Runs;
let polling: { since: number };
const figures: string[] = [];

beforeAll(async () => {
	cluster = await startCluster(2);
	buys = await cluster.publishRuns(submit('buy'));
	await cluster.publish([
		{
			name: 'Rate changed',
			type: `${rampType}Trigger`,
			parameters: {
				pollTimes: { item: [{ mode: 'everyMinute' }] },
				event: 'rateChanged',
				source: 'usdc',
			},
		},
		{ name: 'Nothing', type: 'n8n-nodes-base.noOp' },
	]);
	polling = { since: Date.now() };
}, installing);

afterAll(async () => {
	await cluster?.close();
	const output = join(__dirname, '../.output/figures');
	mkdirSync(output, { recursive: true });
	writeFileSync(join(output, 'queue.txt'), `${figures.join('\n')}\n`);
});

describe('the same reference on two workers at once', () => {
	const submitTwice = async (what: string, name: string) => {
		const references = numbered(name, 60);
		const begunBefore = cluster.workers.map(begunBy);
		const broken = watch(cluster.sandbox);
		const { answers } = await load(references.flatMap((reference) => [reference, reference]));
		const begun = begunSince(begunBefore);
		const times = acceptedTimes(references);
		figures.push(
			`Duplicates: ${times.filter((count) => count > 1).length} of 60 references, each submitted twice at once ` +
				`over both workers (${begun.join(' and ')} executions), ${what}`,
		);

		expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
		expect(broken(told(answers))).toEqual([]);
		expect(times).toEqual(references.map(() => 1));
		// Both had a part in it, however unevenly a busy machine lets them run.
		expect(Math.min(...begun)).toBeGreaterThan(10);
	};

	it('is accepted once, also by workers that have just started', async () => {
		await submitTwice('workers just started', 'twice');
	});

	it('is accepted once while the workers freeze at any moment', async () => {
		await whileFreezing(
			cluster.workers,
			async () => await submitTwice('a worker frozen for 0.3 s twice a second', 'frozen'),
		);
	});

	it('is accepted once when both have the same list and freeze in turns, five times over', async () => {
		await whileFreezing(cluster.workers, async () => {
			for (const name of numbered('list', 5)) {
				const references = numbered(name, 100);
				const broken = watch(cluster.sandbox);
				const answers = await Promise.all([buys.submit(references), buys.submit(references)]);
				expect(answers.map(({ status }) => status)).toEqual([200, 200]);
				expect(broken(told(answers))).toEqual([]);
				expect(acceptedTimes(references)).toEqual(references.map(() => 1));
				const outcomes = told(answers).map(({ outcome }) => outcome);
				const count = (outcome: string) => outcomes.filter((one) => one === outcome).length;
				figures.push(
					`Both workers, the same list of 100, freezing: accepted ${count('accepted')}, ` +
						`skipped ${count('skipped')}, told as unknown ${count('unknown')}, duplicates 0`,
				);
			}
		});
	});

	it('is accepted once when somebody submits unknown ones again beside a run that is at work', async () => {
		const asked = await cluster.publishRuns(submit('buy', { ifAlreadySubmitted: asAsked }));
		let unknown = 0;
		// n8n may give both runs to one worker, where the second knows of the first.
		for (let apart = 0, time = 1; apart < 2; time++) {
			const references = numbered(`beside-${time}`, 40);
			cluster.sandbox.fault({ kind: 'delay', on: 'buy', times: 40, delayMs: 100 });
			const broken = watch(cluster.sandbox);
			const begunBefore = cluster.workers.map(begunBy);
			const first = asked.submit(references);
			await until(() => countAccepted(references) >= 1);
			const answers = await Promise.all([asked.submit(references, 'submitUnknownAgain'), first]);
			expect(broken(told(answers))).toEqual([]);
			expect(acceptedTimes(references)).toEqual(references.map(() => 1));
			unknown += told(answers).filter(({ outcome }) => outcome === 'unknown').length;
			if (begunSince(begunBefore).every((count) => count === 1)) apart++;
		}
		expect(unknown).toBeGreaterThan(0);
		figures.push(
			`Submit Unknown Again beside a run that is at work on the same 40: twice 0, told as unknown ${unknown}`,
		);
	});
});

describe('under load', () => {
	const references = numbered('load', 200);

	it('accepts each of 200 buys once, over both workers', async () => {
		const succeededBefore = await countSuccesses();
		const begunBefore = cluster.workers.map(begunBy);
		const { answers, perSecond, slowest } = await load(references);
		const begun = begunSince(begunBefore);
		figures.push(
			`Load: 200 buys, 20 at a time, two workers (${begun.join(' and ')} executions): ` +
				`${perSecond.toFixed(1)} executions a second, slowest ${(slowest / 1000).toFixed(1)} s`,
		);

		expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
		expect((await countSuccesses()) - succeededBefore).toBe(200);
		expect(acceptedTimes(references)).toEqual(references.map(() => 1));
		expect(begun.every((count) => count > 0)).toBe(true);
		expect(begun[0]! + begun[1]!).toBe(200);
	});

	it('knows every one of them afterwards', async () => {
		const { receipts } = await buys.submit(references);
		const known = receipts.filter(({ outcome }) => outcome === 'skipped').length;
		figures.push(`Lost claims: ${200 - known} of the 200 were not known when submitted again`);

		expect(known).toBe(200);
	});
});

it('answers every call, though the main stands still while a worker does what was asked', async () => {
	const settings = Object.entries(cluster.queue.env).filter(([name]) => name.includes('_KEEP_'));
	expect(settings).toHaveLength(2);
	for (const [name, value] of settings)
		expect(readDocument('docs/operating.md')).toContain(`\`${name}=${value}\``);

	const references = numbered('frozen main', 200);
	const broken = watch(cluster.sandbox);
	await whileFreezing([cluster.main], async () => {
		const { answers, slowest } = await load(references);
		figures.push(
			`A main that is frozen for 0.3 s, again and again: ${answers.length} of 200 calls answered, ` +
				`the slowest after ${(slowest / 1000).toFixed(1)} s`,
		);
		expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
		expect(slowest).toBeLessThan(oneMinute);
		expect(broken(told(answers))).toEqual([]);
		expect(acceptedTimes(references)).toEqual(references.map(() => 1));
	});
});

describe('the claims of two workers on PostgreSQL', () => {
	let place: Place;
	beforeAll(async () => {
		place = { take: takeIn(await publishClaimCalls(cluster.main), [cluster.main.baseUrl]) };
	});
	claimsSuite(() => place, { canBeRead: false });
});

const register = 'Register of the queue';
let registered: Runs;
/** What processes that were killed had claimed and not sent. */
const leftBehind: string[] = [];

describe('under fire, with a register', () => {
	beforeAll(async () => {
		registered = await cluster.publishRuns(
			submit('buy', { register, ifAlreadySubmitted: asAsked }),
		);
	});

	/** The register says of each transaction what the service has, or that it is on its way. */
	const compared = async (references: string[]) => {
		const rows = (await rowsOf(cluster.main.rest, register)).filter(({ reference }) =>
			references.includes(String(reference)),
		);
		const accepted = cluster.sandbox
			.transactions()
			.filter(({ reference }) => references.includes(reference));
		return compareRegister(rows, accepted);
	};

	// A hundred are claimed by fives (submit/send.ts). When the first of five is there, the others are claimed and not sent.
	const inTheMiddle = 31;

	const slowRun = async (references: string[]) => {
		cluster.sandbox.fault({ kind: 'delay', on: 'buy', times: references.length, delayMs: 50 });
		const begunBefore = cluster.workers.map(begunBy);
		const answered = registered.submit(references).catch(() => undefined);
		await until(() => countAccepted(references) >= inTheMiddle);
		const busy = cluster.workers.findIndex(
			(worker, index) => begunBy(worker) > begunBefore[index]! && !isIdle(worker),
		);
		return { answered, busy };
	};

	/** What a person does afterwards: submit all again, look up what is unknown, and send what is not there. */
	const submitTheRest = async (what: string, references: string[]) => {
		const accepted = references.filter((reference) => countAccepted([reference]) === 1);
		const broken = watch(cluster.sandbox);
		const again = await until(
			async () => {
				const answer = await registered.submit(references).catch(() => undefined);
				return answer?.status === 200 ? answer : undefined;
			},
			{ within: 3 * oneMinute },
		);
		expect(again.receipts).toHaveLength(references.length);
		expect(broken(told([again]))).toEqual([]);
		const unknown = told([again]).flatMap(({ outcome, reference }) =>
			outcome === 'unknown' && reference ? [reference] : [],
		);
		// As the advice says, what is not there is submitted again. Of that, a claim that is young is not sent yet.
		await until(() => cluster.workers.every(isIdle));
		const notThere = unknown.filter((reference) => countAccepted([reference]) === 0);
		const brokenAgain = watch(cluster.sandbox);
		const sent =
			notThere.length > 0 ? [await registered.submit(notThere, 'submitUnknownAgain')] : [];
		expect(brokenAgain(told(sent))).toEqual([]);
		const early = told(sent).filter(({ outcome }) => outcome !== 'accepted');
		expect(early.filter(({ outcome }) => outcome !== 'unknown')).toEqual([]);
		leftBehind.push(...early.map(({ reference }) => reference!));
		figures.push(
			`Fire: ${what} after ${inTheMiddle} of 100 buys: ${accepted.length} accepted by then, ${unknown.length} told as unknown ` +
				`when submitted again, ${notThere.length} of them not accepted, ${early.length} of these claimed too recently to be sent`,
		);
		expect(acceptedTimes(references)).toEqual(
			references.map((reference) => (leftBehind.includes(reference) ? 0 : 1)),
		);
		return { unknown };
	};

	it('loses and doubles nothing when a worker is killed', async () => {
		const references = numbered('worker-killed', 100);
		const { busy } = await slowRun(references);
		await cluster.workers[busy]!.kill();
		cluster.workers.splice(busy, 1);
		const { sending, missing, false: wrong } = await compared(references);
		expect([missing, wrong]).toEqual([[], []]);
		expect(sending.length).toBeLessThanOrEqual(15);
		await cluster.startWorkers(1);
		const { unknown } = await submitTheRest('a worker killed', references);

		// the chunk in hand, the one being settled and the one being claimed
		expect(unknown.length).toBeLessThanOrEqual(15);
	});

	it('loses and doubles nothing when Redis is killed for five seconds', async () => {
		const references = numbered('redis-killed', 100);
		const { redis } = cluster.queue.servers;
		if (!redis) throw new Error('This test kills Redis, and the one that was given is not ours.');
		// Nobody waits for its answer: n8n may have lost what would give it.
		await slowRun(references);
		const gone = new Set<N8nProcess>();
		for (const one of cluster.workers) void one.ended.then(() => gone.add(one));
		const living = () => cluster.workers.filter((one) => !gone.has(one));
		await redis.kill();
		await sleep(5000);
		await redis.start();
		// A worker finishes the run, unless an error of Redis makes n8n end the worker or fail a write to the register.
		await until(() => living().every(isIdle), { within: 3 * oneMinute });
		const hasFinished = countAccepted(references) === references.length;
		cluster.workers = living();
		await cluster.startWorkers(gone.size);
		await submitTheRest('Redis killed for five seconds', references);
		const { sending, ...wrong } = await compared(references);
		expect(wrong).toEqual({ missing: [], false: [], twice: [] });
		// the chunk in hand, the one being settled and the one being claimed
		expect(sending.length).toBeLessThanOrEqual(hasFinished ? 0 : 15);
	});

	it('loses and doubles nothing when the service is gone for five seconds', async () => {
		const references = numbered('service-gone', 100);
		const broken = watch(cluster.sandbox);
		const { answered } = await slowRun(references);
		await cluster.door.shut();
		await sleep(5000);
		await cluster.door.open();
		const answer = (await answered)!;
		expect(broken(told([answer]))).toEqual([]);
		const { unknown } = await submitTheRest('the service gone for five seconds', references);

		expect(unknown.length).toBeLessThanOrEqual(1);
	});
});

describe('the trigger', () => {
	it('polls no more than once a minute with two workers', async () => {
		const scheduled = await until(
			() => {
				const [, ...times] = polls();
				return times.length >= 2 && Date.now() - polling.since > 2.5 * oneMinute && times;
			},
			{ within: 5 * oneMinute },
		);
		const gaps = scheduled.slice(1).map((at, index) => at - scheduled[index]!);
		figures.push(
			`Trigger: ${scheduled.length} polls by the minute, ` +
				`${gaps.map((gap) => (gap / 1000).toFixed(0)).join(', ')} s apart`,
		);

		// the first poll is made when the workflow is published
		for (const gap of gaps) expect(Math.round(gap / oneMinute)).toBeGreaterThanOrEqual(1);
	});

	const polls = () =>
		cluster.sandbox
			.requests()
			.filter(({ path }) => path === '/rates/v1/usdc-ngnc')
			.map(({ at }) => Date.parse(at));
});

it('keeps the memory of a worker flat over 1,000 buys', async () => {
	const port = await freePort();
	await Promise.all(cluster.workers.splice(0).map(async (worker) => await worker.stop()));
	const [inspected] = await cluster.startWorkers(1, {
		env: { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` },
	});
	const megabytes = async () => (await heapUsed(port!)) / 1024 ** 2;
	const several = await cluster.publishRuns(submit('buy', { parallelRequests: 10 }));
	const runs = async (name: string, count: number) => {
		for (const run of numbered(name, count)) {
			const references = numbered(run, 500);
			expect((await several.submit(references)).status).toBe(200);
			expect(countAccepted(references)).toBe(500);
		}
	};
	await runs('warm', 1);
	const before = await megabytes();
	await runs('memory', 2);
	const after = await megabytes();
	figures.push(
		`Memory: heap of a worker after a garbage collection ${before.toFixed(1)} MB, ` +
			`after 1,000 more buys ${after.toFixed(1)} MB (${((after / before - 1) * 100).toFixed(1)} %)`,
	);

	expect(begunBy(inspected!)).toBe(3);
	expect(after / before).toBeLessThan(1.025);
});

it('sends what processes that were killed had claimed, twenty minutes later', async () => {
	expect(leftBehind).not.toEqual([]);
	await cluster.restart(await minutesLater(20));
	await registered.ready();
	const broken = watch(cluster.sandbox);
	// Two at once, so that both workers want it.
	const answers = await Promise.all([
		registered.submit(leftBehind, 'submitUnknownAgain'),
		registered.submit(leftBehind, 'submitUnknownAgain'),
	]);
	expect(broken(told(answers))).toEqual([]);
	expect(acceptedTimes(leftBehind)).toEqual(leftBehind.map(() => 1));
	const all = new Set(leftBehind);
	const there = cluster.sandbox.transactions().filter(({ reference }) => all.has(reference));
	const rows = (await rowsOf(cluster.main.rest, register)).filter((row) =>
		all.has(String(row.reference)),
	);
	const { sending: _, ...wrong } = compareRegister(rows, there);
	expect(wrong).toEqual({ missing: [], false: [], twice: [] });
	figures.push(
		`Twenty minutes later: ${leftBehind.length} sent that killed processes had claimed, twice 0`,
	);
});

it('sends nothing from a worker without the package, and says what it lacks', async () => {
	await Promise.all(cluster.workers.splice(0).map(async (worker) => await worker.stop()));
	await cluster.uninstallFromWorkers();
	const [without] = await cluster.startWorkers(1);
	const { status } = await buys.submit(['nowhere']);
	expect(status).toBe(500);
	expect(without!.logs()).toContain(`Unrecognized node type: ${rampType}`);
	expect(acceptedTimes(['nowhere'])).toEqual([0]);
});

const waitASecond: Step = {
	name: 'Wait',
	type: 'n8n-nodes-base.wait',
	typeVersion: 1.1,
	parameters: { resume: 'timeInterval', amount: 1, unit: 'seconds' },
};

// It is about speed, which other work on the machine spoils: `npm run growth` runs it alone.
const describeAlone = process.env.GROWTH ? describe : () => undefined;

describeAlone(
	'growth, where the service takes a second, two runs at a time for each worker',
	() => {
		const counts = [1, 2, 4];

		it('is as much as the workers, or as that of runs of n8n that only wait a second', async () => {
			await Promise.all(cluster.workers.splice(0).map(async (worker) => await worker.stop()));
			await cluster.startWorkers(4, { concurrency: 2 });
			cluster.sandbox.fault({ kind: 'delay', on: 'buy', times: 1_000_000, delayMs: 1000 });
			const listed = await cluster.publishRuns(submit('buy', { parallelRequests: 5 }));
			const waiting = await cluster.publishRuns(waitASecond);
			const series = [
				{ name: 'single buys', runs: buys, size: 1 },
				{ name: 'lists of five, all at once', runs: listed, size: 5 },
				{ name: "n8n's own runs that wait a second", runs: waiting, size: 1 },
			].map((kind) => ({ ...kind, values: [] as number[] }));
			for (const count of counts.toReversed()) {
				while (cluster.workers.length > count) await cluster.workers.pop()!.stop();
				const best = series.map(() => 0);
				// What a worker does for the first time takes longer, and so does what the machine disturbs: the best counts.
				for (let round = 1; round <= 3; round++) {
					for (const [of, { name, runs, size }] of series.entries()) {
						const references = numbered(`${name} ${count} ${round}`, 12 * count * size);
						const how = { runs, size, atATime: 4 * count };
						const { answers, perSecond } = await load(references, how);
						expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
						best[of] = Math.max(best[of]!, perSecond);
					}
				}
				series.forEach(({ values }, of) => values.unshift(best[of]!));
			}
			const timesOne = series.map(({ values }) => values.map((value) => value / values[0]!));
			const own = timesOne.at(-1)!;
			series.forEach(({ name, values }, of) =>
				figures.push(
					`Growth: ${name}, executions a second: ` +
						counts
							.map((count, at) => [count, values[at]!, timesOne[of]![at]!] as const)
							.map(
								([count, value, by]) =>
									`${count} workers ${value.toFixed(1)} (${by.toFixed(2)} times)`,
							)
							.join(', '),
				),
			);
			const groups = ['one worker', 'two workers', 'four workers'];
			const title = 'Executions a second, where the service takes a second';
			writeFileSync(join(__dirname, 'growth.svg'), chart(title, groups, series));

			for (const [, two, four] of timesOne.slice(0, -1)) {
				expect(two).toBeGreaterThanOrEqual(Math.min(1.8, 0.9 * own[1]!));
				expect(four).toBeGreaterThanOrEqual(Math.min(3, 0.9 * own[2]!));
			}
		});
	},
);

/** Stops one process after the other in whatever it does, as a starved machine may. */
async function whileFreezing(processes: N8nProcess[], work: () => Promise<void>): Promise<void> {
	const freezing = new AbortController();
	const frozen = freezeInTurns(processes, freezing.signal);
	try {
		await work();
	} finally {
		freezing.abort();
		await frozen;
	}
}

async function freezeInTurns(processes: N8nProcess[], signal: AbortSignal): Promise<void> {
	for (let turn = 0; !signal.aborted; turn++) {
		const { pid } = processes[turn % processes.length]!;
		process.kill(pid, 'SIGSTOP');
		await sleep(300);
		process.kill(pid, 'SIGCONT');
		await sleep(400 * Math.random());
	}
}

/** What the runs said of their items. */
function told(answers: Answer[]): Told[] {
	return answers.flatMap(({ receipts }) => receipts.map(toldInItem));
}

function begunSince(before: number[]): number[] {
	return cluster.workers.map((worker, index) => begunBy(worker) - before[index]!);
}

function numbered(name: string, count: number): string[] {
	return Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);
}

/** How often each of the references was accepted. */
function acceptedTimes(references: string[]): number[] {
	const times = new Map<string, number>();
	for (const { reference } of cluster.sandbox.transactions()) {
		times.set(reference, (times.get(reference) ?? 0) + 1);
	}
	return references.map((reference) => times.get(reference) ?? 0);
}

function countAccepted(references: string[]): number {
	return acceptedTimes(references).filter((times) => times > 0).length;
}

/** Submits a run for each reference, or for each list of them, so many at a time. */
async function load(references: string[], { runs = buys, size = 1, atATime = 20 } = {}) {
	const answers: Answer[] = [];
	const waiting = [...references];
	const executions = references.length / size;
	let slowest = 0;
	const began = Date.now();
	const work = async () => {
		while (waiting.length > 0) {
			const submitted = Date.now();
			answers.push(await runs.submit(waiting.splice(0, size)));
			slowest = Math.max(slowest, Date.now() - submitted);
		}
	};
	await Promise.all(Array.from({ length: atATime }, work));
	return { answers, slowest, perSecond: (executions * 1000) / (Date.now() - began) };
}

async function countSuccesses({ workflowId } = buys): Promise<number> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ['success'] }));
	const url = `/executions?filter=${filter}`;
	return (await cluster.main.rest.get<{ count: number }>(url)).count;
}
