import type { INodeParameters } from 'n8n-workflow';

import { contextsOf } from '../support/engine/outsideOfRuns.mts';
import { credentialsFor, useEngine, type RunOptions } from '../support/engine/engine.mts';
import { startServer } from '../support/servers.mts';
import { listed, submitting, wallet } from '../support/transactions.mts';

const { engine, sandbox, run } = useEngine();

const ada = { vendorName: 'Ada', vendorNumber: '0000000012', vendorBank: 'Bank of Ada' };
const obi = { vendorName: 'Obi', vendorNumber: '0000000034', vendorBank: 'Bank of Obi' };
const testVendor = {
	vendorName: 'Sandbox Test Vendor',
	vendorNumber: '0000000001',
	vendorBank: 'Test Demo Bank',
};

const picked = (number: string) => ({
	__rl: true,
	mode: 'list',
	value: number,
	cachedResultName: 'What it was called when it was picked',
});

const buy = async (different: INodeParameters, extra?: Partial<RunOptions>) =>
	await run(submitting('buy', different), extra);

const requests = (by: string) => sandbox.requests().filter(({ method }) => method === by);
const sent = () => requests('POST').map(({ body }) => body as Record<string, unknown>);
const listsRead = () => requests('GET').map(({ path }) => path);

describe('the vendor picker', () => {
	const search = async (vendorSource: string, filter?: string, different = {}) => {
		const contexts = contextsOf(engine, { ...credentialsFor(sandbox), ...different });
		const { results } = await contexts.searchVendors({ vendorSource }, filter);
		return results;
	};

	beforeEach(() => sandbox.setVendors([ada, obi]));

	it('shows name, bank and number of the live vendors, and keeps the number', async () => {
		expect(await search('live')).toEqual([
			{ name: 'Ada · Bank of Ada · 0000000012', value: '0000000012' },
			{ name: 'Obi · Bank of Obi · 0000000034', value: '0000000034' },
		]);
		expect(listsRead()).toEqual(['/transactions/v1/vendors']);
	});

	it('shows the test vendors when these are the source', async () => {
		expect(await search('test')).toEqual([
			{ name: 'Sandbox Test Vendor · Test Demo Bank · 0000000001', value: '0000000001' },
		]);
		expect(listsRead()).toEqual(['/transactions/v1/test-vendors']);
	});

	it.each([
		['ada', ['0000000012']],
		['BANK OF OBI', ['0000000034']],
		['0034', ['0000000034']],
		[' bank ', ['0000000012', '0000000034']],
		['nobody', []],
		['', ['0000000012', '0000000034']],
	])('finds %j in name, bank and number', async (filter, numbers) => {
		expect((await search('live', filter)).map(({ value }) => value)).toEqual(numbers);
	});

	it('leaves out a vendor that a buy could not name', async () => {
		const { url: baseUrl } = await startServer(() => ({
			body: { VendorList: [ada, { ...obi, vendorBank: '' }, { vendorName: 'Nobody' }, {}] },
		}));
		const results = await search('live', '', { baseUrl });
		expect(results.map(({ value }) => value)).toEqual([ada.vendorNumber]);
	});

	it('offers a number without the spaces that it is listed with', async () => {
		sandbox.setVendors([{ ...ada, vendorNumber: ` ${ada.vendorNumber} ` }]);
		expect(await search('live')).toEqual([
			{ name: 'Ada · Bank of Ada · 0000000012', value: '0000000012' },
		]);
	});

	it('says why it is empty', async () => {
		await expect(search('live', '', { secretKey: 'not-the-key' })).rejects.toMatchObject({
			message: 'The service did not accept the secret key',
			httpCode: '401',
		});
		const { url: baseUrl } = await startServer(() => ({ body: '<html>' }));
		await expect(search('live', '', { baseUrl })).rejects.toThrow(
			'The service sent no vendor list',
		);
		const other = await startServer(() => ({ body: { vendors: [ada] } }));
		await expect(search('test', '', { baseUrl: other.url })).rejects.toThrow(
			'No vendors could be read from the list of test vendors',
		);
	});
});

