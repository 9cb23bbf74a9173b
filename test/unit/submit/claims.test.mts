import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import {
	openClaims,
	type IsSentAgain,
	type Lease,
} from '../../../nodes/StablecoinRamp/submit/memory/claims.ts';
import { fingerprint } from '../../../nodes/StablecoinRamp/submit/memory/fingerprint.ts';
import { rowsInExecution, type Rows } from '../../../nodes/StablecoinRamp/submit/memory/rows.ts';
import { times } from '../../support/quick.mts';
import { sentAgainBy, takeRounds } from '../../support/claims/rounds.mts';
import { claimsSuite } from '../../support/claims/suite.mts';

const [stop, submitUnknownAgain, submitAgain] = (
	['stop', 'submitUnknownAgain', 'submitAgain'] as const
).map(sentAgainBy) as [IsSentAgain, IsSentAgain, IsSentAgain];

describe('in the execution', () => {
	const kept: Parameters<typeof rowsInExecution>[0] = {};
	claimsSuite(() => ({
		take: async (rounds) => await takeRounds(rowsInExecution(kept), rounds),
		read: async () => JSON.stringify(kept),
	}));
});

const many = times(100_001);

it(`does not let the last of ${many} push out the first`, async () => {
	const kept: Parameters<typeof rowsInExecution>[0] = {};
	const claims = openClaims(rowsInExecution(kept));
	const numbered = (number: number) => ({
		referenceFingerprint: String(number),
		valuesFingerprint: '',
	});
	await Promise.all(
		Array.from({ length: many }, async (_, number) => await claims.claim(numbered(number), stop)),
	);
	expect(await claims.claim(numbered(0), stop)).toMatchObject({ isMine: false });
	expect(Object.keys(kept.stablecoinRamp!)).toHaveLength(many);
});

let one: { referenceFingerprint: string; valuesFingerprint: string };
beforeEach(() => {
	one = { referenceFingerprint: `order ${randomUUID()}`, valuesFingerprint: 'values' };
});

/** Rows of their own, and which calls there were. */
function watchedRows(isAway: () => boolean = () => false) {
	const kept = rowsInExecution({});
	const calls: Array<keyof Rows> = [];
	const watch =
		<T,>(call: keyof Rows, work: (name: string, number?: number) => Promise<T>) =>
		async (name: string, number?: number) => {
			calls.push(call);
			const answer = await work(name, number);
			if (isAway()) throw new Error('away');
			return answer;
		};
	const rows: Rows = {
		numberOf: watch('numberOf', kept.numberOf),
		insert: watch('insert', kept.insert),
	};
	return { calls, rows, claims: openClaims(rows) };
}

it('says that a claim is not known where the database does not answer, and writes nothing more', async () => {
	let isAway = true;
	const { calls, claims } = watchedRows(() => isAway);
	const waiting = [claims.claim(one, stop), claims.claim(one, stop)];
	const ended = await Promise.allSettled(waiting);
	expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	expect(calls).toEqual(['insert', 'insert']);
	isAway = false;
	expect(await claims.claim(one, stop)).toMatchObject({ isMine: false });
});

it('lets the runs of one process claim the same reference one after the other', async () => {
	const kept = rowsInExecution({});
	const underWay = { now: 0, most: 0 };
	const rows: Rows = {
		...kept,
		insert: async (name) => {
			underWay.most = Math.max(underWay.most, ++underWay.now);
			await sleep(5);
			underWay.now--;
			return await kept.insert(name);
		},
	};
	await Promise.all([openClaims(rows).claim(one, stop), openClaims(rows).claim(one, stop)]);
	expect(underWay.most).toBe(1);
});

it('has written the values before the state, so that nobody sees a state without its values', async () => {
	const named: string[] = [];
	const claims = openClaims({
		numberOf: async (name) => (named.includes(name) ? 1 : 0),
		insert: async (name) => named.push(name) > 0,
	});
	await claims.settle(one, 1, 'accepted');
	const row = (...what: string[]) => fingerprint([one.referenceFingerprint, 1, ...what]);
	expect(named).toEqual([
		row('accepted', 'values'),
		fingerprint([one.referenceFingerprint, 1, 'accepted', undefined]),
	]);
});

