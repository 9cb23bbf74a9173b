import type { GenericValue, IHttpRequestOptions, INodeParameters } from 'n8n-workflow';

import { endpoints } from '../support/interface.mts';
import { credentialsFor, useEngine, type RunOptions } from '../support/engine/engine.mts';
import { withContext } from '../support/engine/changedContext.mts';
import { startProcess } from '../support/engine/processes.mts';
import {
	startProxy,
	startSilentServer,
	startTlsServer,
	startTricklingServer,
} from '../support/servers.mts';
import { contextsOf } from '../support/engine/outsideOfRuns.mts';
import { reads } from '../support/engine/reads.mts';
import { goingOn } from '../support/engine/submitting.mts';
import { outcomesOf } from '../support/told.mts';
import { listed, operations, submitting, vendor } from '../support/transactions.mts';

const { engine, sandbox, run: ramp } = useEngine();

const everyOperation: Array<{ name: string; path: string; parameters: INodeParameters }> = [
	...reads,
	...operations.map((name) => ({
		name,
		path: endpoints.find(({ operation }) => operation === name)!.path,
		parameters: submitting(name),
	})),
];

const listedBuy = submitting('buy', listed(vendor.vendorNumber));

const run = async (
	parameters: INodeParameters,
	requestOptions: INodeParameters,
	extra?: Partial<RunOptions>,
) => await ramp({ ...parameters, requestOptions }, extra);

describe('Timeout', () => {
	const silentService = async () => {
		const { url, seen } = await startSilentServer();
		return { seen, credentials: { ...credentialsFor(sandbox), baseUrl: url, otcBaseUrl: url } };
	};

	it.each(operations)('ends the wait of a %s', async (operation) => {
		const { credentials } = await silentService();
		const { error } = await run(submitting(operation), { timeout: 50 }, { credentials });
		expect(error?.message).toContain('The service did not answer in time');
	});

	it.each(reads)('ends the wait of $name, and is named', async ({ parameters }) => {
		const { credentials } = await silentService();
		const { error } = await run(parameters, { timeout: 50 }, { credentials });
		expect(error?.message).toContain('The service did not answer in time');
		expect(error?.description).toContain("raise the 'Timeout' under Request Options in Settings");
	});

	it('ends the wait for the vendor list of a buy, and nothing is sent', async () => {
		const { credentials, seen } = await silentService();
		const { error } = await run(listedBuy, { timeout: 50 }, { credentials });
		expect(error?.message).toContain('The service did not answer in time');
		expect(seen.filter(({ method }) => method === 'POST')).toEqual([]);
	});
});

it.each(operations)('a Timeout that is none stops a %s before it is sent', async (operation) => {
	for (const timeout of [-1, 1e300, 0.5, 'soon', 240_001]) {
		const { error } = await run(submitting(operation), { timeout });
		expect(error?.name).toBe('NodeOperationError');
		expect(error?.message).toContain("'Timeout' in Request Options");
		expect(error?.description).toContain("'Timeout' under Request Options in Settings");
	}
	expect(sandbox.requests()).toEqual([]);
});

it.each(reads)('a Timeout that is none stops $name before it is sent', async ({ parameters }) => {
	const odd = ['={{ null }}', '={{ undefined }}', '={{ "" }}', '={{ false }}', '={{ NaN }}'];
	for (const timeout of [-1, 1e300, 0.5, 'soon', 2 ** 31, ...odd]) {
		const { error } = await run(parameters, { timeout });
		expect(error?.message).toContain("'Timeout' in Request Options is");
		expect(error?.description).toContain("'Timeout' under Request Options in Settings");
	}
	expect(sandbox.requests()).toEqual([]);
});

describe.each(operations)('a %s whose answer never ends', (operation) => {
	const fourMinutes = 240_000;
	const signalAfter = AbortSignal.timeout.bind(AbortSignal);
	afterEach(() => void jest.restoreAllMocks());

	it.each([{}, { timeout: 400 }, { timeout: fourMinutes }])(
		'ends after four minutes whatever the Timeout, and is unknown (%j)',
		async (requestOptions) => {
			const { url, seen } = await startTricklingServer();
			const asked = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => signalAfter(500));
			const options = {
				parameters: submitting(operation, { reference: 'order-1', requestOptions }),
				credentials: { ...credentialsFor(sandbox), baseUrl: url },
				node: goingOn,
			};
			const ran = (await startProcess(engine).run(options))!;
			expect(asked.mock.calls).toEqual([[fourMinutes]]);
			expect(outcomesOf(ran)).toEqual(['unknown']);
			expect(ran.json[0]!.error).toBe(
				`It is not known whether the ${operation} was accepted. The service did not answer in time`,
			);
			const again = (await startProcess(engine).run(options))!;
			expect(outcomesOf(again)).toEqual(['unknown']);
			expect(seen).toHaveLength(1);
		},
	);
});

