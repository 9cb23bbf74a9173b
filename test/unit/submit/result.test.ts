import fc from 'fast-check';

import { parseBody, type Reply } from '../../../nodes/StablecoinRamp/service/reply.ts';
import type { Known } from '../../../nodes/StablecoinRamp/submit/records.ts';
import {
	alreadyAccepted,
	isSetback,
	itemOf,
	knownBefore,
	mayHaveMoved,
	refused,
	resultOf,
	sameAs,
	type Result,
} from '../../../nodes/StablecoinRamp/submit/result.ts';
import type { Operation } from '../../support/transactions.ts';
import { entry } from './entry.ts';

const settled = (reply: Reply, operation: Operation = 'buy', simplify = operation === 'buy') =>
	resultOf(reply, operation, entry('order-1', simplify), 'secret-key');

const answered = (body: unknown, operation?: Operation, simplify?: boolean) =>
	itemOf(settled({ statusCode: 200, body }, operation, simplify));

const transaction = {
	transaction_id: 'T-1',
	business: { business_id: 'B-1' },
	type: 'Buy',
	reference: 'order-1',
	amount: 15000,
	link_account_name: 'Link',
	link_account_number: '0011223344',
	link_bank_name: 'Link Bank',
	account_number: '0123456789',
	bank_name: 'Bank',
	link_tag: 'tag',
	network: 'Polygon',
	wallet_address: '0x1',
	date_created: 'May 1, 2026',
};

const simplified = {
	outcome: 'accepted',
	reference: 'order-1',
	transaction_id: 'T-1',
	business_id: 'B-1',
	type: 'Buy',
	amount: 15000,
	link_account_number: '0011223344',
	network: 'Polygon',
	wallet_address: '0x1',
	date_created: 'May 1, 2026',
};

describe('an accepted buy', () => {
	it('is ten flat fields with Simplify, in this order', () => {
		const item = answered({ status: 'success', message: 'ok', transaction });
		expect(item).toEqual(simplified);
		expect(Object.keys(item)).toEqual(Object.keys(simplified));
	});

	it('is the whole answer under outcome and reference without Simplify', () => {
		const answer = { status: 'success', message: 'ok', transaction };
		expect(answered(answer, 'buy', false)).toEqual({
			outcome: 'accepted',
			reference: 'order-1',
			...answer,
		});
	});

	it.each([
		['beside the transaction', { transaction_id: 'T-9', transaction: { amount: 1 } }, 'T-9'],
		['as a number', { id: 7, transaction: { amount: 1 } }, '7'],
		['in data', { data: { transactionId: 'T-8' }, transaction: { amount: 1 } }, 'T-8'],
	])('keeps an id that stands %s', (_, body, id) => {
		expect(answered(body)).toMatchObject({ transaction_id: id });
		expect(settled({ statusCode: 200, body }).told).toBe(`transaction ${id}`);
	});
});

it('keeps what the service says by the name of outcome or reference, in the response as it came', () => {
	const answer = { outcome: 'queued', reference: 'THEIRS', payout: 1 };
	expect(answered(answer, 'sell')).toEqual({
		outcome: 'accepted',
		reference: 'order-1',
		payout: 1,
		response: answer,
	});
});

it('keeps a number with more digits than JavaScript has as the text that came', () => {
	const body = parseBody('{"data":{"payout_id":9007199254740993,"fee":1.50,"count":12}}');
	expect(answered(body, 'sell')).toMatchObject({
		data: { payout_id: '9007199254740993', fee: 1.5, count: 12 },
	});
	expect(settled({ statusCode: 200, body }, 'sell').told).toContain('9007199254740993');
});

it('tells the whole answer of a sell that has no id, with account numbers covered', () => {
	const body = { data: { payout_id: 'P-7', from: '0123456789' } };
	expect(settled({ statusCode: 200, body }, 'sell').told).toBe(
		'answer {"data":{"payout_id":"P-7","from":"••••6789"}}',
	);
});

