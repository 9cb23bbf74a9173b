import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { label } from '../../../nodes/StablecoinRamp/resources/transaction/index.ts';
import { itemReader, readCollection } from '../../../nodes/StablecoinRamp/submit/readItem.ts';

type Evaluate = (name: string, itemIndex: number, fallback: unknown, options?: object) => unknown;

/** What n8n gives a node: its parameters, the items, and what an expression comes to. */
function reading(
	parameters: IDataObject,
	items: IDataObject[] = [{}],
	evaluate: Evaluate = (name) => parameters[name],
) {
	const getNodeParameter = jest.fn(evaluate);
	const context = {
		getNode: () => ({ parameters }),
		getInputData: () => items.map((json) => ({ json })),
		getNodeParameter,
	} as unknown as IExecuteFunctions;
	const asked = (name: string) => getNodeParameter.mock.calls.filter(([one]) => one === name);
	const read = itemReader(context, 'buy');
	const valuesOf = (name: string) =>
		items.map((_, index) => {
			const item = read(index);
			return item.refusal ? item.refusal.message : item.raw[name];
		});
	return { context, read, valuesOf, asked };
}

it.each([
	['amount', "'Amount'"],
	['type', "'Type'"],
	['maximumAmount', "'Maximum Amount'"],
	['somethingElse', "'somethingElse'"],
])('%s is %s to people', (name, shown) => {
	expect(label(name)).toBe(shown);
});

describe('a parameter', () => {
	const items = [{ amount: 1 }, { amount: 2 }, { amount: 3 }];

	it.each([20000, ' ={{ $json.amount }}'])('that is %j is read once for all items', (amount) => {
		const { valuesOf, asked } = reading({ amount }, items);
		expect(valuesOf('amount')).toEqual([amount, amount, amount]);
		expect(asked('amount')).toHaveLength(1);
	});

	it.each([
		['={{ $json.amount * 2 }}'],
		['={{ $json.amount }} naira'],
		['=about {{ $json.amount }}'],
		[{ mode: 'id', value: '={{ $json.amount }}' }],
	])('with the expression %j is evaluated by n8n for each item', (amount) => {
		const { valuesOf, asked } = reading({ amount }, items, (_, index) => `n8n ${index}`);
		expect(valuesOf('amount')).toEqual(['n8n 0', 'n8n 1', 'n8n 2']);
		expect(asked('amount')).toHaveLength(3);
	});

	it.each(['={{ $json.amount }}', '={{$json.amount}}', '={{  $json.amount  }}'])(
		'that is %s is read from the item, without n8n',
		(amount) => {
			const { valuesOf, asked } = reading({ amount }, items);
			expect(valuesOf('amount')).toEqual([1, 2, 3]);
			expect(asked('amount')).toEqual([]);
		},
	);

	it('that names a field which the item lacks, or what every object has, is left to n8n', () => {
		for (const field of ['missing', 'toString', 'constructor', 'keys']) {
			const item = field === 'keys' || field === 'constructor' ? { [field]: 7 } : {};
			const { valuesOf } = reading({ amount: `={{ $json.${field} }}` }, [item], () => 'n8n');
			expect([field, valuesOf('amount')]).toEqual([field, ['n8n']]);
		}
	});

	it('that names the field "name" is read from the item, although every function has one', () => {
		const parameters = { accountName: '={{ $json.name }}' };
		const { valuesOf, asked } = reading(parameters, [{ name: 'Ada Example' }]);
		expect(valuesOf('accountName')).toEqual(['Ada Example']);
		expect(asked('accountName')).toEqual([]);
	});

	it('is to be empty text where nothing was stored, and only a vendor is taken out of its picker', () => {
		const { read, asked } = reading({ vendorSource: 'live' });
		read(0);
		expect(asked('amount')).toEqual([['amount', 0, '', { extractValue: false }]]);
		expect(asked('vendor')).toEqual([['vendor', 0, '', { extractValue: true }]]);
	});

	it('whose expression fails is named, with what n8n says', () => {
		const { read } = reading({ bankName: '={{ $json.bank.name }}' }, [{}], (name) => {
			if (name === 'bankName') throw new Error('bank is undefined');
			return undefined;
		});
		const { raw, refusal } = read(0);
		expect(raw).toHaveProperty('accountName');
		expect(refusal).toEqual({
			ok: false,
			message: "The expression in 'Bank Name' could not be evaluated",
			description: "Correct the expression in 'Bank Name'. n8n says: bank is undefined",
		});
	});
});

