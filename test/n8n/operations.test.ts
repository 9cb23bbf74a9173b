import { outputsOf, usePlayground } from '../support/playground.ts';
import { submitting } from '../support/transactions.ts';
import { credentialsIn, inARow } from '../support/workflows.ts';

const playground = usePlayground();

const accepted = { outcome: 'accepted', reference: expect.any(String) };

const vendor = {
	vendorName: expect.any(String),
	vendorNumber: expect.any(String),
	vendorBank: expect.any(String),
};

it.each([
	['buys', '/transactions/v1/onramp', submitting('buy'), accepted],
	['sells', '/transactions/v1/offramp', submitting('sell'), accepted],
	['gets live vendors', '/transactions/v1/vendors', reading('vendor', 'live'), vendor],
	['gets test vendors', '/transactions/v1/test-vendors', reading('vendor', 'test'), vendor],
	['gets listed vendors', '/transactions/v1/list_vendors', reading('vendor', 'list'), vendor],
	['gets OTC rates', '/otc/buy', reading('rate', 'otc'), { USD: 1482.5 }],
	['gets USDC rates', '/rates/v1/usdc-ngnc', reading('rate', 'usdc'), { USD: 1476.8 }],
])('%s from %s', async (name, path, parameters, answer) => {
	const start = { name: 'Start', type: 'n8n-nodes-base.manualTrigger' };
	const { id } = await playground.rest.post<{ id: string }>('/workflows', {
		...inARow([start, { name: 'Ramp', parameters }], await credentialsIn(playground.rest)),
		name,
	});
	playground.sandbox.reset();
	const execution = await playground.run(id, 'Start');

	expect(execution.status).toBe('success');
	expect(outputsOf(execution, 'Ramp')[0]?.[0]).toMatchObject(answer);
	expect(playground.sandbox.requests().map((request) => request.path)).toContain(path);
});

function reading(resource: string, operation: string) {
	return { resource, operation };
}
