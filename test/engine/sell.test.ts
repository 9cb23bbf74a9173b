import type { INodeParameters } from 'n8n-workflow';

import { credentialsFor, useEngine, type RunOptions } from '../support/engine.ts';
import { startServer } from '../support/servers.ts';
import { submitting } from '../support/transactions.ts';

const { engine, sandbox, run } = useEngine();

const sell = async (different?: INodeParameters, extra?: Partial<RunOptions>) =>
	await run(submitting('sell', different), extra);

const sent = () => sandbox.requests().map(({ body }) => body as Record<string, unknown>);

it('sends one request to the base address, and reads no vendors', async () => {
	const { error } = await sell();
	expect(error).toBeUndefined();
	expect(sandbox.requests().map(({ host, method, path }) => [host, method, path])).toEqual([
		['base', 'POST', '/transactions/v1/offramp'],
	]);
});

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

it('takes the business from the credential, unless the node has its own', async () => {
	await sell();
	await sell({ options: { businessId: 'MINE', linkTag: 'my-tag' } });
	expect(sent().map((body) => [body.business_id, body.link_tag])).toEqual([
		[sandbox.businessId, sandbox.linkTag],
		['MINE', 'my-tag'],
	]);
});

it('is not sent without a business', async () => {
	const credentials = { ...credentialsFor(sandbox), businessId: '', linkTag: '' };
	const { error } = await sell({}, { credentials });
	expect(error?.message).toBe("'Business ID' is empty, in the node and in the credential");
	expect(sent()).toEqual([]);
});

describe('the output, since the shape of a response is not documented,', () => {
	const answered = async (body: object) => {
		const { url: baseUrl } = await startServer(() => ({ body }));
		return await sell(
			{ reference: 'order-1' },
			{ credentials: { ...credentialsFor(sandbox), baseUrl } },
		);
	};

	it.each([
		[{ transaction_id: '7', anything: ['else'] }],
		[{ status: 'success', transaction: { transaction_id: '7' } }],
		[{ says: { goes: true } }],
	])('is the whole response as it came, under outcome and reference: %j', async (body) => {
		const { json, items } = await answered(body);
		expect(json).toEqual([{ outcome: 'accepted', reference: 'order-1', ...body }]);
		expect(items[0]?.pairedItem).toEqual({ item: 0 });
	});
});

it.each([
	['none', ''],
	['domains', ''],
	['domains', 'example.com'],
])(
	'works with Allowed HTTP Request Domains set to %s (%j)',
	async (allowedHttpRequestDomains, allowedDomains) => {
		const credentials = { ...credentialsFor(sandbox), allowedHttpRequestDomains, allowedDomains };
		const { error } = await sell({}, { credentials });
		expect(error).toBeUndefined();
		expect(sandbox.transactions()).toHaveLength(1);
	},
);
