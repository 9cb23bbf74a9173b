// `npm run bench`: what was asked beside what was measured, in one run, as ratios. Exits non-zero where a row falls short.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadingTimes } from './loading.mts';
import type { ScenarioName } from './scenarios.mts';
import { startStand, type Measured } from './stand.mts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const rows: Array<{ work: string; asked: string; measured: string; ok: boolean }> = [];

const median = (values: number[]) =>
	[...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;
const say = (line: string) => process.stdout.write(`${line}\n`);

const { ours, empty } = await loadingTimes(11);
const more = median(ours) - median(empty);
row(
	'loading the package, against an empty one',
	'under 15 ms more',
	`${more.toFixed(1)} ms more`,
	more < 15,
);

const size = await tarballSize();
row('the tarball', 'under 80 kB', kilobytes(size), size < 80_000);

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
		'buysByHttpRequest',
		'buysByBareLoop',
		'buysByPlainNode',
	);
	row(
		'1,000 buys, one after another, against HTTP Request, which sends all at once',
		'1.5 times faster',
		`${times(buys.buysByHttpRequest, buys.buys)} faster`,
		ratio(buys.buysByHttpRequest, buys.buys) >= 1.5,
	);
	row(
		'1,000 buys, against a bare loop',
		'at most 1.7 times its time',
		`${times(buys.buys, buys.buysByBareLoop)}`,
		ratio(buys.buys, buys.buysByBareLoop) <= 1.7,
	);
	row(
		'1,000 buys, guard on, against guard off',
		'at most 1.25 times its time',
		`${times(buys.buys, buys.buysUnguarded)}`,
		ratio(buys.buys, buys.buysUnguarded) <= 1.25,
	);
	say(`  (a plain declarative node: ${times(buys.buysByPlainNode, buys.buys)} our time)`);

	const parallel = await inTurns(1000, 'buysTenAtATime', 'buysTenAtATimeByHttpRequest');
	row(
		'1,000 buys, ten at a time, 50 ms latency, against HTTP Request in batches of ten',
		'1.5 times faster',
		`${times(parallel.buysTenAtATimeByHttpRequest, parallel.buysTenAtATime)} faster`,
		ratio(parallel.buysTenAtATimeByHttpRequest, parallel.buysTenAtATime) >= 1.5,
	);

	// The first run of this size fills n8n's own caches; what leaks grows again in the later ones.
	await stand.measure('buys', 10_000);
	const before = await stand.heapUsed();
	const many: Measured[] = [];
	const few: Measured[] = [];
	for (let round = 0; round < Math.min(rounds, 3); round++) {
		few.push(await stand.measure('buys', 1000));
		many.push(await stand.measure('buys', 10_000));
	}
	const grown = (await stand.heapUsed()) - before;
	const long = median(many.map(({ milliseconds }) => milliseconds));
	const brief = median(few.map(({ milliseconds }) => milliseconds));
	row(
		'10,000 buys, against 1,000',
		'at most 11 times the time',
		`${(long / brief).toFixed(2)} times (${seconds(long)} and ${seconds(brief)})`,
		long / brief <= 11,
	);
	row(
		'10,000 buys, memory kept after a garbage collection',
		'grows by at most the size of the output',
		`${kilobytes(grown)} of ${kilobytes(many[0]!.outputBytes)}`,
		grown <= many[0]!.outputBytes,
	);
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
			const milliseconds = median(all.map((one) => one.milliseconds));
			say(`  ${name}: ${seconds(milliseconds)}`);
			return [name, { ...all[0]!, milliseconds }];
		}),
	) as Record<Name, Measured>;
}

function ratio(one: Measured, other: Measured): number {
	return one.milliseconds / other.milliseconds;
}

function times(one: Measured, other: Measured): string {
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
	const { stdout } = await promisify(execFile)(
		'npm',
		['pack', '--json', '--silent', '--pack-destination', folder],
		{ cwd: join(import.meta.dirname, '..', '..') },
	);
	await rm(folder, { recursive: true, force: true });
	const [{ size }] = JSON.parse(stdout) as [{ size: number }];
	return size;
}