it('a Timeout that differs between items is judged for each', async () => {
	const { items } = await run(
		{ resource: 'vendor', operation: 'live' },
		{ timeout: '={{ $json.timeout }}' },
		{
			items: [{ timeout: 'soon' }, { timeout: 5000 }, { timeout: -1 }, { timeout: 0 }],
			node: { onError: 'continueRegularOutput' },
		},
	);
	const refused = items.flatMap(({ json, pairedItem }) => (json.error ? [pairedItem] : []));
	expect(refused).toEqual([{ item: 0 }, { item: 2 }]);
	expect(sandbox.requests()).toHaveLength(1);
});

describe('an answer that never ends', () => {
	const trickling = async () => {
		const { url } = await startTricklingServer();
		return { ...credentialsFor(sandbox), baseUrl: url, otcBaseUrl: url };
	};

	it.each(reads)('is not waited for by $name', async ({ parameters }) => {
		const { error } = await run(parameters, { timeout: 300 }, { credentials: await trickling() });
		expect(error?.message).toContain('The service did not answer in time');
	});

	it('of the vendor list is not waited for by a buy', async () => {
		const { error } = await run(listedBuy, { timeout: 300 }, { credentials: await trickling() });
		expect(error?.message).toContain('The service did not answer in time');
	});

	it('is not waited for by the credential test', async () => {
		const signalAfter = AbortSignal.timeout.bind(AbortSignal);
		const asked = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => signalAfter(200));
		const { status, message } = await contextsOf(engine, await trickling()).testCredential();
		expect([status, message]).toEqual([
			'Error',
			expect.stringContaining('The service did not answer in time'),
		]);
		expect(asked.mock.calls).toEqual([[10_000]]);
		jest.restoreAllMocks();
	});
});

it.each(operations)('a Timeout of four minutes is the longest of a %s', async (operation) => {
	const tooLong = await run(submitting(operation), { timeout: 240_001 });
	expect(tooLong.error?.message).toBe("'Timeout' in Request Options is 240001");
	expect(tooLong.error?.description).toContain('At most 240000 (four minutes)');
	expect(sandbox.requests()).toEqual([]);
	const longest = await run(submitting(operation), { timeout: 240_000 });
	expect(outcomesOf(longest)).toEqual(['accepted']);
	expect(sandbox.requests()).toHaveLength(1);
});

describe('Proxy', () => {
	it.each(everyOperation)('is used by $name', async ({ parameters, path }) => {
		const proxy = await startProxy();
		const { error } = await run(parameters, { proxy: proxy.url });
		expect(error).toBeUndefined();
		expect(proxy.seen.map(({ url }) => new URL(url).pathname)).toEqual([path]);
		expect(sandbox.requests()).toHaveLength(1);
	});

	it('is used for the vendor list of a buy', async () => {
		const proxy = await startProxy();
		await run(listedBuy, { proxy: proxy.url });
		expect(proxy.seen.map(({ method }) => method)).toEqual(['GET', 'POST']);
	});

	it.each(everyOperation)('gets its name and password from $name', async ({ parameters }) => {
		const proxy = await startProxy();
		const { host } = new URL(proxy.url);
		await run(parameters, { proxy: `http://me:pass@${host}` });
		expect(proxy.seen[0]?.headers['proxy-authorization']).toBe(`Basic ${btoa('me:pass')}`);
	});

	it.each(everyOperation)('that is no address is refused by $name', async ({ parameters }) => {
		const { error } = await run(parameters, { proxy: 'my proxy' });
		expect(error?.message).toMatch(/proxy/i);
		expect(sandbox.requests()).toEqual([]);
	});
});

