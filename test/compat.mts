// The package on every n8n of playground/versions.mts, or on those named: npm run compat -- [version …] [--short]
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';

import { ensureN8n } from '../playground/installN8n.mts';
import { versions, type Version } from '../playground/versions.mts';
import { missingTools, type ToolName } from '../scripts/tools.mts';
import { Playground } from './support/n8n/playground.mts';
import { hashOf } from './support/sources.mts';

interface Check {
	name: string;
	/** The family and the file of its tests. */
	file: string;
	/** How the names of its tests begin, where the file has others too. */
	tests?: string;
	isShort?: boolean;
	/** The example that it needs. */
	example?: string;
	needs?: ToolName[];
}

interface Result {
	/** The checks that have passed, each with the seconds it took. */
	passed: Record<string, number>;
	/** What this n8n lacks for the checks that were left out. */
	lacks: Record<string, string[]>;
}

const checks: Check[] = [
	{ name: 'loads', file: 'n8n/n8n', tests: 'the package in n8n is loaded', isShort: true },
	{ name: 'credential test', file: 'n8n/n8n', tests: 'the credential test of the editor' },
	{ name: 'vendor picker', file: 'n8n/n8n', tests: 'the vendor list of the editor' },
	{ name: 'every operation', file: 'n8n/n8n', tests: 'every operation', isShort: true },
	{ name: 'error outputs', file: 'n8n/submitting', tests: 'error outputs', isShort: true },
	{ name: 'retry, restart, kill', file: 'n8n/submitting', tests: 'a transaction', isShort: true },
	{
		name: 'two processes',
		file: 'queue/queue',
		tests: 'the same reference on two workers at once is accepted once, also by',
		isShort: true,
		needs: ['redis', 'postgres'],
	},
	{ name: 'trigger', file: 'n8n/trigger' },
	...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => ({
		name: `example ${number}`,
		file: [2, 4, 6, 8].includes(number) ? 'n8n/examples' : 'n8n/n8n',
		tests: `example ${number},`,
		example: `StablecoinRamp0${number}`,
	})),
];

const root = join(import.meta.dirname, '..');
const output = join(root, 'test', '.output', 'compat');

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { short: { type: 'boolean', default: false } },
});
const unknown = positionals.find((name) => !versions.some(({ n8n }) => n8n === name));
if (unknown) {
	console.error(`n8n ${unknown} is not in playground/versions.mts.`);
	process.exit(1);
}
const wanted = versions.filter(({ n8n }) => positionals.length === 0 || positionals.includes(n8n));
const needed = new Set(checks.flatMap(({ needs = [] }) => needs));
for (const missing of missingTools([...needed]))
	console.log(`${missing} What needs it does not pass.`);
console.log(
	`An n8n that is not installed takes about ten minutes and 3 GB, its checks ${values.short ? 'three' : 'eight'} minutes.\n` +
		'What has passed is remembered for these sources: after an interruption, run the same command again.',
);

await mkdir(output, { recursive: true });
const remembered = join(root, 'node_modules', '.cache', 'compat');
await mkdir(remembered, { recursive: true });
const sources = await hashOf(
	'client,credentials,examples,nodes,playground,sandbox,test/{n8n,queue,support}',
);
const rows: string[][] = [];
for (const version of wanted) rows.push(await checkOn(version));
printTable(['n8n', 'Node', 'passed', 'not in this version', 'did not pass', 'minutes'], rows);
process.exitCode = rows.some(([, , , , failed]) => failed !== '') ? 1 : 0;