describe('a vendor from the list', () => {
	it.each([
		['picked', { vendorSource: 'live', vendor: picked(ada.vendorNumber) }],
		['given by account number', listed(ada.vendorNumber)],
		['given by expression', listed('={{ $json.vendor }}')],
	])('%s is read again and sent as it is listed now', async (_, vendor) => {
		sandbox.setVendors([obi, { ...ada, vendorName: 'Ada, renamed' }]);
		const { error } = await buy(vendor, { items: [{ vendor: ada.vendorNumber }] });
		expect(error).toBeUndefined();
		expect(listsRead()).toEqual(['/transactions/v1/vendors']);
		expect(sent()).toEqual([
			expect.objectContaining({
				vendor_name: 'Ada, renamed',
				vendor_bank: 'Bank of Ada',
				vendor_number: '0000000012',
			}),
		]);
	});

	it('of the test vendors is looked up among the test vendors', async () => {
		sandbox.setVendors([testVendor]);
		const { error } = await buy({ ...listed(testVendor.vendorNumber), vendorSource: 'test' });
		expect(error).toBeUndefined();
		expect(listsRead()).toEqual(['/transactions/v1/test-vendors']);
		expect(sent()).toEqual([expect.objectContaining({ vendor_name: 'Sandbox Test Vendor' })]);
	});

	it('that is gone stops the run before anything is sent', async () => {
		sandbox.setVendors([obi]);
		const { error } = await buy(
			{ vendorSource: 'live', vendor: '={{ $json.vendor }}' },
			{ items: [{ vendor: obi.vendorNumber }, { vendor: ada.vendorNumber }] },
		);
		expect(error?.message).toBe('Vendor ••••0012 is not on the list of live vendors [item 1]');
		expect(error?.description).toContain('Pay no money into that account. Already paid?');
		expect(error?.context?.itemIndex).toBe(1);
		expect(sent()).toEqual([]);
	});

	it.each([
		['as it is given', ada, ` ${ada.vendorNumber} `],
		['as it is listed', { ...ada, vendorNumber: `${ada.vendorNumber} ` }, ada.vendorNumber],
		['as both are', { ...ada, vendorNumber: `\t${ada.vendorNumber}` }, `${ada.vendorNumber} `],
	])(
		'is found by its number with spaces around it, %s, and sent as it is listed',
		async (_, vendor, asked) => {
			sandbox.setVendors([obi, vendor]);
			const { error } = await buy(listed(`={{ ${JSON.stringify(asked)} }}`));
			expect(error).toBeUndefined();
			expect(sent()).toEqual([expect.objectContaining({ vendor_number: vendor.vendorNumber })]);
		},
	);

	it.each([{ vendors: [ada] }, { vendors: [] }, [{ name: 'Ada' }]])(
		'is not said to be missing from a list that cannot be read: %j',
		async (body) => {
			const { url: baseUrl, seen } = await startServer(() => ({ body }));
			const { error } = await buy(
				{ ...listed(ada.vendorNumber), vendorSource: 'test' },
				{ credentials: { ...credentialsFor(sandbox), baseUrl } },
			);
			expect(error?.message).toBe('No vendors could be read from the list of test vendors');
			expect(error?.description).toContain("Set 'Vendor Source' to Enter by Hand");
			expect(error?.description).not.toContain('Pay no money');
			expect(seen.map(({ method }) => method)).toEqual(['GET']);
		},
	);

	it('of a source that n8n does not offer is refused', async () => {
		const { error } = await buy({ ...listed(ada.vendorNumber), vendorSource: 'other' });
		expect(error?.message).toBe(`'Vendor Source' is "other", which is none of live, test, manual`);
		expect(error?.description).toContain("Choose one of the entries in 'Vendor Source'");
		expect(sandbox.requests()).toEqual([]);
	});

	it.each([
		['is on it twice', [ada, ada], /on the list more than once/, 'Enter by Hand'],
		['has no bank there', [{ ...ada, vendorBank: '' }], /not on the list/, 'Pay no money'],
	])('that %s is not sent', async (_, vendors, words, advice) => {
		sandbox.setVendors(vendors);
		const { error } = await buy(listed(ada.vendorNumber));
		expect(error?.message).toMatch(words);
		expect(error?.description).toContain(advice);
		expect(sent()).toEqual([]);
	});

	it('that was not picked is asked for', async () => {
		const { error } = await buy(listed('={{ "" }}'));
		expect(error?.message).toBe("'Vendor' is empty");
		expect(error?.description).toContain("Choose the vendor that was paid in 'Vendor'");
		expect(sandbox.requests()).toEqual([]);
	});

	it.each([
		['serverError', 'not working at the moment'],
		['html', 'sent no vendor list'],
		['resetBefore', 'closed before it answered'],
	] as const)('is not sent when the list cannot be read (%s)', async (kind, words) => {
		sandbox.fault({ kind, on: 'liveVendors' });
		const { error } = await buy(listed('0011223344'));
		expect(error?.message).toContain(words);
		expect(sent()).toEqual([]);
	});

	it('is looked up in a list that is read once for the whole run', async () => {
		sandbox.setVendors([ada, obi]);
		const items = Array.from({ length: 40 }, (_, index) => ({
			vendor: [ada, obi][index % 2]!.vendorNumber,
		}));
		const { error } = await buy(listed('={{ $json.vendor }}'), { items });
		expect(error).toBeUndefined();
		expect(listsRead()).toEqual(['/transactions/v1/vendors']);
		expect(sent().map(({ vendor_number }) => vendor_number)).toEqual(
			items.map(({ vendor }) => vendor),
		);
	});
});

