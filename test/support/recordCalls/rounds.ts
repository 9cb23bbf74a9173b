import type {
	Again,
	Claim,
	Known,
	Records,
	Transaction,
} from '../../../nodes/StablecoinRamp/submit/records.ts';

export type Call =
	| { what: 'claim'; of: Transaction; again: Again }
	| { what: 'settle'; of: Transaction; attempt: number; state: 'accepted' | 'unknown' }
	| { what: 'release'; of: Transaction; attempt: number }
	| { what: 'lookUp'; of: Transaction };

/** Calls that are made at the same time. */
export type Round = Call[];

export type Said = Claim | Known | null;

/** One run: makes the calls of one round after the other, and gives what each was answered. */
export async function takeRounds(records: Records, rounds: Round[]): Promise<Said[][]> {
	const said: Said[][] = [];
	for (const round of rounds) {
		said.push(await Promise.all(round.map(async (call) => await make(records, call))));
	}
	records.close();
	return said;
}

async function make(records: Records, call: Call): Promise<Said> {
	switch (call.what) {
		case 'claim':
			return await records.claim(call.of, call.again);
		case 'settle':
			return (await records.settle(call.of, call.attempt, call.state)) ?? null;
		case 'release':
			return (await records.release(call.of, call.attempt)) ?? null;
		case 'lookUp':
			return (await records.lookUp(call.of)) ?? null;
	}
}
