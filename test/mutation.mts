// How many small changes of the code the tests notice: npm run mutation -- [checks] [pure] [sending] …
// What nobody notices is listed: it lacks a test, or it can go. A part that is done is remembered for all that it loads:
// after an interruption, or with a test more in another part, run the same command again.
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { Stryker } from '@stryker-mutator/core';

import { hashOf } from './support/sources.mts';

/** Of every file, in percent. */
const asked = 90;

interface Part {
	name: string;
	code: string[];
	/** In test/unit: those that reach the code, and not the long ones. */
	tests: string[];
	isInEngine?: boolean;
}

interface Score {
	file: string;
	noticed: number;
	all: number;
}

interface Result {
	/** The changes that nobody noticed. */
	missed: string[];
	scores: Score[];
	seconds: number;
}

const node = (file: string) => `nodes/StablecoinRamp/${file}.ts`;
const pure = [
	'resources/transaction/answer',
	'submit/draft',
	'submit/judge',
	'submit/notSent',
	'submit/policy',
	'submit/reference',
	'submit/result',
	'submit/steps',
	'submit/stopError',
	'submit/memory/fingerprint',
	'submit/memory/rows',
	'submit/memory/tries',
];
// Not the rest of resources/transaction: what it declares is compared with the interface, in test/engine.
// Not dataTable: whether n8n's Data Table node does what it asks is for test/n8n.
const inEngine = {
	reading: ['checkItems', 'findVendor', 'readItem', 'requestOptions', 'settings'],
	sending: ['claim', 'lookUp', 'send', 'total', 'watch'],
	telling: ['enterRefused', 'output', 'run', 'submit', '../guard'],
	memory: ['memory/memory', 'memory/register'],
};

const parts: Part[] = [
	{
		name: 'checks',
		code: [node('checks/**/*')],
		tests: ['checks/*'],
	},
	{
		name: 'pure',
		code: pure.map(node),
		// A table is loaded with its file, so every test runs for each change of it: not the long one.
		tests: ['checks/*', 'submit/!(interleavings)'],
	},
	{
		name: 'client',
		code: ['rates', 'refusal', 'reply', 'saysNo', 'values', 'vendors'].map(
			(file) => `client/${file}.ts`,
		),
		tests: ['client/*', 'submit/{judge,notSent,result,draft}'],
	},
	{
		name: 'claims',
		code: ['submit/memory/claims', 'submit/memory/lease'].map(node),
		tests: ['submit/{claims,interleavings,lease}'],
	},
	...Object.entries(inEngine).map(([name, files]) => ({
		name,
		code: files.map((file) => node(join('submit', file))),
		// What the engine misses a unit test may notice.
		tests: ['submit/{claim,lookUp,readItem,register,result,send,steps}'],
		isInEngine: true,
	})),
];

// A share of what is random: a mutant that is noticed at all is noticed by that too.
process.env.QUICK = 'true';
const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !parts.some((part) => part.name === name));
if (unknown) {
	console.error(`There is no '${unknown}', but ${parts.map(({ name }) => name).join(', ')}.`);
	process.exit(1);
}
const remembered = join(import.meta.dirname, '..', 'node_modules', '.cache', 'mutation');
await mkdir(remembered, { recursive: true });
const results: Result[] = [];
for (const part of parts) {
	if (wanted.length > 0 && !wanted.includes(part.name)) continue;
	const memory = join(remembered, `${part.name}-${await hashOfAllThatLoads(part)}.json`);
	const result = await readFile(memory, 'utf8').then(
		(text) => JSON.parse(text) as Result,
		async () => await take(part),
	);
	await writeFile(memory, JSON.stringify(result));
	for (const line of [...result.missed, ...result.scores.map(inWords)]) console.log(line);
	results.push(result);
}
const scores = results.flatMap((result) => result.scores);
console.log(inWords({ file: 'all', noticed: sum(scores, 'noticed'), all: sum(scores, 'all') }));
console.log(`in ${sum(results, 'seconds').toFixed(0)} s`);
const tooFew = scores.filter(({ noticed, all }) => noticed < (all * asked) / 100);
for (const score of tooFew) console.log(`less than ${asked} % of ${inWords(score)}`);
if (scores.length === 0 || tooFew.length > 0) process.exitCode = 1;

async function hashOfAllThatLoads({ tests, isInEngine }: Part): Promise<string> {
	const folders = 'client,nodes,credentials,sandbox,test/support,test/mutation';
	const hash = createHash('sha256');
	hash.update(await hashOf(isInEngine ? `${folders},test/engine` : folders));
	// Its tests, and what is no test in test/unit: they may load that.
	const units = [...tests.map((some) => `${some}.test`), '*/!(*.test)'];
	const files = globSync(units.map((some) => `test/unit/${some}.mts`)).sort();
	for (const file of files) hash.update(file).update(await readFile(file));
	return hash.digest('hex').slice(0, 16);
}

async function take({ code, tests, isInEngine }: Part): Promise<Result> {
	const began = Date.now();
	// For test/mutation/together.test.mts.
	process.env.MUTATION_TESTS = tests.join(' ');
	process.env.MUTATION_ENGINE = isInEngine ? 'true' : '';
	const mutants = await new Stryker({
		configFile: 'test/mutation/stryker.config.mjs',
		mutate: code,
		// Tests in the engine wait half of their time.
		concurrency: availableParallelism() * (isInEngine ? 2 : 1),
		// The engine loads what is built.
		...(isInEngine ? { buildCommand: 'gulp --silent' } : {}),
	}).runMutationTest();

	const withStatus = (...some: string[]) => mutants.filter(({ status }) => some.includes(status));
	const missed = withStatus('Survived', 'NoCoverage');
	const noticed = withStatus('Killed', 'Timeout');
	const files = [...new Set(mutants.map(({ fileName }) => fileName))];
	return {
		missed: missed.map(({ fileName, location, replacement, status }) => {
			const { line, column } = location.start;
			const where = `${relative('.', fileName)}:${line}:${column}`;
			return `${where} ${status === 'Survived' ? '' : 'without a test '}→ ${replacement}`;
		}),
		scores: files.map((fileName) => {
			const count = (some: typeof mutants) =>
				some.filter((one) => one.fileName === fileName).length;
			const file = relative('.', fileName);
			return { file, noticed: count(noticed), all: count(noticed) + count(missed) };
		}),
		seconds: (Date.now() - began) / 1000,
	};
}

function inWords({ file, noticed, all }: Score): string {
	return `${file}: ${((100 * noticed) / all).toFixed(1)} %, ${noticed} of ${all} are noticed`;
}

function sum<Key extends string>(of: Array<Record<Key, number>>, what: Key): number {
	return of.reduce((before, one) => before + one[what], 0);
}
