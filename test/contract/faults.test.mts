import type { AxiosError, AxiosResponse } from 'axios';

import { operationNames } from '../../sandbox/contract.mts';
import { faultKinds, type FaultKindName } from '../../sandbox/server.mts';
import { useSandbox } from '../support/sandbox.mts';
import { buyBody } from '../support/transactions.mts';
import { until } from '../support/waiting.mts';
import { http, send, type Sent } from './client.mts';

const sandbox = useSandbox();

/** What a client meets, in one line. */
async function met(answer: Promise<AxiosResponse>): Promise<string> {
	try {
		const { status, headers, data } = await answer;
		if (status !== 200) {
			const extra = headers['retry-after'] ?? headers.location;
			return extra ? `${status} ${extra}` : String(status);
		}
		if (data === '') return '200 empty';
		if (String(headers['content-type']).startsWith('text/html')) return '200 HTML';
		if (typeof data === 'string') return '200 not JSON';
		return data.status === 'failed' ? '200 failed' : '200';
	} catch (broken) {
		return (broken as AxiosError).message;
	}
}

const meets = (): Record<FaultKindName, string> => ({
	unauthorized: '401',
	notFound: '404',
	badRequest: '400',
	requestTimeout: '408',
	conflict: '409',
	tooEarly: '425',
	tooManyRequests: '429 1',
	serverError: '500',
	unavailable: '503 1',
	delay: '200',
	resetBefore: 'read ECONNRESET',
	acceptThenDrop: 'socket hang up',
	malformed: '200 not JSON',
	empty: '200 empty',
	noContent: '204',
	saysFailed: '200 failed',
	html: '200 HTML',
	truncated: 'stream has been aborted',
	redirect: `302 ${sandbox.baseUrl}/elsewhere`,
});

const accepted = () => sandbox.transactions().length;
const kindsByName = faultKinds.map(({ kind, ...rest }) => [kind, rest] as const);
const quick = kindsByName.filter(([kind]) => kind !== 'delay');

describe.each(kindsByName)('%s', (kind, { accepts, choosable }) => {
	it.each(operationNames)('strikes the next %s once it is armed, and only that one', async (on) => {
		sandbox.fault({ kind, on, delayMs: 1 });
		const bystander = on === 'usdcRates' ? 'liveVendors' : 'usdcRates';
		expect(await met(send(sandbox, bystander))).toBe('200');
		expect(await met(send(sandbox, on))).toBe(meets()[kind]);
		expect(sandbox.requests().at(-1)?.fault).toBe(kind);
		expect(accepted()).toBe((on === 'buy' || on === 'sell') && accepts ? 1 : 0);
		expect(await met(send(sandbox, on))).toBe('200');
	});

	it(choosable ? 'accepts or not, as told' : 'cannot be told whether it accepts', async () => {
		const arm = () => sandbox.fault({ kind, on: 'buy', accept: !accepts });
		if (!choosable) return expect(arm).toThrow(/Leave out accept/);
		arm();
		expect(await met(send(sandbox, 'buy'))).toBe(meets()[kind]);
		expect(accepted()).toBe(accepts ? 0 : 1);
	});
});

describe('an armed fault', () => {
	it('lets some pass, strikes so many times, then is gone', async () => {
		sandbox.fault({ kind: 'serverError', on: 'buy', skip: 2, times: 2 });
		const seen = [];
		for (let n = 0; n < 6; n++) seen.push(await met(send(sandbox, 'buy')));
		expect(seen).toEqual(['200', '200', '500', '500', '200', '200']);
	});

	it('counts the requests that pass from when it was armed, beside another fault', async () => {
		sandbox.fault({ kind: 'unavailable' });
		sandbox.fault({ kind: 'serverError', skip: 1 });
		expect(await met(send(sandbox, 'buy'))).toBe('503 1');
		expect(await met(send(sandbox, 'sell'))).toBe('500');
	});

	it('is not used up by a request that is refused anyway', async () => {
		sandbox.fault({ kind: 'html' });
		expect(await met(send(sandbox, 'buy', { key: 'wrong' }))).toBe('401');
		expect(await met(send(sandbox, 'buy', { body: { ...buyBody, amount: 1 } }))).toBe('400');
		expect(await met(send(sandbox, 'buy'))).toBe('200 HTML');
	});

	it('goes before a fault that the request asks for', async () => {
		sandbox.fault({ kind: 'unavailable' });
		const body = { ...buyBody, reference: 'fault-serverError' };
		expect(await met(send(sandbox, 'buy', { body }))).toBe('503 1');
		expect(await met(send(sandbox, 'buy', { body }))).toBe('500');
	});
});

