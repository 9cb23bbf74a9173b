// Every check of this repository, one line each; the whole output of each lies in test/.output. With --quick: what can
// be checked in a minute. Steps can be named: npm run test:all -- build queue. With --seed, the tests of code run in the
// order of an earlier run.
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';

import { isMissing } from '../scripts/tools.mts';
import { whatIsMissing, type Family } from './support/missing.mts';
import { showProgress, type Running, type Took } from './support/progress.mts';

const root = join(import.meta.dirname, '..');
const output = join(root, 'test', '.output');
const support = join(root, 'test', 'support');
const timesFile = join(root, 'node_modules', '.cache', 'tests', 'times.json');
const isCi = process.env.CI === 'true';
// What one process has compiled the others only load: there are hundreds.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'compiled');

interface Step extends Family {
	/** One command after the other. */
	commands: string[][];
	/** The steps that must have ended before: what waits runs beside what computes. */
	after?: string[];
	/** A family of tests, which tells how many there are. */
	counts?: boolean;
	/** Its tests run in an order that this decides. */
	seed?: number;
}

interface Ended {
	lines: string[];
	passed: number;
	failed: number;
	skipped: number;
}

const npm = (script: string) => ['npm', 'run', '--silent', script];
const gulp = ['gulp', '--silent'];

const inOrderOf = (seed: number) => [
	...['--randomize', '--seed', String(seed)],
	...['--testSequencer', join(support, 'sequencer.mts')],
];

const family = (name: string, families: string[], more: Partial<Step>): Step => ({
	name,
	commands: [
		[
			// Two at a time also on two cores: tests of the real n8n often wait for it. Three where nothing else runs: those
			// of the engine wait too.
			...npm('jest'),
			'--',
			'--maxWorkers',
			values.quick ? '3' : '2',
			'--json',
			'--outputFile',
			join(output, `${name}.json`),
			...['--reporters', 'default', join(support, 'reporter.mts')],
			...(more.seed === undefined ? [] : inOrderOf(more.seed)),
			'--selectProjects',
			...families,
		],
	],
	counts: true,
	...more,
});

const code = ['unit', 'contract', 'engine'];
const polls = 'n8n/trigger';
const playground = 'unit/playground';
/** Starts the sandbox's command again and again. */
const commands = 'contract/lifecycle';
const large = 'engine/manyCurrencies';
const processes = 'n8n/(kills|claims|register)';
const examples = 'n8n/examples';
/** Whether benchmarks measure what they say: a part of `npm run bench`. */
const counts = 'n8n/counts';

const everything = (seed: number): Step[] => [
	// Whether the types are right is a part of lint.
	{ name: 'build', commands: [gulp] },
	{ name: 'lint', commands: [npm('lint')], after: ['build'] },
	family('code', [...code, '--testPathIgnorePatterns', playground], { after: ['lint'], seed }),
	// These wait for minutes to pass, so they run beside everything.
	family('polls', ['n8n', 'unit', '--testPathPatterns', polls, playground], { after: ['build'] }),
	family('n8n', ['n8n', '--testPathIgnorePatterns', polls, processes, examples, counts], {
		after: ['build'],
	}),
	family('browser', ['browser'], { after: ['n8n'], needs: ['chromium'], wants: ['faketime'] }),
	// These apart from the rest of n8n, so that browser can begin sooner.
	family('processes', ['n8n', '--testPathPatterns', processes], {
		after: ['polls'],
		wants: ['faketime'],
	}),
	family('examples', ['n8n', '--testPathPatterns', examples], { after: ['n8n'] }),
	family('queue', ['queue'], { after: ['lint'], needs: ['redis', 'postgres', 'faketime'] }),
];

const quick = async (seed: number): Promise<Step[]> => [
	{ name: 'build', commands: [gulp] },
	{ name: 'lint', commands: await lintOfWhatChanged(), after: ['build'] },
	// How the package is packed, what n8n's own lint says of it, how commands start and how much fits is left to everything.
	family(
		'code',
		[...code, '--testPathIgnorePatterns', 'unit/package', playground, commands, large],
		{ after: ['build'], seed },
	),
];

const { values, positionals: wanted } = parseArgs({
	allowPositionals: true,
	options: {
		quick: { type: 'boolean', default: false },
		seed: { type: 'string', default: String(randomInt(100_000)) },
	},
});
if (!/^\d{1,9}$/.test(values.seed)) {
	console.log(`A seed is a whole number, and '${values.seed}' is none: nothing was run.`);
	process.exit(1);
}
if (values.quick) process.env.QUICK = 'true';
const seed = Number(values.seed);
const steps = (values.quick ? await quick(seed) : everything(seed)).filter(
	({ name }) => wanted.length === 0 || wanted.includes(name),
);
const missing = whatIsMissing(steps);
if (missing.length > 0) console.log(`${missing.join('\n')}\n`);
if (missing.length > 0 && isCi) {
	console.log('In CI everything is tested or nothing: nothing was run.');
	process.exit(1);
}

const began = Date.now();
rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });

// A family alone takes another time than beside others, so times are kept for each thing that can be asked for.
const asked = [...(values.quick ? ['quick'] : []), ...wanted.toSorted()].join(' ') || 'everything';
const usually = { everything: 'about 12 minutes', quick: 'about a minute' }[asked];
const lastTimes = readLastTimes();
const times: Record<string, Took> = {};
const states = new Map<string, Running>();
for (const { name, after = [] } of steps)
	states.set(name, { name, after, lastTime: lastTimes[asked]?.[name] });
const progress = showProgress(() => {
	const running = [...states.values()].map((state) => ({ ...state, ...marksOf(state.name) }));
	return { began, steps: running, usually };
});

