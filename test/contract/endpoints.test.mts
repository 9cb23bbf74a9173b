import type { Vendor } from '../../sandbox/server.mts';
import { useSandbox } from '../support/sandbox.mts';
import { buyBody, sellBody, vendor } from '../support/transactions.mts';
import { http, json, send, withSandbox } from './client.mts';

const sandbox = useSandbox();

/** The day of Lagos on which the last transaction was accepted. */
const itsDay = () =>
	new Intl.DateTimeFormat('en-US', {
		year: 'numeric',
		month: 'long',
		day: 'numeric',
		timeZone: 'Africa/Lagos',
	}).format(new Date(sandbox.transactions().at(-1)!.receivedAt));

const receiptOf = (name: 'buy' | 'sell', body: object) =>
	json<{ transaction: Record<string, unknown> }>(send(sandbox, name, { body }));

describe('buy', () => {
	it('answers the transaction and keeps it', async () => {
		const answer = await send(sandbox, 'buy');
		expect(answer.status).toBe(200);
		const receipt = answer.data;
		expect(receipt).toEqual({
			status: 'success',
			message: 'Transaction initiated',
			transaction: {
				transaction_id: 'SBX-000001',
				business: { business_id: buyBody.business_id },
				type: 'Buy',
				reference: 'order-1',
				amount: 15000,
				link_account_name: buyBody.vendor_name,
				link_account_number: buyBody.vendor_number,
				link_bank_name: buyBody.vendor_bank,
				account_number: buyBody.account_number,
				bank_name: buyBody.bank_name,
				link_tag: buyBody.link_tag,
				network: buyBody.network,
				wallet_address: buyBody.wallet_address,
				date_created: itsDay(),
			},
		});
		expect(sandbox.transactions()).toEqual([
			{
				kind: 'buy',
				transaction_id: 'SBX-000001',
				reference: 'order-1',
				amount: 15000,
				receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
				request: buyBody,
				response: receipt,
			},
		]);
	});

	it('makes up a reference when none was sent', async () => {
		const { reference: _, ...body } = buyBody;
		const { transaction } = await receiptOf('buy', body);
		expect(transaction.reference).toBe('SBX-REF-000001');
	});

	it('accepts a reference again, as a transaction of its own', async () => {
		await send(sandbox, 'buy');
		await send(sandbox, 'buy');
		expect(sandbox.transactions().map(({ transaction_id }) => transaction_id)).toEqual([
			'SBX-000001',
			'SBX-000002',
		]);
	});

	it('needs neither network nor wallet', async () => {
		const { network: _, wallet_address: __, ...body } = buyBody;
		const { transaction } = await receiptOf('buy', body);
		expect(transaction).toMatchObject({ network: '', wallet_address: '' });
	});

	it.each([
		['an amount below 15000', { amount: 14999.99 }],
		['a network that is not supported', { network: 'Bitcoin' }],
		['another type', { type: 'sell_ramp' }],
		['a vendor that is not listed', { vendor_name: 'Somebody Else' }],
		['the number of another vendor', { vendor_number: '0055667788' }],
		['a test vendor', { vendor_name: 'Sandbox Test Vendor', vendor_number: '0000000001' }],
	])('refuses %s', async (_what, change) => {
		const answer = await send(sandbox, 'buy', { body: { ...buyBody, ...change } });
		expect(answer.status).toBe(400);
		expect(sandbox.transactions()).toEqual([]);
	});

	it('follows the vendor list', async () => {
		sandbox.setVendors([{ vendorName: 'New', vendorBank: 'New Bank', vendorNumber: '1' }]);
		expect((await send(sandbox, 'buy')).status).toBe(400);
		const body = { ...buyBody, vendor_name: 'New', vendor_bank: 'New Bank', vendor_number: '1' };
		expect((await send(sandbox, 'buy', { body })).status).toBe(200);
	});

	it.each(['application/xml', 'text/plain'])('refuses a body of type %s', async (type) => {
		const answer = await http.post(
			`${sandbox.baseUrl}/transactions/v1/onramp`,
			JSON.stringify(buyBody),
			{ headers: { 'svc-sec-key': sandbox.secretKey, 'content-type': type } },
		);
		expect(answer.status).toBe(400);
	});

	it.each(['', '{', '[]', 'null', '"buy"'])('refuses the body %j', async (body) => {
		expect((await send(sandbox, 'buy', { body })).status).toBe(400);
	});
});

it('answers a sell with a transaction and keeps it', async () => {
	const { transaction } = await receiptOf('sell', sellBody);
	expect(transaction).toMatchObject({
		transaction_id: 'SBX-000001',
		type: 'Sell',
		amount: 500.5,
		account_name: sellBody.account_name,
		date_created: itsDay(),
	});
	expect(sandbox.transactions()).toMatchObject([{ kind: 'sell', request: sellBody }]);
});

it('lists the same vendors at both paths, and other ones for tests', async () => {
	const vendors = async (name: 'liveVendors' | 'listVendors' | 'testVendors') =>
		await json<{ VendorList: Vendor[] }>(send(sandbox, name));
	const live = await vendors('liveVendors');
	expect(live.VendorList).toContainEqual(vendor);
	expect(await vendors('listVendors')).toEqual(live);
	const test = await vendors('testVendors');
	expect(live.VendorList).not.toEqual(expect.arrayContaining(test.VendorList));
});

it.each([
	['otc', 'otcRates'],
	['usdc', 'usdcRates'],
] as const)('answers the %s rates that were set, which stand still', async (source, name) => {
	sandbox.setRates(source, { USD: 1500, ZAR: 82.5 });
	for (const _ of [1, 2]) {
		expect(await json(send(sandbox, name))).toEqual({ USD: 1500, ZAR: 82.5 });
	}
});

describe('the secret key', () => {
	it.each([
		['is missing', null],
		['is empty', ''],
		['is another', 'other'],
		['asks for a fault there is not', 'sandbox-secret-key+nonsense'],
	])('is refused before the body is looked at when it %s', async (_what, key) => {
		expect((await send(sandbox, 'buy', { key, body: '{' })).status).toBe(401);
	});

	it('is masked wherever the requests are listed', async () => {
		await http.get(`${sandbox.baseUrl}/nowhere`, {
			headers: { authorization: `Bearer ${sandbox.secretKey}` },
		});
		await send(sandbox, 'buy');
		expect(sandbox.requests()).toMatchObject([
			{ method: 'GET', path: '/nowhere', host: 'base', status: 404 },
			{
				method: 'POST',
				path: '/transactions/v1/onramp',
				status: 200,
				body: buyBody,
				headers: { 'svc-sec-key': '****-key' },
			},
		]);
		expect(JSON.stringify(sandbox.requests())).not.toContain(sandbox.secretKey);
	});

	it('travels in the header of your choice', () =>
		withSandbox({ headerName: 'X-Brand-Key', secretKey: 'k' }, async (other) => {
			expect((await send(other, 'buy')).status).toBe(200);
			const wrong = { headers: { 'svc-sec-key': 'k' } };
			expect((await http.get(`${other.otcBaseUrl}/otc/buy`, wrong)).status).toBe(401);
		}));
});
