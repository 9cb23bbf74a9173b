import {
	openRecords,
	type Again,
	type Claim,
	type Known,
	type Records,
	type Transaction,
} from '../../../nodes/StablecoinRamp/submit/memory/claims.ts';
import type { Rows } from '../../../nodes/StablecoinRamp/submit/memory/rows.ts';

export type Call = { at?: number } & WhatIsCalled;

type WhatIsCalled =
	| { what: 'claim'; of: Transaction; again: Again; upTo?: number }
	| { what: 'renew'; of: Transaction; again: Again; attempt: number; claimedAt: number }
	| { what: 'settle'; of: Transaction; attempt: number; state: 'accepted' | 'unknown' }
	| { what: 'release'; of: Transaction; attempt: number }
	| { what: 'lookUp'; of: Transaction };

/** Calls that are made at the same time. */
export type Round = Call[];

export type Said = Claim | Known | null;

/**
 * One run: makes the calls of one round after the other, and gives what each was answered. Its clock stands at the
 * minute that the first call of the round names.
 */
export async function takeRounds(rows: Rows, rounds: Round[]): Promise<Said[][]> {
	const said: Said[][] = [];
	let now = 0;
	const records = openRecords(rows, () => now);
	for (const round of rounds) {
		now = (round[0]?.at ?? 0) * 60_000;
		said.push(await Promise.all(round.map(async (call) => await make(records, call))));
	}
	records.close();
	return said;
}

async function make(records: Records, call: Call): Promise<Said> {
	switch (call.what) {
		case 'claim':
			return await records.claim(call.of, call.again, call.upTo);
		case 'renew': {
			const { attempt, claimedAt } = call;
			return await records.renew(call.of, { isMine: true, attempt, claimedAt }, call.again);
		}
		case 'settle':
			return (await records.settle(call.of, call.attempt, call.state)) ?? null;
		case 'release':
			return (await records.release(call.of, call.attempt)) ?? null;
		case 'lookUp':
			return (await records.lookUp(call.of)) ?? null;
	}
}
