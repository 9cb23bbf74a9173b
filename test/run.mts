// Every check of this repository, one line each; the whole output of each lies in test/.output.
import { spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { missingTools, type ToolName } from '../scripts/tools.mts';

const root = join(import.meta.dirname, '..');
const output = join(root, 'test', '.output');
const isCi = process.env.CI === 'true';

interface Step {
	name: string;
	command: string[];
	/** A family of tests, which tells how many there are. */
	counts?: boolean;
	/** Without these it is skipped, or fails in CI. */
	needs?: ToolName[];
}

const npm = (script: string) => ['npm', 'run', '--silent', script];

const jest = (name: string, ...families: string[]) => [
	// Two at a time also on two cores: some tests of the real n8n mostly wait for its clock.
	...['jest', '-c', 'test/jest.config.mjs', '--maxWorkers', '2'],
	...['--json', '--outputFile', join(output, `${name}.json`)],
	...['--selectProjects', ...families],
];

/** In the order in which they tell most for the time they take. */
const steps: Step[] = [
	{ name: 'build', command: npm('build') },
	{ name: 'lint', command: npm('lint') },
	{ name: 'code', command: jest('code', 'unit', 'contract', 'engine'), counts: true },
	{ name: 'n8n', command: jest('n8n', 'n8n'), counts: true },
	{ name: 'browser', command: jest('browser', 'browser'), counts: true, needs: ['chromium'] },
	{ name: 'queue', command: jest('queue', 'queue'), counts: true, needs: ['redis', 'postgres'] },
];

const wanted = process.argv.slice(2);
const total = { passed: 0, failed: 0, skipped: 0 };
rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });

for (const step of steps) {
	if (wanted.length > 0 && !wanted.includes(step.name)) continue;
	await take(step);
}
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 ? 1 : 0;

async function take({ name, command, counts, needs = [] }: Step): Promise<void> {
	const missing = missingTools(needs);
	if (missing.length > 0) {
		total[isCi ? 'failed' : 'skipped']++;
		console.log(`${isCi ? '✗' : '-'} ${name}: ${missing.join(' ')}`);
		return;
	}
	const started = Date.now();
	const code = await run(name, command);
	const seconds = ((Date.now() - started) / 1000).toFixed(0);
	const counted = counts ? readCounts(name) : { passed: code === 0 ? 1 : 0, failed: 0 };
	// A family that ended badly without a test that failed has failed all the same.
	if (code !== 0 && counted.failed === 0) counted.failed = 1;
	total.passed += counted.passed;
	total.failed += counted.failed;
	const tests = counts ? `, ${counted.passed} tests` : '';
	console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s${tests})`);
	for (const figure of figuresOf(name)) console.log(`    ${figure}`);
	if (code !== 0) console.log(readFileSync(logOf(name), 'utf8').slice(-20_000));
}

function run(name: string, [program, ...args]: string[]): Promise<number | null> {
	return new Promise((resolve) => {
		const child = spawn(program!, args, { cwd: root, shell: process.platform === 'win32' });
		const log = createWriteStream(logOf(name));
		child.stdout.pipe(log, { end: false });
		child.stderr.pipe(log, { end: false });
		child.on('close', (code) => log.end(() => resolve(code)));
	});
}

function logOf(name: string): string {
	return join(output, `${name}.log`);
}

/** What a family wants to be read: a test writes it to test/.output/figures/<family>.txt. */
function figuresOf(name: string): string[] {
	const file = join(output, 'figures', `${name}.txt`);
	return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
}

function readCounts(name: string): { passed: number; failed: number } {
	try {
		const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(
			readFileSync(join(output, `${name}.json`), 'utf8'),
		);
		return { passed: numPassedTests, failed: numFailedTests || numFailedTestSuites };
	} catch {
		return { passed: 0, failed: 1 };
	}
}
