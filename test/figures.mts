// Every figure of the documents, of one state of the code: npm run figures -- [bench] [soak] …, hours of a machine that does nothing
// else. Writes test/FIGURES.md, and what is there is not run again while nothing has changed that it runs: after an
// interruption, or on another machine, the same command goes on.
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';

import { versions } from '../playground/versions.mts';
import { keepFailure } from './support/keepFailure.mts';

interface Figure {
	name: string;
	/** As a person runs it. */
	command: string;
	/** Where the figures are, if not in what the command prints. */
	file?: string;
	/** The lines that are figures. */
	lines: RegExp;
	/** Only from the last such line on. */
	from?: RegExp;
	picture?: string;
	/** Paths that this figure depends on, and most others do not: a change there leaves those as they are. */
	own?: string[];
}

const root = join(import.meta.dirname, '..');
const document = 'test/FIGURES.md';
const anything = /\S/;
/** What only the tests of the code and the mutation run. test/unit/playground is not here: polls runs it too. */
const ofCode = [
	...['checks', 'client', 'credentials', 'examples', 'submit', 'trigger'].map(
		(folder) => `test/unit/${folder}`,
	),
	...['test/engine', 'test/mutation', 'test/mutation.mts'],
];
/** What only the benchmarks run. */
const ofBench = ['test/bench'];
/** What only growth, queue, often, busy and compat run. */
const ofQueue = ['test/queue'];
/** `npm test` has a look at all of these, if only at their types and their form. */
const documents = ['CONTRIBUTING.md', 'test/*.md'];
const ofChecks = [...ofCode, ...ofBench, ...ofQueue, ...documents, 'test/figures.mts'];

const figures: Figure[] = [
	{ name: 'test', command: 'npm test', lines: /^(✓|✗|\d+ passed)/, own: ofChecks },
	{ name: 'quick', command: 'npm run test:quick', lines: /^(✓|✗|\d+ passed)/, own: ofChecks },
	{ name: 'bench', command: 'npm run bench', lines: /^\|/, own: ofBench },
	{
		name: 'growth',
		command: 'npm run growth',
		file: 'queue.txt',
		lines: anything,
		picture: 'queue/growth.svg',
		own: ofQueue,
	},
	{
		name: 'queue',
		command: 'npm run test:all -- build queue',
		file: 'queue.txt',
		lines: anything,
		own: ofQueue,
	},
	{ name: 'soak', command: 'npm run soak -- --minutes 20 --seed 7', lines: anything },
	{ name: 'simulate', command: 'npm run simulate -- --runs 50000', lines: anything },
	{ name: 'ways', command: 'npm run ways', file: 'examples.txt', lines: anything },
	{ name: 'fits', command: 'npm run fits', lines: anything },
	{ name: 'often', command: 'npm run often', lines: /^\|/, own: ofQueue },
	{ name: 'busy', command: 'npm run often -- --busy', lines: /^\|/, own: ofQueue },
	{
		name: 'compat',
		command: 'npm run compat',
		lines: /^\|/,
		from: /^\| n8n/,
		own: ofQueue,
	},
	{
		name: 'mutation',
		command: 'npm run mutation',
		lines: /^(\S+: [\d.]+ %|in \d)/,
		own: ofCode,
	},
];

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !figures.some((one) => one.name === name));
if (unknown) {
	console.error(`There is no '${unknown}', but ${figures.map(({ name }) => name).join(', ')}.`);
	process.exit(1);
}
const git = async (...what: string[]) => (await execa('git', what, { cwd: root })).stdout;
const without = (files: string[]) => files.map((file) => `:(exclude)${file}`);
const written = [document, ...figures.flatMap(({ picture }) => (picture ? `test/${picture}` : []))];
const commit = await commitOfSources();
await checkCommit();
const sections = await readDocument();
await writeDocument();
for (const figure of figures) {
	const { name } = figure;
	if ((wanted.length > 0 && !wanted.includes(name)) || isGreen(name)) continue;
	sections.set(name, await take(figure));
	await checkCommit();
	await writeDocument();
	console.log(`${isGreen(name) ? '✓' : '✗'} ${name}`);
	if (!isGreen(name)) process.exitCode = 1;
}

