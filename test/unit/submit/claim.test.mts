import type { IDataObject } from 'n8n-workflow';

import { claimChunk, renew, settledMeanwhile } from '../../../nodes/StablecoinRamp/submit/claim.ts';
import type { Claim, Earlier, Lease } from '../../../nodes/StablecoinRamp/submit/memory/claims.ts';
import type { Result } from '../../../nodes/StablecoinRamp/submit/result.ts';
import type { Entry, Run } from '../../../nodes/StablecoinRamp/submit/run.ts';
import { watchRegister } from '../../../nodes/StablecoinRamp/submit/watch.ts';
import { entry } from './entry.mts';

const lease: Lease = { isMine: true, attempt: 0, claimedAt: 1 };
const unknown: Earlier = { attempt: 1, state: 'unknown', hasSameValues: true };
const gone = new Error('gone');

interface Knows {
	/** What comes of claiming or renewing; an error is thrown. */
	claim?: Claim | Error;
	/** The rows of every reference, one reading after the other; an error is thrown. */
	register?: Array<IDataObject[] | Error>;
	/** What comes of entering something anew. */
	entering?: () => Promise<void>;
}

function run({ claim = lease, register, entering = async () => {} }: Knows) {
	const asked: string[][] = [];
	const enteredAgain: number[] = [];
	const enterAgain = async (item: number) => {
		enteredAgain.push(item);
		await entering();
	};
	const given = async () => (claim instanceof Error ? await Promise.reject(claim) : claim);
	const settled = async (references: string[]) => {
		asked.push(references);
		const rows = register!.length > 1 ? register!.shift()! : register![0]!;
		if (rows instanceof Error) throw rows;
		return new Map(references.map((reference) => [reference, rows]));
	};
	const memory = {
		claims: { claim: given, renew: given, lookUp: async () => undefined },
		...(register && { register: { settled, enterAgain } }),
	};
	const context = { getExecutionCancelSignal: () => undefined };
	const settings = { isTool: false };
	const results: Run['results'] = [];
	return {
		asked,
		enteredAgain,
		run: { context, operation: 'buy', memory, settings, results } as unknown as Run,
	};
}

const again = (reference: string): Entry => ({
	...entry(reference),
	ifAlreadySubmitted: 'submitAgain',
});
const accepted = { outcome: 'accepted', transaction_id: 'T-1' };

const claim = async (one: Run, ...entries: Entry[]) =>
	await claimChunk(one, entries, watchRegister(one));

/** What the lease says was there before, of what is sent again. */
async function sentAfter(knows: Knows) {
	const { held } = await claim(run(knows).run, again('a'));
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
		const { held } = await claim(run({}).run, entry('a'));
		expect(held).toEqual([{ entry: entry('a'), lease }]);
	});

	it('is looked for in the register also where the node has made its reference', async () => {
		const { run: one, asked } = run({ register: [[{ outcome: 'closed' }]] });
		const made = { ...entry('made'), isReferenceMade: true };
		const { held, results } = await claim(one, made);
		expect([held, results.get(made)?.standing]).toEqual([[], 'closed']);
		expect(asked[0]).toEqual(['made']);
	});
});

