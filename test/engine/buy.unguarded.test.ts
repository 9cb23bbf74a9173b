import type { INodeParameters } from 'n8n-workflow';

import { contextsOf } from '../support/contexts.ts';
import { credentialsFor, useEngine } from '../support/engine.ts';
import { reads } from '../support/reads.ts';
import { operations, submitting } from '../support/transactions.ts';

const { engine, sandbox } = useEngine();

const routed = async (parameters: INodeParameters, count = 1) =>
	await contextsOf(engine, credentialsFor(sandbox)).routingEngine(
		parameters,
		Array.from({ length: count }, () => ({})),
	);

const refusal = 'A buy or sell cannot be submitted from here';

describe.each(operations)('a %s', (operation) => {
	it.each<[string, INodeParameters]>([
		['as it is', {}],
		['with Allow Submitting on', { allowSubmitting: true }],
		['as a dry run', { options: { dryRun: true } }],
		['with a vendor from the list', { vendorSource: 'live', vendor: '0011223344' }],
	])('that n8n routes past customOperations is refused, %s', async (_, different) => {
		await expect(routed(submitting(operation, different), 3)).rejects.toMatchObject({
			name: 'NodeApiError',
			message: refusal,
			description: expect.stringContaining('Nothing was sent.'),
		});
		expect(sandbox.requests()).toEqual([]);
	});

	it.each<[string, INodeParameters]>([
		['Operation', { operation: `={{ "${operation}" }}` }],
		['Resource', { resource: '={{ "transaction" }}' }],
	])('whose %s is an expression is refused', async (_, different) => {
		const { error, json } = await engine.run({
			parameters: submitting(operation, different),
			credentials: credentialsFor(sandbox),
		});
		expect(error?.message).toBe('Resource and Operation have to be fixed values');
		expect(error?.description).toContain('Nothing was sent.');
		expect(json).toEqual([]);
		expect(sandbox.requests()).toEqual([]);
	});
});

it.each(reads)('lets the routing engine read: $name', async ({ parameters }) => {
	const [items = []] = (await routed(parameters, 2)) ?? [];
	expect(items.length).toBeGreaterThan(1);
	expect(sandbox.requests()).toHaveLength(1);
});
