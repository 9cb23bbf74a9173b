import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../playground/ports.ts';
import { inspectorOf } from '../bench/inspector.mts';
import { installing } from '../support/playground.ts';
import { watch } from '../support/promise.ts';
import { publishRecordCalls, takeIn } from '../support/recordCalls/publish.ts';
import { recordsSuite, type Place } from '../support/recordsSuite.ts';
import { compareRegister, rowsOf } from '../support/tables.ts';
import { toldInItem, type Told } from '../support/told.ts';
import { until } from '../support/waiting.ts';
import { rampType } from '../support/workflows.ts';
import { begunBy, buy, nothing, startCluster } from './cluster.ts';
import type { Answer, Cluster, Runs } from './cluster.ts';

jest.setTimeout(20 * 60_000);

const atATime = 20;
const oneMinute = 60_000;

let cluster: Cluster;
let buys: Runs;
let polling: { since: number };
const figures: string[] = [];

beforeAll(async () => {
	cluster = await startCluster(2);
	buys = await cluster.publishRuns(buy());
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
		nothing,
	]);
	polling = { since: Date.now() };
}, installing);

afterAll(async () => {
	await cluster?.close();
	const output = join(__dirname, '../.output/figures');
	mkdirSync(output, { recursive: true });
	writeFileSync(join(output, 'queue.txt'), `${figures.join('\n')}\n`);
}, oneMinute);

