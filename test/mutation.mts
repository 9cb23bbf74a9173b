// How many small changes of the code the tests notice: npm run mutation -- [checks] [pure] [engine]
// What nobody notices is listed: it lacks a test, or it can go.
import { relative } from 'node:path';
import { Stryker } from '@stryker-mutator/core';

interface Part {
	code: string[];
	tests: string;
	/** What only the engine needs. */
	more?: object;
}

const submit = (name: string) => `nodes/StablecoinRamp/submit/${name}.ts`;
const pure = [
	...['draft', 'outcome', 'records', 'reference', 'result', 'rules', 'stopError', 'tries'],
].map(submit);
// A data table is what only n8n itself has, and with it the register: that is for test/n8n.
const elsewhere = [...pure, submit('register')];

const parts: Record<string, Part> = {
	checks: { code: ['nodes/StablecoinRamp/checks/*.ts'], tests: 'test/unit/checks/*.test.ts' },
	pure: { code: pure, tests: 'test/unit/submit/*.test.ts' },
	engine: {
		code: [submit('*'), ...elsewhere.map((file) => `!${file}`)],
		tests: 'test/mutation/engine.test.ts',
		// The engine loads what is built. A mutant in what runs only when that is loaded would take all of its tests.
		more: { buildCommand: 'gulp --silent', ignoreStatic: true },
	},
};

// A share of what is random: a mutant that is noticed at all is noticed by that too.
process.env.QUICK = 'true';
const wanted = process.argv.slice(2);
const named = Object.entries(parts).filter(([name]) => wanted.includes(name));
for (const [name, part] of named.length > 0 ? named : Object.entries(parts)) await take(name, part);

async function take(name: string, { code, tests, more }: Part): Promise<void> {
	const began = Date.now();
	const mutants = await new Stryker({
		configFile: 'test/mutation/stryker.config.mjs',
		mutate: code,
		...more,
		jest: { config: { testMatch: [`<rootDir>/${tests}`] } },
	}).runMutationTest();

	const withStatus = (...all: string[]) => mutants.filter(({ status }) => all.includes(status));
	const noticed = withStatus('Killed', 'Timeout').length;
	const missed = withStatus('Survived', 'NoCoverage');
	for (const { fileName, location, replacement, status } of missed) {
		const { line, column } = location.start;
		const where = `${relative('.', fileName)}:${line}:${column}`;
		console.log(`${where} ${status === 'Survived' ? '' : 'without a test '}→ ${replacement}`);
	}
	const all = noticed + missed.length;
	const score = ((100 * noticed) / all).toFixed(1);
	const seconds = ((Date.now() - began) / 1000).toFixed(0);
	console.log(`${name}: ${score} %, ${noticed} of ${all} are noticed (${seconds} s)\n`);
}
