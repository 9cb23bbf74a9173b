import { randomUUID } from 'node:crypto';

import type { Rows, Step } from '../../../nodes/StablecoinRamp/submit/ownWorkflow.ts';
import { NotEntered } from '../../../nodes/StablecoinRamp/submit/ownWorkflow.ts';
import {
	fingerprint,
	openRecords,
	rowsInExecution,
} from '../../../nodes/StablecoinRamp/submit/records.ts';
import { times } from '../../support/quick.ts';
import { takeRounds } from '../../support/recordCalls/rounds.ts';
import { recordsSuite } from '../../support/recordsSuite.ts';

describe('in the execution', () => {
	const kept: { rows?: string[] } = {};
	recordsSuite(() => ({
		take: async (rounds) => await takeRounds(openRecords(rowsInExecution(kept)), rounds),
		read: async () => JSON.stringify(kept),
	}));
});

const many = times(100_001);

it(`does not let the last of ${many} push out the first`, async () => {
	const there = new Set<string>();
	const rows: Rows = async (steps) =>
		steps.map(({ row, what }) => {
			const wasThere = there.has(row);
			if (what !== 'look') there.add(row);
			return what === 'look' ? wasThere : !wasThere;
		});
	const records = openRecords(rows);
	const numbered = (key: number) => ({ key: String(key), payload: '' });
	await Promise.all(
		Array.from({ length: many }, async (_, key) => await records.claim(numbered(key), 'never')),
	);
	expect(await records.claim(numbered(0), 'never')).toMatchObject({ isMine: false });
	expect(there.size).toBe(many);
}, 60_000);

let one: { key: string; payload: string };
beforeEach(() => {
	one = { key: `order ${randomUUID()}`, payload: 'values' };
});

/** Rows of their own, and the steps that were taken together. */
function watchedRows(answer: (step: Step) => Error | undefined = () => undefined) {
	const rows = rowsInExecution({});
	const taken: Step[][] = [];
	const watched: Rows = async (steps) => {
		taken.push(steps);
		const results = await rows(steps);
		return results.map((result, index) => answer(steps[index]!) ?? result);
	};
	return { taken, rows: watched, records: openRecords(watched) };
}

it('takes the steps of one moment in one go', async () => {
	const { taken, records } = watchedRows();
	const keys = ['a', 'b', 'c'].map((name) => `${one.key} ${name}`);
	await Promise.all(keys.map(async (key) => await records.claim({ key, payload: '' }, 'never')));
	expect(taken.map((steps) => steps.map(({ what }) => what))).toEqual([
		['claim', 'claim', 'claim'],
	]);
	await records.settle(one, 1, 'accepted');
	expect(taken[1]!.map(({ what }) => what)).toEqual(['put', 'put']);
});

it('hands on what is to be entered with a claim, with what was settled and with a release, once', async () => {
	const { taken, records } = watchedRows();
	await records.claim(one, 'never', { at: 'claim' });
	await records.settle(one, 1, 'unknown', { at: 'settle' });
	await records.release(one, 1, { at: 'release' });
	expect(taken.flat().flatMap(({ entry }) => (entry ? [entry.at] : []))).toEqual([
		'claim',
		'settle',
		'release',
	]);
});

it('releases a claim that could not be entered, and says why', async () => {
	let isAway = true;
	const { taken, records } = watchedRows(({ what }) =>
		what === 'claim' && isAway ? new NotEntered('no table') : undefined,
	);
	await expect(records.claim(one, 'never')).rejects.toThrow('no table');
	expect(taken.flat().map(({ what }) => what)).toEqual(['claim', 'put']);
	isAway = false;
	expect(await records.lookUp(one)).toBeUndefined();
	expect(await records.claim(one, 'never')).toEqual({ isMine: true, attempt: 2 });
});

it('says that a claim is not known where the database does not answer, and writes nothing more', async () => {
	let isAway = true;
	const { taken, records } = watchedRows(() => (isAway ? new Error('away') : undefined));
	const waiting = [records.claim(one, 'never'), records.claim(one, 'never')];
	const ended = await Promise.allSettled(waiting);
	expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	expect(taken.flat().map(({ what }) => what)).toEqual(['claim', 'claim']);
	isAway = false;
	expect(await records.claim(one, 'never')).toMatchObject({ isMine: false });
});

it('lets the runs of one process claim the same reference one after the other', async () => {
	const { taken, rows } = watchedRows();
	await Promise.all([openRecords(rows).claim(one, 'never'), openRecords(rows).claim(one, 'never')]);
	expect(taken[0]!.map(({ what }) => what)).toEqual(['claim']);
});

it('forgets at the end of a run what that has claimed, and nothing else', async () => {
	const { rows } = watchedRows();
	const [first, second] = [openRecords(rows), openRecords(rows)];
	const other = { ...one, key: `${one.key} and another` };
	await first.claim(one, 'never');
	await second.claim(other, 'never');
	first.close();
	expect(await second.lookUp(one)).toMatchObject({ state: 'claimed' });
	expect(await first.lookUp(other)).toMatchObject({ state: 'sending' });
});

it('finds the last of many attempts in a few steps', async () => {
	const { taken, records } = watchedRows();
	for (let attempt = 1; attempt <= 60; attempt++) await records.claim(one, 'always');
	taken.length = 0;
	expect(await records.lookUp(one)).toMatchObject({ attempt: 60, state: 'sending' });
	expect(taken.length).toBeLessThan(12);
	for (let attempt = 1; attempt <= 60; attempt++) await records.release(one, attempt);
	expect(await records.claim(one, 'never')).toEqual({ isMine: true, attempt: 61 });
	await records.release(one, 61);
	taken.length = 0;
	expect(await records.claim(one, 'never')).toEqual({ isMine: true, attempt: 62 });
	// Nobody looks further back than to where the last one has found nothing.
	expect(taken.length).toBeLessThan(20);
});

it('names nothing in a fingerprint, and the same thing in the same way', () => {
	expect(fingerprint(['order-1', 1])).toMatch(/^[0-9a-f]{40}$/);
	expect(fingerprint(['order-1', 1])).toBe(fingerprint(['order-1', 1]));
	expect(fingerprint(['order-1', 2])).not.toBe(fingerprint(['order-1', 1]));
});
