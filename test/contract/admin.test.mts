import type { Readable } from 'node:stream';

import { faultKinds } from '../../sandbox/server.mts';
import { useSandbox } from '../support/sandbox.mts';
import { admin, http, json, send } from './client.mts';

const sandbox = useSandbox();

const get = (path: string) => json<unknown>(admin(sandbox, 'GET', path));
const faults = () =>
	json<{ armed: object[]; kinds: Array<{ kind: string }> }>(admin(sandbox, 'GET', 'faults'));

it('says that it is well', async () => {
	expect(await get('health')).toEqual({ status: 'ok' });
});

it('lists the accepted transactions and the requests, but not its own calls', async () => {
	await send(sandbox, 'buy');
	await send(sandbox, 'otcRates', { key: null });
	expect(await get('transactions')).toEqual(sandbox.transactions());
	expect(await get('requests')).toMatchObject([
		{ host: 'base', method: 'POST', path: '/transactions/v1/onramp', status: 200 },
		{ host: 'otc', method: 'GET', path: '/otc/buy', status: 401 },
	]);
});

it('arms, lists and clears faults', async () => {
	const armed = await admin(sandbox, 'POST', 'faults', { kind: 'html', on: 'sell', times: 2 });
	expect(armed.status).toBe(201);
	const rule = { kind: 'html', on: 'sell', times: 2, skip: 0, delayMs: 0, accept: true };
	expect(await faults()).toMatchObject({ armed: [rule] });
	await send(sandbox, 'sell');
	const { armed: left, kinds } = await faults();
	expect(left).toEqual([{ ...rule, times: 1 }]);
	expect(kinds.map(({ kind }) => kind)).toEqual(faultKinds.map(({ kind }) => kind));
	expect((await admin(sandbox, 'DELETE', 'faults')).status).toBe(204);
	expect((await faults()).armed).toEqual([]);
});

it('sets the rates of one source or both', async () => {
	await admin(sandbox, 'PUT', 'rates', { otc: { USD: 1 }, usdc: { USD: 2 } });
	await admin(sandbox, 'PUT', 'rates', { otc: { USD: 3 } });
	expect(await json(send(sandbox, 'otcRates'))).toEqual({ USD: 3 });
	expect(await json(send(sandbox, 'usdcRates'))).toEqual({ USD: 2 });
});

it('sets the live vendors', async () => {
	const vendors = [{ vendorName: 'A', vendorNumber: '1', vendorBank: 'B' }];
	await admin(sandbox, 'PUT', 'vendors', vendors);
	expect(await json(send(sandbox, 'liveVendors'))).toMatchObject({ VendorList: vendors });
});

it('resets everything', async () => {
	const settings = () =>
		Promise.all([json(send(sandbox, 'liveVendors')), json(send(sandbox, 'otcRates'))]);
	const before = await settings();
	await send(sandbox, 'buy');
	sandbox.setRates('otc', {});
	sandbox.setVendors([]);
	sandbox.fault({ kind: 'serverError' });
	expect((await admin(sandbox, 'POST', 'reset')).status).toBe(204);
	expect(await get('transactions')).toEqual([]);
	expect(await get('requests')).toEqual([]);
	expect(await settings()).toEqual(before);
});

it.each([
	['POST', 'faults', undefined],
	['POST', 'faults', {}],
	['POST', 'faults', { kind: 'nonsense' }],
	['POST', 'faults', { kind: 'html', on: 'everything' }],
	['POST', 'faults', { kind: 'html', times: 0 }],
	['POST', 'faults', { kind: 'html', skip: -1 }],
	['POST', 'faults', { kind: 'html', extra: true }],
	['POST', 'faults', { kind: 'delay', delayMs: 1e9 }],
	['POST', 'faults', { kind: 'unauthorized', accept: true }],
	['PUT', 'rates', {}],
	['PUT', 'rates', { otc: { usd: 1 } }],
	['PUT', 'rates', { otc: { USD: '1' } }],
	['PUT', 'rates', { elsewhere: {} }],
	['PUT', 'vendors', {}],
	['PUT', 'vendors', [{ vendorName: 'A' }]],
])('%s %s refuses %j', async (method, path, body) => {
	const answer = await admin(sandbox, method, path, body);
	expect(answer.status).toBe(400);
	expect(answer.data).toMatchObject({ status: 'failed' });
	expect((await faults()).armed).toEqual([]);
});

it('tells the page the whole picture at once, and again after a change', async () => {
	const stream = await http.get<Readable>(`${sandbox.baseUrl}/_sandbox/events`, {
		responseType: 'stream',
	});
	expect(stream.headers['content-type']).toBe('text/event-stream');
	const reader = stream.data.setEncoding('utf8')[Symbol.asyncIterator]();
	let text = '';
	const next = async () => {
		while (!text.includes('\n\n')) text += String((await reader.next()).value);
		const [message = '', ...rest] = text.split('\n\n');
		text = rest.join('\n\n');
		return JSON.parse(message.replace('data: ', ''));
	};
	expect(await next()).toMatchObject({
		dashboard: { businessId: sandbox.businessId, baseUrl: sandbox.baseUrl },
		vendors: expect.arrayContaining([expect.objectContaining({ vendorBank: 'Harbour Demo Bank' })]),
		rates: { otc: { USD: 1482.5 } },
		transactions: [],
	});
	await send(sandbox, 'buy');
	expect(await next()).toMatchObject({ transactions: [{ kind: 'buy' }], transactionCount: 1 });
	stream.data.destroy();
});

it.each(['', 'page.js', 'style.css', 'icon.svg'])(
	'serves the page file /%s, which may load nothing from elsewhere',
	async (file) => {
		const answer = await http.get<string>(`${sandbox.baseUrl}/${file}`);
		expect(answer.status).toBe(200);
		expect(answer.headers['content-security-policy']).toBe("default-src 'self'");
		expect(answer.data.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:/);
		expect((await http.get(`${sandbox.otcBaseUrl}/${file}`)).status).toBe(404);
	},
);
