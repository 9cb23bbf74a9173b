// How many small changes of the code the tests notice: npm run mutation -- [checks] [pure] [send] …
// What nobody notices is listed: it lacks a test, or it can go.
import { basename, relative } from 'node:path';
import { Stryker } from '@stryker-mutator/core';

const asked = 85;
const minutes = 30;

interface Part {
	name: string;
	code: string[];
	tests: string;
	more?: object;
}

const node = (file: string) => `nodes/StablecoinRamp/${file}.ts`;
const pure = [
	'resources/transaction/answer',
	'submit/draft',
	'submit/judge',
	'submit/notSent',
	'submit/policy',
	'submit/readItem',
	'submit/reference',
	'submit/result',
	'submit/stopError',
	'submit/memory/claims',
	'submit/memory/lease',
	'submit/memory/register',
	'submit/memory/rows',
	'submit/memory/tries',
];
// Not dataTable: whether n8n's Data Table node does what it asks is for test/n8n.
const inEngine = [
	'submit/claim',
	'submit/send',
	'submit/checkItems',
	'submit/submit',
	'submit/run',
	'submit/output',
	'submit/settings',
	'submit/findVendor',
	'submit/requestOptions',
	'submit/memory/memory',
	'guard',
];

const parts: Part[] = [
	{
		name: 'checks',
		code: [node('checks/**/*'), 'client/refusal.ts', 'client/values.ts'],
		tests: 'test/unit/checks/*.test.mts',
	},
	{
		name: 'pure',
		code: pure.map(node),
		tests: 'test/unit/submit/*.test.mts',
	},
	...inEngine.map((file) => ({
		name: basename(file),
		code: [node(file)],
		tests: 'test/mutation/engine.test.mts',
		// The engine loads what is built.
		more: { buildCommand: 'gulp --silent' },
	})),
];

// A share of what is random: a mutant that is noticed at all is noticed by that too.
process.env.QUICK = 'true';
const wanted = process.argv.slice(2);
const began = Date.now();
const total = { noticed: 0, all: 0 };
for (const part of parts) {
	if (wanted.length > 0 && !wanted.includes(part.name)) continue;
	if (Date.now() - began > minutes * 60_000) console.log(`${part.name}: no time left`);
	else await take(part);
}
console.log(`all: ${inWords(total)} (${secondsSince(began)} s)`);
if (!(total.noticed / total.all >= asked / 100)) process.exitCode = 1;

async function take({ name, code, tests, more }: Part): Promise<void> {
	const started = Date.now();
	const mutants = await new Stryker({
		configFile: 'test/mutation/stryker.config.mjs',
		mutate: code,
		jest: { config: { testMatch: [`<rootDir>/${tests}`] } },
		...more,
	}).runMutationTest();

	const withStatus = (...some: string[]) => mutants.filter(({ status }) => some.includes(status));
	const missed = withStatus('Survived', 'NoCoverage');
	for (const { fileName, location, replacement, status } of missed) {
		const { line, column } = location.start;
		const where = `${relative('.', fileName)}:${line}:${column}`;
		console.log(`${where} ${status === 'Survived' ? '' : 'without a test '}→ ${replacement}`);
	}
	const noticed = withStatus('Killed', 'Timeout');
	const scores = [...new Set(mutants.map(({ fileName }) => fileName))].map((file) => {
		const ofFile = (some: typeof mutants) =>
			some.filter(({ fileName }) => fileName === file).length;
		return { file, noticed: ofFile(noticed), all: ofFile(noticed) + ofFile(missed) };
	});
	for (const { file, ...score } of scores) {
		total.noticed += score.noticed;
		total.all += score.all;
		console.log(`${relative('.', file)}: ${inWords(score)}`);
	}
	console.log(`${name} took ${secondsSince(started)} s`);
}

function inWords({ noticed, all }: typeof total): string {
	return `${((100 * noticed) / all).toFixed(1)} %, ${noticed} of ${all} are noticed`;
}

function secondsSince(time: number): string {
	return ((Date.now() - time) / 1000).toFixed(0);
}