describe.each(operations)('a Proxy of a %s', (operation) => {
	it.each<[GenericValue]>([
		['socks5://proxy.example:1080'],
		['ftp://proxy.example'],
		['constructor://proxy.example'],
		['proxy.example:3128'],
		['http://'],
		['http://100%:word@proxy.example'],
		['http://me:100%@proxy.example'],
		[{ host: 'proxy.example', port: 3128 }],
		[['http://proxy.example']],
		[3128],
		[true],
	])('that is %j is refused by name, not repeated, and nothing is sent', async (proxy) => {
		const { error } = await run(
			submitting(operation),
			{ proxy: '={{ $json.proxy }}' },
			{ items: [{ proxy }] },
		);
		expect(error?.name).toBe('NodeOperationError');
		expect(error?.message).toBe("'Proxy' in Request Options is not an http or https address");
		expect(error?.description).toContain("'Proxy' under Request Options in Settings");
		expect(`${error?.message} ${error?.description}`).not.toMatch(/proxy\.example|100%/);
		expect(sandbox.requests()).toEqual([]);
	});

	it.each<[GenericValue]>([[''], ['  '], [null]])(
		'that comes out as %j is refused, and one that is empty is none',
		async (proxy) => {
			const refused = await run(
				submitting(operation),
				{ proxy: '={{ $json.proxy }}' },
				{ items: [{ proxy }] },
			);
			expect(refused.error?.message).toBe(
				"The expression in 'Proxy' under Request Options in Settings came out empty",
			);
			expect(sandbox.requests()).toEqual([]);
			await run(submitting(operation), { proxy: '' });
			expect(sandbox.requests()).toHaveLength(1);
		},
	);
});

describe('Ignore SSL Issues', () => {
	const answers: Record<string, unknown> = {
		otcRates: { USD: 1500 },
		usdcRates: { USD: 1500 },
		buy: { status: 'success', transaction: { transaction_id: '1' } },
		sell: { status: 'success', transaction: { transaction_id: '1' } },
	};

	const startTlsService = async (name: string) => {
		const body = answers[name] ?? { VendorList: [] };
		const { url, seen } = await startTlsServer(() => ({ body }));
		return { seen, credentials: { ...credentialsFor(sandbox), baseUrl: url, otcBaseUrl: url } };
	};

	it.each(everyOperation)('lets $name through to a certificate nobody knows', async (one) => {
		const { seen, credentials } = await startTlsService(one.name);
		const { error } = await run(one.parameters, { allowUnauthorizedCerts: true }, { credentials });
		expect(error).toBeUndefined();
		expect(seen).toHaveLength(1);
	});

	it.each(everyOperation)('off or absent keeps $name away from it, and says why', async (one) => {
		const { seen, credentials } = await startTlsService(one.name);
		for (const requestOptions of [{}, { allowUnauthorizedCerts: false }]) {
			const { error } = await run(one.parameters, requestOptions, { credentials });
			expect(error?.message).toContain('The certificate of the service is not trusted');
			expect(error?.description).toContain("'Ignore SSL Issues' under Request Options in Settings");
			expect(error?.description).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
		}
		expect(seen).toEqual([]);
	});
});

/** What n8n is asked to send with a sell. It does not leave: something may well listen at the usual ports. */
const requestWith = async (requestOptions: INodeParameters) => {
	const requests: IHttpRequestOptions[] = [];
	await withContext(
		engine,
		(context) => {
			context.helpers.httpRequestWithAuthentication = async (_, request) => {
				requests.push(request);
				return { statusCode: 400, headers: {}, body: '' };
			};
		},
		async () => await run(submitting('sell'), requestOptions),
	);
	return requests;
};

it.each([
	['60 seconds unless set', {}, 60_000],
	['what is set', { timeout: 1234 }, 1234],
	['a millisecond at least', { timeout: 1 }, 1],
])('a service is waited for %s', async (_, requestOptions, expected) => {
	const requests = await requestWith(requestOptions);
	expect(requests.map(({ timeout }) => timeout)).toEqual([expected]);
});

it.each([
	['http://127.0.0.1', { host: '127.0.0.1', port: 80, protocol: 'http' }],
	[' https://127.0.0.1 ', { host: '127.0.0.1', port: 443, protocol: 'https' }],
	['http://127.0.0.1:1/', { host: '127.0.0.1', port: 1, protocol: 'http' }],
])('a Proxy at %j is asked at its own port, or the usual one', async (proxy, expected) => {
	expect(await requestWith({ proxy })).toMatchObject([{ proxy: expected }]);
});
