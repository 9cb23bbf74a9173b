import { Ajv2020 } from 'ajv/dist/2020.js';

import { contract, operations, validator } from '../../sandbox/contract.mts';
import type { FaultKindName } from '../../sandbox/server.mts';
import { useSandbox } from '../support/sandbox.mts';
import { buyBody, sellBody } from '../support/transactions.mts';
import { admin, http, operationNamed, send } from './client.mts';

const sandbox = useSandbox();

interface ResponseObject {
	headers?: Record<string, { required?: boolean }>;
	content?: Record<string, { schema: object }>;
}

const faultFor: Record<string, FaultKindName> = {
	'204': 'noContent',
	'302': 'redirect',
	'400': 'badRequest',
	'404': 'notFound',
	'408': 'requestTimeout',
	'409': 'conflict',
	'425': 'tooEarly',
	'429': 'tooManyRequests',
	'500': 'serverError',
	'503': 'unavailable',
};

const documented = operations.flatMap(({ name, path, method }) => {
	const item = contract.paths[path];
	const { responses = {} } = (method === 'GET' ? item?.get : item?.post) ?? {};
	return Object.entries(responses).map(([status, response]) => ({ name, status, response }));
});

function resolved(response: object): ResponseObject {
	if (!('$ref' in response)) return response;
	const name = String(response.$ref).split('/').at(-1) ?? '';
	const { responses } = contract.components as { responses: Record<string, ResponseObject> };
	return responses[name] ?? {};
}

/** Schemas inside a response refer to `#/…`, which is the contract. */
const inContract = (schema: object) =>
	validator.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"contract#/')));

it.each(documented)('$name answers $status as the contract says', async (one) => {
	const { name, status, response } = one;
	const kind = faultFor[status];
	if (kind) sandbox.fault({ kind, on: name });
	const answer = await send(sandbox, name, {
		...(status === '401' && { key: 'wrong' }),
		...(status === '413' && { body: { ...buyBody, reference: 'x'.repeat(65 * 1024) } }),
	});

	expect(String(answer.status)).toBe(status);
	const { headers = {}, content } = resolved(response);
	for (const header of Object.keys(headers)) expect(answer.headers[header]).toBeTruthy();
	if (!content) return expect(answer.data).toBe('');
	const [[type, { schema }] = fail()] = Object.entries(content);
	expect(answer.headers['content-type']).toContain(type);
	const valid = inContract(schema);
	valid(answer.data);
	expect(valid.errors).toBeNull();
});

it.each(operations)('$name is not found at the other address', async ({ path, method, host }) => {
	const other = host === 'otc' ? sandbox.baseUrl : sandbox.otcBaseUrl;
	const answer = await http.request({
		url: other + path,
		method,
		headers: { 'svc-sec-key': 'any' },
	});
	expect(answer.status).toBe(404);
});

const { schemas } = contract.components as {
	schemas: Record<
		string,
		{ required: string[]; properties: Record<string, { type: string; minLength?: number }> }
	>;
};

it.each(Object.keys(schemas))('%s is a schema with no keyword misspelt', (name) => {
	const strict = new Ajv2020({ strict: true, keywords: ['components', 'x-assumption'] });
	strict.addSchema({ components: contract.components }, 'contract');
	expect(strict.validateSchema(schemas[name] ?? fail())).toBe(true);
	expect(() => strict.compile({ $ref: `contract#/components/schemas/${name}` })).not.toThrow();
});

const requests = { buy: buyBody, sell: sellBody } as const;
const refused = (['buy', 'sell'] as const).flatMap((name) => {
	const { required, properties } = schemas[name === 'buy' ? 'BuyRequest' : 'SellRequest'] ?? fail();
	const without = required.map((field) => ({
		name,
		why: `${field} left out`,
		change: { [field]: undefined },
	}));
	const wrong = Object.entries(properties).map(([field, { type }]) => ({
		name,
		why: `${field} not a ${type}`,
		change: { [field]: type === 'number' ? '20000' : 20000 },
	}));
	const blank = Object.entries(properties)
		.filter(([, { minLength }]) => minLength)
		.map(([field]) => ({ name, why: `${field} empty`, change: { [field]: '' } }));
	return [...without, ...wrong, ...blank];
});

it.each(refused)('$name with $why is answered 400 and not accepted', async ({ name, change }) => {
	const answer = await send(sandbox, name, { body: { ...requests[name], ...change } });
	expect(answer.status).toBe(400);
	const [field = ''] = Object.keys(change);
	expect(answer.data.message).toContain(field);
	expect(sandbox.transactions()).toEqual([]);
});

it('keeps to the operations of the contract: any other path is answered 404', async () => {
	for (const path of ['/transactions/v1/vendors/', '/transactions/v2/vendors', '/rates', '/%']) {
		const answer = await http.get(sandbox.baseUrl + path, { headers: { 'svc-sec-key': 'any' } });
		expect([path, answer.status]).toEqual([path, 404]);
	}
	const { path } = operationNamed('buy');
	expect((await http.get(sandbox.baseUrl + path)).status).toBe(404);
	expect((await admin(sandbox, 'GET', 'nothing')).status).toBe(404);
});

function fail(): never {
	throw new Error('The contract lacks what this test walks.');
}
