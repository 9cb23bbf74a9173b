import type { INodeParameters } from 'n8n-workflow';

import { credentialsFor, useEngine, type RunOptions } from '../support/engine/engine.mts';
import { startServer } from '../support/servers.mts';
import { submitting } from '../support/transactions.mts';

const { engine, sandbox, run } = useEngine();

const sell = async (different?: INodeParameters, extra?: Partial<RunOptions>) =>
	await run(submitting('sell', different), extra);

const sent = () => sandbox.requests().map(({ body }) => body as Record<string, unknown>);

it('sends the type that is guessed, or the one that is entered', async () => {
	const { type: _, ...untouched } = submitting('sell');
	await engine.run({ parameters: untouched, credentials: credentialsFor(sandbox) });
	await sell({ type: 'offramp' });
	expect(sent().map(({ type }) => type)).toEqual(['sell_ramp', 'offramp']);
});

it('says in the field itself that the type is a guess', () => {
	const { properties } = engine.nodeTypeOf('stablecoinRamp').description;
	const { description } = properties.find(({ name }) => name === 'type')!;
	expect(description).toMatch(/does not document.*our guess/);
});

it('takes an amount below the minimum of a buy, since none is documented for a sell', async () => {
	const { error } = await sell({ amount: 0.5 });
	expect(error).toBeUndefined();
	expect(sent()).toEqual([expect.objectContaining({ amount: 0.5 })]);
});

it.each([
	[{ transaction_id: '7', anything: ['else'] }],
	[{ status: 'success', transaction: { transaction_id: '7' } }],
	[{ says: { goes: true } }],
])('puts out the whole response, whose shape is not documented: %j', async (body) => {
	const { url: baseUrl } = await startServer(() => ({ body }));
	const credentials = { ...credentialsFor(sandbox), baseUrl };
	const { json, items } = await sell({ reference: 'order-1' }, { credentials });
	expect(json).toEqual([{ outcome: 'accepted', reference: 'order-1', ...body }]);
	expect(items[0]?.pairedItem).toEqual({ item: 0 });
});
