import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { INodeParameters } from 'n8n-workflow';

import { credentialsFor, useEngine, type RunOptions } from '../support/engine/engine.mts';
import { contextsOf } from '../support/engine/outsideOfRuns.mts';
import { activateIn } from '../support/engine/trigger.mts';
import { startServer, type Answer } from '../support/servers.mts';
import { someOf } from '../support/quick.mts';

const { engine, sandbox, run } = useEngine();
const activate = activateIn(engine, sandbox);

const ada = { vendorName: 'Ada', vendorNumber: '0000000012', vendorBank: 'Bank of Ada' };
const goodRates = { USD: 1500, EUR: 1700 };
const goodVendors = { VendorList: [ada] };

const rateReads = (['object', 'items', 'row'] as const).map((output) => ({
	name: `rates as ${output}`,
	parameters: { resource: 'rate', operation: 'usdc', output } as INodeParameters,
}));
const vendorReads = (['live', 'test', 'list'] as const).map((operation) => ({
	name: `${operation} vendors`,
	parameters: { resource: 'vendor', operation } as INodeParameters,
}));

/** A service whose answer can be changed while it runs. */
async function answering(first: Answer) {
	let answer = first;
	const { url } = await startServer(() => answer);
	return {
		credentials: { ...credentialsFor(sandbox), baseUrl: url, otcBaseUrl: url },
		change: (next: Answer) => (answer = next),
	};
}

const read = async (answer: Answer, parameters: INodeParameters, extra: Partial<RunOptions> = {}) =>
	await run(parameters as RunOptions['parameters'], {
		credentials: (await answering(answer)).credentials,
		...extra,
	});

interface Odd {
	reply: string;
	answer: Answer;
	/** What it is refused with: what came out of the node is nothing. */
	says: RegExp;
}

const body = (of: unknown): Answer => ({ body: of });

const saying = (what: object, says: RegExp): Odd => ({
	reply: JSON.stringify(what),
	answer: body(what),
	says,
});

/** 200, and it failed all the same. Good values beside it do not make it true. */
const saidNo = [
	saying(
		{ statusCode: 500, message: 'database is down' },
		/Its answer says status 500\. Try again later\..* The service says: database is down/,
	),
	saying(
		{ status: 'failed', message: 'try later' },
		/says "failed"\..* The service says: try later/,
	),
	saying({ status: 'error' }, /says "error"\./),
	saying({ status: 503 }, /says status 503\./),
	saying({ status: false }, /says status false\./),
	saying({ success: false }, /says that it did not succeed\./),
	saying({ ok: 'no' }, /says "no"\./),
	saying({ Status: 'Internal Server Error' }, /says "Internal Server Error"\./),
	saying({ STATUS: 503, CODE: 7 }, /says status 503\./),
	saying({ code: 500, message: 'db' }, /says status 500\..* The service says: db/),
	saying({ status: { code: 500 } }, /says status 500\./),
	saying({ success: 'failed' }, /says "failed"\./),
	saying({ error: 'quota' }, /has an error in it\..* The service says: quota/),
	saying(
		{ error: { code: 7, message: 'quota' } },
		/has an error in it\..* The service says: quota/,
	),
	saying({ errors: ['quota'] }, /has an error in it\./),
];

/** What is neither rates nor a vendor list. */
const other: Odd[] = [
	{
		reply: '304',
		answer: { status: 304 },
		says: /nothing has changed \(304\).*a cache on the way/,
	},
	...['gzip', 'deflate', 'br', 'zstd'].map((encoding) => ({
		reply: `broken ${encoding}`,
		answer: { headers: { 'content-encoding': encoding }, body: 'this is not packed' },
		says: /could not be unpacked.*compression is damaged/,
	})),
	{ reply: '204', answer: { status: 204 }, says: /It answered with (an empty body|null)/ },
	{ reply: 'null', answer: body(null), says: /It answered with null/ },
	{ reply: 'a number', answer: body(7), says: /It answered with a number/ },
	{ reply: 'a text', answer: body('OK'), says: /text that is not JSON/ },
	{ reply: 'a page', answer: body('<!doctype html><p>Log in'), says: /an HTML page/ },
];

const noRates = [
	saying({}, /an object of another shape/),
	saying({ data: goodRates }, /an object of another shape/),
	saying({ message: 'welcome' }, /an object of another shape.* The service says: welcome/),
	saying({ usd: 1500, timestamp: 1700000000 }, /an object of another shape/),
	saying({ A: 1, ABCDEFGHIJK: 1, 'US-D': 1, 1500: 1, Usd: 1 }, /an object of another shape/),
	saying({ USD: '1500', EUR: null, GBP: {}, KES: true }, /an object of another shape/),
	saying({ USD: 0, EUR: -1 }, /an object of another shape/),
	saying({ HTTP: 200, CODE: 7, ERROR: 0 }, /an object of another shape/),
	{
		reply: 'numbers that are none',
		answer: body('{"USD": 1e999}'),
		says: /an object of another shape/,
	},
];

