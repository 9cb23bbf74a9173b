import {
	openClaims,
	type Claim,
	type Claims,
	type Earlier,
	type Fingerprints,
	type IsSentAgain,
} from '../../../nodes/StablecoinRamp/submit/memory/claims.ts';
import type { Rows } from '../../../nodes/StablecoinRamp/submit/memory/rows.ts';
import { decide, type Choice } from '../../../nodes/StablecoinRamp/submit/policy.ts';

/** At a minute of the clock; in a run that began at a minute, if the first call of all says so. */
export type Call = { at?: number; began?: number } & WhatIsCalled;

type WhatIsCalled =
	| { what: 'claim'; of: Fingerprints; choice: Choice }
	| { what: 'renew'; of: Fingerprints; choice: Choice; attempt: number; claimedAt: number }
	| { what: 'settle'; of: Fingerprints; attempt: number; state: 'accepted' | 'unknown' }
	| { what: 'release'; of: Fingerprints; attempt: number }
	| { what: 'lookUp'; of: Fingerprints };

/** As the node decides with this choice of If Already Submitted. */
export const sentAgainBy =
	(choice: Choice): IsSentAgain =>
	(earlier) =>
		decide(choice, earlier) === 'send';

/** Calls that are made at the same time. */
export type Round = Call[];

export type Said = Claim | Earlier | null;

/**
 * One run: makes the calls of one round after the other, and gives what each was answered. Its clock stands at the
 * minute that the first call of the round names.
 */
export async function takeRounds(rows: Rows, rounds: Round[]): Promise<Said[][]> {
	const said: Said[][] = [];
	let now = 0;
	const began = (rounds[0]?.[0]?.began ?? Infinity) * 60_000;
	const claims = openClaims(rows, began, () => now);
	for (const round of rounds) {
		now = (round[0]?.at ?? 0) * 60_000;
		said.push(await Promise.all(round.map(async (call) => await make(claims, call))));
	}
	claims.close();
	return said;
}

async function make(claims: Claims, call: Call): Promise<Said> {
	switch (call.what) {
		case 'claim':
			return await claims.claim(call.of, sentAgainBy(call.choice));
		case 'renew': {
			const { attempt, claimedAt } = call;
			return await claims.renew(
				call.of,
				{ isMine: true, attempt, claimedAt },
				sentAgainBy(call.choice),
			);
		}
		case 'settle':
			return (await claims.settle(call.of, call.attempt, call.state)) ?? null;
		case 'release':
			return (await claims.release(call.of, call.attempt)) ?? null;
		case 'lookUp':
			return (await claims.lookUp(call.of)) ?? null;
	}
}
