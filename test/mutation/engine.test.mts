// The tests of the engine that money passes through, in one file: jest loads what it needs once for each file. Those
// that take long (matrix, simulation, killed, hostile) or change n8n itself (submitSecrets) are left out.
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const files = [
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

// The way of the money is loaded with the first buy: here, so that it belongs to no test.
beforeAll(async () => {
	const { StablecoinRamp } = outside(
		join(root, 'dist/nodes/StablecoinRamp/StablecoinRamp.node.js'),
	);
	await new StablecoinRamp().customOperations.transaction.buy().catch(() => undefined);
});

for (const name of files) {
	describe(name, () => void jest.requireActual(join(root, 'test', 'engine', `${name}.test.mts`)));
}
