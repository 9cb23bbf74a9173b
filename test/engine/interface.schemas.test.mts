import { join } from 'node:path';
import { Ajv } from 'ajv';
import { loadOutputSchema } from 'n8n-core';

import { rateCurrencies, transactionFields, vendorFields } from '../support/interface.mts';
import { credentialsFor, useEngine } from '../support/engine/engine.mts';
import { reads } from '../support/engine/reads.mts';
import { allOperations } from '../support/operations.mts';
import { operations, submitting } from '../support/transactions.mts';

const { engine, sandbox } = useEngine();

const ajv = new Ajv({ allErrors: true });
ajv.addKeyword('version');

interface Schema {
	type: string;
	description?: string;
	properties: Record<string, { type: string }>;
	version: number;
}

/** As n8n finds it beside the built node. */
const schemaOf = (resource: string, operation: string) =>
	loadOutputSchema({
		nodeDir: join(__dirname, '..', '..', 'dist', 'nodes', 'StablecoinRamp'),
		version: 1,
		resource,
		operation,
	}) as unknown as Schema;

const everyOperation = [
	...reads.map(({ parameters }) => parameters),
	...operations.map((operation) => submitting(operation)),
] as Array<Record<string, string>>;

it.each(everyOperation)('describes what $resource $operation returns', async (parameters) => {
	const { json, error } = await engine.run({ parameters, credentials: credentialsFor(sandbox) });
	expect(error).toBeUndefined();
	expect(json.length).toBeGreaterThan(0);

	const schema = schemaOf(parameters.resource!, parameters.operation!);
	const validate = ajv.compile(schema);
	for (const item of json) {
		validate(item);
		expect(validate.errors ?? []).toEqual([]);
		if (parameters.operation === 'buy') {
			expect(Object.keys(item)).toEqual(Object.keys(schema.properties));
		}
	}
});

it('has a schema for every operation of the node', () => {
	const { properties } = engine.nodeTypeOf('stablecoinRamp').description;
	const offered = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) =>
			options.map((option) => [
				String(displayOptions?.show?.resource?.[0]),
				String('value' in option && option.value),
			]),
		);
	expect(offered.toSorted()).toEqual(allOperations.toSorted());
	for (const [resource, operation] of offered) {
		expect(schemaOf(resource!, operation!)).toMatchObject({ type: 'object', version: 1 });
	}
});

const fieldsOf = ({ properties }: Schema) =>
	Object.entries(properties).map(([name, { type }]) => ({ name, type }));

it.each(['live', 'list', 'test'])('has the Vendor table for %s vendors', (operation) => {
	expect(fieldsOf(schemaOf('vendor', operation))).toEqual(vendorFields);
});

it.each(['otc', 'usdc'])('has the currencies that are shown for %s rates', (operation) => {
	const numbers = rateCurrencies.map((name) => ({ name, type: 'number' }));
	expect(fieldsOf(schemaOf('rate', operation))).toEqual(numbers);
});

it('has for a buy the ten fields of Simplify, and those of the Transaction table with its types', () => {
	const fields = fieldsOf(schemaOf('transaction', 'buy'));
	const ours = ['outcome', 'business_id'].map((name) => ({ name, type: 'string' }));
	expect(fields).toHaveLength(10);
	expect([...ours, ...transactionFields]).toEqual(expect.arrayContaining(fields));
});

it('promises nothing of a sell but outcome and reference, since its response is not documented', () => {
	const schema = schemaOf('transaction', 'sell');
	expect(Object.keys(schema.properties)).toEqual(['outcome', 'reference']);
	expect(schema.description).toContain('does not document');
});

it.each(['list', 'test'])('says that the %s vendors are not documented', (operation) => {
	expect(schemaOf('vendor', operation).description).toContain('does not document');
});