it('forgets at the end of a run what that has claimed, and nothing else', async () => {
	const { rows } = watchedRows();
	const [first, second] = [openClaims(rows), openClaims(rows)];
	const other = { ...one, referenceFingerprint: `${one.referenceFingerprint} and another` };
	await first.claim(one, stop);
	await second.claim(other, stop);
	first.close();
	expect(await second.lookUp(one)).toMatchObject({ state: 'claimed' });
	expect(await first.lookUp(other)).toMatchObject({ state: 'claimedHere' });
});

it('still says that another run is submitting it when one of two has ended', async () => {
	const { rows } = watchedRows();
	const [first, second] = [openClaims(rows), openClaims(rows)];
	await first.claim(one, stop);
	await second.claim(one, submitAgain);
	first.close();
	expect(await first.lookUp(one)).toMatchObject({ attempt: 2, state: 'claimedHere' });
});

it('gives a further attempt to one process alone, whatever the other knows', async () => {
	const kept = rowsInExecution({});
	const before = openClaims(kept);
	await before.claim(one, stop);
	await before.settle(one, 1, 'unknown');
	before.close();
	// Another process, of which this one knows nothing, is a moment earlier.
	const rows: Rows = { ...kept, insert: async (...row) => (await kept.insert(...row), false) };
	const later = openClaims(rows, Infinity, () => Date.now() + 20 * 60_000);
	expect(await later.claim(one, submitUnknownAgain)).toMatchObject({
		isMine: false,
		earlier: { attempt: 2, state: 'claimed' },
	});
});

it('attempts once more after whoever was first, where that is asked for', async () => {
	const kept = rowsInExecution({});
	await openClaims(kept).claim(one, stop);
	let isFirst = true;
	const insert: Rows['insert'] = async (...row) => {
		// Twice: the first attempt was there, and another process takes the second.
		const claimed = await kept.numberOf(
			fingerprint([one.referenceFingerprint, 1, 'claim', undefined]),
		);
		const isOthers = isFirst && claimed > 0;
		const inserted = await kept.insert(...row);
		if (inserted && isOthers) isFirst = false;
		return inserted && !isOthers;
	};
	expect(await openClaims({ ...kept, insert }).claim(one, submitAgain)).toMatchObject({
		isMine: true,
		attempt: 3,
	});
});

it('finds the last of many attempts in a few steps', async () => {
	const { calls, claims } = watchedRows();
	for (let attempt = 1; attempt <= 600; attempt++) await claims.claim(one, submitAgain);
	calls.length = 0;
	expect(await claims.lookUp(one)).toMatchObject({ attempt: 600, state: 'claimedHere' });
	expect(calls.length).toBeLessThan(60);
	for (let attempt = 1; attempt <= 600; attempt++) await claims.release(one, attempt);
	expect(await claims.claim(one, stop)).toMatchObject({ isMine: true, attempt: 601 });
	await claims.release(one, 601);
	calls.length = 0;
	expect(await claims.claim(one, stop)).toMatchObject({ isMine: true, attempt: 602 });
	// Nobody looks further back than to where the last one has found nothing.
	expect(calls.length).toBeLessThan(60);
});

it('names nothing in a fingerprint, and the same thing in the same way', () => {
	expect(fingerprint(['order-1', 1])).toMatch(/^[0-9a-f]{40}$/);
	expect(fingerprint(['order-1', 1])).toBe(fingerprint(['order-1', 1]));
	expect(fingerprint(['order-1', 2])).not.toBe(fingerprint(['order-1', 1]));
});

it('names the attempt that it is made after, also when it is claimed anew', async () => {
	let now = 0;
	const claims = openClaims(rowsInExecution({}), Infinity, () => now);
	const first = await claims.claim(one, stop);
	expect(first).not.toHaveProperty('after');
	await claims.settle(one, 1, 'unknown');
	now = 20 * 60_000;
	const second = (await claims.claim(one, submitUnknownAgain)) as Lease;
	const after = { attempt: 1, state: 'unknown', hasSameValues: true };
	expect(second).toEqual({ isMine: true, attempt: 2, claimedAt: now, after });
	now += 5 * 60_000;
	expect(await claims.renew(one, second, submitUnknownAgain)).toEqual({
		isMine: true,
		attempt: 3,
		claimedAt: now,
		after,
	});
	claims.close();
});
