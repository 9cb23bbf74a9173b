import { randomUUID } from 'node:crypto';

import type { Fingerprints } from '../../../nodes/StablecoinRamp/submit/memory/claims.ts';
import type { Choice } from '../../../nodes/StablecoinRamp/submit/policy.ts';
import type { Call, Round, Said } from './rounds.mts';

/** Somewhere that rows are kept. */
export interface Place {
	/** Makes calls in a run of one process or the other, one round after the other. */
	take(rounds: Round[], process?: 0 | 1): Promise<Said[][]>;
	/** All that can be read in the rows, where a test can get at them. */
	read?(): Promise<string>;
}

const someTransaction = (valuesFingerprint = 'values'): Fingerprints => ({
	referenceFingerprint: `order ${randomUUID()}`,
	valuesFingerprint,
});
const withOtherValues = (of: Fingerprints): Fingerprints => ({
	...of,
	valuesFingerprint: 'other values',
});

const claim = (of: Fingerprints, choice: Choice = 'stop'): Call => ({ what: 'claim', of, choice });
const release = (of: Fingerprints, attempt = 1): Call => ({ what: 'release', of, attempt });
const lookUp = (of: Fingerprints): Call => ({ what: 'lookUp', of });
const settle = (of: Fingerprints, state: 'accepted' | 'unknown', attempt = 1): Call => ({
	what: 'settle',
	of,
	attempt,
	state,
});

const minutes = (count: number) => count * 60_000;
/** Calls are made at the minute 0 of a clock, unless they say otherwise. */
const at = (minute: number, call: Call): Call => ({ ...call, at: minute });
const renew = (
	of: Fingerprints,
	claimedAt: number,
	choice: Choice = 'stop',
	attempt = 1,
): Call => ({
	what: 'renew',
	of,
	choice,
	attempt,
	claimedAt: minutes(claimedAt),
});

const mine = (attempt = 1, minute = 0): unknown =>
	expect.objectContaining({ isMine: true, attempt, claimedAt: minutes(minute) });
const known = (state: string, hasSameValues = true, attempt = 1, lookFrom?: number) => ({
	attempt,
	state,
	hasSameValues,
	...(lookFrom !== undefined && { lookFrom: minutes(lookFrom) }),
});
/** One that was claimed at the minute 0, and a look at it then. */
const claimed = (state: 'claimedHere' | 'claimed', attempt = 1) => known(state, true, attempt, 20);
const refused = (one: ReturnType<typeof known>) => ({ isMine: false, earlier: one });
const notMine = (...of: Parameters<typeof known>) => refused(known(...of));

