import { credentialsFor, useEngine } from '../support/engine/engine.mts';
import { startServer } from '../support/servers.mts';

const { sandbox, run } = useEngine();

/** What comes of the answer of a service that has so many. */
async function rates(count: number, output: 'object' | 'items' | 'row', currencies?: string[]) {
	const body = Object.fromEntries(Array.from({ length: count }, (_, at) => [`C${at}`, at + 1]));
	const { url } = await startServer(() => ({ body }));
	return await run(
		{ resource: 'rate', operation: 'usdc', output, ...(currencies ? { currencies } : {}) },
		{ credentials: { ...credentialsFor(sandbox), baseUrl: url, otcBaseUrl: url } },
	);
}

it('fit into a row', async () => {
	const { json, error } = await rates(150_000, 'row');
	expect(error).toBeUndefined();
	expect(Object.keys(json[0]!)).toHaveLength(150_002);
});

it('are made items of up to 50,000, and more are refused in words', async () => {
	const { json } = await rates(50_000, 'items');
	expect(json).toHaveLength(50_000);
	const more = await rates(50_001, 'items');
	expect([more.json.length, more.error?.message]).toEqual([
		0,
		'The service sent 50001 entries, which are more than n8n can make items of',
	]);
});

it('are not all named when one is missing', async () => {
	const { error } = await rates(1000, 'object', ['USD']);
	expect(error?.description).toMatch(/C18, C19 and 980 more\./);
});