describe('a magic value', () => {
	const asked = async (kind: FaultKindName, name: 'buy' | 'usdcRates', sent: Sent) => {
		expect(await met(send(sandbox, name, sent))).toBe(meets()[kind]);
		expect(sandbox.requests().at(-1)?.fault).toBe(kind);
	};

	it.each(quick)('selects %s by amount', async (kind, { amount, accepts }) => {
		await asked(kind, 'buy', { body: { ...buyBody, amount } });
		expect(accepted()).toBe(accepts ? 1 : 0);
	});

	it.each(quick)('selects %s by reference', async (kind) => {
		for (const reference of [`fault-${kind}`, `fault-${kind}-order-1`]) {
			await asked(kind, 'buy', { body: { ...buyBody, reference } });
		}
	});

	it.each(quick)('selects %s by key, where there are no fields', async (kind) => {
		await asked(kind, 'usdcRates', { key: `${sandbox.secretKey}+${kind}` });
	});

	it.each(['fault-', 'fault-nonsense', 'my-fault-html', 'fault-htmlx'])(
		'is not the reference %s',
		async (reference) => {
			expect(await met(send(sandbox, 'buy', { body: { ...buyBody, reference } }))).toBe('200');
		},
	);

	it('has an amount of its own for each fault, none below the minimum', () => {
		const amounts = faultKinds.map(({ amount }) => amount);
		expect(new Set(amounts).size).toBe(faultKinds.length);
		expect(Math.min(...amounts)).toBeGreaterThan(15000);
	});

	it.each([
		['amount', { body: { ...buyBody, amount: 909001 } }],
		['reference', { body: { ...buyBody, reference: 'fault-delay' } }],
		['key', { key: 'sandbox-secret-key+delay' }],
	])(
		'delays by %s so long that the client gives up, though the buy is accepted',
		async (_where, sent) => {
			const giveUp = new AbortController();
			const answer = send(sandbox, 'buy', { ...sent, signal: giveUp.signal });
			answer.catch(() => undefined);
			await until(accepted);
			giveUp.abort();
			await expect(answer).rejects.toThrow('canceled');
			expect(sandbox.requests()).toMatchObject([{ fault: 'delay' }]);
		},
	);
});

it('delays for as long as it was told', async () => {
	sandbox.fault({ kind: 'delay', delayMs: 120 });
	const started = performance.now();
	expect(await met(send(sandbox, 'otcRates'))).toBe('200');
	expect(performance.now() - started).toBeGreaterThanOrEqual(119);
});

it('shows a client that follows a redirect, and what it took along', async () => {
	sandbox.fault({ kind: 'redirect', on: 'otcRates' });
	const answer = await http.get(`${sandbox.otcBaseUrl}/otc/buy`, {
		headers: { 'svc-sec-key': sandbox.secretKey },
		maxRedirects: 5,
	});
	expect(answer.status).toBe(404);
	expect(sandbox.requests()).toMatchObject([
		{ path: '/otc/buy', status: 302, host: 'otc' },
		{
			path: '/elsewhere',
			status: 404,
			host: 'base',
			headers: { 'svc-sec-key': '****-key' },
		},
	]);
});
