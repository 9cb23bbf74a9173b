// How many small changes of the code the tests notice: npm run mutation -- [checks] [pure] [send] …
// What nobody notices is listed: it lacks a test, or it can go.
import { relative } from 'node:path';
import { Stryker } from '@stryker-mutator/core';

const asked = 85;
const minutes = 30;

interface Part {
	name: string;
	code: string[];
	tests: string;
	more?: object;
}

const submit = (name: string) => `nodes/StablecoinRamp/submit/${name}.ts`;
const pure = [
	'draft',
	'outcome',
	'readItem',
	'records',
	'reference',
	'result',
	'rows',
	'rules',
	'stopError',
	'tries',
];
// Not register and ownWorkflow: whether n8n's Data Table node does what they ask of it is for test/n8n.
const inEngine = [
	'send',
	'check',
	'submit',
	'settings',
	'findVendor',
	'requestOptions',
	'hints',
	'refuseUnguarded',
];

const parts: Part[] = [
	{
		name: 'checks',
		code: ['nodes/StablecoinRamp/checks/*.ts'],
		tests: 'test/unit/checks/*.test.ts',
	},
	{ name: 'pure', code: pure.map(submit), tests: 'test/unit/submit/*.test.ts' },
	...inEngine.map((name) => ({
		name,
		code: [submit(name)],
		tests: 'test/mutation/engine.test.ts',
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
console.log(`all: ${inWords(total, began)}`);
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
	const noticed = withStatus('Killed', 'Timeout').length;
	const score = { noticed, all: noticed + missed.length };
	total.noticed += score.noticed;
	total.all += score.all;
	console.log(`${name}: ${inWords(score, started)}`);
}

function inWords({ noticed, all }: typeof total, since: number): string {
	const score = ((100 * noticed) / all).toFixed(1);
	const seconds = ((Date.now() - since) / 1000).toFixed(0);
	return `${score} %, ${noticed} of ${all} are noticed (${seconds} s)`;
}
