// The tests of one part of the mutation run as one file: for each change jest loads every file of tests, whichever of
// them it needs, and the first test that fails ends a file, not a run.
import { globSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
// What money passes through. Tests that take long (matrix, simulation, killed, hostile) or change n8n itself
// (submitSecrets) are left out.
const inEngine = [
	'buy',
	'sell',
	'checking',
	'outcomes',
	'stopping',
	'alreadySubmitted',
	'retrying',
	'hints',
	'tool',
	'requestOptions',
	'claims',
	'register',
	'atMostOnce',
	'runWide',
	'registerFirst',
	'leases',
	'errorOutputs',
	'outage',
	'laterAttempts',
	'references',
	'differs',
	'closed',
	'refusedBuys',
];

declare const outside: (file: string) => {
	StablecoinRamp: new () => { customOperations: { transaction: { buy(): Promise<unknown> } } };
};

const { MUTATION_TESTS: units = '', MUTATION_ENGINE: isInEngine } = process.env;
const files = units
	.split(' ')
	.flatMap((some) => globSync(`test/unit/${some}.test.mts`, { cwd: root }));

if (isInEngine) {
	files.push(...inEngine.map((name) => `test/engine/${name}.test.mts`));
	// The way of the money is loaded with the first buy: here, so that it belongs to no test.
	beforeAll(async () => {
		const { StablecoinRamp } = outside(
			join(root, 'dist/nodes/StablecoinRamp/StablecoinRamp.node.js'),
		);
		await new StablecoinRamp().customOperations.transaction.buy().catch(() => undefined);
	});
}

for (const file of files) describe(file, () => void jest.requireActual(join(root, file)));
