import { createHash } from 'node:crypto';
import { join, relative } from 'node:path';
import TestSequencer, { type TestSequencerOptions } from '@jest/test-sequencer';

const root = join(import.meta.dirname, '..', '..');

/** Files in an order that the seed decides, as jest's --randomize does with what is in a file. */
export default class extends TestSequencer {
	readonly #seed: number;

	constructor(options: TestSequencerOptions) {
		super(options);
		this.#seed = options.globalConfig.seed;
	}

	override sort<T extends { path: string }>(tests: T[]): T[] {
		return tests.toSorted((one, other) => (this.#rank(one) < this.#rank(other) ? -1 : 1));
	}

	/** Of the file's place in the repository, so that a seed means the same order on every machine. */
	#rank({ path }: { path: string }): string {
		const place = relative(root, path).replaceAll('\\', '/');
		return createHash('sha256').update(`${this.#seed} ${place}`).digest('hex');
	}
}
