import { credentialsFor, useEngine, type RunOptions } from '../support/engine/engine.mts';
import { startServer } from '../support/servers.mts';

const { sandbox, run } = useEngine();

const read = async (operation: string, extra?: Partial<RunOptions>) =>
	await run({ resource: 'vendor', operation }, extra);

const answering = async (body: unknown) => {
	const { url: baseUrl } = await startServer(() => ({ body }));
	return { credentials: { ...credentialsFor(sandbox), baseUrl } };
};

const ada = { vendorName: 'Ada', vendorNumber: '0000000012', vendorBank: 'Bank of Ada' };
const obi = { vendorName: 'Obi', vendorNumber: '0000000034', vendorBank: 'Bank of Obi' };

describe.each(['live', 'test', 'list'])('%s', (operation) => {
	it('gives an item for each vendor, as listed and with its zeros, linked to each input item', async () => {
		const { items } = await read(operation, {
			...(await answering({ VendorList: [ada, obi] })),
			items: [{ a: 1 }, { a: 2 }, { a: 3 }],
		});
		expect(items).toEqual(
			[0, 1, 2].flatMap((item) => [ada, obi].map((json) => ({ json, pairedItem: { item } }))),
		);
	});

	it('gives no items for an empty list', async () => {
		const { json, error } = await read(operation, await answering({ VendorList: [] }));
		expect([json, error]).toEqual([[], undefined]);
	});

	it.each<[string, unknown]>([
		['null', null],
		['an object of another shape', { VendorList: null }],
		['an object of another shape', { VendorList: { '0': ada } }],
		['an empty body', ''],
		['an HTML page', '<html><body>Please log in</body></html>'],
		['text that is not JSON', '{"VendorList": ['],
		['a list', [null]],
	])('says in words that there was %s instead of a list', async (words, body) => {
		const { json, error } = await read(operation, await answering(body));
		expect(json).toEqual([]);
		expect(error?.name).toBe('NodeApiError');
		expect(error?.message).toBe('The service sent no vendor list');
		expect(error?.description).toContain(`It answered with ${words}.`);
		expect(error?.description).toContain('Base URL');
	});

	it.each([['text'], [null], [[ada]], [7]])(
		'refuses a list with %j among its entries',
		async (odd) => {
			const { json, error } = await read(operation, await answering({ VendorList: [ada, odd] }));
			expect(json).toEqual([]);
			expect(error?.message).toContain('entries that are not vendors');
		},
	);
});

it('passes fields on that the interface does not show', async () => {
	const more = { ...ada, limit: 5, tags: ['a'] };
	const { json } = await read('live', await answering({ VendorList: [more] }));
	expect(json).toEqual([more]);
});

it.each<[unknown]>([[{ status: 'success', message: 'none' }], [{ vendors: [ada] }], [[ada]]])(
	'does not take %j for a list of live vendors',
	async (body) => {
		const { json, error } = await read('live', await answering(body));
		expect(json).toEqual([]);
		expect(error?.message).toBe('The service sent no vendor list');
	},
);

describe.each(['test', 'list'])('%s', (operation) => {
	it.each<[string, unknown, unknown[]]>([
		['an object', { accounts: [ada], note: 'other' }, [{ accounts: [ada], note: 'other' }]],
		['an empty object', {}, [{}]],
		['a list of objects', [ada, { other: 1 }], [ada, { other: 1 }]],
	])('passes %s of unknown shape through as it is', async (_, body, expected) => {
		const { json, error } = await read(operation, await answering(body));
		expect(error).toBeUndefined();
		expect(json).toEqual(expected);
	});
});
