import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { buyRequestFields, sellRequestFields } from '../support/interface.mts';
import { credentialsFor, useEngine, type Ran } from '../support/engine/engine.mts';
import { someOf } from '../support/quick.mts';
import { expectNoSecret } from '../support/engine/secrets.mts';
import { fromItem, listed, operations, submitting } from '../support/transactions.mts';

const { engine, sandbox } = useEngine();

/** What an item may bring along where a person expects a short text or a number. */
const hostile: Record<string, unknown> = {
	'__proto__ as text': '__proto__',
	'constructor as text': 'constructor',
	'toString as text': 'toString',
	'hasOwnProperty as text': 'hasOwnProperty',
	'an object': { a: 1 },
	'an object with an own __proto__': JSON.parse('{"__proto__": {"polluted": true}}'),
	'an object that cannot become text': { toString: 1, valueOf: 1 },
	'a list': ['a', ['b']],
	'an empty list': [],
	'a list of objects that cannot become text': [{ toString: 1, valueOf: 1 }],
	null: null,
	true: true,
	false: false,
	'a negative number': -1,
	'a very large number': 1e300,
	'a very small number': 1e-300,
	'a huge text': 'x'.repeat(1_000_000),
	'a text of 501 characters': 'y'.repeat(501),
	emoji: '👩‍👩‍👧‍👦🏳️‍🌈',
	'control characters': '\u0000\u0007\u001b[31m\u007f',
	'line breaks': 'a\r\nsvc-sec-key: other\r\n\r\n{}',
	'half a surrogate pair': '\ud800',
	'right-to-left override': '\u202e0123456789',
	'an expression': '={{ $credentials.secretKey }}',
	'a template': '${process.env.HOME} {{ 7*7 }} <%= 1 %> #{1}',
	'an expression in braces': '{{ $json.constructor.constructor("return process")() }}',
	'a query': "'; DROP TABLE vendors; --",
	'a path': '../../../../etc/passwd',
	'an address': 'https://elsewhere.example/',
	markup: '<script>alert(1)</script>',
	'white space': ' \t\n\u00a0\ufeff ',
	'not a number': 'NaN',
	infinity: 'Infinity',
	hexadecimal: '0x10',
	'a thousands separator': '15,000',
	'digits of another script': '١٥٠٠٠',
};

const cases = someOf(Object.entries(hostile));

function expectPlainWords({ error, items, run }: Ran): void {
	expectNoSecret(run, sandbox.secretKey);
	const words = [error?.message, error?.description, ...items.map(({ json }) => json.error)];
	for (const text of words.filter((word) => typeof word === 'string')) {
		expect(text).not.toMatch(
			/TypeError|RangeError|undefined|\[object|is not a function|Cannot (read|convert)|null\b.*properties/,
		);
		expect((text as string).length).toBeLessThan(5000);
	}
	if (error) expect(error.name).toMatch(/^Node(Api|Operation)Error$/);
}

const run = async (parameters: INodeParameters, item: Record<string, unknown>): Promise<Ran> => {
	const ran = await engine.run({
		parameters,
		credentials: credentialsFor(sandbox),
		items: [item as IDataObject],
	});
	expectPlainWords(ran);
	return ran;
};

it('has not been polluted', () => {
	expect(({} as IDataObject).polluted).toBeUndefined();
});

describe.each(operations)('a %s', (operation) => {
	const texts = [
		'amount',
		'bankName',
		'accountNumber',
		'accountName',
		'network',
		'walletAddress',
		'reference',
		...(operation === 'buy' ? ['vendorName', 'vendorBank', 'vendorNumber'] : ['type']),
	];
	const known = operation === 'buy' ? buyRequestFields : sellRequestFields;
	const types = Object.fromEntries(known.map(({ name, type }) => [name, type]));

	const expectContractKept = () => {
		for (const { method, path, host, body } of sandbox.requests()) {
			expect([method, host, path]).toEqual(['POST', 'base', expect.stringMatching(/ramp$/)]);
			for (const [name, value] of Object.entries(body as IDataObject)) {
				expect([name, typeof value]).toEqual([name, types[name] ?? 'string']);
				if (typeof value === 'string') expect(value.length).toBeLessThanOrEqual(500);
				if (typeof value === 'number') expect(Number.isFinite(value) && value > 0).toBe(true);
			}
		}
	};

	it.each(cases)('keeps to the contract with %s in any field', async (_, value) => {
		for (const checks of ['strict', 'off']) {
			for (const name of texts) {
				const parameters = { ...fromItem(name), options: { checks } };
				await run(submitting(operation, parameters), { [name]: value });
			}
		}
		expectContractKept();
	});

	it.each(cases)('keeps to the contract with %s in its options', async (_, value) => {
		const names = [
			'checks',
			'dryRun',
			'ifAlreadySubmitted',
			'maximumAmount',
			'maximumTotal',
			'parallelRequests',
			'businessId',
			'linkTag',
		];
		for (const name of names) {
			await run(submitting(operation, { options: fromItem(name) }), { [name]: value });
		}
		expectContractKept();
	});

	it('does not evaluate what an item brings along', async () => {
		const accountName = '={{ 7 * 7 }} {{ $json.reference }}';
		const item = { accountName, reference: 'secret' };
		await run(submitting(operation, fromItem('accountName')), item);
		expect(sandbox.requests()[0]?.body).toMatchObject({ account_name: accountName });
	});

	it('sends names as people write them', async () => {
		const accountName = "Ọlá O'Brien-Ńwọ́gù 👋";
		await run(submitting(operation, fromItem('accountName')), { accountName });
		expect(sandbox.transactions()[0]?.request.account_name).toBe(accountName);
	});
});

it.each(cases)('a buy looks for no vendor called %s outside of the list', async (_, value) => {
	const vendors: INodeParameters[] = [
		listed('={{ $json.value }}'),
		{ vendorSource: 'live', vendor: '={{ $json.value }}' },
		{ vendorSource: '={{ $json.value }}', vendor: '0011223344' },
	];
	for (const vendor of vendors) {
		const { error } = await run(submitting('buy', vendor), { value });
		expect(error).toBeDefined();
	}
	expect(sandbox.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
});

it.each(cases)('reading rates survives %s as Output or Currencies', async (_, value) => {
	for (const name of ['output', 'currencies']) {
		await run({ resource: 'rate', operation: 'usdc', ...fromItem(name) }, { [name]: value });
	}
	expect(sandbox.requests().every(({ method }) => method === 'GET')).toBe(true);
});

it.each(cases)('a sell survives %s in Request Options', async (_, value) => {
	for (const name of ['timeout', 'proxy', 'allowUnauthorizedCerts', 'batching']) {
		await run(submitting('sell', { requestOptions: fromItem(name) }), { [name]: value });
	}
});
