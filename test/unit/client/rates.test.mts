import {
	currencyCodes,
	currencyOptions,
	listed,
	noRateFor,
	pickRates,
	ratesIn,
} from '../../../client/rates';

const list = (body: object) => {
	const read = ratesIn(body);
	return read.ok ? read.value : read;
};

it.each([
	['USD', true],
	['USDC', true],
	['AB', true],
	['ABCDEFGHIJ', true],
	['1INCH', true],
	['USD2', true],
	['12A', true],
	['A', false],
	['ABCDEFGHIJK', false],
	['usd', false],
	['Usd', false],
	['12', false],
	['US-D', false],
	['statusCode', false],
	['STATUS', false],
	['CODE', false],
	['TIMESTAMP', false],
	['__proto__', false],
])('%s counts as a currency: %s', (name, counts) => {
	const body = JSON.parse(`{"EUR": 1, "${name}": 2}`) as object;
	expect(list(body)).toEqual(
		counts ? { rates: { EUR: 1, [name]: 2 }, leftOut: [] } : { rates: { EUR: 1 }, leftOut: [name] },
	);
});

it('leaves out what is no number above 0, names it, and does not name what nobody takes for a rate', () => {
	expect(
		list({ EUR: 1, USD: '2', GBP: null, KES: NaN, AED: 0, CAD: -1, status: 'success', data: {} }),
	).toEqual({ rates: { EUR: 1 }, leftOut: ['USD', 'GBP', 'KES', 'AED', 'CAD'] });
});

it('refuses what holds none, with the words of the service', () => {
	expect(list({ message: 'closed on Sundays' })).toEqual({
		ok: false,
		message: 'The service sent no rates',
		description:
			"It answered with an object of another shape. Open the credential and check the 'Base URL' and the 'OTC Base URL'. The service says: closed on Sundays",
	});
	expect(list({ USD: 1, status: 'failed', message: 'old ones' })).toEqual({
		ok: false,
		message: 'The service sent no rates',
		description:
			'Its answer says "failed". Try again later. If it goes on, ask the service. The service says: old ones',
	});
});

it('names twenty, and how many more there are', () => {
	const names = Array.from({ length: 23 }, (_, at) => `C${at}`);
	expect(listed(names.slice(0, 2))).toBe('C0, C1');
	expect(listed(names.slice(0, 20))).toMatch(/C18, C19$/);
	expect(listed(names)).toMatch(/C18, C19 and 3 more$/);
	expect(listed(['x'.repeat(24), 'x'.repeat(25)])).toBe(`${'x'.repeat(24)}, ${'x'.repeat(24)}…`);
});

const two = { rates: { USD: 1, EUR: 2 }, leftOut: ['GBP', 'usdt'] };

it('says which of those asked for are missing, and how', () => {
	expect(noRateFor(['EUR'], two, 'Look.')).toBeUndefined();
	expect(noRateFor(['EUR', 'ZAR', 'GBP'], two, 'Look.')).toEqual({
		ok: false,
		message: 'The service sent no rate for ZAR, GBP',
		description: 'It sent rates for USD, EUR, and no number above 0 for GBP. Look.',
	});
	expect(noRateFor(['toString'], two, 'Look.')).toMatchObject({
		description: 'It sent rates for USD, EUR. Look.',
	});
});

it('picks those asked for in their order, or all', () => {
	expect(pickRates(two, [])).toEqual({ ok: true, value: two.rates });
	const picked = pickRates(two, ['EUR', 'USD']);
	expect(picked.ok && Object.entries(picked.value)).toEqual([
		['EUR', 2],
		['USD', 1],
	]);
	expect(pickRates(two, ['ZAR'])).toMatchObject({
		ok: false,
		description: "It sent rates for USD, EUR. Change 'Currencies', or leave it empty for all.",
	});
});

it.each<[unknown, string[]]>([
	['usd, EUR ,,usd', ['USD', 'EUR']],
	[[' gbp', 'GBP'], ['GBP']],
	[null, []],
	[undefined, []],
	[5, ['5']],
	['x'.repeat(20), ['X'.repeat(20)]],
	[['x'.repeat(21)], ['a text of 21 characters']],
	[[{}], ['an object']],
])('the codes in %j are %j', (value, codes) => {
	expect(currencyCodes(value)).toEqual(codes);
});

it('offers the codes that the interface shows', () => {
	const shown = ['AED', 'CAD', 'CHF', 'CNY', 'EUR', 'GBP', 'KES', 'TRY', 'USD'];
	expect(currencyOptions).toEqual(shown.map((code) => ({ name: code, value: code })));
});
