import type { FaultKindName } from '../../sandbox/server.mts';
import { authenticationHeader, endpoints } from '../support/interface.mts';
import { credentialsFor, useEngine, type RunOptions } from '../support/engine/engine.mts';
import { times } from '../support/quick.mts';
import { startRedirect, startServer } from '../support/servers.mts';
import { readAsHtml } from '../support/shown.mts';
import { reads } from '../support/engine/reads.mts';

const many = times(1000);

const { sandbox, run } = useEngine();

it('has an operation for everything that can be read', () => {
	expect(reads).toHaveLength(endpoints.filter(({ method }) => method === 'GET').length);
});

describe.each(reads)('$name', ({ at, path, parameters }) => {
	const read = async (extra?: Partial<RunOptions>) => await run(parameters, extra);

	const credentialsAt = (url: string) => ({
		...credentialsFor(sandbox),
		...(at === 'otc' ? { otcBaseUrl: url } : { baseUrl: url }),
	});

	it('sends what the interface shows: method, address, path and headers, nothing more', async () => {
		const { error } = await read();
		expect(error).toBeUndefined();
		expect(sandbox.requests()).toEqual([
			expect.objectContaining({
				host: at,
				method: 'GET',
				path,
				headers: expect.objectContaining({
					accept: 'application/json',
					'content-type': 'application/json',
					[authenticationHeader]: expect.stringMatching(/^\*{4}/),
				}),
				status: 200,
			}),
		]);
		expect(sandbox.requests()[0]).not.toHaveProperty('body');
	});

	it('shows the words of the service as they are, in the editor and in an item', async () => {
		const words = 'Use <b>bold</b>  &amp; `code`';
		const { url } = await startServer(() => ({ status: 400, body: { message: words } }));
		const given = { credentials: credentialsAt(url), items: [{}, {}] };
		const { html } = await read(given);
		expect(readAsHtml(html)).toContain(`The service says: ${words}`);
		const { json } = await read({ ...given, node: { onError: 'continueRegularOutput' } });
		for (const { message } of json) expect(message).toContain(`The service says: ${words} (`);
	});

	it.each([undefined, { batch: { batchSize: 2, batchInterval: 100 } }])(
		'gives each item what its own credential is answered, asked once for each (Batching: %j)',
		async (batching) => {
			const items = Array.from({ length: 5 }, (_, index) => ({ isOther: index === 3 }));
			const credentialsOf = (index: number) => ({
				...credentialsFor(sandbox),
				...(items[index]!.isOther && { secretKey: 'another' }),
			});
			const ran = await run(
				{ ...parameters, requestOptions: batching ? { batching } : {} },
				{ credentialsOf, items, node: { onError: 'continueErrorOutput' } },
			);
			expect(ran.errorItems.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 3 }]);
			expect(ran.errorItems[0]!.json.error).toContain('did not accept the secret key');
			expect(new Set(ran.items.map(({ pairedItem }) => JSON.stringify(pairedItem))).size).toBe(4);
			expect(
				sandbox
					.requests()
					.map(({ status }) => status)
					.toSorted(),
			).toEqual([200, 401]);
		},
	);

	it.each<[FaultKindName, string, RegExp, RegExp]>([
		['unauthorized', '401', /did not accept the secret key/, /Secret Key.*Header Name.*wrong/],
		['notFound', '404', /does not know this address/, /Base URL.*nothing at this URL/],
		['badRequest', '400', /refused the request/, /service says: The request was refused on demand/],
		['tooManyRequests', '429', /asks for fewer requests/, /Wait a little.*Too many requests/],
		['serverError', '500', /not working at the moment/, /Try again later.*stumbled on demand/],
		['unavailable', '503', /not working at the moment/, /Try again later.*away for a moment/],
	])(
		'says in words what %s means, with status %s, and asks once',
		async (kind, code, what, next) => {
			sandbox.fault({ kind });
			const { error, json } = await read();
			expect(error?.name).toBe('NodeApiError');
			expect(error?.httpCode).toBe(code);
			expect(error?.message).toMatch(what);
			expect(error?.description).toMatch(next);
			expect(error?.context?.itemIndex).toBe(0);
			expect(json).toEqual([]);
			expect(sandbox.requests()).toHaveLength(1);
		},
	);

	it('says that the key is not allowed to do this (403)', async () => {
		const { url, seen } = await startServer(() => ({ status: 403, body: { error: 'No.' } }));
		const { error } = await read({ credentials: credentialsAt(url) });
		expect(error?.httpCode).toBe('403');
		expect(error?.message).toContain('does not allow this');
		expect(error?.description).toContain('The service says: No.');
		expect(seen).toHaveLength(1);
	});

	it('sends a wrong key exactly once', async () => {
		const credentials = { ...credentialsFor(sandbox), secretKey: 'not-the-right-key' };
		const { error } = await read({ credentials, items: [{}, {}, {}] });
		expect(error?.httpCode).toBe('401');
		expect(sandbox.requests().map(({ status }) => status)).toEqual([401]);
	});

	it.each([301, 302, 303, 307, 308])(
		'does not follow a redirect (%i), so that no other server sees the key',
		async (status) => {
			const { url, seen, elsewhere } = await startRedirect(status);
			const { error } = await read({ credentials: credentialsAt(url) });
			expect(error?.httpCode).toBe(String(status));
			expect(error?.message).toContain('redirect, which is not followed');
			expect(seen).toHaveLength(1);
			expect(elsewhere.seen).toEqual([]);
		},
	);

	it.each([
		['Nothing answers at the address of the service', 'http://127.0.0.1:1', 'ECONNREFUSED'],
		// A label longer than DNS allows: no resolver needs to be asked.
		['The host of the service was not found', `https://${'x'.repeat(64)}.invalid`, 'ENOTFOUND'],
	])('says when there is no connection: %s', async (message, url, code) => {
		const { error } = await read({ credentials: credentialsAt(url) });
		expect(error?.name).toBe('NodeApiError');
		expect(error?.message).toBe(message);
		expect(error?.description).toMatch(new RegExp(`check the host.*\\(${code}\\)`));
	});

	it.each<[FaultKindName, string]>([
		['resetBefore', 'The connection to the service was closed before it answered'],
		['truncated', 'The answer of the service broke off'],
	])('says when the connection breaks off (%s)', async (kind, what) => {
		sandbox.fault({ kind });
		const { error } = await read();
		expect(error?.name).toBe('NodeApiError');
		expect(error?.message).toBe(what);
		expect(error?.description).toMatch(/^Run the node again\. \(E[A-Z_]+\)$/);
	});

	it(`asks once for ${many} items and links the results to each`, async () => {
		const items = Array.from({ length: many }, (_, index) => ({ index }));
		const { items: output, error } = await read({ items });
		expect(error).toBeUndefined();
		expect(sandbox.requests()).toHaveLength(1);
		const first = output.filter(({ pairedItem }) => (pairedItem as { item: number }).item === 0);
		expect(output).toEqual(
			items.flatMap((_, item) => first.map(({ json }) => ({ json, pairedItem: { item } }))),
		);
	});

	it('asks again in the next run, instead of remembering', async () => {
		await read();
		await read();
		expect(sandbox.requests()).toHaveLength(2);
	});

	it('asks again with Retry On Fail', async () => {
		sandbox.fault({ kind: 'serverError', times: 2 });
		const { error, items } = await read({
			node: { retryOnFail: true, maxTries: 3 },
			items: [{}, {}],
		});
		expect(error).toBeUndefined();
		expect(items.length).toBeGreaterThan(1);
		expect(sandbox.requests().map(({ status }) => status)).toEqual([500, 500, 200]);
	});

	it('does not ask more often with Batching', async () => {
		const batching = { batch: { batchSize: 1, batchInterval: 1 } };
		const { error } = await read({
			parameters: { ...parameters, requestOptions: { batching } },
			items: [{}, {}, {}],
		});
		expect(error).toBeUndefined();
		expect(sandbox.requests()).toHaveLength(1);
	});

	it('goes on with Continue On Fail, with an item for each input item that says why', async () => {
		sandbox.fault({ kind: 'serverError' });
		const { error, items } = await read({
			items: [{ a: 1 }, { a: 2 }],
			node: { onError: 'continueRegularOutput' },
		});
		expect(error).toBeUndefined();
		expect(items).toEqual(
			[0, 1].map((item) => ({
				json: {
					error: 'The service is not working at the moment',
					message: expect.stringMatching(
						/The service says: The service stumbled on demand\..* \(HTTP 500\)$/,
					),
				},
				pairedItem: { item },
			})),
		);
		expect(sandbox.requests()).toHaveLength(1);
	});

	it('uses the error output, with the input item and the linking kept', async () => {
		sandbox.fault({ kind: 'notFound' });
		const { error, items, errorItems } = await read({
			items: [{ a: 1 }, { a: 2 }],
			node: { onError: 'continueErrorOutput' },
		});
		expect(error).toBeUndefined();
		expect(items).toEqual([]);
		expect(errorItems.map(({ json, pairedItem }) => [json, pairedItem])).toEqual(
			[1, 2].map((a, item) => [
				expect.objectContaining({ a, error: 'The service does not know this address' }),
				expect.objectContaining({ item }),
			]),
		);
	});

	it('keeps the regular output regular when all is well and there is an error output', async () => {
		const { items, errorItems } = await read({ node: { onError: 'continueErrorOutput' } });
		expect(items.length).toBeGreaterThan(0);
		expect(errorItems).toEqual([]);
	});

	it.each(['none', 'domains'])(
		'works with Allowed HTTP Request Domains set to %s, whatever the domains',
		async (allowedHttpRequestDomains) => {
			for (const allowedDomains of ['', 'example.com, *.example.org', '127.0.0.1']) {
				const { error } = await read({
					credentials: { ...credentialsFor(sandbox), allowedHttpRequestDomains, allowedDomains },
				});
				expect(error).toBeUndefined();
			}
			expect(sandbox.requests()).toHaveLength(3);
		},
	);

	it('refuses a plain http address elsewhere', async () => {
		const { error } = await read({ credentials: credentialsAt('http://service.example') });
		expect(error?.message).toContain('does not start with https');
		expect(error?.description).toContain('only for localhost, 127.0.0.1');
	});

	it('repeats no key that the service repeats', async () => {
		const { url } = await startServer(({ headers }) => ({
			status: 401,
			body: { message: `Wrong key: '${String(headers['svc-sec-key'])}'` },
		}));
		const { error } = await read({
			credentials: { ...credentialsAt(url), secretKey: ' a-key-with-spaces-around-it ' },
		});
		expect(error?.description).toContain("The service says: Wrong key: '***'");
	});

	it('passes no key on that stands in an answer', async () => {
		const { url } = await startServer(({ headers }) => {
			const note = `sent with ${String(headers[authenticationHeader])}`;
			return { body: { USD: 1, note, VendorList: [{ vendorName: 'Ada', note }] } };
		});
		const { json, error } = await read({ credentials: credentialsAt(url) });
		expect(error).toBeUndefined();
		expect(json[0]).toMatchObject({ note: 'sent with ***' });
	});

	it('takes addresses with spaces and slashes around them', async () => {
		const { baseUrl, otcBaseUrl, ...rest } = credentialsFor(sandbox);
		const { error } = await read({
			credentials: {
				...rest,
				baseUrl: ` ${String(baseUrl)}// `,
				otcBaseUrl: `${String(otcBaseUrl)}/\n`,
			},
		});
		expect(error).toBeUndefined();
		expect(sandbox.requests()[0]?.path).toBe(path);
	});
});
