import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { withSandbox } from '../contract/client.mts';
import { authenticationHeader } from '../support/interface.mts';
import { contextsOf } from '../support/engine/outsideOfRuns.mts';
import { credentialsFor, useEngine } from '../support/engine/engine.mts';
import { startRedirect, startServer, startTlsServer, type Answer } from '../support/servers.mts';
import { expectNoSecret } from '../support/engine/secrets.mts';
import { listed, operations, submitting, vendor } from '../support/transactions.mts';

const { engine, sandbox } = useEngine();

const withCredential = (changes: ICredentialDataDecryptedObject = {}) =>
	contextsOf(engine, { ...credentialsFor(sandbox), ...changes });

const liveVendors = { resource: 'vendor', operation: 'live' };
const usdcRates = { resource: 'rate', operation: 'usdc' };

const run = async (
	changes: ICredentialDataDecryptedObject,
	parameters: INodeParameters = liveVendors,
) => await engine.run({ parameters, credentials: { ...credentialsFor(sandbox), ...changes } });

const vendors = '/transactions/v1/vendors';

describe('declares', () => {
	const type = () => engine.loader.getCredential('stablecoinRampApi').type;

	it('the six fields of the contract, the key as a password', () => {
		const { properties } = type();
		const six = ['secretKey', 'baseUrl', 'otcBaseUrl', 'businessId', 'linkTag', 'headerName'];
		expect(properties.map(({ name }) => name)).toEqual(expect.arrayContaining(six));
		expect(properties.find(({ name }) => name === 'secretKey')?.typeOptions?.password).toBe(true);
		expect(properties.find(({ name }) => name === 'headerName')?.default).toBe(
			authenticationHeader,
		);
	});

	it('a test that n8n finds through the node', () => {
		const { description, methods } = engine.nodeTypeOf('stablecoinRamp');
		const [{ name, testedBy } = { name: '' }] = description.credentials ?? [];
		expect(name).toBe(type().name);
		expect(methods?.credentialTest).toHaveProperty(String(testedBy));
	});
});

describe('signs', () => {
	it('with another header name, and then not with the usual one', async () => {
		const server = await startServer(() => ({ body: { USD: 1 } }));
		const changes = { baseUrl: server.url, headerName: ' X-Brand-Key ' };
		const { error } = await run(changes, usdcRates);
		expect(error).toBeUndefined();
		expect(server.seen[0]?.headers).toMatchObject({ 'x-brand-key': sandbox.secretKey });
		expect(server.seen[0]?.headers).not.toHaveProperty(authenticationHeader);
	});

	it.each([[''], ['  ']])('with the usual header when the name is %j', async (headerName) => {
		expect((await run({ headerName })).error).toBeUndefined();
	});

	it('with a key that was pasted with spaces and a line break around it', async () => {
		expect((await run({ secretKey: ` ${sandbox.secretKey}\n` })).error).toBeUndefined();
	});

	it('under a path, when the base address has one', async () => {
		const server = await startServer(() => ({ body: { USD: 1 } }));
		await run({ baseUrl: `${server.url}/api/` }, usdcRates);
		expect(server.seen).toMatchObject([
			{
				url: '/api/rates/v1/usdc-ngnc',
				headers: { [authenticationHeader]: sandbox.secretKey },
			},
		]);
	});
});

describe('refuses an address', () => {
	it.each([
		[
			'http://api.example.com',
			/does not start with https/,
			/unencrypted.*only for localhost, 127\.0\.0\.1, \[::1\] and host\.docker\.internal\.$/,
		],
		['ftp://api.example.com', /not a web address/, /in full/],
		['api.example.com', /not a web address/, /in full/],
		['https://', /not a web address/, /in full/],
		['https://me:word@api.example.com', /more than an address/, /scheme, the host and the path/],
		['https://api.example.com/?a=1', /more than an address/, /scheme, the host and the path/],
		['https://api.example.com/#top', /more than an address/, /scheme, the host and the path/],
		['  ', /has no 'Base URL'/, /fill in 'Base URL'/],
	])('such as %j before anything is sent', async (baseUrl, what, next) => {
		const { error } = await run({ baseUrl });
		expect(error?.name).toBe('NodeApiError');
		expect(error?.message).toMatch(what);
		expect(error?.description).toMatch(next);
	});

	it.each(['127.0.0.1', 'LOCALHOST'])('but takes plain http on %s', async (host) => {
		const baseUrl = sandbox.baseUrl.replace('127.0.0.1', host);
		expect((await run({ baseUrl })).error).toBeUndefined();
	});

	it('but takes plain http on [::1]', () =>
		withSandbox({ host: '::1' }, async (onIpv6) => {
			expect((await run(credentialsFor(onIpv6))).error).toBeUndefined();
			expect(onIpv6.requests()).toHaveLength(1);
		}));
});

