import type { INodeParameters } from 'n8n-workflow';

import { contextsOf } from '../support/engine/outsideOfRuns.mts';
import { credentialsFor, useEngine, type RunOptions } from '../support/engine/engine.mts';
import { withContext } from '../support/engine/changedContext.mts';
import { reads } from '../support/engine/reads.mts';
import { operations, submitting } from '../support/transactions.mts';

const { engine, sandbox } = useEngine();

const posts = () => sandbox.requests().filter(({ method }) => method === 'POST');

const asTool = async (parameters: INodeParameters, different: Partial<RunOptions> = {}) =>
	await engine.run({
		parameters,
		credentials: credentialsFor(sandbox),
		...different,
		node: { type: 'n8n-nodes-stablecoin-ramp.stablecoinRampTool', ...different.node },
	});

const routed = async (parameters: INodeParameters, count = 1) =>
	await contextsOf(engine, credentialsFor(sandbox)).routingEngine(
		parameters,
		Array.from({ length: count }, () => ({})),
	);

describe.each(operations)('a %s by an assistant', (operation) => {
	it.each<[string, INodeParameters]>([
		['is missing', {}],
		['is off', { allowSubmitting: false }],
		['is a text', { allowSubmitting: 'true' }],
		['is an expression', { allowSubmitting: '={{ true }}' }],
		['is left to the assistant', { allowSubmitting: "={{ $fromAI('allow', '', 'boolean') }}" }],
	])('is a dry run when Allow Submitting %s', async (_, allow) => {
		const { json } = await asTool(submitting(operation, allow));
		expect(json).toMatchObject([
			{
				outcome: 'dryRun',
				note: "Nothing was sent: a person has to switch on 'Allow Submitting' in this tool first.",
				request: { body: { amount: 15000 } },
			},
		]);
		expect(posts()).toEqual([]);
	});

	it('stays a dry run when the assistant switches Dry Run off', async () => {
		await asTool(submitting(operation, { options: { dryRun: false } }));
		expect(posts()).toEqual([]);
	});

	describe('that a person has allowed', () => {
		/** Calls the tool in one execution, as often as there are values. */
		const calls = async (...values: INodeParameters[]) => {
			const results = [];
			for (const [index, value] of values.entries()) {
				const nextRun = { value: () => ({ $runIndex: index }) };
				const parameters = submitting(operation, {
					allowSubmitting: true,
					...value,
				});
				const ran = await withContext(
					engine,
					(context) => Object.defineProperty(context, 'getWorkflowDataProxy', nextRun),
					async () => await asTool(parameters, { executionId: 'conversation' }),
				);
				results.push(ran);
			}
			return results;
		};

		it.each<[string, INodeParameters]>([
			['with the same values', {}],
			['with the name in capitals', { accountName: 'ADA EXAMPLE' }],
			['with another amount', { amount: 20000 }],
		])('is submitted once when the assistant calls again %s', async (_, second) => {
			const [first, again] = await calls({}, second);
			expect(first!.json).toMatchObject([{ outcome: 'accepted' }]);
			expect(again!.error?.message).toMatch(
				new RegExp(
					`^This tool has submitted a ${operation} in this execution already\\. Reference n8n-`,
				),
			);
			expect(again!.error?.description).toContain(
				`For a second ${operation}, start another conversation, or let a person give the tool a 'Reference'.`,
			);
			expect(sandbox.transactions()).toHaveLength(1);
		});

		it.each(['acceptThenDrop', 'delay'] as const)(
			'is submitted once when the first call had no answer (%s)',
			async (kind) => {
				sandbox.fault({ kind, on: operation, ...(kind === 'delay' && { delayMs: 2500 }) });
				const impatient = { requestOptions: { timeout: 1500 } };
				const [, again] = await calls(impatient, { accountName: 'ADA EXAMPLE' });
				expect(again!.error?.message).toContain('and its outcome is unknown');
				expect(sandbox.transactions()).toHaveLength(1);
			},
		);

		it('can be corrected after it was rejected', async () => {
			sandbox.fault({ kind: 'badRequest', on: operation });
			const [, corrected] = await calls({}, { accountName: 'Ada Corrected' });
			expect(corrected!.json).toMatchObject([{ outcome: 'accepted' }]);
		});

		it('is submitted once for each Reference', async () => {
			const [, other, again] = await calls(
				{ reference: 'a' },
				{ reference: 'b' },
				{ reference: 'a', accountName: 'ADA EXAMPLE' },
			);
			expect(other!.json).toMatchObject([{ outcome: 'accepted', reference: 'b' }]);
			expect(again!.error?.message).toBe(
				'Reference a was accepted before with other values, and stands for that transaction',
			);
			expect(sandbox.transactions()).toHaveLength(2);
		});
	});
});

it('lets an assistant buy and sell in one execution, each once', async () => {
	for (const operation of operations) {
		const parameters = submitting(operation, { allowSubmitting: true });
		await asTool(parameters, { executionId: 'conversation' });
	}
	expect(sandbox.transactions()).toHaveLength(2);
});

describe.each(operations)('a %s past customOperations', (operation) => {
	it.each<[string, INodeParameters]>([
		['as it is', {}],
		['with Allow Submitting on', { allowSubmitting: true }],
		['as a dry run', { options: { dryRun: true } }],
		['with a vendor from the list', { vendorSource: 'live', vendor: '0011223344' }],
	])('is refused in words, %s', async (_, different) => {
		await expect(routed(submitting(operation, different), 3)).rejects.toMatchObject({
			name: 'NodeApiError',
			message: 'A buy or sell cannot be submitted from here',
			description: expect.stringContaining('Nothing was sent.') as string,
		});
		expect(sandbox.requests()).toEqual([]);
	});

	it.each<[string, INodeParameters]>([
		['Operation', { operation: `={{ "${operation}" }}` }],
		['Resource', { resource: '={{ "transaction" }}' }],
	])('is refused when its %s is an expression', async (_, different) => {
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
	// The fields of a buy and a sell say under which name they are sent: none of that is in a read.
	expect(sandbox.requests()[0]!.body).toBeUndefined();
});