it.each([
	['live', ['vendor']],
	['manual', ['vendorName', 'vendorBank', 'vendorNumber']],
])('of the fields of a vendor only those of %s are read', (vendorSource, there) => {
	const { read } = reading({ vendorSource });
	const { raw } = read(0);
	const vendor = Object.keys(raw).filter((name) => /^vendor(?!Source)/.test(name));
	expect(vendor).toEqual(there);
	expect(raw).not.toHaveProperty('allowSubmitting');
});

describe('an expression that comes out empty', () => {
	const webhook = 'What a webhook received is in $json.body, e.g. {{ $json.body';

	it.each(['', '  ', null, undefined])(
		'as %j is refused where that would go unnoticed',
		(empty) => {
			for (const [name, shown] of [
				['reference', 'Reference'],
				['network', 'Network'],
				['walletAddress', 'Wallet Address'],
			] as const) {
				const { read } = reading({ [name]: '={{ $json.order.id }}' }, [{}], (one) =>
					one === name ? empty : '',
				);
				expect(read(0).refusal).toEqual({
					ok: false,
					message: `The expression in '${shown}' came out empty`,
					description: `Correct the expression in '${shown}', or write a fixed value there. ${webhook}.orderId }}`,
				});
			}
		},
	);

	it('is refused with the field that the item lacks', () => {
		const { read } = reading({ reference: '={{ $json.order }}' }, [{ other: 1 }], () => undefined);
		expect(read(0).refusal).toMatchObject({
			description: `The item has no 'order', or an empty one. Correct the expression in 'Reference', or write a fixed value there. ${webhook}.order }}`,
		});
	});

	it.each([{ maximumAmount: '' }, {}, undefined])(
		'is refused in an option that came to %j',
		(came) => {
			const options = { maximumAmount: '={{ $json.limit }}', linkTag: 'fixed' };
			const { read } = reading({ options }, [{}], (name) => (name === 'options' ? came : ''));
			expect(read(0).refusal).toMatchObject({
				message: "The expression in 'Maximum Amount' came out empty",
			});
		},
	);

	it.each([
		['another field', { bankName: '={{ $json.bank }}' }],
		['what has no expression', { reference: '', options: { linkTag: '', somethingElse: null } }],
	])('is taken in %s', (_, parameters) => {
		expect(reading(parameters, [{}], () => '').read(0).refusal).toBeUndefined();
	});

	it.each([0, false])('is not %j', (value) => {
		const parameters = { reference: '={{ $json.order }}' };
		expect(reading(parameters, [{ order: value }]).valuesOf('reference')).toEqual([value]);
	});
});

describe('what is set once for all items', () => {
	it.each([
		[{ dryRun: true }, { dryRun: true }],
		['', {}],
		[null, {}],
	])('that n8n gives as %j is %j', (value, values) => {
		const { context, asked } = reading({}, [{}], () => value);
		expect(readCollection(context, 'options')).toEqual({ ok: true, value: values });
		expect(asked('options')).toEqual([['options', 0, {}]]);
	});

	it('is refused where n8n gives a text', () => {
		const { context } = reading({}, [{}], () => 'text');
		expect(readCollection(context, 'requestOptions')).toEqual({
			ok: false,
			message: `'Request Options' is "text", not a list of options`,
			description: "Choose the options in 'Request Options'",
		});
	});

	it.each([
		['options', 'Options'],
		['requestOptions', 'Request Options'],
	] as const)('is named where it fails: %s', (name, shown) => {
		const { context } = reading({}, [{}], () => {
			throw new Error('no such node');
		});
		expect(readCollection(context, name)).toEqual({
			ok: false,
			message: `The expression in '${shown}' could not be evaluated`,
			description: `Correct the expression in '${shown}'. n8n says: no such node`,
		});
	});
});
