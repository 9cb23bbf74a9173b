// `npm run bench`: what was asked beside what was measured, in one run, as ratios. Exits non-zero where a row falls short.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import axios from 'axios';
import { execa } from 'execa';

import { buyBody } from '../support/transactions.mts';
import { loadingTimes } from './loading.mts';
import type { ScenarioName } from './scenarios.mts';
import { startStand, type Measured } from './stand.mts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const rows: Array<{ work: string; asked: string; measured: string; ok: boolean }> = [];

const median = (values: number[]) =>
	[...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;
const say = (line: string) => process.stdout.write(`${line}\n`);

const { ours, empty, core } = await loadingTimes(11);
const more = median(ours) - median(empty);
const percent = (100 * more) / median(core);
row(
	'loading the package, more than an empty one, against loading n8n-core',
	'at most 2 % of the time',
	`${percent.toFixed(1)} % (${more.toFixed(1)} ms of ${median(core).toFixed(0)} ms)`,
	percent <= 2,
);

const size = await tarballSize();
row('the tarball', 'under 90 kB', kilobytes(size), size < 90_000);

const stand = await startStand();
try {
	await stand.measure('buys', 50);
	await stand.measure('buysByHttpRequest', 50);

	const rates = await inTurns(1000, 'rates', 'ratesByHttpRequest');
	row(
		'1,000 items, rates, against HTTP Request',
		'1 request instead of 1,000, 3 times faster',
		`${rates.rates.requests} instead of ${rates.ratesByHttpRequest.requests}, ${times(rates.ratesByHttpRequest, rates.rates)} faster`,
		rates.rates.requests === 1 && ratio(rates.ratesByHttpRequest, rates.rates) >= 3,
	);

	const buys = await inTurns(
		1000,
		'buys',
		'buysUnguarded',
		'buysWithRegister',
		'buysByHttpRequest',
		'buysByBareLoop',
		'buysByPlainNode',
	);
	atMost(1.2, '1,000 buys, one after another, against HTTP Request, which guards nothing', [
		buys.buys,
		buys.buysByHttpRequest,
	]);
	// On loopback nothing hides what is read and written in the register; with 50 ms latency, below, nearly all is hidden.
	atMost(1.75, '1,000 buys, with a register, against none', [buys.buysWithRegister, buys.buys]);
	say(`  (loopback: guard on takes ${times(buys.buys, buys.buysUnguarded)} guard off,`);
	say(`  ${times(buys.buys, buys.buysByBareLoop)} a bare loop in n8n,`);
	say(`  ${times(buys.buys, buys.buysByPlainNode)} a plain declarative node,`);
	say(`  ${times(buys.buys, await byAxios(1000))} bare axios without n8n, which is the limit)`);

	const slow = await inTurns(200, 'slowBuys', 'slowBuysUnguarded', 'slowBuysWithRegister');
	atMost(1.1, '200 buys, one after another, 50 ms latency, guard on against off', [
		slow.slowBuys,
		slow.slowBuysUnguarded,
	]);
	atMost(1.1, '200 buys, one after another, 50 ms latency, with a register against none', [
		slow.slowBuysWithRegister,
		slow.slowBuys,
	]);

	await stand.measure('buysWithLongRegister', 1);
	await stand.fillRegister('Long', 50_000);
	const long = await inTurns(200, 'buysWithRegister', 'buysWithLongRegister');
	// As above: on loopback nothing hides it.
	atMost(1.75, '200 buys, with 50,000 rows in the register, against a new one', [
		long.buysWithLongRegister,
		long.buysWithRegister,
	]);

	const parallel = await inTurns(
		1000,
		'buysTenAtATime',
		'buysTenAtATimeUnguarded',
		'buysTenAtATimeByHttpRequest',
	);
	// The latency is the same for both, so the faster the machine, the less there is to be faster in.
	row(
		'1,000 buys, ten at a time, 50 ms latency, against HTTP Request in batches of ten',
		'1.25 times faster',
		`${times(parallel.buysTenAtATimeByHttpRequest, parallel.buysTenAtATime)} faster`,
		ratio(parallel.buysTenAtATimeByHttpRequest, parallel.buysTenAtATime) >= 1.25,
	);
	say(
		`  (ten at a time: guard on takes ${times(parallel.buysTenAtATime, parallel.buysTenAtATimeUnguarded)} guard off)`,
	);

	const one = await inTurns(1, 'buys', 'buysUnguarded');
	const guard = one.buys.milliseconds - one.buysUnguarded.milliseconds;
	row(
		'a single buy',
		'at most 200 ms more than without the guard',
		`${guard} ms more`,
		guard <= 200,
	);

	if (!process.env.BENCH_SHORT) await withManyRemembered();
} finally {
	await stand.close();
}

const short = rows.filter(({ ok }) => !ok);
const { dependencies } = JSON.parse(
	await readFile(join(import.meta.dirname, '../../playground/package.json'), 'utf8'),
) as { dependencies: { n8n: string } };
say(`
${new Date().toISOString().slice(0, 10)}, n8n ${dependencies.n8n}, Node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} cores, ${rounds} rounds

| work | asked | measured | |
|---|---|---|---|
${rows.map(({ work, asked, measured, ok }) => `| ${work} | ${asked} | ${measured} | ${ok ? '✓' : '✗'} |`).join('\n')}

${short.length === 0 ? 'Every row holds.' : `${short.length} of ${rows.length} rows fall short.`}`);
process.exitCode = short.length === 0 ? 0 : 1;

/** The rows that take most of the time. */
async function withManyRemembered(): Promise<void> {
	const { workflowId } = await stand.measure('buys', 10_000);
	await stand.measure('buys', 10_000, workflowId);
	const remembering: Measured[] = [];
	const fresh: Measured[] = [];
	for (let round = 0; round < 2 * rounds; round++) {
		remembering.push(await stand.measure('buys', 1, workflowId));
		fresh.push(await stand.measure('buys', 1));
	}
	atMost(1.2, 'a single buy with 20,000 remembered, against one with nothing remembered', [
		middle(remembering),
		middle(fresh),
	]);

	// n8n fills its own caches in the first runs of this size, and is done with that; what leaks grows in all of them.
	const many: Measured[] = [];
	const few: Measured[] = [];
	const heaps: number[] = [];
	const grown = () => heaps.at(-1)! - heaps.at(-4)!;
	const isSteady = () => heaps.length > 3 && grown() <= many[0]!.outputBytes;
	while (heaps.length < 10 && !isSteady()) {
		few.push(await stand.measure('buys', 1000));
		many.push(await stand.measure('buys', 10_000));
		heaps.push(await stand.heapUsed());
	}
	atMost(11, '10,000 buys, against 1,000', [middle(many), middle(few)]);
	row(
		'10,000 buys, memory kept after a garbage collection',
		'within ten runs, three in a row that together add at most the size of one output',
		`${kilobytes(grown())} of ${kilobytes(many[0]!.outputBytes)} in the last three of ${heaps.length} runs`,
		isSteady(),
	);
}

/** The median of several runs of each, taken in turns so that a slow moment of the machine strikes all of them. */
async function inTurns<Name extends ScenarioName>(
	items: number,
	...names: Name[]
): Promise<Record<Name, Measured>> {
	const measured = new Map<Name, Measured[]>(names.map((name) => [name, []]));
	for (let round = 0; round < rounds; round++) {
		for (const name of names) measured.get(name)!.push(await stand.measure(name, items));
	}
	return Object.fromEntries(
		[...measured].map(([name, all]) => {
			say(`  ${name}, ${items}: ${seconds(middle(all).milliseconds)}`);
			return [name, middle(all)];
		}),
	) as Record<Name, Measured>;
}

function middle(all: Measured[]): Measured {
	return { ...all[0]!, milliseconds: median(all.map(({ milliseconds }) => milliseconds)) };
}

/** The same buys by a script, with neither n8n nor a guard: what no node can beat. */
async function byAxios(items: number): Promise<{ milliseconds: number }> {
	const { baseUrl, secretKey, headerName } = stand.sandbox;
	const client = axios.create({ baseURL: baseUrl, headers: { [headerName]: secretKey } });
	const began = Date.now();
	for (let index = 0; index < items; index++) {
		await client.post('/transactions/v1/onramp', { ...buyBody, reference: `axios-${index}` });
	}
	return { milliseconds: Date.now() - began };
}

function atMost(limit: number, work: string, [one, other]: [Measured, Measured]): void {
	const took = `${times(one, other)} (${seconds(one.milliseconds)} and ${seconds(other.milliseconds)})`;
	row(work, `at most ${limit} times the time`, took, ratio(one, other) <= limit);
}

type Timed = Pick<Measured, 'milliseconds'>;

function ratio(one: Timed, other: Timed): number {
	return one.milliseconds / other.milliseconds;
}

function times(one: Timed, other: Timed): string {
	return `${ratio(one, other).toFixed(2)} times`;
}

function kilobytes(bytes: number): string {
	return `${(bytes / 1000).toFixed(0)} kB`;
}

function row(work: string, asked: string, measured: string, ok: boolean): void {
	rows.push({ work, asked, measured, ok });
	say(`${ok ? '✓' : '✗'} ${work}\n    asked: ${asked}\n    measured: ${measured}`);
}

async function tarballSize(): Promise<number> {
	const folder = await mkdtemp(join(tmpdir(), 'stablecoin-ramp-pack-'));
	const pack = ['pack', '--json', '--silent', '--pack-destination', folder];
	const { stdout } = await execa('npm', pack, { cwd: join(import.meta.dirname, '..', '..') });
	await rm(folder, { recursive: true, force: true });
	const [{ size }] = JSON.parse(stdout) as [{ size: number }];
	return size;
}
