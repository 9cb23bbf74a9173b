import type { INodeParameters } from 'n8n-workflow';

import { credentialsFor, useEngine, type RunOptions } from '../support/engine/engine.mts';
import { startServer } from '../support/servers.mts';

const { sandbox, run } = useEngine();

const read = async (parameters: INodeParameters, extra?: Partial<RunOptions>) =>
	await run({ resource: 'rate', operation: 'otc', ...parameters }, extra);

const rates = { USD: 1500.25, GBP: 2000, KES: 0.0000001, XAF: 2.5 };

const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('output', () => {
	it.each(['otc', 'usdc'] as const)(
		'of %s is the object as returned by default',
		async (source) => {
			sandbox.setRates(source, rates);
			const { json, items, error } = await read({ operation: source });
			expect(error).toBeUndefined();
			expect(json).toEqual([rates]);
			expect(items[0]?.pairedItem).toEqual({ item: 0 });
		},
	);

	it('as items is one item per currency, with source and time', async () => {
		sandbox.setRates('usdc', rates);
		const { json, items } = await read({ operation: 'usdc', output: 'items' });
		const rest = { source: 'usdc', fetchedAt: isoTime };
		expect(json).toEqual(
			Object.entries(rates).map(([currency, rate]) => ({ currency, rate, ...rest })),
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
	});

	it('as row is one item that begins with time and source, for spreadsheets', async () => {
		sandbox.setRates('otc', rates);
		const before = Date.now();
		const { json } = await read({ output: 'row' });
		expect(json).toEqual([{ fetchedAt: isoTime, source: 'otc', ...rates }]);
		expect(Object.keys(json[0]!)).toEqual(['fetchedAt', 'source', ...Object.keys(rates)]);
		expect(Date.parse(String(json[0]!.fetchedAt))).toBeGreaterThanOrEqual(before);
	});

	it('may be chosen for each item by expression', async () => {
		sandbox.setRates('otc', { USD: 1, GBP: 2 });
		const { json, items } = await read(
			{ output: '={{ $json.output }}' },
			{ items: [{ output: 'object' }, { output: 'items' }] },
		);
		expect(json.map((item) => Object.keys(item).length)).toEqual([2, 4, 4]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 1 },
		]);
	});

	it('of an unknown name is refused, and the known ones are named', async () => {
		const { error } = await read({ output: '={{ "table" }}' });
		expect(error?.message).toBe('\'Output\' is "table", which is none of object, items, row');
		expect(error?.description).toContain("Set 'Output' to one of object, items, row");
	});
});

describe('currencies', () => {
	beforeEach(() => sandbox.setRates('otc', rates));

	it.each([
		['a choice', ['GBP', 'USD']],
		['a list by expression', '={{ ["GBP", "USD"] }}'],
		['text with commas by expression', '={{ "GBP, USD" }}'],
		['text without spaces', '={{ "GBP,USD" }}'],
		['lower case', '={{ "gbp, usd" }}'],
		['repetitions and gaps', '={{ "GBP,,USD, gbp ," }}'],
		['a value of the item', '={{ $json.wanted }}'],
	])('may be given as %s', async (_, currencies) => {
		const { json, error } = await read({ currencies }, { items: [{ wanted: ['GBP', 'USD'] }] });
		expect(error).toBeUndefined();
		expect(json).toEqual([{ GBP: 2000, USD: 1500.25 }]);
		expect(Object.keys(json[0]!)).toEqual(['GBP', 'USD']);
	});

	it('narrow every output', async () => {
		const { json: row } = await read({ currencies: ['USD'], output: 'row' });
		expect(row).toEqual([{ fetchedAt: isoTime, source: 'otc', USD: 1500.25 }]);
		const { json: items } = await read({ currencies: ['USD'], output: 'items' });
		expect(items.map(({ currency }) => currency)).toEqual(['USD']);
	});

	it('may be ones that the interface does not show', async () => {
		const { json } = await read({ currencies: '={{ ["XAF"] }}' });
		expect(json).toEqual([{ XAF: 2.5 }]);
	});

	it.each([[[]], ['={{ [] }}'], ['={{ "" }}'], ['={{ null }}'], ['={{ undefined }}']])(
		'are all of them when empty (%j)',
		async (currencies) => {
			const { json } = await read({ currencies });
			expect(json).toEqual([rates]);
		},
	);

	it('that the service did not send are said by name', async () => {
		const { error, json } = await read({ currencies: '={{ "USD, zar, BTC" }}' });
		expect(error?.message).toBe('The service sent no rate for ZAR, BTC');
		expect(error?.description).toContain('USD, GBP, KES, XAF');
		expect(error?.description).toContain('Currencies');
		expect(json).toEqual([]);
	});

	it('that are missing for one item leave the other items alone with Continue On Fail', async () => {
		const { items } = await read(
			{ currencies: '={{ $json.wanted }}' },
			{
				items: [{ wanted: 'USD' }, { wanted: 'ZAR' }, { wanted: 'GBP' }],
				node: { onError: 'continueRegularOutput' },
			},
		);
		expect(items.map(({ json, pairedItem }) => [pairedItem, json])).toEqual([
			[{ item: 0 }, { USD: 1500.25 }],
			[{ item: 1 }, expect.objectContaining({ error: 'The service sent no rate for ZAR' })],
			[{ item: 2 }, { GBP: 2000 }],
		]);
		expect(sandbox.requests()).toHaveLength(1);
	});

	it('that are missing name the item that wanted them', async () => {
		const { error } = await read(
			{ currencies: '={{ $json.wanted }}' },
			{ items: [{ wanted: 'USD' }, { wanted: 'ZAR' }] },
		);
		expect(error?.context?.itemIndex).toBe(1);
	});
});

it('needs the OTC Base URL for OTC rates, and says so, but not for USDC rates', async () => {
	const credentials = { ...credentialsFor(sandbox), otcBaseUrl: '' };
	const otc = await read({ operation: 'otc' }, { credentials });
	expect(otc.error?.message).toBe("The credential has no 'OTC Base URL'");
	expect(otc.error?.description).toContain("'OTC Base URL'");
	const usdc = await read({ operation: 'usdc' }, { credentials });
	expect(usdc.error).toBeUndefined();
});

/** USDC rates from a service that answers with this. */
const answered = async (body: unknown, parameters: INodeParameters = {}) => {
	const { url: baseUrl } = await startServer(() => ({ body }));
	const credentials = { ...credentialsFor(sandbox), baseUrl };
	return await read({ operation: 'usdc', ...parameters }, { credentials });
};

it.each<[string, unknown]>([
	['null', null],
	['an empty body', ''],
	['an HTML page', '<!doctype html><p>Please log in'],
	['text that is not JSON', 'OK'],
	['a list', [{ USD: 1 }]],
	['an object of another shape', {}],
	['an object of another shape', { data: { USD: 1 } }],
	['an object of another shape', { USD: '1500', GBP: null }],
])('says in words that there was %s instead of rates', async (words, body) => {
	const { error, json } = await answered(body);
	expect(error?.name).toBe('NodeApiError');
	expect(error?.message).toBe('The service sent no rates');
	expect(error?.description).toContain(`It answered with ${words}.`);
	expect(json).toEqual([]);
});

it('passes on what stands beside the rates only in the object as returned', async () => {
	const body = { status: 'success', USD: 1500, GBP: 2000 };
	expect((await answered(body)).json).toEqual([body]);
	const { json } = await answered(body, { output: 'items' });
	expect(json.map(({ currency }) => currency)).toEqual(['USD', 'GBP']);
});