describe('the same reference on two workers at once', () => {
	const submitTwice = async (what: string, name: string) => {
		const references = numbered(name, 100);
		const begunBefore = cluster.workers.map(begunBy);
		const broken = watch(cluster.sandbox);
		const { answers } = await load(references.flatMap((reference) => [reference, reference]));
		const begun = begunSince(begunBefore);
		const times = acceptedTimes(references);
		figures.push(
			`Duplicates: ${times.filter((count) => count > 1).length} of 100 references, each submitted twice at once ` +
				`over both workers (${begun.join(' and ')} executions), ${what}`,
		);

		expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
		expect(broken(told(answers))).toEqual([]);
		expect(times).toEqual(references.map(() => 1));
		expect(Math.min(...begun)).toBeGreaterThan(50);
	};

	it('is accepted once, also by workers that have just started', async () => {
		await submitTwice('workers just started', 'twice');
	});

	it('is accepted once while the workers freeze at any moment', async () => {
		await whileFreezing(
			async () => await submitTwice('a worker frozen for 0.3 s twice a second', 'frozen'),
		);
	});

	it('is accepted once when both have the same list and freeze in turns, five times over', async () => {
		await whileFreezing(async () => {
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

	/** Stops one process after the other in whatever it does, as a starved machine may. */
	async function whileFreezing(work: () => Promise<void>): Promise<void> {
		const freezing = new AbortController();
		const frozen = freezeInTurns(freezing.signal);
		try {
			await work();
		} finally {
			freezing.abort();
			await frozen;
		}
	}

	async function freezeInTurns(signal: AbortSignal): Promise<void> {
		for (let turn = 0; !signal.aborted; turn++) {
			const { pid } = cluster.workers[turn % cluster.workers.length]!;
			process.kill(pid, 'SIGSTOP');
			await sleep(300);
			process.kill(pid, 'SIGCONT');
			await sleep(400 * Math.random());
		}
	}
});

describe('under load', () => {
	const references = numbered('load', 500);

	it('accepts each of 500 buys once, over both workers', async () => {
		const succeededBefore = await countExecutions('success');
		const begunBefore = cluster.workers.map(begunBy);
		const { answers, perSecond, slowest } = await load(references);
		const begun = begunSince(begunBefore);
		figures.push(
			`Load: 500 buys, 20 at a time, two workers (${begun.join(' and ')} executions): ` +
				`${perSecond.toFixed(1)} executions a second, slowest ${(slowest / 1000).toFixed(1)} s`,
		);

		expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
		expect((await countExecutions('success')) - succeededBefore).toBe(500);
		expect(acceptedTimes(references)).toEqual(references.map(() => 1));
		expect(begun.every((count) => count > 0)).toBe(true);
		expect(begun[0]! + begun[1]!).toBe(500);
	});

	it('knows every one of them afterwards', async () => {
		const { receipts } = await buys.submit(references);
		const known = receipts.filter(({ outcome }) => outcome === 'skipped').length;
		figures.push(`Lost claims: ${500 - known} of the 500 were not known when submitted again`);

		expect(known).toBe(500);
	});
});

describe('the records of two workers on PostgreSQL', () => {
	let place: Place;
	beforeAll(async () => {
		place = { take: takeIn(await publishRecordCalls(cluster.main), [cluster.main.baseUrl]) };
	});
	recordsSuite(() => place, { canBeRead: false });
});

describe('under fire, with a register', () => {
	const register = 'Register of the queue';
	let buys: Runs;

	beforeAll(async () => {
		buys = await cluster.publishRuns(buy(register));
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

	const slowRun = async (references: string[]) => {
		cluster.sandbox.fault({ kind: 'delay', on: 'buy', times: references.length, delayMs: 50 });
		const begunBefore = cluster.workers.map(begunBy);
		const answered = buys.submit(references).catch(() => undefined);
		await until(() => countAccepted(references) >= 30);
		const busy = cluster.workers.findIndex(
			(worker, index) => begunBy(worker) > begunBefore[index]!,
		);
		return { answered, busy };
	};

	/** What a person does afterwards: submit all again, look up what is unknown, and send what is not there. */
	const submitTheRest = async (what: string, references: string[]) => {
		const accepted = references.filter((reference) => countAccepted([reference]) === 1);
		const broken = watch(cluster.sandbox);
		const again = await until(
			async () => {
				const answer = await buys.submit(references).catch(() => undefined);
				return answer?.status === 200 ? answer : undefined;
			},
			{ within: 3 * oneMinute },
		);
		expect(again.receipts).toHaveLength(references.length);
		expect(broken(told([again]))).toEqual([]);
		const unknown = told([again]).flatMap(({ outcome, reference }) =>
			outcome === 'unknown' && reference ? [reference] : [],
		);
		const notThere = unknown.filter((reference) => countAccepted([reference]) === 0);
		if (notThere.length > 0) {
			const sent = await buys.submit(notThere, 'submitUnknownAgain');
			expect(told([sent]).map(({ outcome }) => outcome)).toEqual(notThere.map(() => 'accepted'));
		}
		figures.push(
			`Fire: ${what} after 30 of 100 buys: ${accepted.length} accepted by then, ${unknown.length} told as unknown ` +
				`when submitted again, ${notThere.length} of them not accepted and then sent with Submit Unknown Again`,
		);
		expect(acceptedTimes(references)).toEqual(references.map(() => 1));
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
		await cluster.startWorker();
		const { unknown } = await submitTheRest('a worker killed', references);

		// the chunk in hand, the one being settled and the one being claimed
		expect(unknown.length).toBeLessThanOrEqual(15);
	});

	it('loses and doubles nothing when Redis is killed for five seconds', async () => {
		const references = numbered('redis-killed', 100);
		const before = await countExecutions('success');
		const { redis } = cluster.queue.servers;
		if (!redis) throw new Error('This test kills Redis, and the one that was given is not ours.');
		const { answered } = await slowRun(references);
		await redis.kill();
		await sleep(5000);
		await redis.start();
		await until(async () => (await countExecutions('success')) > before, { within: 3 * oneMinute });
		expect(countAccepted(references)).toBe(100);
		await submitTheRest('Redis killed for five seconds', references);
		await answered;
		expect(await compared(references)).toEqual({ sending: [], missing: [], false: [], twice: [] });
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
	it('polls once a minute with two workers', async () => {
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

describe('growth', () => {
	it('shows what a second worker adds, beside what it adds to n8n alone', async () => {
		const nothings = await cluster.publishRuns(nothing);
		const both = async (name: string) => ({
			ours: await load(numbered(name, 200)),
			n8n: await load(numbered(name, 200), nothings),
		});
		const two = await both('two-workers');
		await cluster.workers.pop()!.stop();
		const one = await both('one-worker');
		for (const [what, of] of [
			['200 buys', 'ours'],
			['200 runs that do nothing', 'n8n'],
		] as const) {
			figures.push(
				`Growth: ${what}, 20 at a time: one worker ${one[of].perSecond.toFixed(1)}, ` +
					`two ${two[of].perSecond.toFixed(1)} executions a second, ` +
					`${(two[of].perSecond / one[of].perSecond).toFixed(2)} times`,
			);
		}

		const answers = [one, two].flatMap(({ ours, n8n }) => [...ours.answers, ...n8n.answers]);
		expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
	});

	it('keeps the memory of a worker flat over 5,000 buys', async () => {
		const port = await freePort();
		const inspected = await cluster.startWorker({ NODE_OPTIONS: `--inspect=127.0.0.1:${port}` });
		await cluster.workers.shift()!.stop();
		const megabytes = async () => (await (await inspectorOf(port!)).heapUsed()) / 1024 ** 2;
		const runs = async (name: string, count: number) => {
			for (const run of numbered(name, count)) {
				const references = numbered(run, 500);
				expect((await buys.submit(references)).status).toBe(200);
				expect(countAccepted(references)).toBe(500);
			}
		};
		await runs('warm', 2);
		const before = await megabytes();
		await runs('memory', 10);
		const after = await megabytes();
		figures.push(
			`Memory: heap of a worker after a garbage collection ${before.toFixed(1)} MB, ` +
				`after 5,000 more buys ${after.toFixed(1)} MB (${((after / before - 1) * 100).toFixed(1)} %)`,
		);

		expect(begunBy(inspected)).toBe(12);
		expect(after / before).toBeLessThan(1.1);
	});
});

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

/** Submits one run for each reference, 20 at a time. */
async function load(references: string[], runs = buys) {
	const answers: Answer[] = [];
	const waiting = [...references];
	let slowest = 0;
	let unanswered = 0;
	const began = Date.now();
	const work = async () => {
		for (let reference = waiting.shift(); reference; reference = waiting.shift()) {
			const submitted = Date.now();
			const answer = await runs.submit([reference]).catch(() => undefined);
			if (!answer) {
				unanswered++;
				continue;
			}
			answers.push(answer);
			slowest = Math.max(slowest, Date.now() - submitted);
		}
	};
	await Promise.all(Array.from({ length: atATime }, work));
	// Seen once in n8n 2.41.1: the execution was a success, and its webhook was never answered.
	if (unanswered > 0) figures.push(`(${unanswered} webhooks were not answered by n8n)`);
	return { answers, slowest, perSecond: (references.length * 1000) / (Date.now() - began) };
}

const executionsUrl = (status: string) => {
	const filter = encodeURIComponent(
		JSON.stringify({ workflowId: buys.workflowId, status: [status] }),
	);
	return `/executions?filter=${filter}`;
};

async function countExecutions(status: string): Promise<number> {
	return (await cluster.main.rest.get<{ count: number }>(executionsUrl(status))).count;
}