const ended = new Map<string, Promise<Ended>>();
for (const step of steps) {
	const before = (step.after ?? []).map((name) => ended.get(name));
	ended.set(
		step.name,
		Promise.all(before).then(async () => await take(step, states.get(step.name)!)),
	);
}
const total = { passed: 0, failed: 0, skipped: 0 };
for (const [name, taking] of ended) {
	const { lines, passed, failed, skipped } = await taking;
	total.passed += passed;
	total.failed += failed;
	total.skipped += skipped;
	states.delete(name);
	progress.print(lines.join('\n'));
}
progress.end();
const { passed, failed, skipped } = total;
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped (${secondsSince(began)} s)`);
if (missing.length > 0) console.log(`\n${missing.join('\n')}`);
process.exitCode = failed > 0 ? 1 : 0;
if (failed === 0) keepTimes();

async function take(
	{ name, commands, counts, seed, needs = [] }: Step,
	state: Running,
): Promise<Ended> {
	if (needs.some(isMissing)) {
		state.said = `- ${name} is not run`;
		return { lines: [state.said], passed: 0, failed: 0, skipped: 1 };
	}
	const started = Date.now();
	state.began = started;
	let code: number | null = 0;
	for (const command of commands) if (code === 0) code = await run(name, command);
	const counted = counts ? readCounts(name) : { passed: code === 0 ? 1 : 0, failed: 0 };
	// A family that ended badly without a test that failed has failed all the same.
	if (code !== 0 && counted.failed === 0) counted.failed = 1;
	const tests = counts ? `, ${counted.passed} tests` : '';
	const order = seed === undefined ? '' : `, seed ${seed}`;
	state.said = `${code === 0 ? '✓' : '✗'} ${name} (${secondsSince(started)} s${tests}${order})`;
	times[name] = {
		seconds: Number(secondsSince(started)),
		tests: counts ? counted.passed : undefined,
	};
	const lines = [
		state.said,
		...figuresOf(name).map((figure) => `    ${figure}`),
		...(code === 0 ? [] : [whatWentWrong(name)]),
	];
	return { lines, ...counted, skipped: 0 };
}

function secondsSince(began: number): string {
	return ((Date.now() - began) / 1000).toFixed(0);
}

/** The types of everything; the rules and the form of what differs from main, or from the last commit. */
async function lintOfWhatChanged(): Promise<string[][]> {
	const git = async (...args: string[]) =>
		(await execa('git', args, { cwd: root, reject: false })).stdout.split('\n').filter(Boolean);
	const [base = 'HEAD'] = await git('merge-base', 'HEAD', 'main');
	const changed = [
		...(await git('diff', '--name-only', '--diff-filter=d', base)),
		...(await git('ls-files', '--others', '--exclude-standard')),
	];
	const types = npm('types');
	if (changed.length === 0) return [types];
	const [eslint, files] = [['eslint', '--no-warn-ignored'], changed.filter(hasRules)];
	return [
		...(files.length > 0 ? [[...eslint, ...files]] : []),
		...(files.length > 0 ? [[...eslint, '-c', 'test/eslint.config.mjs', ...files]] : []),
		['prettier', '--check', '--log-level', 'warn', '--ignore-unknown', ...changed],
		types,
	];
}

function hasRules(file: string): boolean {
	return /\.m?[jt]s$/.test(file) || file === 'package.json';
}

async function run(name: string, [program, ...args]: string[]): Promise<number> {
	const log = { file: logOf(name), append: true };
	const into = { stdout: log, stderr: log, buffer: false };
	const { exitCode } = await execa(program!, args, { cwd: root, reject: false, ...into });
	return exitCode ?? 1;
}

function logOf(name: string): string {
	return join(output, `${name}.log`);
}

/** The tests that failed, with their reasons; the end of the log where it was not a test that failed. */
function whatWentWrong(name: string): string {
	const failures = readJest(name)?.testResults.map(({ message }) => message);
	const log = readFileSync(logOf(name), 'utf8');
	return failures?.join('\n').trim().slice(0, 20_000) || log.slice(-20_000);
}

/** What a family wants to be read: a test writes it to test/.output/figures/<family>.txt. */
function figuresOf(name: string): string[] {
	const file = join(output, 'figures', `${name}.txt`);
	return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
}

/** How many tests of a family have ended so far: test/support/reporter.mts leaves a mark for each. */
function marksOf(name: string): { done?: number; failed?: number } {
	const file = join(output, `${name}.progress`);
	if (!existsSync(file)) return {};
	const marks = readFileSync(file, 'utf8');
	return { done: marks.length, failed: marks.split('F').length - 1 };
}

/** What everything took here when it was green. */
function readLastTimes(): Record<string, Record<string, Took>> {
	try {
		return JSON.parse(readFileSync(timesFile, 'utf8'));
	} catch {
		return {};
	}
}

function keepTimes(): void {
	mkdirSync(dirname(timesFile), { recursive: true });
	writeFileSync(timesFile, JSON.stringify({ ...lastTimes, [asked]: times }));
}

interface JestResults {
	numPassedTests: number;
	numFailedTests: number;
	numFailedTestSuites: number;
	/** One for each file; a message where something in it failed. */
	testResults: Array<{ message: string }>;
}

function readJest(name: string): JestResults | undefined {
	try {
		return JSON.parse(readFileSync(join(output, `${name}.json`), 'utf8'));
	} catch {
		return undefined;
	}
}

function readCounts(name: string): { passed: number; failed: number } {
	const { numPassedTests, numFailedTests, numFailedTestSuites } = readJest(name) ?? {};
	return {
		passed: numPassedTests ?? 0,
		failed: numFailedTests || (numFailedTestSuites ?? 1),
	};
}