/** What holds wherever the rows are. */
export function claimsSuite(place: () => Place, { canBeRead = true } = {}): void {
	/** One call after the other. */
	const inTurn = async (...calls: Call[]): Promise<Said[]> =>
		(await place().take(calls.map((call) => [call]))).flat();

	it('gives the first claim to who was first, and no second one, whatever the values', async () => {
		const one = someTransaction();
		expect(
			await inTurn(lookUp(one), claim(one), claim(one), claim(withOtherValues(one)), lookUp(one)),
		).toEqual([
			null,
			mine(),
			refused(claimed('claimedHere')),
			refused(claimed('claimedHere')),
			claimed('claimedHere'),
		]);
	});

	it('does not know what became of a claim whose run has ended', async () => {
		const one = someTransaction();
		await inTurn(claim(one));
		expect(await inTurn(lookUp(one), claim(one))).toEqual([
			claimed('claimed'),
			refused(claimed('claimed')),
		]);
	});

	it('knows in another process what one has written', async () => {
		const one = someTransaction();
		await place().take([[claim(one)], [settle(one, 'accepted')]], 0);
		expect(await place().take([[claim(one)], [lookUp(one)]], 1)).toEqual([
			[notMine('accepted')],
			[known('accepted')],
		]);
	});

	it.each(['accepted', 'unknown'] as const)(
		'tells an %s one with the same values from one with others',
		async (state) => {
			const one = someTransaction();
			const other = withOtherValues(one);
			await inTurn(claim(one), settle(one, state));
			const later = [lookUp(one), lookUp(other), claim(one), claim(other)];
			expect(await inTurn(...later.map((call) => at(20, call)))).toEqual([
				known(state),
				known(state, false),
				notMine(state),
				notMine(state, false),
			]);
		},
	);

	it('keeps transactions apart', async () => {
		const [one, other] = [someTransaction(), someTransaction()];
		await inTurn(claim(one), settle(one, 'accepted'));
		expect(await inTurn(lookUp(other), claim(other))).toEqual([null, mine()]);
	});

	it('settles twice as well as once', async () => {
		const one = someTransaction();
		await inTurn(claim(one), settle(one, 'accepted'), settle(one, 'accepted'));
		expect(await inTurn(lookUp(one))).toEqual([known('accepted')]);
	});

	it('frees what is released, for other values too', async () => {
		const one = someTransaction();
		const other = withOtherValues(one);
		expect(await inTurn(claim(one), release(one), lookUp(one), claim(other), claim(one))).toEqual([
			mine(),
			null,
			null,
			mine(2),
			refused(claimed('claimedHere', 2)),
		]);
	});

	it('frees it as often as it is released', async () => {
		const one = someTransaction();
		const attempts = Array.from({ length: 5 }, (_, index) => index + 1);
		const said = await inTurn(
			...attempts.flatMap((attempt) => [claim(one), release(one, attempt)]),
			lookUp(one),
			claim(one),
			settle(one, 'accepted', 6),
			lookUp(one),
			claim(one),
		);
		expect(said).toEqual([
			...attempts.flatMap((attempt) => [mine(attempt), null]),
			null,
			mine(6),
			null,
			known('accepted', true, 6),
			notMine('accepted', true, 6),
		]);
	});

	it('lets a release be repeated, though another has claimed it meanwhile', async () => {
		const one = someTransaction();
		await inTurn(claim(one), release(one), claim(one), release(one));
		expect(await inTurn(claim(one), lookUp(one))).toEqual([
			refused(claimed('claimed', 2)),
			claimed('claimed', 2),
		]);
	});

	it("gives an unknown one with 'submitUnknownAgain' to one of those that want it at the same time", async () => {
		const one = someTransaction();
		await inTurn(claim(one), settle(one, 'unknown'));
		const [said] = await place().take([
			Array.from({ length: 5 }, () => at(20, claim(one, 'submitUnknownAgain'))),
		]);
		const answers = said as Array<{ isMine: boolean }>;
		expect(answers.filter(({ isMine }) => isMine)).toEqual([mine(2, 20)]);
		expect(answers.filter(({ isMine }) => !isMine)).toEqual(
			Array.from({ length: 4 }, () => notMine('claimedHere', true, 2, 40)),
		);
	});

	it('gives one attempt to one, however many want one in two processes', async () => {
		const one = someTransaction();
		await inTurn(claim(one), settle(one, 'unknown'));
		const wanted = Array.from({ length: 5 }, () => at(20, claim(one, 'submitUnknownAgain')));
		const said = await Promise.all([place().take([wanted], 0), place().take([wanted], 1)]);
		const attempts = (said.flat(2) as Array<{ isMine: boolean; attempt: number }>).flatMap(
			({ isMine, attempt }) => (isMine ? [attempt] : []),
		);
		expect(attempts).toEqual([2]);
	});

	it("takes over with 'submitUnknownAgain' what is unknown, and nothing that was accepted", async () => {
		const one = someTransaction();
		expect(
			await inTurn(
				claim(one, 'submitUnknownAgain'),
				settle(one, 'unknown'),
				at(19, claim(one, 'submitUnknownAgain')),
				at(20, claim(one, 'submitUnknownAgain')),
				settle(one, 'accepted', 2),
				claim(one, 'submitUnknownAgain'),
				lookUp(one),
				lookUp(withOtherValues(one)),
			),
		).toEqual([
			mine(),
			null,
			notMine('unknown', true, 1, 20),
			mine(2, 20),
			null,
			notMine('accepted', true, 2),
			known('accepted', true, 2),
			known('accepted', false, 2),
		]);
	});

	it.each(['unknown', 'claimed'] as const)(
		"repeats with 'submitUnknownAgain' nothing that was %s and young when the run began, however late it is",
		async (state) => {
			const one = someTransaction();
			await inTurn(claim(one), ...(state === 'unknown' ? [settle(one, 'unknown')] : []));
			const again = claim(one, 'submitUnknownAgain');
			const inRunOf = (began: number) => inTurn({ ...at(60, again), began }, at(60, lookUp(one)));
			expect(await inRunOf(19)).toEqual([notMine(state, true, 1, 20), known(state, true, 1, 20)]);
			expect(await inRunOf(20)).toEqual([mine(2, 60), known('claimedHere', true, 2, 80)]);
		},
	);

	it('goes by the clock of now where that has gone back behind the beginning', async () => {
		const one = someTransaction();
		await inTurn(claim(one), settle(one, 'unknown'));
		expect(await inTurn({ ...at(19, claim(one, 'submitUnknownAgain')), began: 60 })).toEqual([
			notMine('unknown', true, 1, 20),
		]);
	});

	it("repeats with 'submitUnknownAgain' an attempt before one that was released", async () => {
		const one = someTransaction();
		await inTurn(
			claim(one),
			settle(one, 'unknown'),
			at(1, claim(one, 'submitAgain')),
			release(one, 2),
		);
		expect(await inTurn(at(20, claim(one, 'submitUnknownAgain')))).toEqual([mine(3, 20)]);
	});

	it("takes over with 'submitUnknownAgain' what was claimed, when it is old", async () => {
		const one = someTransaction();
		const again = claim(one, 'submitUnknownAgain');
		await inTurn(at(4, claim(one)));
		expect(await inTurn(at(4, again), at(19, again), at(19, lookUp(one)))).toEqual([
			notMine('claimed', true, 1, 20),
			notMine('claimed', true, 1, 20),
			known('claimed', true, 1, 20),
		]);
		expect(await inTurn(at(20, lookUp(one)), at(20, claim(one)), at(20, again))).toEqual([
			known('claimed'),
			notMine('claimed'),
			mine(2, 20),
		]);
		expect(await inTurn(at(24, again))).toEqual([notMine('claimed', true, 2, 40)]);
	});

	it.each([
		['behind by five minutes', 0, 25],
		['at the same time', 5, 25],
		['two hours ahead', 125, 145],
		['two hours less one step ahead', 120, 145],
	])('takes a claim for young by a clock that is %s', async (_, minute, old) => {
		const one = someTransaction();
		await inTurn(at(5, claim(one)));
		const again = claim(one, 'submitUnknownAgain');
		expect(await inTurn(at(minute, again), at(old, again))).toEqual([
			notMine('claimed', true, 1, old),
			mine(2, old),
		]);
	});

	it("takes nothing over with 'submitUnknownAgain' from a run that goes on", async () => {
		const one = someTransaction();
		expect(await inTurn(claim(one), at(45, claim(one, 'submitUnknownAgain')))).toEqual([
			mine(),
			notMine('claimedHere', true, 1, 65),
		]);
	});

	it('holds for five minutes, and is then claimed anew by its owner', async () => {
		const one = someTransaction();
		const almost = 5 - 1 / 60_000;
		expect(
			await inTurn(at(0, claim(one)), at(0, renew(one, 0)), at(almost, renew(one, 0))),
		).toEqual([mine(), mine(), mine()]);
		expect(await inTurn(at(5, renew(one, 0)), at(5, lookUp(one)))).toEqual([
			mine(2, 5),
			known('claimedHere', true, 2, 25),
		]);
	});

	it('is claimed anew when the clock has gone back behind the claim', async () => {
		const one = someTransaction();
		expect(await inTurn(at(9, claim(one)), at(8, renew(one, 9)))).toEqual([mine(1, 9), mine(2, 8)]);
	});

	it('is not sent by an owner who is late when somebody has taken it over', async () => {
		const one = someTransaction();
		await inTurn(claim(one));
		await inTurn(at(20, claim(one, 'submitUnknownAgain')));
		expect(
			await inTurn(at(21, renew(one, 0)), at(21, renew(one, 0, 'submitUnknownAgain'))),
		).toEqual([notMine('claimed', true, 2, 40), notMine('claimed', true, 2, 40)]);
	});

	it('is not sent by an owner who is late when it has become unknown in other hands', async () => {
		const one = someTransaction();
		await inTurn(claim(one));
		await inTurn(at(20, claim(one, 'submitUnknownAgain')), settle(one, 'unknown', 2));
		expect(await inTurn(at(21, renew(one, 0, 'submitUnknownAgain')))).toEqual([
			notMine('unknown', true, 2, 40),
		]);
	});

	it('that is unknown after a second attempt is sent again when that is old', async () => {
		const one = someTransaction();
		await inTurn(claim(one), at(22, renew(one, 0)), settle(one, 'unknown', 2));
		const again = claim(one, 'submitUnknownAgain');
		expect(await inTurn(at(23, again), at(39, lookUp(one)), at(40, again))).toEqual([
			notMine('unknown', true, 2, 40),
			known('unknown', true, 2, 40),
			mine(3, 40),
		]);
	});

	it('is claimed anew after one that was unknown before', async () => {
		const one = someTransaction();
		await inTurn(claim(one), settle(one, 'unknown'));
		expect(
			await inTurn(
				at(20, claim(one, 'submitUnknownAgain')),
				at(25, renew(one, 20, 'submitUnknownAgain', 2)),
				at(25, lookUp(one)),
			),
		).toEqual([mine(2, 20), mine(3, 25), known('claimedHere', true, 3, 45)]);
	});

	it('is claimed anew after one that was taken over when it was old', async () => {
		const one = someTransaction();
		await inTurn(claim(one));
		expect(
			await inTurn(
				at(20, claim(one, 'submitUnknownAgain')),
				at(25, renew(one, 20, 'submitUnknownAgain', 2)),
			),
		).toEqual([mine(2, 20), mine(3, 25)]);
	});

	it("gives with 'submitAgain' an attempt of its own to everybody, also at the same time", async () => {
		const one = someTransaction();
		await inTurn(claim(one, 'submitAgain'), settle(one, 'accepted'));
		const wanted = [claim(one, 'submitAgain'), claim(one, 'submitAgain')];
		const said = await Promise.all([place().take([wanted], 0), place().take([wanted], 1)]);
		const attempts = (said.flat(2) as Array<{ attempt: number }>).map(({ attempt }) => attempt);
		expect(attempts.sort()).toEqual([2, 3, 4, 5]);
	});

	it('is what it was before the attempts that are released', async () => {
		const one = someTransaction();
		await inTurn(claim(one), settle(one, 'unknown'));
		const again = at(20, claim(one, 'submitUnknownAgain'));
		expect(
			await inTurn(again, release(one, 2), again, release(one, 3), at(20, lookUp(one))),
		).toEqual([mine(2, 20), null, mine(3, 20), null, known('unknown')]);
	});

	it('forgets no attempt when an earlier one is released', async () => {
		const one = someTransaction();
		await inTurn(
			claim(one),
			claim(one, 'submitAgain'),
			settle(one, 'accepted', 2),
			release(one, 1),
		);
		expect(await inTurn(lookUp(one), claim(one), claim(one, 'submitUnknownAgain'))).toEqual([
			known('accepted', true, 2),
			notMine('accepted', true, 2),
			notMine('accepted', true, 2),
		]);
	});

	it.each([
		['in turn', [1, 2]],
		['the last one first', [2, 1]],
	])('is free when all attempts are released, %s', async (_, [first, second]) => {
		const one = someTransaction();
		await inTurn(claim(one), claim(one, 'submitAgain'), release(one, first), release(one, second));
		const [looked, claimed, again] = await inTurn(lookUp(one), claim(one), claim(one));
		expect(looked).toBeNull();
		expect(claimed).toMatchObject({ isMine: true });
		expect(again).toMatchObject({ isMine: false, earlier: { state: 'claimedHere' } });
	});

	it('gives each of many to exactly one of two that claim them at the same time', async () => {
		const many = Array.from({ length: 50 }, () => someTransaction());
		const forward = many.map((one) => claim(one));
		const backward = forward.toReversed();
		const [one, other] = await Promise.all([
			place().take([forward.slice(0, 25), forward.slice(25)], 0),
			place().take([backward.slice(0, 25), backward.slice(25)], 1),
		]);
		const isMine = (said: Said[][]) =>
			said.flat().map((answer) => (answer as { isMine: boolean }).isMine);
		const owners = isMine(one).map(
			(first, index) => Number(first) + Number(isMine(other).toReversed()[index]),
		);
		expect(owners).toEqual(many.map(() => 1));
	});

	if (!canBeRead) return;
	it('shows nothing of a transaction to who reads the rows', async () => {
		const one = {
			referenceFingerprint: 'order-for-everybody-to-see',
			valuesFingerprint: 'amount-for-everybody-to-see',
		};
		await inTurn(
			claim(one, 'submitAgain'),
			settle(one, 'accepted'),
			claim(one, 'submitAgain'),
			settle(one, 'unknown', 2),
		);
		const rows = await place().read!();
		expect(rows.length).toBeGreaterThan(40);
		expect(rows).not.toContain('for-everybody-to-see');
	});
}
