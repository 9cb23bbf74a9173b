// The tests of the engine that the money passes through, in one file: jest loads what it needs once for each file.
import { join } from 'node:path';

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
	'submitSecrets',
	'records',
	'atMostOnce',
];
for (const name of files) {
	describe(
		name,
		() => void jest.requireActual(join(import.meta.dirname, '..', 'engine', `${name}.test.ts`)),
	);
}