/** Everything that the node says of an answer, in one text. */
const said = (error: { message: string; description?: string | null } | undefined) =>
	`${error?.message} ${error?.description}`;

const withGood = ({ reply, answer, says }: Odd, good: object): Odd => ({
	reply: `${reply} beside good values`,
	answer: body({ ...good, ...(answer.body as object) }),
	says,
});

const oddRates = [...saidNo, ...other, ...noRates];
const oddVendors = [
	...saidNo,
	...other,
	...[{}, { error: 'db' }, { vendorName: {}, vendorNumber: ['1'] }].map((odd) =>
		saying({ VendorList: [odd] }, /entries that are not vendors/),
	),
];

const table = [
	{ what: 'rates', reads: rateReads, odd: oddRates, good: goodRates, beside: [goodRates] },
	{
		what: 'vendors',
		reads: vendorReads,
		odd: oddVendors,
		good: goodVendors,
		beside: [{ VendorList: [] }, goodVendors],
	},
];

const watches: Record<string, INodeParameters> = {
	rates: { event: 'rateChanged', source: 'usdc', minimumChange: 0 },
	vendors: { event: 'vendorsChanged' },
};

describe.each(table)('$what', ({ what, reads, odd, good, beside }) => {
	const besideGood = beside.flatMap((values) => saidNo.map((one) => withGood(one, values)));

	// The shape of test vendors is not documented: a number or a text is refused all the same.
	it.each(someOf([...odd, ...besideGood]))(
		'of $reply: nothing comes out, and why is said',
		async ({ answer, says }) => {
			for (const { name, parameters } of reads) {
				const { json, error } = await read(answer, parameters);
				expect([name, json, said(error)]).toEqual([name, [], expect.stringMatching(says)]);
				expect(said(error)).not.toMatch(/undefined|\[object|TypeError|could not be reached/);
			}
		},
	);

	it.each([odd[0]!, ...other])(
		'of $reply: the error output has them, and nothing else',
		async (one) => {
			const { items, errorItems } = await read(one.answer, reads[0]!.parameters, {
				items: [{}, {}],
				node: { onError: 'continueErrorOutput' },
			});
			expect([items.length, errorItems.length]).toEqual([0, 2]);
			for (const { json } of errorItems) expect(`${json.error} ${json.message}`).toMatch(one.says);
		},
	);

	it.each(odd)('of $reply: the trigger reports nothing and forgets nothing', async (one) => {
		const service = await answering(body(good));
		const trigger = activate(watches[what]!, { credentials: service.credentials });
		expect(await trigger.poll()).toBeNull();
		const stored = trigger.stored();
		service.change(one.answer);
		const thrown = await trigger.poll().catch((reason: unknown) => reason as Error);
		expect(said(thrown as Error)).toMatch(one.says);
		expect(trigger.stored()).toBe(stored);
		service.change(body(good));
		expect(await trigger.poll()).toBeNull();
	});
});

describe('the credential test', () => {
	const test = async (base: Answer, otc: Answer) => {
		const [one, other] = [await answering(base), await answering(otc)];
		const { baseUrl } = one.credentials;
		const otcBaseUrl = other.credentials.baseUrl;
		return await contextsOf(engine, {
			...credentialsFor(sandbox),
			baseUrl,
			otcBaseUrl,
		}).testCredential();
	};
	it.each(oddRates)('judges rates alike: $reply', async ({ answer, says }) => {
		const { status, message } = await test(body(goodVendors), answer);
		expect([status, message]).toEqual(['Error', expect.stringMatching(says)]);
		expect(message).toMatch(/^OTC Base URL: /);
	});

	it.each(oddVendors)('judges vendors alike: $reply', async ({ answer, says }) => {
		const { status, message } = await test(answer, body(goodRates));
		expect([status, message]).toEqual(['Error', expect.stringMatching(says)]);
		expect(message).toMatch(/^Base URL: /);
	});

	it('hides a key that the service repeats in its words', async () => {
		const { secretKey } = sandbox;
		const { message } = await test(body({ error: `bad key ${secretKey}` }), body(goodRates));
		expect(message).toContain('The service says: bad key ***');
	});
});

describe('what was left out beside good rates', () => {
	const mixed = {
		status: 'success',
		USD: 1500,
		EUR: '1700',
		GBP: null,
		usdt: 3,
		statusCode: 200,
		USDC: 1490,
	};
	const leftOut = 'EUR, GBP, usdt, statusCode';

	it('is named in items and in a row; the object has it as it came', async () => {
		const [object, items, row] = await Promise.all(
			rateReads.map(async ({ parameters }) => (await read(body(mixed), parameters)).json),
		);
		expect(object).toEqual([mixed]);
		expect(items).toMatchObject([
			{ currency: 'USD', rate: 1500, leftOut },
			{ currency: 'USDC', rate: 1490, leftOut },
		]);
		expect(Object.entries(row![0]!).slice(2)).toEqual([
			['USD', 1500],
			['USDC', 1490],
			['leftOut', leftOut],
		]);
	});

	it('is not there where nothing was, or where other currencies were asked for', async () => {
		for (const { parameters } of rateReads.slice(1)) {
			const all = await read(body({ ...goodRates, status: 'success' }), parameters);
			const some = await read(body(mixed), { ...parameters, currencies: ['USD'] });
			expect(JSON.stringify([all.json, some.json])).not.toContain('leftOut');
		}
	});

	it('is told from what was not sent at all', async () => {
		const { error } = await read(body(mixed), {
			...rateReads[0]!.parameters,
			currencies: ['USD', 'EUR', 'KES'],
		});
		expect(error?.message).toBe('The service sent no rate for EUR, KES');
		expect(error?.description).toMatch(
			/^It sent rates for USD, USDC, and no number above 0 for EUR\. Change 'Currencies'/,
		);
	});
});

it('reads what is packed as it should be', async () => {
	for (const [encoding, pack] of [
		['gzip', gzipSync],
		['br', brotliCompressSync],
	] as const) {
		const packed = pack(JSON.stringify(goodRates));
		const { json } = await read(
			{ headers: { 'content-encoding': encoding }, body: packed },
			rateReads[0]!.parameters,
		);
		expect(json).toEqual([goodRates]);
	}
});

it('says of every item when the answer came, not when it was asked for or the item was made', async () => {
	let answered = Infinity;
	const { url } = await startServer(async () => {
		await new Promise((resolve) => setTimeout(resolve, 100));
		answered = Date.now();
		return body(goodRates);
	});
	const { json } = await run(
		{
			...rateReads[2]!.parameters,
			requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 1500 } } },
		} as RunOptions['parameters'],
		{ credentials: { ...credentialsFor(sandbox), baseUrl: url }, items: [{}, {}, {}] },
	);
	const times = new Set(json.map(({ fetchedAt }) => Date.parse(String(fetchedAt))));
	expect([json.length, times.size]).toEqual([3, 1]);
	const [time] = [...times];
	expect(time).toBeGreaterThanOrEqual(answered);
	// The last item is made three seconds after the first: even a slow answer is there long before.
	expect(time).toBeLessThan(Date.now() - 500);
});

