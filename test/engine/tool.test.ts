import type { INodeParameters } from 'n8n-workflow';

import { contextsOf } from '../support/contexts.ts';
import { credentialsFor, useEngine, type RunOptions } from '../support/engine.ts';
import { withContext } from '../support/otherContext.ts';
import { operations, submitting } from '../support/transactions.ts';

const { engine, sandbox } = useEngine();

const posts = () => sandbox.requests().filter(({ method }) => method === 'POST');

const asTool = async (parameters: INodeParameters, different: Partial<RunOptions> = {}) =>
	await engine.run({
		parameters,
		credentials: credentialsFor(sandbox),
		...different,
		node: { type: 'n8n-nodes-stablecoin-ramp.stablecoinRampTool', ...different.node },
	});

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
				note: 'Nothing was sent: a person has to switch on Allow Submitting in this tool first.',
				request: { body: { amount: 15000 } },
			},
		]);
		expect(posts()).toEqual([]);
	});

	it('stays a dry run when the assistant switches Dry Run off', async () => {
		await asTool(submitting(operation, { options: { dryRun: false } }));
		expect(posts()).toEqual([]);
	});

	it('is submitted when a person has switched on Allow Submitting', async () => {
		await asTool(submitting(operation, { allowSubmitting: true }));
		expect(sandbox.transactions()).toHaveLength(1);
	});

	it.each(['acceptThenDrop', 'delay', undefined] as const)(
		'is not submitted again when the assistant calls again with the same values (%s)',
		async (kind) => {
			if (kind) sandbox.fault({ kind, on: operation, ...(kind === 'delay' && { delayMs: 400 }) });
			const parameters = submitting(operation, {
				allowSubmitting: true,
				requestOptions: { timeout: 200 },
			});
			const call = { executionId: 'conversation' };
			await asTool(parameters, call);
			const again = await withContext(
				engine,
				(context) => {
					const isSecondRun = { value: () => ({ $runIndex: 1 }) };
					Object.defineProperty(context, 'getWorkflowDataProxy', isSecondRun);
				},
				async () => await asTool(parameters, call),
			);
			expect(again.error?.message).toContain('was submitted before and is not sent again');
			expect(sandbox.transactions()).toHaveLength(1);
		},
	);

	it.each([true, false])(
		'is refused in words in process, past customOperations, with Allow Submitting %j',
		async (allowSubmitting) => {
			const parameters = submitting(operation, { allowSubmitting });
			await expect(
				contextsOf(engine, credentialsFor(sandbox)).routingEngine(parameters),
			).rejects.toMatchObject({
				message: 'A buy or sell cannot be submitted from here',
				description: expect.stringContaining('Nothing was sent.') as string,
			});
			expect(sandbox.requests()).toEqual([]);
		},
	);

	it('is refused when Operation is an expression, which n8n does not take to customOperations', async () => {
		const { error } = await engine.run({
			parameters: submitting(operation, { operation: `={{ '${operation}' }}` }),
			credentials: credentialsFor(sandbox),
		});
		expect(error?.message).toBe('Resource and Operation have to be fixed values');
		expect(sandbox.requests()).toEqual([]);
	});
});
