import { publishBuys } from '../support/n8n/buys.mts';
import { outputsOf, usePlayground } from '../support/n8n/playground.mts';
import { fromItem, referencesTo } from '../support/transactions.mts';

const playground = usePlayground(() => ({ env: { N8N_SSRF_PROTECTION_ENABLED: 'true' } }));

it('what n8n itself does not let out was not sent', async () => {
	const how = { node: { onError: 'continueRegularOutput' as const } };
	const buys = await publishBuys(playground, 'Blocked', fromItem('reference'), how);
	const [told] = outputsOf(await buys.run(referencesTo(1, 'blocked')), 'Buy')[0]!;
	expect(told).toMatchObject({
		outcome: 'notSent',
		message: expect.stringMatching(/it may be submitted again\. \(The request was blocked /),
	});
	expect(playground.sandbox.requests()).toEqual([]);
});
