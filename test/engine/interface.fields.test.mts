import {
	Workflow,
	type IDataObject,
	type INodeParameters,
	type INodeProperties,
} from 'n8n-workflow';

import { transactions } from '../../nodes/StablecoinRamp/resources/transaction/index.ts';
import {
	buyMinimum,
	buyRequestFields,
	buyType,
	endpoints,
	networks,
	sellRequestFields,
	transactionFields,
} from '../support/interface.mts';
import { rampNode, useEngine } from '../support/engine/engine.mts';
import { submitting } from '../support/transactions.mts';

const { engine, sandbox, run } = useEngine();

/** A value of its own for each field of the tables, so that no two can be mixed up. */
const vendor = {
	vendorName: 'Own Vendor',
	vendorBank: 'Own Vendor Bank',
	vendorNumber: '0000000012',
};
const values: Record<string, string | number> = {
	business_id: 'OWN-BUSINESS',
	link_tag: 'own-tag',
	amount: 15000.5,
	vendor_name: vendor.vendorName,
	vendor_bank: vendor.vendorBank,
	vendor_number: vendor.vendorNumber,
	bank_name: 'Own Bank',
	account_number: '0000000034',
	account_name: 'Own Name',
	network: 'Polygon',
	wallet_address: '0x52908400098527886E0F7030069857D2E4169EE7',
	reference: 'own-reference',
};

const parameterFor = (field: string) =>
	field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const tables = [
	{ operation: 'buy', fields: buyRequestFields, type: buyType, more: [] },
	// A sell carries a reference as well: it is what the node looks a transaction up by.
	{ operation: 'sell', fields: sellRequestFields, type: 'own_type', more: ['reference'] },
] as const;

describe.each(tables)('a $operation', ({ operation, fields, type, more }) => {
	const endpoint = endpoints.find((one) => one.operation === operation);
	const names = [...fields.map(({ name }) => name), ...more];

	it('declares every field of its table, and nothing else', () => {
		const { fields: declared, alwaysSent = {} } = transactions[operation];
		const withOptions = declared.flatMap((field) => [
			field,
			...(field.type === 'collection' ? (field.options as INodeProperties[]) : []),
		]);
		const sent = withOptions.flatMap(({ routing }) => routing?.send?.property ?? []);
		expect([...sent, ...Object.keys(alwaysSent)].sort()).toEqual([...names].sort());
	});

	it('sends every field of its table, under its exact name and type, and nothing else', async () => {
		sandbox.setVendors([vendor]);
		const { businessId, linkTag, ...parameters } = Object.fromEntries(
			names.filter((name) => name in values).map((name) => [parameterFor(name), values[name]!]),
		);
		const { error } = await run({
			resource: 'transaction',
			operation,
			...(operation === 'buy' ? { vendorSource: 'manual' } : { type }),
			...parameters,
			options: { businessId: businessId!, linkTag: linkTag! },
		});
		expect(error).toBeUndefined();

		const [request, ...others] = sandbox.requests();
		expect(others).toEqual([]);
		expect(request).toMatchObject({ host: 'base', method: endpoint?.method, path: endpoint?.path });
		expect(request?.headers).toMatchObject({
			accept: 'application/json',
			'content-type': 'application/json',
		});
		const body = request?.body as Record<string, unknown>;
		expect(Object.keys(body).sort()).toEqual([...names].sort());
		for (const field of fields) {
			expect(body[field.name]).toBe(field.name === 'type' ? type : values[field.name]);
			expect(typeof body[field.name]).toBe(field.type);
		}
	});

	it.each(['16000.25', ' 16000.25 ', 16000.25])(
		'sends an amount that is %j by expression as a number',
		async (amount) => {
			await run(submitting(operation, { amount: `={{ ${JSON.stringify(amount)} }}` }));
			expect(sandbox.transactions()).toHaveLength(1);
			expect(sandbox.requests()[0]?.body).toMatchObject({ amount: 16000.25 });
		},
	);

	it('sends account numbers as text, also when an expression gives a number', async () => {
		await run(submitting(operation, { accountNumber: '={{ 1234567890 }}' }));
		expect(sandbox.requests()[0]?.body).toMatchObject({ account_number: '1234567890' });
	});

	it('leaves out a network and a wallet that are not filled', async () => {
		await run(submitting(operation));
		expect(sandbox.requests()[0]?.body).not.toHaveProperty('network');
		expect(sandbox.requests()[0]?.body).not.toHaveProperty('wallet_address');
	});
});