describe('in the HTTP Request node', () => {
	it('works at both addresses', async () => {
		const { httpRequestNode } = withCredential();
		const base = await httpRequestNode({ method: 'GET', uri: `${sandbox.baseUrl}${vendors}` });
		const otc = await httpRequestNode({ method: 'GET', uri: `${sandbox.otcBaseUrl}/otc/buy` });
		expect([base, otc]).toEqual([
			expect.objectContaining({ statusCode: 200 }),
			expect.objectContaining({ statusCode: 200 }),
		]);
	});

	it('is attached to no request to another host', async () => {
		const elsewhere = await startServer(() => ({}));
		const port = new URL(elsewhere.url).port;
		for (const uri of [
			`${elsewhere.url}${vendors}`,
			`http://localhost:${port}/`,
			`${sandbox.baseUrl}@127.0.0.1:${port}/`,
			`http://127.0.0.1:${port}/?${sandbox.baseUrl}`,
			sandbox.baseUrl.replace('http:', 'https:'),
			`//127.0.0.1:${port}/`,
			'',
		]) {
			await expect(withCredential().httpRequestNode({ method: 'GET', uri })).rejects.toThrow(
				'This credential signs requests to its own two addresses only',
			);
		}
		expect(elsewhere.seen).toEqual([]);
	});

	it.each(['GET', 'POST'] as const)(
		'does not take its key along on a redirect (%s)',
		async (method) => {
			const { url, elsewhere } = await startRedirect(307);
			const { httpRequestNode } = withCredential({ baseUrl: url });
			const answer = await httpRequestNode({ method, uri: `${url}/`, body: { a: 1 } });
			expect(answer).toMatchObject({ statusCode: 307 });
			expect(elsewhere.seen).toEqual([]);
		},
	);
});

describe('in another node', () => {
	it('signs a path behind one of the two addresses', async () => {
		const answer = await withCredential().otherNode({
			method: 'GET',
			baseURL: `${sandbox.baseUrl}/`,
			url: vendors,
		});
		expect(answer).toHaveProperty('VendorList');
	});

	it('is attached to no request to another host, however its address is put together', async () => {
		const elsewhere = await startServer(() => ({}));
		const { host } = new URL(elsewhere.url);
		for (const [baseURL, url] of [
			[elsewhere.url, vendors],
			[sandbox.baseUrl, elsewhere.url],
			[sandbox.baseUrl, `//${host}/`],
			[`${sandbox.baseUrl}@${host}`, '/'],
			[undefined, elsewhere.url],
		] as const) {
			await expect(withCredential().otherNode({ baseURL, url })).rejects.toThrow(
				'This credential signs requests to its own two addresses only',
			);
		}
		expect(elsewhere.seen).toEqual([]);
	});

	it('does not take its key along on a redirect', async () => {
		const { url, elsewhere } = await startRedirect(302);
		const { otherNode } = withCredential({ baseUrl: url });
		await expect(otherNode({ url })).rejects.toThrow();
		expect(elsewhere.seen).toEqual([]);
	});

	it('replaces a header of the same name, in whatever case it is written', async () => {
		const server = await startServer(() => ({ body: {} }));
		const headers = { [authenticationHeader.toUpperCase()]: 'another key' };
		await withCredential({ baseUrl: server.url }).otherNode({ url: server.url, headers });
		expect(server.seen[0]?.headers[authenticationHeader]).toBe(sandbox.secretKey);
	});
});

