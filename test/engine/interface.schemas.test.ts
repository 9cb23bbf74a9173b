import { join } from 'node:path';
import { Ajv } from 'ajv';
import { loadOutputSchema } from 'n8n-core';

import { rateCurrencies, transactionFields, vendorFields } from '../support/interfaceTables.ts';
import { credentialsFor, useEngine } from '../support/engine.ts';
import { reads } from '../support/reads.ts';
import { operations, submitting } from '../support/transactions.ts';

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

	const validate = ajv.compile(schemaOf(parameters.resource!, parameters.operation!));
	for (const item of json) {
		validate(item);
		expect(validate.errors ?? []).toEqual([]);
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
	expect(offered).toHaveLength(7);
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

it('has the Transaction table for a buy', () => {
	expect(fieldsOf(schemaOf('transaction', 'buy'))).toEqual(transactionFields);
});

it('claims no field of a sell, whose response is not documented', () => {
	const schema = schemaOf('transaction', 'sell');
	expect(schema.properties).toEqual({});
	expect(schema.description).toContain('does not document');
});

it.each(['list', 'test'])('says that the %s vendors are not documented', (operation) => {
	expect(schemaOf('vendor', operation).description).toContain('does not document');
});
