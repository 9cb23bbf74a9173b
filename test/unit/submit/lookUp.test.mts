import type { IDataObject } from 'n8n-workflow';

import { settledInRegister, lookUp } from '../../../nodes/StablecoinRamp/submit/lookUp.ts';
import type { Earlier } from '../../../nodes/StablecoinRamp/submit/memory/claims.ts';
import type { Entry, Run } from '../../../nodes/StablecoinRamp/submit/run.ts';
import { entry as plain } from './entry.mts';

const entry = (reference: string): Entry => ({
	...plain(reference),
	body: { account_number: '0123456789', bank_name: 'Harbour Demo Bank' },
});
const unknown: Earlier = { attempt: 3, state: 'unknown', hasSameValues: true };

interface Knows {
	/** By reference; an error is thrown. */
	claims?: Record<string, Earlier | Error>;
	/** Rows that say accepted, unless they say otherwise. */
	register?: Record<string, IDataObject[]> | Error;
	isCancelled?: boolean;
}

function run({ claims = {}, register, isCancelled = false }: Knows): Run {
	const known = async <T,>(value: T | Error) =>
		value instanceof Error ? await Promise.reject(value) : await Promise.resolve(value);
	const rowsOf = (all: Record<string, IDataObject[]>) =>
		Object.entries(all).map(([reference, rows]): [string, IDataObject[]] => [
			reference,
			rows.map((row) => ({ outcome: 'accepted', ...row })),
		]);
	const settled = async () =>
		await known(register instanceof Error ? register : new Map(rowsOf(register ?? {})));
	return {
		context: { getExecutionCancelSignal: () => ({ aborted: isCancelled }) },
		operation: 'buy',
		memory: {
			claims: { lookUp: async ({ reference }: Entry) => await known(claims[reference]) },
			...(register && { register: { settled } }),
		},
	} as unknown as Run;
}

/** By reference, in words. */
async function found(knows: Knows, references = ['a', 'b']) {
	const { earlier, failed } = await lookUp(run(knows), references.map(entry));
	return {
		earlier: [...earlier].map(([{ reference }, { state }]) => `${reference} ${state}`),
		failed: [...failed].map(([{ reference }, { message }]) => `${reference} ${message}`),
	};
}

it.each([
	['Harbour Demo Bank', true],
	[' Harbour Demo Bank ', true],
	['Harbour Bank', false],
])('a row has the values of a vendor as it is listed: %j', async (bank, isSame) => {
	const one = { ...entry('a'), body: { bank_name: bank } };
	for (const bank_name of ['Harbour Demo Bank', 'Harbour Demo Bank ']) {
		const found = await settledInRegister(run({ register: { a: [{ bank_name }] } }), [one]);
		expect(found.get(one)?.hasSameValues).toBe(isSame);
	}
});

describe('what is known of entries', () => {
	const gone = new Error('gone');
	const full = new Error('full');

	it('is what the claims say, or that they could not say', async () => {
		expect(await found({ claims: { a: unknown } })).toEqual({ earlier: ['a unknown'], failed: [] });
		expect(await found({ claims: { a: gone, b: unknown } })).toEqual({
			earlier: ['b unknown'],
			failed: ['a gone'],
		});
	});

	it('is accepted where the register has it, whatever the claims say', async () => {
		const register = { a: [{ transaction_id: 'T-1' }], b: [{ transaction_id: 'T-2' }] };
		expect(await found({ claims: { a: gone, b: unknown }, register })).toEqual({
			earlier: ['b accepted', 'a accepted'],
			failed: [],
		});
	});

	it('is known by nobody where the register cannot be read and the claims know nothing', async () => {
		expect(await found({ claims: { a: unknown }, register: full })).toEqual({
			earlier: ['a unknown'],
			failed: ['b full'],
		});
	});

	it('is not asked of an execution that was cancelled', async () => {
		const words = 'the execution was cancelled';
		expect(await found({ claims: { a: unknown }, isCancelled: true })).toEqual({
			earlier: [],
			failed: [`a ${words}`, `b ${words}`],
		});
	});
});

describe('a row of the register that says accepted', () => {
	const read = async (rows: IDataObject[], earlier?: Map<Entry, Earlier>, one = entry('a')) =>
		(await settledInRegister(run({ register: { a: rows } }), [one], earlier)).get(one);
	const receipt = { status: 'success', transaction: { transaction_id: 'T-1' } };
	const response = JSON.stringify(receipt);

	it('is none where there is no register, or no row', async () => {
		expect((await settledInRegister(run({}), [entry('a')])).size).toBe(0);
		expect(await read([])).toBeUndefined();
		expect((await settledInRegister(run({ register: {} }), [entry('a')])).size).toBe(0);
	});

	it('goes on with the attempts of the claims', async () => {
		const one = entry('a');
		expect((await read([{}], new Map([[one, unknown]]), one))?.attempt).toBe(3);
		expect((await read([{}]))?.attempt).toBe(0);
	});

	it.each<[boolean, IDataObject]>([
		[true, {}],
		[true, { amount: null, bank_name: '', account_number: '  ' }],
		[true, { amount: '20000.00', account_number: ' 0123456789 ', bank_name: 'Harbour Demo Bank' }],
		[true, { amount: 20000 }],
		[false, { amount: 20001 }],
		[false, { amount: 'much' }],
		[false, { account_number: '0123456780' }],
		[false, { bank_name: 'harbour demo bank' }],
		[false, { network: 'Stellar' }],
	])('has the same values, %s: %j', async (hasSameValues, row) => {
		expect(await read([row])).toMatchObject({ state: 'accepted', hasSameValues });
	});

	it('is the newest with the same values, or else the newest', async () => {
		const [same, other] = [{ amount: 20000 }, { amount: 7 }];
		const of = async (...rows: IDataObject[]) =>
			(await read(rows.map((row, index) => ({ ...row, transaction_id: `T-${index}` }))))?.answer;
		expect(await of(same, same, other)).toEqual({ transaction_id: 'T-1' });
		expect(await of(other, other)).toEqual({ transaction_id: 'T-1' });
	});

	it.each<[string, IDataObject, unknown]>([
		['its answer', { response, transaction_id: 'T-1' }, receipt],
		['its answer, without an id beside it', { response, transaction_id: null }, receipt],
		['the id that a person has found', { response, transaction_id: 'T-2' }, 'T-2'],
		[
			'the id beside an answer that says no',
			{ response: '{"status":"failed"}', transaction_id: 'T-1' },
			'T-1',
		],
		['the id beside no answer', { response: null, transaction_id: 'T-1' }, 'T-1'],
		['the id beside what cannot be read', { response: '{"sta', transaction_id: 'T-1' }, 'T-1'],
	])('gives %s', async (_, row, expected) => {
		const answer = typeof expected === 'string' ? { transaction_id: expected } : expected;
		expect((await read([row]))?.answer).toEqual(answer);
	});

	it('tells what differs, if that is a list', async () => {
		const differs = [{ field: 'amount', sent: '1', answered: '2' }];
		expect((await read([{ differs: JSON.stringify(differs) }]))?.differs).toEqual(differs);
		for (const odd of [null, '', 'x', '{}', '7']) {
			expect(await read([{ differs: odd }])).not.toHaveProperty('differs');
		}
	});
});
