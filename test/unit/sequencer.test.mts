import { join } from 'node:path';
import type { TestSequencerOptions } from '@jest/test-sequencer';

import Sequencer from '../support/sequencer.mts';

const here = join(import.meta.dirname, '..', '..');
const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const files = names.map((name) => ({ path: join(here, name), name }));

const orderOf = (seed: number, found = files) => {
	const sequencer = new Sequencer({ globalConfig: { seed } } as TestSequencerOptions);
	return sequencer.sort(found).map(({ name }) => name);
};

test('a seed is one order of the files, whatever order they were found in; another seed another', () => {
	expect(orderOf(1, files.toReversed())).toEqual(orderOf(1));
	expect(orderOf(1).toSorted()).toEqual(names);
	expect(new Set(Array.from({ length: 20 }, (_, seed) => orderOf(seed).join())).size).toBe(20);
});