describe('the output', () => {
	it('is ten flat fields, with Simplify on or left alone', async () => {
		for (const simplify of [{}, { simplify: true }]) {
			const { json, items } = await buy({ ...wallet, ...simplify });
			const { transaction_id, reference, date_created } = sandbox.transactions().at(-1)!.response
				.transaction;
			expect(json).toEqual([
				{
					outcome: 'accepted',
					reference,
					transaction_id,
					business_id: sandbox.businessId,
					type: 'Buy',
					amount: 15000,
					link_account_number: '0011223344',
					network: wallet.network,
					wallet_address: wallet.walletAddress,
					date_created,
				},
			]);
			expect(items[0]?.pairedItem).toEqual({ item: 0 });
		}
	});

	it('is the whole response under outcome and reference with Simplify off', async () => {
		const { json } = await buy({ simplify: false, reference: 'order-1' });
		const { response } = sandbox.transactions()[0]!;
		expect(json).toEqual([{ outcome: 'accepted', reference: 'order-1', ...response }]);
		expect(response).toMatchObject({ status: 'success', message: expect.any(String) });
	});

	it('is one linked item for each input item, in order', async () => {
		const { items } = await buy(
			{ amount: '={{ $json.amount }}' },
			{ items: [{ amount: 17000 }, { amount: 15000 }, { amount: 16000 }] },
		);
		expect(items.map(({ json, pairedItem }) => [json.amount, pairedItem])).toEqual([
			[17000, { item: 0 }],
			[15000, { item: 1 }],
			[16000, { item: 2 }],
		]);
		expect(sent().map(({ amount }) => amount)).toEqual([17000, 15000, 16000]);
	});
});

it('uses the base address alone, and needs no OTC address', async () => {
	const credentials = { ...credentialsFor(sandbox), otcBaseUrl: '' };
	const { error } = await buy(listed('0011223344'), { credentials });
	expect(error).toBeUndefined();
	expect(sandbox.requests().map(({ host }) => host)).toEqual(['base', 'base']);
});