/** The last commit that changed more than this document. */
async function commitOfSources(): Promise<string> {
	return await git('log', '-1', '--format=%h', '--', '.', ...without(written));
}

/** Whether nothing that it runs has changed since it was taken. */
async function isStill({ own = [] }: Figure, section: string): Promise<boolean> {
	const taken = /^`.*`, of (\w+), /.exec(section)?.[1];
	if (!taken) return false;
	const others = [...written, ...ofChecks.filter((path) => !own.includes(path))];
	const changes = ['diff', '--quiet', taken, commit, '--', '.', ...without(others)];
	return (await execa('git', changes, { cwd: root, reject: false })).exitCode === 0;
}

/** A figure belongs to a commit: the sources are still the same, and nothing else. */
async function checkCommit(): Promise<void> {
	const changed = (await git('status', '--porcelain')).split('\n').filter(Boolean);
	const others = changed.filter((line) => !written.includes(line.slice(3)));
	if (others.length === 0 && (await commitOfSources()) === commit) return;
	console.error(`The figures would not be of commit ${commit} alone:\n${others.join('\n')}`);
	process.exit(1);
}

/** Runs it: its section of the document. */
async function take({ command, file, lines, from, picture, name }: Figure): Promise<string> {
	const began = Date.now();
	const said = join(root, 'test', '.output', 'figures', file ?? 'none');
	await rm(said, { force: true });
	// Without npm's own words.
	const env = { npm_config_loglevel: 'silent' };
	const options = { cwd: root, shell: true, env, all: true, reject: false } as const;
	const { exitCode, stdout, all } = await execa(command, options);
	const text = existsSync(said) ? await readFile(said, 'utf8') : file ? '' : stdout;
	const every = text.split('\n');
	const start = from ? every.findLastIndex((line) => from.test(line)) : 0;
	const found = every.slice(start).filter((line) => lines.test(line));
	const hasWorked = exitCode === 0 && found.length > 0;
	if (!hasWorked) await keepFailure(all);
	const isTable = found.some((line) => line.startsWith('|'));
	return [
		[
			`\`${command}\``,
			`of ${commit}`,
			new Date().toISOString().slice(0, 10),
			`${process.platform} ${process.arch}, ${availableParallelism()} cores`,
			`${((Date.now() - began) / 60_000).toFixed(0)} minutes`,
			hasWorked ? 'green:' : '**red**:',
		].join(', '),
		(isTable ? found : ['```', ...found, '```']).join('\n'),
		...(picture ? [`![${name}](${picture})`] : []),
	].join('\n\n');
}

function isGreen(name: string): boolean {
	return /green:$/m.test(sections.get(name) ?? '');
}

/** What is there, and still is what its command would print. */
async function readDocument(): Promise<Map<string, string>> {
	const text = await readFile(join(root, document), 'utf8');
	const current = new Map<string, string>();
	for (const part of text.split(/^## /m)) {
		const end = part.indexOf('\n');
		const section = part.slice(end).trim();
		const figure = figures.find(({ name }) => name === part.slice(0, end));
		if (figure && (await isStill(figure, section))) current.set(figure.name, section);
	}
	return current;
}

async function writeDocument(): Promise<void> {
	const { n8n } = versions.at(-1)!;
	const parts = [
		'# Figures',
		`All of commit ${commit}, written by \`npm run figures\`: n8n ${n8n}, Node ${process.version}. Where a figure names an older commit, it was taken there, and nothing has changed since that its command runs: \`git diff --stat <that commit> ${commit}\`.`,
		...figures.flatMap(({ name, command }) => [
			`## ${name}`,
			sections.get(name) ?? `\`${command}\` was not run on this commit yet.`,
		]),
	];
	await writeFile(join(root, document), `${parts.join('\n\n')}\n`);
}