it('makes a receipt of any answer that it takes for accepted, and words of any other', () => {
	const answer = fc.oneof(
		fc.jsonValue(),
		fc.record({ transaction: fc.jsonValue() }),
		fc.record({ transaction: fc.record({ transaction_id: fc.string({ minLength: 1 }) }) }),
	);
	fc.assert(
		fc.property(
			answer,
			fc.boolean(),
			fc.integer({ min: 200, max: 599 }),
			(body, simplify, statusCode) => {
				const result = settled({ statusCode, body }, 'buy', simplify);
				expect(itemOf(result)).toMatchObject({ outcome: result.outcome, reference: 'order-1' });
				if (result.outcome === 'accepted') {
					expect(result.told).toMatch(/^(transaction|answer) ./);
					return;
				}
				expect(result).toMatchObject({
					message: expect.stringMatching(
						/^(It is not known whether|The buy was rejected)/,
					) as string,
					description: expect.stringContaining('order-1') as string,
					httpCode: String(statusCode),
				});
			},
		),
		{ numRuns: 1000 },
	);
});

it.each([
	[{ status: 'failed' }, 'with an object, which says "failed"'],
	[{ status: 'ok' }, 'with an object, which has no transaction in it'],
	[{ success: false }, 'with an object, which says that it did not succeed'],
	['<html>Sign in</html>', 'with an HTML page, which is not a JSON object'],
	['', 'with an empty body, which is not a JSON object'],
	[[1], 'with a list, which is not a JSON object'],
])('says what came with a 200 that is not taken for accepted: %j', (body, came) => {
	expect(settled({ statusCode: 200, body })).toMatchObject({
		outcome: 'unknown',
		message: `It is not known whether the buy was accepted. The service answered 200 ${came}`,
		description: expect.stringMatching(
			/^Look for reference order-1 on the service's dashboard before anything else\./,
		) as string,
	});
});

it('puts out a setback as five flat fields', () => {
	const body = { message: 'No such bank' };
	expect(itemOf(settled({ statusCode: 422, body }))).toEqual({
		outcome: 'rejected',
		reference: 'order-1',
		error: 'The buy was rejected. The service refused the request',
		message:
			'Compare the fields of the node with what the service says. Reference order-1 was not accepted and may be submitted again. The service says: No such bank',
		httpCode: '422',
	});
	const refusal = { ok: false as const, message: 'This', description: 'Do that' };
	expect(itemOf(refused([refusal]))).toEqual({
		outcome: 'notSent',
		reference: null,
		error: 'This',
		message: 'Do that.',
		httpCode: null,
	});
});

const known = (state: Known['state'], hasSameValues = true): Known => ({
	attempt: 1,
	state,
	hasSameValues,
});

it.each<[Known, outcome: string, standing: string, words: RegExp]>([
	[known('accepted'), 'skipped', 'acceptedBefore', /was accepted before and is not sent again/],
	[known('accepted', false), 'notSent', 'acceptedBefore', /was accepted before with other values/],
	[known('unknown'), 'unknown', 'unknown', /its outcome is unknown: it left n8n/],
	[
		known('unknown', false),
		'notSent',
		'unknown',
		/before with other values, and its outcome is unk/,
	],
	[known('sending'), 'unknown', 'unknown', /unknown: another run is submitting it at this moment/],
	[known('claimed'), 'unknown', 'unknown', /unknown: n8n was stopped in the middle of it, or/],
])('tells a reference known as %j for what it is', (state, outcome, standing, words) => {
	const setback = knownBefore('order-1', state);
	expect(setback).toMatchObject({ outcome, standing, reference: 'order-1' });
	expect(setback.message).toMatch(words);
	expect(setback.description).toContain("use another 'Reference'");
	expect(setback.description.includes('Submit Unknown Again')).toBe(standing === 'unknown');
});

it('holds back what the service may have, and nothing else', () => {
	const outcomes = ['accepted', 'unknown', 'rejected', 'notSent', 'skipped', 'dryRun'];
	expect(outcomes.filter((outcome) => mayHaveMoved({ outcome } as Result))).toEqual([
		'accepted',
		'unknown',
	]);
});

it('gives an item with the reference of an earlier one what became of that, and never says accepted twice', () => {
	const first = settled({ statusCode: 200, body: { transaction } });
	expect(itemOf(sameAs(first, 0))).toMatchObject({ outcome: 'skipped', transaction_id: 'T-1' });
	expect(sameAs(settled({ statusCode: 500, body: '' }), 0).outcome).toBe('unknown');
	expect(sameAs(settled({ statusCode: 400, body: '' }), 3)).toMatchObject({
		outcome: 'notSent',
		message: 'Not sent: it has the reference of item 3, which was not accepted',
	});
	expect(isSetback(alreadyAccepted('order-1'))).toBe(false);
});
