import { outputsOf, usePlayground } from '../support/playground.ts';
import { closeServers, startService } from '../support/servers.ts';
import { submitting } from '../support/transactions.ts';
import { credentialsIn, inARow } from '../support/workflows.ts';

const playground = usePlayground();

beforeEach(() => playground.sandbox.reset());
afterEach(closeServers);

const start = { name: 'Start', type: 'n8n-nodes-base.manualTrigger' };

/** What each output has when the node runs after another one, or alone. */
async function outputs(isAlone: boolean, parameters: ReturnType<typeof submitting>) {
	const { rest } = playground;
	const ramp = { name: 'Ramp', parameters, onError: 'continueErrorOutput' as const };
	const workflow = inARow(isAlone ? [ramp] : [start, ramp], await credentialsIn(rest));
	const { id } = await rest.post<{ id: string }>('/workflows', workflow);
	const ran = isAlone ? playground.runStep(id, 'Ramp') : playground.run(id, 'Start');
	return outputsOf(await ran, 'Ramp');
}

describe.each([
	['after a node', false],
	['with no node before it', true],
])('%s', (_, isAlone) => {
	const words = { error: expect.any(String) as string, message: expect.any(String) as string };

	it.each([
		['badRequest', 'rejected', '400'],
		['serverError', 'unknown', '500'],
	] as const)(
		'a buy that meets %s leaves by the error output as %s',
		async (kind, outcome, httpCode) => {
			playground.sandbox.fault({ kind, on: 'buy' });
			const reference = 'order-1';

			expect(await outputs(isAlone, submitting('buy', { reference }))).toEqual([
				[],
				[{ ...words, outcome, reference, httpCode }],
			]);
		},
	);

	it('a read that fails leaves by the error output, with its status', async () => {
		playground.sandbox.fault({ kind: 'unavailable' });
		const message = expect.stringContaining('(HTTP 503)') as string;

		expect(await outputs(isAlone, { resource: 'rate', operation: 'usdc' })).toEqual([
			[],
			[{ ...words, message }],
		]);
	});

	it('what is accepted or read leaves by the first output', async () => {
		expect(await outputs(isAlone, submitting('buy', { reference: 'order-2' }))).toEqual([
			[expect.objectContaining({ outcome: 'accepted', reference: 'order-2' })],
			[],
		]);
		expect(await outputs(isAlone, { resource: 'rate', operation: 'usdc' })).toEqual([
			[expect.objectContaining({ USD: 1476.8 })],
			[],
		]);
	});
});

it('keeps a receipt with an error that is null, for which some n8n try again', async () => {
	const answer = { error: null, transaction: { transaction_id: 'T-1' } };
	const service = await startService(() => ({ body: answer }));
	const stablecoinRampApi = await playground.rest.post<{ id: string; name: string }>(
		'/credentials',
		{
			name: 'Answers with null',
			type: 'stablecoinRampApi',
			data: service.credentials,
		},
	);
	const parameters = submitting('buy', { reference: 'order-3', simplify: false });
	const ramp = { name: 'Ramp', parameters, retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	const workflow = inARow([start, ramp], { stablecoinRampApi });
	const { id } = await playground.rest.post<{ id: string }>('/workflows', workflow);

	expect(outputsOf(await playground.run(id, 'Start'), 'Ramp')).toEqual([
		[{ outcome: 'accepted', reference: 'order-3', ...answer }],
	]);
	expect(service.received).toHaveLength(1);
});