describe('what is not to be sent', () => {
	const told = async (knows: Knows, one = entry('a')) => {
		const { held, results } = await claim(run(knows).run, one);
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
	const held = { entry: entry('a'), lease, readAt: 0 };

	const renewed = async (knows: Knows, one = held) => {
		const { run: own } = run(knows);
		return await renew(own, one, watchRegister(own));
	};

	it('is a new lease', async () => {
		const claim = { ...lease, claimedAt: 2 };
		expect(await renewed({ claim })).toEqual({ ...held, lease: claim });
	});

	it('is entered in the register anew, which is read behind that', async () => {
		const claim = { ...lease, claimedAt: 2 };
		const { run: own, enteredAgain, asked } = run({ claim, register: [[]] });
		const one = { ...held, entry: { ...held.entry, itemIndex: 7 } };
		expect(await renew(own, one, watchRegister(own))).toEqual({ ...one, lease: claim });
		expect([enteredAgain, asked]).toEqual([[7], [['a']]]);
	});

	it('is left as it is while it holds', async () => {
		const { run: own, enteredAgain, asked } = run({ register: [[]] });
		expect(await renew(own, held, watchRegister(own))).toBe(held);
		expect([enteredAgain, asked]).toEqual([[], []]);
	});

	it.each<[string, Knows, string]>([
		[
			'entered anew',
			{ register: [[]], entering: async () => await Promise.reject(gone) },
			'The register could not be written, so nothing was sent',
		],
		[
			'read behind that',
			{ register: [gone] },
			'The register could not say whether it was accepted before, so nothing was sent',
		],
	])('is not sent where the register cannot be %s', async (_, knows, message) => {
		const claim = { ...lease, claimedAt: 2 };
		expect(await renewed({ ...knows, claim })).toMatchObject({
			lease: claim,
			isWithdrawn: true,
			result: { outcome: 'notSent', message },
		});
		const later = { ...claim, after: unknown };
		const { result } = await renewed({ ...knows, claim: later });
		expect(result).toMatchObject({
			outcome: 'notSent',
			standing: 'unknown',
			message: expect.stringContaining(message) as string,
		});
	});

	it('is lost where another has taken it over', async () => {
		const claim = { isMine: false as const, earlier: unknown };
		const { isLost, result } = await renewed({ claim });
		expect([isLost, result?.outcome]).toEqual([true, 'unknown']);
	});

	it('is not sent where the database does not answer', async () => {
		const { lease: same, isLost, isWithdrawn, result } = await renewed({ claim: gone });
		expect([same, isLost, isWithdrawn]).toEqual([lease, undefined, true]);
		expect(result).toMatchObject({
			outcome: 'notSent',
			description: expect.stringContaining('n8n says: gone'),
		});
	});

	it('is told beside the attempt before it, where that may have moved', async () => {
		const after = { ...lease, after: unknown };
		const { result } = await renewed({ claim: gone }, { ...held, lease: after });
		expect(result).toMatchObject({ outcome: 'notSent', standing: 'unknown' });
	});
});

describe('right before it is sent', () => {
	it('the reading counts that began last, whichever ends last', async () => {
		const answers: Array<(rows: IDataObject[]) => void> = [];
		const settled = async (references: string[]) =>
			await new Promise((resolve) =>
				answers.push((rows) => resolve(new Map(references.map((one) => [one, rows])))),
			);
		const { run: own } = run({});
		Object.assign(own.memory, { register: { settled } });
		const [one, watch] = [entry('a'), watchRegister(own)];
		const [first, second] = [watch.begin([one]), watch.begin([one])];
		answers[1]!([{ outcome: 'closed' }]);
		await second;
		answers[0]!([]);
		await first;
		expect((await watch.settled(one))?.state).toBe('closed');
	});

	const [a, b, c] = ['a', 'b', 'c'].map((reference, itemIndex) => ({
		...entry(reference),
		itemIndex,
	})) as [Entry, Entry, Entry];
	const before = { standing: 'acceptedBefore' };

	/** These were read at the time 10,000. */
	async function watching(knows: Knows, entries = [a, b]) {
		jest.useFakeTimers({ now: 10_000 });
		const { run: one, asked } = run(knows);
		const watch = watchRegister(one);
		await watch.begin(entries);
		const became = async (some: Entry) =>
			await settledMeanwhile(one, { entry: some, lease }, watch);
		return { one, asked, watch, became };
	}

	afterEach(() => jest.useRealTimers());

	it('is not asked of the register again where that was read a moment ago', async () => {
		const { became, asked } = await watching({ register: [[accepted]] });
		jest.setSystemTime(11_000);
		expect(await became(a)).toMatchObject(before);
		expect(asked).toEqual([['a', 'b']]);
	});

	it('is asked anew after a second without waiting for it, and after two seconds waiting for it', async () => {
		const { became, asked } = await watching({ register: [[], [], [accepted]] });
		jest.setSystemTime(11_001);
		expect(await became(a)).toBeUndefined();
		expect(asked).toHaveLength(2);
		await jest.advanceTimersByTimeAsync(2_001);
		expect(await became(b)).toMatchObject(before);
		expect(asked).toEqual([
			['a', 'b'],
			['a', 'b'],
			['a', 'b'],
		]);
	});

	it('is asked once for all that wait, and not of what has a result or was just read', async () => {
		const { one, watch, became, asked } = await watching({ register: [[], [], [accepted]] });
		one.results[0] = { outcome: 'accepted' } as Result;
		const d = { ...entry('d'), itemIndex: 3 };
		await watch.begin([d]);
		jest.setSystemTime(11_500);
		await watch.begin([c]);
		jest.setSystemTime(12_001);
		expect(await Promise.all([became(b), became(d)])).toMatchObject([before, before]);
		expect(asked).toEqual([['a', 'b'], ['d'], ['c'], ['b', 'd']]);
	});

	it('is asked anew also where an answer under way is about others', async () => {
		const { watch, became, asked } = await watching({ register: [[]] }, [a]);
		jest.setSystemTime(12_001);
		const first = became(a);
		await watch.begin([b]);
		jest.setSystemTime(15_000);
		expect(await Promise.all([first, became(b)])).toEqual([undefined, undefined]);
		expect(asked).toContainEqual(['a', 'b']);
	});

	it('is asked anew where the clock was set back', async () => {
		const { became, asked } = await watching({ register: [[], [accepted]] });
		jest.setSystemTime(9_999);
		expect(await became(a)).toMatchObject(before);
		expect(asked).toHaveLength(2);
	});

	it('is told also where the clock is set back while it is asked', async () => {
		const { became, asked } = await watching({ register: [[], [], [accepted]] });
		jest.setSystemTime(12_001);
		const asking = became(a);
		jest.setSystemTime(5_000);
		expect(await asking).toMatchObject(before);
		expect(asked).toHaveLength(3);
	});

	it('waits in the end for what it has asked', async () => {
		const { watch, became, asked } = await watching({ register: [[], gone] });
		await watch.end();
		jest.setSystemTime(11_001);
		expect(await became(a)).toBeUndefined();
		await watch.end();
		expect(asked).toHaveLength(2);
	});

	it('is not asked where there is no register', async () => {
		const { became } = await watching({});
		expect(await became(c)).toBeUndefined();
	});

	it('is not sent where the register cannot be read, and asked anew the next time', async () => {
		const { became, asked } = await watching({ register: [[], gone, gone, [accepted]] });
		jest.setSystemTime(11_001);
		expect(await became(a)).toBeUndefined();
		await jest.advanceTimersByTimeAsync(1_000);
		expect(await became(a)).toMatchObject({
			outcome: 'notSent',
			message: 'The register could not say whether it was accepted before, so nothing was sent',
		});
		expect(await became(a)).toMatchObject(before);
		expect(asked).toHaveLength(4);
	});

	it('is sent all the same where a person has asked for that', async () => {
		const one = again('a');
		const { became } = await watching({ register: [[accepted]] }, [one]);
		expect(await became(one)).toBeUndefined();
	});
});
