import type { Readable } from 'node:stream';

import { faultKinds } from '../../sandbox/server.mts';
import { useSandbox } from '../support/sandbox.mts';
import { turnedAway } from '../../sandbox/visitors.mts';
import { admin, http, json, operationNamed, send, withSandbox } from './client.mts';

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
		expect(answer.headers['content-security-policy']).toBe(
			"default-src 'self'; frame-ancestors 'none'",
		);
		expect(answer.data.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:/);
		expect((await http.get(`${sandbox.otcBaseUrl}/${file}`)).status).toBe(404);
	},
);

describe('a visitor', () => {
	const reset = (headers: Record<string, string>, to = sandbox) =>
		http.post(`${to.baseUrl}/_sandbox/reset`, undefined, {
			headers: { 'content-type': false, ...headers },
		});

	it.each([
		'ramp.example',
		'ramp.example:4010',
		'127.0.0.1.example',
		'localhost.example',
		'192.0.2.7',
	])('is not answered as %s, at either address', async (host) => {
		for (const url of [`${sandbox.baseUrl}/_sandbox/requests`, `${sandbox.otcBaseUrl}/otc/buy`]) {
			const answer = await http.get(url, { headers: { host } });
			expect(answer.status).toBe(421);
			expect(answer.data).toEqual({
				status: 'failed',
				message: `The sandbox does not answer for the host ${host}. Use http://127.0.0.1 with its port or, where it was started with --host, the address of its machine.`,
			});
		}
		expect(sandbox.requests()).toEqual([]);
	});

	it.each([
		'localhost',
		'LOCALHOST:4010',
		'127.0.0.1:1',
		'[::1]:4010',
		'host.docker.internal:4010',
	])('is answered as %s', async (host) => {
		expect((await http.get(`${sandbox.baseUrl}/`, { headers: { host } })).status).toBe(200);
	});

	it.each([
		[{ origin: 'https://ramp.example' }, 'https://ramp.example'],
		[{ origin: 'http://127.0.0.1:1' }, 'http://127.0.0.1:1'],
		[{ origin: 'null' }, 'null'],
		[{ 'sec-fetch-site': 'cross-site' }, 'cross-site'],
		[{ 'sec-fetch-site': 'same-site' }, 'same-site'],
	])('from a page of another site changes nothing: %j', async (headers, said) => {
		await send(sandbox, 'buy');
		const answer = await reset(headers);
		expect(answer.status).toBe(403);
		expect(answer.data).toEqual({
			status: 'failed',
			message: `The sandbox takes nothing from pages of other sites (${said}). Use its own page at ${sandbox.baseUrl}/, or a program that sends no Origin.`,
		});
		const { path } = operationNamed('buy');
		const bought = await http.post(`${sandbox.baseUrl}${path}`, {}, { headers });
		expect(bought.status).toBe(403);
		expect(sandbox.transactions()).toHaveLength(1);
		expect(sandbox.requests()).toHaveLength(1);
	});

	it.each([
		['its own page', () => ({ origin: sandbox.baseUrl, 'sec-fetch-site': 'same-origin' })],
		['its own page in an older browser', () => ({ origin: sandbox.baseUrl })],
		[
			'its own page behind a proxy',
			() => ({ origin: 'https://proxy.example', 'sec-fetch-site': 'same-origin' }),
		],
		['a program, which sends no Origin', () => ({})],
	])('changes what it likes from %s', async (_from, headers) => {
		await send(sandbox, 'buy');
		expect((await reset(headers())).status).toBe(204);
		expect(sandbox.transactions()).toEqual([]);
	});

	it('is answered by the names that others have for this machine, where --host opens it to them', async () => {
		await withSandbox({ host: '0.0.0.0' }, async (opened) => {
			for (const host of ['sandbox:4010', '192.0.2.7:4010', 'host.docker.internal:4010']) {
				expect((await reset({ host, origin: `http://${host}` }, opened)).status).toBe(204);
			}
			expect((await reset({ host: 'ramp.example:4010' }, opened)).status).toBe(421);
		});
		const at = (host: string, listensAt: string) => turnedAway({ headers: { host } }, listensAt);
		expect(at('ramp.example:4010', 'Ramp.example')).toBeUndefined();
		expect(at('[2001:db8::1]:4010', '::')).toBeUndefined();
		expect(at('127.0.0.2:4010', '127.0.0.2')).toBeUndefined();
		expect(at('laptop.local:4010', '0.0.0.0')).toBeUndefined();
		for (const host of ['sandbox:4010', 'laptop.local:4010']) {
			for (const listensAt of ['::1', 'LOCALHOST']) {
				expect(at(host, listensAt)).toMatchObject({ status: 421 });
			}
		}
	});
});