// n8n itself asks for a required field that is empty; an expression may still turn out empty.
it.each(
	buyRequestFields
		.filter(({ name, required }) => required.startsWith('yes') && name !== 'type')
		.map(({ name }) => parameterFor(name)),
)('sends no buy without %s', async (parameter) => {
	const empty = { [parameter]: '={{ "" }}' };
	const { properties } = engine.nodeTypeOf('stablecoinRamp').description;
	const options = properties.find(({ name }) => name === 'options')!.options as INodeProperties[];
	const option = options.find(({ name }) => name === parameter);
	const field = option ?? properties.find(({ name }) => name === parameter);
	const { error } = await run(submitting('buy', option ? { options: empty } : empty));
	expect(error?.message).toMatch(
		new RegExp(`^(The expression in )?'${field?.displayName}' (is|came out) empty`),
	);
	expect(sandbox.requests()).toEqual([]);
});

it('takes a buy of exactly the minimum, and sends none below it', async () => {
	const enough = await run(submitting('buy', { amount: buyMinimum }));
	expect(enough.error).toBeUndefined();
	const less = await run(submitting('buy', { amount: buyMinimum - 0.01 }));
	expect(less.error?.message).toContain(`below the minimum of ${buyMinimum}`);
	expect(sandbox.transactions()).toHaveLength(1);
});

it('offers the networks of the interface, for both operations', () => {
	const { properties } = engine.nodeTypeOf('stablecoinRamp').description;
	const offered = properties
		.filter(({ name }) => name === 'network')
		.map(({ options = [] }) => options.map((option) => 'value' in option && option.value));
	expect(offered).toEqual([
		['', ...[...networks].sort()],
		['', ...[...networks].sort()],
	]);
});

it('returns a buy with every field of the Transaction table, unless it is simplified', async () => {
	const { json } = await run(submitting('buy', { simplify: false }));
	const transaction = json[0]?.transaction as IDataObject;
	expect(Object.keys(transaction).sort()).toEqual(transactionFields.map(({ name }) => name).sort());
	for (const { name, type } of transactionFields) expect(typeof transaction[name]).toBe(type);
});

describe('on the canvas', () => {
	const subtitleOf = (parameters: INodeParameters) => {
		const { nodeTypes } = engine;
		const node = rampNode(parameters);
		const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
		const { subtitle } = engine.nodeTypeOf('stablecoinRamp').description;
		return workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {});
	};

	it('each operation says what it does in words of its own', () => {
		const { properties } = engine.nodeTypeOf('stablecoinRamp').description;
		const shown = properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options = [] }) => options as Array<{ value: string }>)
			.map(({ value }) => subtitleOf({ operation: value }));
		expect(shown).toEqual(shown.map(() => expect.stringMatching(/^(Get|Buy|Sell) [\w ()]+$/)));
		expect(new Set(shown).size).toBe(shown.length);
	});

	it('a dry run can be told from a buy', () => {
		const buy = { resource: 'transaction', operation: 'buy' };
		expect(subtitleOf({ ...buy, options: {} })).toBe('Buy stablecoin');
		expect(subtitleOf({ ...buy, options: { dryRun: true } })).toBe('Buy stablecoin (dry run)');
		expect(subtitleOf({ ...buy, options: { dryRun: 'false' } })).toBe('Buy stablecoin');
	});
});
