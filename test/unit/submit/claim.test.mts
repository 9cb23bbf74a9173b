import type { IDataObject } from 'n8n-workflow';

import { claimChunk, renew } from '../../../nodes/StablecoinRamp/submit/claim.ts';
import type { Claim, Earlier, Lease } from '../../../nodes/StablecoinRamp/submit/memory/claims.ts';
import type { Entry, Run } from '../../../nodes/StablecoinRamp/submit/run.ts';
import { entry } from './entry.mts';

const lease: Lease = { isMine: true, attempt: 0, claimedAt: 1 };
const unknown: Earlier = { attempt: 1, state: 'unknown', hasSameValues: true };
const gone = new Error('gone');

interface Knows {
	/** What comes of claiming or renewing; an error is thrown. */
	claim?: Claim | Error;
	/** The rows of every reference, one reading after the other; an error is thrown. */
	register?: Array<IDataObject[] | Error>;
}

function run({ claim = lease, register }: Knows) {
	const asked: string[][] = [];
	const given = async () => (claim instanceof Error ? await Promise.reject(claim) : claim);
	const settled = async (references: string[]) => {
		asked.push(references);
		const rows = register!.length > 1 ? register!.shift()! : register![0]!;
		if (rows instanceof Error) throw rows;
		return new Map(references.map((reference) => [reference, rows]));
	};
	const memory = {
		claims: { claim: given, renew: given, lookUp: async () => undefined },
		...(register && { register: { settled } }),
	};
	const context = { getExecutionCancelSignal: () => undefined };
	const settings = { isTool: false };
	return { asked, run: { context, operation: 'buy', memory, settings } as unknown as Run };
}

const again = (reference: string): Entry => ({
	...entry(reference),
	ifAlreadySubmitted: 'submitAgain',
});
const accepted = { outcome: 'accepted', transaction_id: 'T-1' };

/** What the lease says was there before, of what is sent again. */
async function sentAfter(knows: Knows) {
	const { held } = await claimChunk(run(knows).run, [again('a')]);
	return held.map(({ lease: { after } }) => after?.state);
}

describe('what is claimed to be sent', () => {
	it('remembers that the register has it as accepted, before what the claims know', async () => {
		expect(await sentAfter({ register: [[accepted]] })).toEqual(['accepted']);
		const claim = { ...lease, after: unknown };
		expect(await sentAfter({ claim, register: [[accepted]] })).toEqual(['accepted']);
	});

	it('remembers what the claims know where the register has nothing, or that it is closed', async () => {
		const claim = { ...lease, after: unknown };
		for (const rows of [[], [{ outcome: 'closed' }]]) {
			expect(await sentAfter({ claim, register: [rows] })).toEqual(['unknown']);
			expect(await sentAfter({ register: [rows] })).toEqual([undefined]);
		}
		expect(await sentAfter({ claim })).toEqual(['unknown']);
	});

	it('has nothing before it where nobody knows of anything', async () => {
		const { held } = await claimChunk(run({}).run, [entry('a')]);
		expect(held).toEqual([{ entry: entry('a'), lease }]);
	});

	it('is looked for in the register also where the node has made its reference', async () => {
		const { run: one, asked } = run({ register: [[{ outcome: 'closed' }]] });
		const made = { ...entry('made'), isReferenceMade: true };
		const { held, results } = await claimChunk(one, [made]);
		expect([held, results.get(made)?.standing]).toEqual([[], 'closed']);
		expect(asked[0]).toEqual(['made']);
	});
});

describe('what is not to be sent', () => {
	const told = async (knows: Knows, one = entry('a')) => {
		const { held, results } = await claimChunk(run(knows).run, [one]);
		expect(held).toEqual([]);
		return results.get(one);
	};

	it('is what the register has as accepted, without a claim', async () => {
		const claim = new Error('was asked for a claim');
		expect(await told({ claim, register: [[accepted]] })).toMatchObject({
			standing: 'acceptedBefore',
		});
	});

	it('is what cannot be claimed', async () => {
		expect(await told({ claim: gone })).toMatchObject({
			outcome: 'notSent',
			message: "n8n's database could not record the reference, so nothing was sent",
			description: expect.stringContaining('n8n says: gone'),
		});
	});

	it('is another’s, and the register may know more of it by now', async () => {
		const claim = { isMine: false as const, earlier: unknown };
		expect(await told({ claim, register: [[], [accepted]] })).toMatchObject({
			standing: 'acceptedBefore',
		});
		expect(await told({ claim, register: [[], gone] })).toMatchObject({ standing: 'unknown' });
		expect(await told({ claim })).toMatchObject({ standing: 'unknown' });
	});
});

describe('a claim that is renewed', () => {
	const held = { entry: entry('a'), lease };

	it('is a new lease', async () => {
		const claim = { ...lease, claimedAt: 2 };
		expect(await renew(run({ claim }).run, held)).toEqual({ entry: held.entry, lease: claim });
	});

	it('is lost where another has taken it over', async () => {
		const claim = { isMine: false as const, earlier: unknown };
		const { isLost, result } = await renew(run({ claim }).run, held);
		expect([isLost, result?.outcome]).toEqual([true, 'unknown']);
	});

	it('is not sent where the database does not answer', async () => {
		const { lease: same, isLost, result } = await renew(run({ claim: gone }).run, held);
		expect([same, isLost]).toEqual([lease, undefined]);
		expect(result).toMatchObject({
			outcome: 'notSent',
			description: expect.stringContaining('n8n says: gone'),
		});
	});

	it('is told beside the attempt before it, where that may have moved', async () => {
		const after = { ...lease, after: unknown };
		const { result } = await renew(run({ claim: gone }).run, { entry: held.entry, lease: after });
		expect(result).toMatchObject({ outcome: 'notSent', standing: 'unknown' });
	});
});
