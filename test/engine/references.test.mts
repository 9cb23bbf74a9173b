// Two references that look the same are one.
import { useSubmitting } from '../support/engine/submitting.mts';
import { outcomesOf } from '../support/told.mts';

const { submit, posts, accepted } = useSubmitting();

const pairs: Array<[string, string, string]> = [
	['accents apart', 'caf\u00E9-1', 'cafe\u0301-1'],
	['a full-width dash', 'order-1', 'order\uFF0D1'],
	['full-width digits', 'order-1', 'order-\uFF11'],
	['a ligature', 'office-1', 'o\uFB03ce-1'],
];

describe.each(pairs)('with %s', (_, one, other) => {
	it('are one transaction within a run', async () => {
		const items = [{ reference: one }, { reference: other }];
		const { error } = await submit('buy', {}, { items });
		expect(error?.message).toBe(`Reference ${one} is also the reference of item 0 [item 1]`);
		const skipped = await submit('buy', { options: { ifAlreadySubmitted: 'skip' } }, { items });
		expect(outcomesOf(skipped)).toEqual(['accepted', 'skipped']);
		expect(accepted()).toEqual([one]);
	});

	it('are one transaction between runs, and are sent in one form', async () => {
		await submit('buy', {}, { items: [{ reference: other }] });
		expect(accepted()).toEqual([one]);
		const { error } = await submit('buy', {}, { items: [{ reference: one }] });
		expect(error?.message).toBe(`Reference ${one} was accepted before and is not sent again`);
		expect(posts()).toHaveLength(1);
	});
});

describe('an expression in a reference that comes out empty', () => {
	const twoCustomers = ['Ada', 'Bola'].map((customer) => ({ customer, none: [] }));
	const webhook = 'What a webhook received is in $json.body, e.g. {{ $json.body.';

	it.each([
		[
			'=order-{{ $json.orderId }}',
			'{{ $json.orderId }}',
			"The item has no 'orderId', or an empty one. ",
		],
		['={{ $json.customer }}-{{ $json.body.orderId }}', '{{ $json.body.orderId }}', ''],
		[
			'={{ $json.customer }}-{{ $json.none }}',
			'{{ $json.none }}',
			"The item has no 'none', or an empty one. ",
		],
		['={{ $json.customer }}-{{ [""] }}', '{{ [""] }}', ''],
		["=order-{{ $json.deep?.orderId ?? '' }}", "{{ $json.deep?.orderId ?? '' }}", ''],
		['=order-{{ Number($json.customer) }}', '{{ Number($json.customer) }}', ''],
		[
			'={{ $json.customer }} {{ $json.orderId }}',
			'{{ $json.orderId }}',
			"The item has no 'orderId', or an empty one. ",
		],
	])('is refused, since what is left is the same for all: %s', async (reference, part, missing) => {
		for (const ifAlreadySubmitted of ['stop', 'skip']) {
			const options = { ifAlreadySubmitted };
			const { error } = await submit('buy', { reference, options }, { items: twoCustomers });
			expect(error?.message).toBe(`The expression ${part} in 'Reference' came out empty [item 0]`);
			expect(error?.description).toContain(`${missing}Correct it, or take it out. ${webhook}`);
			expect(error?.description).toContain('Nothing was sent.');
		}
		expect(posts()).toEqual([]);
	});

	it.each([
		['={{ "order-" + $json.orderId }}', 'undefined'],
		['=order-{{ String($json.orderId ?? null) }}', 'null'],
		['=order-{{ [{}].join() }}', '[object Object]'],
	])('is refused also where it left a word for nothing: %s', async (reference, word) => {
		const { error } = await submit('buy', { reference }, { items: twoCustomers });
		expect(error?.message).toBe(
			`'Reference' has "${word}" in it, which an expression leaves where it finds nothing that it can use [item 0]`,
		);
		expect(posts()).toEqual([]);
	});

	it('is not refused where each has something in it', async () => {
		const reference = '=order-{{ $json.id }}-{{ $json.customer.toLowerCase() }}-{{ "}" }}';
		const items = [
			{ id: 0, customer: 'Ada' },
			{ id: 7, customer: 'Nullarbor' },
		];
		await submit('buy', { reference }, { items });
		expect(accepted()).toEqual(['order-0-ada-}', 'order-7-nullarbor-}']);
	});
});
