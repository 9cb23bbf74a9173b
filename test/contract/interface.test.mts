import { contract, operations } from '../../sandbox/contract.mts';
import {
	authenticationHeader,
	buyMinimum,
	buyRequestFields,
	buyResponseFields,
	buyType,
	endpoints,
	networks,
	rateCurrencies,
	sellRequestFields,
	statuses,
	transactionFields,
	vendorFields,
	vendorsResponseFields,
} from '../support/interface.mts';

interface Schema {
	type: string;
	required?: string[];
	properties: Record<string, Schema>;
	const?: string;
	enum?: string[];
	minimum?: number;
	pattern?: string;
	'x-assumption'?: string;
}

const { schemas, securitySchemes, responses } = contract.components as {
	schemas: Record<string, Schema>;
	securitySchemes: Record<string, { in: string; name: string }>;
	responses: Record<string, { description: string }>;
};

function schema(name: string): Schema {
	const found = schemas[name];
	if (!found) throw new Error(`The contract has no schema ${name}.`);
	return found;
}

describe('2.1 Transaction', () => {
	it.each(transactionFields)('$name is a $type and always answered', ({ name, type }) => {
		expect(schema('Transaction').properties[name]).toMatchObject({ type });
		expect(schema('Transaction').required).toContain(name);
	});

	it('has no field beside the ones of the table', () => {
		expect(Object.keys(schema('Transaction').properties)).toEqual(
			transactionFields.map(({ name }) => name),
		);
	});

	it('says Buy, contains the business_id, and has a date without a time', () => {
		const { type, business, date_created } = schema('Transaction').properties;
		expect(type).toMatchObject({ const: 'Buy' });
		expect(business?.properties.business_id).toEqual({ type: 'string' });
		expect('November 14, 2026').toMatch(new RegExp(date_created?.pattern ?? '^$'));
		expect('November 14, 2026 10:00').not.toMatch(new RegExp(date_created?.pattern ?? ''));
	});
});

it.each(vendorFields)('2.2 Vendor: $name is a $type', ({ name, type }) => {
	expect(schema('Vendor').properties[name]).toMatchObject({ type });
});

it.each(rateCurrencies)('2.3 Rates: %s is a number', (currency) => {
	expect(schema('Rates').properties[currency]).toEqual({ type: 'number' });
});

describe.each([
	['4.1', 'BuyRequest', buyRequestFields],
	['4.5', 'SellRequest', sellRequestFields],
] as const)('%s %s', (_section, name, fields) => {
	it.each(fields)('$name is a $type, required: $required', ({ name: field, type, required }) => {
		const { properties, required: names = [] } = schema(name);
		expect(properties[field]).toMatchObject({ type });
		if (required === 'yes') expect(names).toContain(field);
	});

	it('says that it assumes whatever the document leaves open', () => {
		const { properties, 'x-assumption': whole } = schema(name);
		const said = Object.values(properties).map((field) => field['x-assumption']);
		const hedged = fields.filter(({ required }) => !['yes', 'not shown'].includes(required));
		for (const { name: field } of hedged) expect(said.join(' ')).toContain(field);
		expect(whole).toBeTruthy();
	});
});

it('4.1 Buy: states the type, the minimum and the four networks', () => {
	const { type, amount, network } = schema('BuyRequest').properties;
	expect(type?.const).toBe(buyType);
	expect(amount?.minimum).toBe(buyMinimum);
	expect(network?.enum).toEqual(networks);
});

it.each([
	...buyResponseFields.map((field) => ['4.1', 'BuyResponse', field] as const),
	...vendorsResponseFields.map((field) => ['4.2', 'VendorsResponse', field] as const),
])('%s %s: answers %s', (_section, name, field) => {
	expect(schema(name).required).toContain(field);
});

describe('4 Endpoints', () => {
	it.each(endpoints)('$section $method $path', ({ operation: name, method, at: host, path }) => {
		expect(operations).toContainEqual(expect.objectContaining({ name, method, host, path }));
	});

	it('has no endpoint beside those', () => {
		expect(operations).toHaveLength(endpoints.length);
	});
});

it('5 Authentication: the key is sent in a header that every endpoint requires', () => {
	expect(Object.values(securitySchemes)).toEqual([
		expect.objectContaining({ in: 'header', name: authenticationHeader }),
	]);
	expect(contract.security).toEqual([{ secretKey: [] }]);
});

it.each(statuses)('7 Statuses: $status: $condition', ({ status, condition }) => {
	for (const item of Object.values(contract.paths)) {
		const operation = item.get ?? item.post;
		const { $ref } = operation?.responses[status] as { $ref: string };
		expect(responses[$ref.split('/').at(-1) ?? '']?.description).toBe(condition);
	}
});