async function checkOn(version: Version): Promise<string[]> {
	process.env.STABLECOIN_RAMP_N8N = version.n8n;
	console.log(`\nn8n ${version.n8n}`);
	await ensureN8n({ version });
	const memory = join(remembered, `${version.n8n}-${sources}.json`);
	const result = await readFile(memory, 'utf8').then(
		(text) => JSON.parse(text) as Result,
		(): Result => ({ passed: {}, lacks: {} }),
	);
	const asked = checks.filter(({ isShort }) => isShort || !values.short);
	if (asked.some(({ name, example }) => example && !(name in result.lacks))) {
		result.lacks = await lacking(version);
		await writeFile(memory, JSON.stringify(result));
	}
	const possible = asked.filter(({ name }) => !result.lacks[name]?.length);
	const open = possible.filter(({ name }) => !(name in result.passed));
	for (const file of new Set(open.map((check) => check.file))) {
		const those = open.filter((check) => check.file === file);
		Object.assign(result.passed, await run(version, file, those));
		await writeFile(memory, JSON.stringify(result));
	}
	const failed = possible.filter(({ name }) => !(name in result.passed));
	const passed = possible.filter(({ name }) => name in result.passed);
	const seconds = passed.reduce((sum, { name }) => sum + result.passed[name]!, 0);
	return [
		version.n8n,
		version.node,
		passed.map(({ name }) => name).join(', '),
		asked
			.filter(({ name }) => result.lacks[name]?.length)
			.map(({ name }) => `${name} (${result.lacks[name]!.map(shortName).join(', ')})`)
			.join(', '),
		failed.map(({ name }) => name).join(', '),
		(seconds / 60).toFixed(0),
	];
}

/** What this n8n lacks for each example. */
async function lacking({ without = {} }: Version): Promise<Result['lacks']> {
	const playground = new Playground();
	try {
		await playground.start({ editor: true, isNew: true });
		const lacks = new Map(playground.leftOut.map(({ id, lacks }) => [id, lacks]));
		return Object.fromEntries(
			checks.flatMap(({ name, example }) => {
				const why = without[name];
				return example ? [[name, why ? [why] : (lacks.get(example) ?? [])]] : [];
			}),
		);
	} finally {
		await playground.close();
	}
}

/** Runs those checks of a file; gives the ones that passed. */
async function run({ n8n }: Version, file: string, those: Check[]): Promise<Result['passed']> {
	const [family = '', name = ''] = file.split('/');
	const log = join(output, `${n8n}-${name}`);
	const began = Date.now();
	const isMissing = missingTools(those.flatMap(({ needs = [] }) => needs)).length > 0;
	if (!isMissing) {
		const { all = '' } = await execa(
			'npm',
			[
				...['run', '--silent', 'jest', '--'],
				'--selectProjects',
				family,
				'--testPathPatterns',
				`${file}\\.test`,
				'--runInBand',
				'--testNamePattern',
				those.map(({ tests = '' }) => `^${tests}`).join('|'),
				'--json',
				'--outputFile',
				`${log}.json`,
			],
			{ cwd: root, all: true, reject: false },
		);
		await writeFile(`${log}.log`, all);
	}
	const tests = isMissing ? [] : await testsOf(`${log}.json`);
	const seconds = (Date.now() - began) / 1000 / those.length;
	return Object.fromEntries(
		those.flatMap(({ name, tests: prefix = '' }) => {
			const own = tests.filter(({ fullName }) => fullName.startsWith(prefix));
			const hasPassed = own.length > 0 && own.every(({ status }) => status === 'passed');
			const why = isMissing ? ': not run' : hasPassed ? '' : `: see ${log}.log`;
			console.log(`  ${hasPassed ? '✓' : '✗'} ${name} (${seconds.toFixed(0)} s)${why}`);
			return hasPassed ? [[name, seconds]] : [];
		}),
	);
}

async function testsOf(file: string): Promise<Array<{ fullName: string; status: string }>> {
	interface Report {
		testResults: Array<{ assertionResults: Array<{ fullName: string; status: string }> }>;
	}
	const report = JSON.parse(await readFile(file, 'utf8').catch(() => '{"testResults":[]}'));
	return (report as Report).testResults
		.flatMap(({ assertionResults }) => assertionResults)
		.filter(({ status }) => status !== 'pending');
}

/** `@n8n/n8n-nodes-langchain.chat 1.3` is chat 1.3. */
function shortName(node: string): string {
	return node.replace(/^\S*\.(\S+ )/, '$1');
}

function printTable(header: string[], lines: string[][]): void {
	const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
	console.log(`\n${[header, header.map(() => '---'), ...lines].map(row).join('\n')}`);
}