describe('tested in its dialog', () => {
	const test = async (changes: ICredentialDataDecryptedObject = {}) => {
		const result = await withCredential(changes).testCredential();
		expectNoSecret(result, changes.secretKey ?? sandbox.secretKey);
		return result;
	};

	it('is fine with the right key, and moves no money', async () => {
		expect(await test()).toEqual({ status: 'OK', message: 'The service accepts the key' });
		expect(sandbox.requests().map(({ method, host, path }) => [method, host, path])).toEqual([
			['GET', 'base', vendors],
			['GET', 'otc', '/otc/buy'],
		]);
		for (const { headers } of sandbox.requests()) {
			expect(headers).toMatchObject({
				accept: 'application/json',
				'content-type': 'application/json',
			});
		}
	});

	it('needs no OTC address', async () => {
		expect(await test({ otcBaseUrl: ' ' })).toMatchObject({ status: 'OK' });
		expect(sandbox.requests()).toHaveLength(1);
	});

	it('sends a wrong key once', async () => {
		await test({ secretKey: 'not-the-right-key' });
		expect(sandbox.requests()).toHaveLength(1);
	});

	type Changes = ICredentialDataDecryptedObject;
	const answering = async (answer: Answer) => (await startServer(() => answer)).url;

	it.each<[what: string, changes: () => Changes | Promise<Changes>, words: RegExp]>([
		[
			'a wrong key',
			() => ({ secretKey: 'not-the-right-key' }),
			/^The service did not accept the secret key\. .*Secret Key/,
		],
		[
			'the OTC address where it alone does not accept the key',
			async () => ({ otcBaseUrl: await answering({ status: 401 }) }),
			/^OTC Base URL: The service did not accept the secret key/,
		],
		[
			'an address that the service does not know',
			() => ({ baseUrl: `${sandbox.baseUrl}/api/v2` }),
			/^Base URL: The service does not know this address\. .*check the 'Base URL'/,
		],
		[
			'a web page at the address',
			async () => ({ baseUrl: await answering({ body: '<!doctype html><p>Welcome' }) }),
			/^Base URL: The service sent no vendor list\. .*an HTML page.*check/,
		],
		[
			'a host where nothing answers',
			() => ({ baseUrl: 'http://127.0.0.1:1' }),
			/^Base URL: Nothing answers at the address.*check the host/,
		],
		[
			'a host that is not there',
			() => ({ baseUrl: `https://${'x'.repeat(64)}.invalid` }),
			/^Base URL: The host of the service was not found.*check the host/,
		],
		[
			'an address without encryption',
			() => ({ baseUrl: 'http://service.example' }),
			/^Base URL: .*does not start with https.*change 'Base URL' to https/,
		],
		['an address that is missing', () => ({ baseUrl: '' }), /^Base URL: .* has no 'Base URL'/],
		[
			'the other address for OTC',
			() => ({ otcBaseUrl: sandbox.baseUrl }),
			/^OTC Base URL: The service does not know this address/,
		],
		[
			'no web address for OTC',
			() => ({ otcBaseUrl: 'otc' }),
			/^OTC Base URL: .* is not a web address/,
		],
		[
			'plain http for OTC',
			() => ({ otcBaseUrl: 'http://otc.example' }),
			/^OTC Base URL: .* start with https/,
		],
	])('names %s', async (_, changes, words) => {
		expect(await test(await changes())).toEqual({
			status: 'Error',
			message: expect.stringMatching(words),
		});
	});

	it('sends nobody to Request Options, which a credential has not', async () => {
		const { url: baseUrl } = await startTlsServer(() => ({}));
		const { message } = await test({ baseUrl });
		expect(message).toMatch(/^Base URL: The certificate of the service is not trusted/);
		expect(message).not.toContain('Request Options');
	});

	it('names a redirect, and does not follow it', async () => {
		const { url: baseUrl, elsewhere } = await startRedirect(302);
		const { status, message } = await test({ baseUrl });
		expect(status).toBe('Error');
		expect(message).toMatch(/^Base URL: The service answered with a redirect/);
		expect(elsewhere.seen).toEqual([]);
	});

	it('repeats no key that the service repeats', async () => {
		const { url: baseUrl } = await startServer(({ headers }) => ({
			status: 401,
			body: `Wrong key '${String(headers[authenticationHeader])}'`,
		}));
		const { message } = await test({ baseUrl, secretKey: ' key-with-spaces ' });
		expect(message).toContain("Wrong key '***'");
	});

	it('leaves a word of the service alone that happens to be the key', async () => {
		const { url: baseUrl } = await startServer(() => ({
			status: 401,
			body: { message: 'The secret key is wrong.' },
		}));
		const { message } = await withCredential({ baseUrl, secretKey: 'wrong' }).testCredential();
		expect(message).toContain('The secret key is wrong.');
	});
});

describe('with a key or header name that no request can carry', () => {
	it.each([
		[{ secretKey: 'two\nlines-of-key' }, 'Secret Key'],
		[{ secretKey: 'kéy-with-😀' }, 'Secret Key'],
		[{ headerName: 'svc sec key' }, 'Header Name'],
		[{ headerName: 'svc:\nkey' }, 'Header Name'],
		[{ secretKey: '' }, 'Secret Key'],
	])('%j says which field to correct, and sends nothing', async (changes, field) => {
		const { error } = await run(changes);
		expect(`${error?.message} ${error?.description}`).toContain(field);
		const tested = await withCredential(changes).testCredential();
		expect(tested).toMatchObject({ status: 'Error', message: expect.stringContaining(field) });
		expect(sandbox.requests()).toEqual([]);
	});
});

describe('with Allowed HTTP Request Domains', () => {
	it('set to other domains, still follows no redirect and signs for no other host', async () => {
		const { url, elsewhere } = await startRedirect(302);
		const changes = {
			baseUrl: url,
			allowedHttpRequestDomains: 'domains',
			allowedDomains: 'example.com',
		};
		const { error } = await run(changes, usdcRates);
		expect(error?.message).toContain('redirect, which is not followed');
		await expect(withCredential(changes).httpRequestNode({ uri: elsewhere.url })).rejects.toThrow(
			'its own two addresses only',
		);
		expect(elsewhere.seen).toEqual([]);
	});

	it.each(operations)('set to other domains or none, works in a %s', async (operation) => {
		const { vendorNumber } = vendor;
		for (const [allowedHttpRequestDomains, allowedDomains] of [
			['none', ''],
			['domains', ''],
			['domains', 'example.com'],
		] as const) {
			const changes = { allowedHttpRequestDomains, allowedDomains };
			const { error } = await run(changes, submitting(operation, listed(vendorNumber)));
			expect(error).toBeUndefined();
		}
		expect(sandbox.transactions()).toHaveLength(3);
	});
});
