import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { withSandbox } from '../contract/client.ts';
import { authenticationHeader } from '../support/interfaceTables.ts';
import { contextsOf } from '../support/contexts.ts';
import { credentialsFor, useEngine } from '../support/engine.ts';
import { startServer, startTlsServer } from '../support/servers.ts';
import { reads } from '../support/reads.ts';
import { expectNoSecret } from '../support/secrets.ts';

const { engine, sandbox } = useEngine();

const withCredential = (changes: ICredentialDataDecryptedObject = {}) =>
	contextsOf(engine, { ...credentialsFor(sandbox), ...changes });

const vendors = '/transactions/v1/vendors';

describe('declares', () => {
	const type = () => engine.loader.getCredential('stablecoinRampApi').type;

	it('the six fields of the contract, the key as a password', () => {
		const { properties } = type();
		expect(properties.map(({ name }) => name)).toEqual(
			expect.arrayContaining([
				'secretKey',
				'baseUrl',
				'otcBaseUrl',
				'businessId',
				'linkTag',
				'headerName',
			]),
		);
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
	it.each(reads)('$name', async ({ parameters }) => {
		const { error } = await engine.run({ parameters, credentials: credentialsFor(sandbox) });
		expect(error).toBeUndefined();
		const [request] = sandbox.requests();
		expect(request?.headers[authenticationHeader]).toMatch(/^\*{4}/);
	});

	it('with another header name, and then not with the usual one', async () => {
		const server = await startServer(() => ({ body: { USD: 1 } }));
		const { error } = await engine.run({
			parameters: { resource: 'rate', operation: 'usdc' },
			credentials: {
				...credentialsFor(sandbox),
				baseUrl: server.url,
				headerName: ' X-Brand-Key ',
			},
		});
		expect(error).toBeUndefined();
		expect(server.seen[0]?.headers).toMatchObject({ 'x-brand-key': sandbox.secretKey });
		expect(server.seen[0]?.headers).not.toHaveProperty(authenticationHeader);
	});

	it.each([[''], ['  ']])('with the usual header when the name is %j', async (headerName) => {
		const { error } = await engine.run({
			parameters: { resource: 'vendor', operation: 'live' },
			credentials: { ...credentialsFor(sandbox), headerName },
		});
		expect(error).toBeUndefined();
	});

	it('with a key that was pasted with spaces and a line break around it', async () => {
		const { error } = await engine.run({
			parameters: { resource: 'vendor', operation: 'live' },
			credentials: { ...credentialsFor(sandbox), secretKey: ` ${sandbox.secretKey}\n` },
		});
		expect(error).toBeUndefined();
	});

	it('under a path, when the base address has one', async () => {
		const server = await startServer(() => ({ body: { USD: 1 } }));
		await engine.run({
			parameters: { resource: 'rate', operation: 'usdc' },
			credentials: { ...credentialsFor(sandbox), baseUrl: `${server.url}/api/` },
		});
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
		['http://127.0.0.1.example.com', /does not start with https/, /unencrypted/],
		['http://host.docker.internal.example.com', /does not start with https/, /unencrypted/],
		['http://10.0.0.1', /does not start with https/, /unencrypted/],
		['ftp://api.example.com', /not a web address/, /in full/],
		['api.example.com', /not a web address/, /in full/],
		['https://', /not a web address/, /in full/],
		['https://me:word@api.example.com', /more than an address/, /scheme, the host and the path/],
		['https://api.example.com/?a=1', /more than an address/, /scheme, the host and the path/],
		['https://api.example.com/#top', /more than an address/, /scheme, the host and the path/],
		['  ', /has no 'Base URL'/, /fill in 'Base URL'/],
	])('such as %j before anything is sent', async (baseUrl, what, next) => {
		const { error } = await engine.run({
			parameters: { resource: 'vendor', operation: 'live' },
			credentials: { ...credentialsFor(sandbox), baseUrl },
		});
		expect(error?.name).toBe('NodeApiError');
		expect(error?.message).toMatch(what);
		expect(error?.description).toMatch(next);
	});

	it.each(['127.0.0.1', 'LOCALHOST'])('but takes plain http on %s', async (host) => {
		const { error } = await engine.run({
			parameters: { resource: 'vendor', operation: 'live' },
			credentials: {
				...credentialsFor(sandbox),
				baseUrl: sandbox.baseUrl.replace('127.0.0.1', host),
			},
		});
		expect(error).toBeUndefined();
	});

	it('but takes plain http on [::1]', () =>
		withSandbox({ host: '::1' }, async (onIpv6) => {
			const { error } = await engine.run({
				parameters: { resource: 'vendor', operation: 'live' },
				credentials: credentialsFor(onIpv6),
			});
			expect(error).toBeUndefined();
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
			const elsewhere = await startServer(() => ({}));
			const server = await startServer(() => ({
				status: 307,
				headers: { location: elsewhere.url },
			}));
			const { httpRequestNode } = withCredential({ baseUrl: server.url });
			const answer = await httpRequestNode({ method, uri: `${server.url}/`, body: { a: 1 } });
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
		const elsewhere = await startServer(() => ({}));
		const server = await startServer(() => ({ status: 302, headers: { location: elsewhere.url } }));
		const { otherNode } = withCredential({ baseUrl: server.url });
		await expect(otherNode({ url: server.url })).rejects.toThrow();
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
	});

	it('needs no OTC address', async () => {
		expect(await test({ otcBaseUrl: ' ' })).toMatchObject({ status: 'OK' });
		expect(sandbox.requests()).toHaveLength(1);
	});

	it('names a wrong key, sent once', async () => {
		const { status, message } = await test({ secretKey: 'not-the-right-key' });
		expect(status).toBe('Error');
		expect(message).toMatch(/^The service did not accept the secret key\. .*Secret Key/);
		expect(sandbox.requests()).toHaveLength(1);
	});

	it('names the OTC address where it alone does not accept the key', async () => {
		const { url: otcBaseUrl } = await startServer(() => ({ status: 401 }));
		const { status, message } = await test({ otcBaseUrl });
		expect(status).toBe('Error');
		expect(message).toMatch(/^OTC Base URL: The service did not accept the secret key/);
	});

	it('sends nobody to Request Options, which a credential has not', async () => {
		const { url: baseUrl } = await startTlsServer(() => ({}));
		const { message } = await test({ baseUrl });
		expect(message).toMatch(/^Base URL: The certificate of the service is not trusted/);
		expect(message).not.toContain('Request Options');
	});

	it('names an address that the service does not know', async () => {
		const { status, message } = await test({ baseUrl: `${sandbox.baseUrl}/api/v2` });
		expect(status).toBe('Error');
		expect(message).toMatch(
			/^Base URL: The service does not know this address\. .*check the 'Base URL'/,
		);
	});

	it('names a web page at the address', async () => {
		const { url: baseUrl } = await startServer(() => ({ body: '<!doctype html><p>Welcome' }));
		const { status, message } = await test({ baseUrl });
		expect(status).toBe('Error');
		expect(message).toMatch(/^Base URL: The service sent no vendor list\. .*an HTML page.*check/);
	});

	it('names a host where nothing answers', async () => {
		const { url: baseUrl, close } = await startServer(() => ({}));
		await close();
		const { status, message } = await test({ baseUrl });
		expect(status).toBe('Error');
		expect(message).toMatch(/^Base URL: Nothing answers at the address.*check the host/);
	});

	it('names a host that is not there', async () => {
		const { status, message } = await test({ baseUrl: `https://${'x'.repeat(64)}.invalid` });
		expect(status).toBe('Error');
		expect(message).toMatch(/^Base URL: The host of the service was not found.*check the host/);
	});

	it('names an address without encryption', async () => {
		const { status, message } = await test({ baseUrl: 'http://service.example' });
		expect(status).toBe('Error');
		expect(message).toMatch(/does not start with https.*change 'Base URL' to https/);
	});

	it('names a redirect, and does not follow it', async () => {
		const elsewhere = await startServer(() => ({}));
		const { url: baseUrl } = await startServer(() => ({
			status: 302,
			headers: { location: elsewhere.url },
		}));
		const { status, message } = await test({ baseUrl });
		expect(status).toBe('Error');
		expect(message).toMatch(/^Base URL: The service answered with a redirect/);
		expect(elsewhere.seen).toEqual([]);
	});

	it.each<[string, ICredentialDataDecryptedObject, RegExp]>([
		['the other address', {}, /^OTC Base URL: The service does not know this address/],
		['no web address', { otcBaseUrl: 'otc' }, /^OTC Base URL: .* is not a web address/],
		['plain http', { otcBaseUrl: 'http://otc.example' }, /^OTC Base URL: .* start with https/],
	])('names a wrong OTC address (%s)', async (_, changes, words) => {
		const { status, message } = await test({ otcBaseUrl: sandbox.baseUrl, ...changes });
		expect(status).toBe('Error');
		expect(message).toMatch(words);
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

	it('gives a different sentence for each of these', async () => {
		const page = await startServer(() => ({ body: '<html>' }));
		const gone = await startServer(() => ({}));
		await gone.close();
		const results = await Promise.all(
			[
				{},
				{ secretKey: 'not-the-right-key' },
				{ baseUrl: `${sandbox.baseUrl}/elsewhere` },
				{ baseUrl: page.url },
				{ baseUrl: gone.url },
				{ baseUrl: 'http://service.example' },
				{ otcBaseUrl: sandbox.baseUrl },
				{ baseUrl: '' },
			].map(async (changes) => await test(changes as ICredentialDataDecryptedObject)),
		);
		expect(new Set(results.map(({ message }) => message)).size).toBe(results.length);
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
		const credentials = { ...credentialsFor(sandbox), ...changes };
		const { error } = await engine.run({
			parameters: { resource: 'vendor', operation: 'live' },
			credentials,
		});
		expect(`${error?.message} ${error?.description}`).toContain(field);
		const tested = await withCredential(changes).testCredential();
		expect(tested).toMatchObject({ status: 'Error', message: expect.stringContaining(field) });
		expect(sandbox.requests()).toEqual([]);
	});
});

describe('with Allowed HTTP Request Domains', () => {
	it('set to other domains, still follows no redirect and signs for no other host', async () => {
		const elsewhere = await startServer(() => ({ body: { USD: 1 } }));
		const server = await startServer(() => ({ status: 302, headers: { location: elsewhere.url } }));
		const changes = {
			baseUrl: server.url,
			allowedHttpRequestDomains: 'domains',
			allowedDomains: 'example.com',
		};
		const { error } = await engine.run({
			parameters: { resource: 'rate', operation: 'usdc' },
			credentials: { ...credentialsFor(sandbox), ...changes },
		});
		expect(error?.message).toContain('redirect, which is not followed');
		await expect(withCredential(changes).httpRequestNode({ uri: elsewhere.url })).rejects.toThrow(
			'its own two addresses only',
		);
		expect(elsewhere.seen).toEqual([]);
	});
});
