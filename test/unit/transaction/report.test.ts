import fc from 'fast-check';

import type { Entry } from '../../../nodes/StablecoinRamp/submit/check.ts';
import {
	isSetback,
	leftOver,
	resultOf,
	stopError,
	type Result,
} from '../../../nodes/StablecoinRamp/submit/result.ts';

const node = {
	id: '1',
	name: 'Ramp',
	type: 'ramp',
	typeVersion: 1,
	position: [0, 0] as [number, number],
	parameters: { walletAddress: 'typed', amount: 1 },
};

const entry = (reference: string, simplify = false): Entry => ({
	itemIndex: 0,
	reference,
	payload: 'p',
	body: { account_number: '0123456789' },
	draft: {
		body: {},
		ownReference: '',
		simplify,
		dryRun: false,
		checks: 'strict',
		ifAlreadySubmitted: 'fail',
		refusals: [],
	},
});

const settle = (statusCode: number, body: unknown, reference = 'order-1', simplify = false) =>
	resultOf({ statusCode, body }, 'buy', entry(reference, simplify), 'secret-key');

it('makes a receipt of any answer, by which the transaction can be found', () => {
	const answer = fc.oneof(
		fc.jsonValue(),
		fc.record({ transaction: fc.jsonValue() }),
		fc.record({ transaction_id: fc.oneof(fc.string(), fc.integer(), fc.jsonValue()) }),
		fc.record({ transaction: fc.record({ transaction_id: fc.string({ minLength: 1 }) }) }),
	);
	fc.assert(
		fc.property(answer, fc.boolean(), (body, simplify) => {
			const result = settle(200, body, 'order-1', simplify);
			expect(isSetback(result)).toBe(false);
			const receipt = JSON.stringify('receipt' in result && result.receipt);
			const told = JSON.stringify(body)?.match(/"transaction_id":("[^"]+"|-?\d)/);
			if (!told) expect(receipt).toContain('order-1');
			if (told) expect(receipt).toContain('transaction_id');
		}),
		{ numRuns: 1000 },
	);
});

it('puts any answer that is not a success into words', () => {
	fc.assert(
		fc.property(fc.integer({ min: 300, max: 599 }), fc.jsonValue(), (status, body) => {
			const result = settle(status, body);
			expect(result).toMatchObject({
				outcome: status >= 400 && status <= 499 ? 'rejected' : 'unknown',
				message: expect.stringMatching(/^(It is not known whether|The buy was)/) as string,
				description: expect.stringContaining('order-1') as string,
			});
		}),
	);
});

it('names every accepted and every unknown transaction in what stops a run, in whatever order they come', () => {
	const outcome = fc.constantFrom(200, 400, 500, undefined);
	fc.assert(
		fc.property(fc.array(outcome, { minLength: 1, maxLength: 30 }), (statuses) => {
			const results = [...statuses, 500].map((status, index): Result =>
				status === undefined
					? leftOver(`ref-${index}`)
					: settle(status, { transaction_id: `T-${index}` }, `ref-${index}`),
			);
			const { description = '' } = stopError(node, results);
			results.forEach((result, index) => {
				if (result.outcome === 'accepted') {
					expect(description).toMatch(
						`[Item ${index}] transaction T-${index}, reference ref-${index}`,
					);
				}
				if (result.outcome === 'unknown') {
					expect(description).toMatch(new RegExp(`Look for reference ref-${index} on`));
				}
			});
			expect(description).not.toContain('Nothing was sent.');
		}),
	);
});

it.each(['preexisting', 'keeperm', 'ETIMEDOUT', 'order-ENOTFOUND-1'])(
	'keeps its own words about reference %s',
	(reference) => {
		const cause = {
			outcome: 'unknown',
			reference,
			message: `About ${reference}`,
			description: 'Wait',
		};
		expect(stopError(node, [cause as Result]).message).toBe(`About ${reference}`);
		expect(stopError(node, [{ ...cause, outcome: 'notSent' } as Result]).message).toBe(
			`About ${reference}`,
		);
	},
);

it('stores no wallet address with what stops a run', () => {
	const error = stopError(node, [leftOver('order-1')]);
	expect(error.node.parameters).toEqual({ amount: 1 });
});