it.each([...rateReads, ...vendorReads])(
	'gives each item an object of its own: $name',
	async ({ parameters }) => {
		const answer = body(parameters.resource === 'rate' ? goodRates : goodVendors);
		const { items } = await read(answer, parameters, { items: [{}, {}] });
		const objects = items.map(({ json }) => json);
		expect(objects.length).toBeGreaterThanOrEqual(2);
		expect(new Set(objects).size).toBe(objects.length);
		objects[0]!.changed = true;
		expect(objects.slice(1).some(({ changed }) => changed)).toBe(false);
	},
);

it('shares nothing that lies deeper either', async () => {
	const deep = { VendorList: [{ ...ada, limits: { day: 5 } }] };
	const { items } = await read(body(deep), vendorReads[0]!.parameters, { items: [{}, {}] });
	const [one, other] = items.map(({ json }) => json.limits);
	expect(one).toEqual(other);
	expect(one).not.toBe(other);
});

it('passes no key on that is the name of something', async () => {
	const { secretKey } = sandbox;
	const upper = 'SECRET0KEY';
	const keys = { USD: 1, [secretKey]: 5, [upper]: 7, nested: { [secretKey]: 1 } };
	for (const { parameters } of rateReads) {
		const { json } = await read(body(keys), parameters);
		expect(JSON.stringify(json)).not.toContain(secretKey);
	}
	const list = { VendorList: [{ ...ada, [secretKey]: 1 }] };
	for (const { parameters } of vendorReads) {
		const { json } = await read(body(list), parameters);
		expect(json).toEqual([{ ...ada, '***': 1 }]);
	}
	const short = { ...credentialsFor(sandbox), secretKey: upper };
	const { credentials } = await answering(body(keys));
	const { json } = await run(rateReads[1]!.parameters as RunOptions['parameters'], {
		credentials: { ...credentials, secretKey: short.secretKey },
	});
	expect(json.map(({ currency }) => currency)).toEqual(['USD']);
});
