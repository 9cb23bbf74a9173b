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
