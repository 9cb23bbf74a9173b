import fc from 'fast-check';

import { checkAmount, parseAmount } from '../../../nodes/StablecoinRamp/checks/amount';
import { times } from '../../support/quick.mts';

const each = (texts: string[], why: string) =>
	texts.map((text): [string, string] => [text, `'Amount' is ${JSON.stringify(text)}, ${why}`]);

describe('an amount', () => {
	it.each([
		[15000, 15000],
		['15000', 15000],
		[' 15000.50 ', 15000.5],
		['015000', 15000],
		['0.000001', 0.000001],
		['15000.00000000000000000000', 15000],
		['15.00', 15],
		['1500.000', 1500],
		['0.125', 0.125],
		[15.125, 15.125],
		['15.0000', 15],
		['01.500', 1.5],
		['000000000000000015000', 15000],
		['999999999999999', 999999999999999],
		['123456789012.345', 123456789012.345],
		['0.00000000000000000000012', 1.2e-22],
	])('%j is read as %d', (value, amount) => {
		expect(parseAmount(value)).toEqual({ ok: true, value: amount });
	});

	it.each([
		...each(['0x10', '0b1', '0o7', '0X1F'], 'which is not in decimal notation'),
		...each(
			['1e5', '-1e5', '+1e5', '1E5', '1.5e12', '1e-5', '1e+5', '15e3'],
			'which is in scientific notation',
		),
		...each(
			['15,000', '15.000,50', '15 000', '15_000', "15'000", '15’000', '15, 000', '1 500 000'],
			'which has a separator between its digits',
		),
		...each(
			['₦15000', '$15000', '€15000', '£15000', '15000 NGN', '15000 ngn', '15000 Naira'],
			'which has a currency in it',
		),
		...each(
			['15.', '.5', '-.5', '+.5', '.55', '-15.', '+15.', '150.'],
			'which has a dot with no digits on one side',
		),
		...each(['+15000'], 'which has a plus sign'),
		...each(
			['10x1', '1e5x', 'x1e5', '*1e5', '1e*5', '1e', 'e5', 'a,b', ',5', 'x.5', '.5x', 'x5.', '5.x'],
			'which is not a number',
		),
		...each(['1.2.3', '..5', '5..', '--5', '1+1', '+x', '-', '.'], 'which is not a number'),
		...each(['fifteen', '１５０００'], 'which is not a number'),
		...each(
			['15.000', '150.000', '-15.000', '1.234'],
			'which can be read as thousands or as decimals',
		),
		...each(
			['1234567890123.456', '1000000000000000', '-1234567890123456', '1.100000000000001'],
			'which has too many digits to be sent exactly',
		),
		...each(
			['9007199254740993', '99999999999999.25'],
			'which has too many digits to be sent exactly',
		),
		...each(['-1', '-999999999999999'], 'not above zero'),
		['', `'Amount' is empty`],
		['  ', `'Amount' is empty`],
		[null, `'Amount' is empty`],
		[undefined, `'Amount' is empty`],
		[NaN, `'Amount' is "NaN", which is not a number`],
		[true, `'Amount' is true, not a number`],
		[[15000], `'Amount' is a list, not a number`],
		[{ amount: 15000 }, `'Amount' is an object, not a number`],
		[0, `'Amount' is "0", not above zero`],
		[' 1.500 ', `'Amount' is "1.500", which can be read as thousands or as decimals`],
	])('%j is refused: %s', (value, message) => {
		expect(parseAmount(value)).toMatchObject({ ok: false, message });
	});

	it.each([
		...['', true, '15,000', '15.000'].map((value) => [
			value,
			"Write 'Amount' in digits, with a dot before any decimals, e.g. 15000 or 15000.50",
		]),
		['0', "Set 'Amount' to more than 0"],
		['9007199254740993', "Set 'Amount' to a number of at most 15 digits"],
	])('%j is refused with what to do next: %s', (value, description) => {
		expect(parseAmount(value)).toMatchObject({ description });
	});

	it.each([9007199254740992, 99999999999999.25, 1e20, 1e21, 1e-7, -1, 0, NaN, Infinity])(
		'%d is refused as a number in the same words as its text',
		(value) => {
			expect(parseAmount(value)).toMatchObject({ ok: false });
			expect(parseAmount(value)).toEqual(parseAmount(String(value)));
		},
	);

	it.each(['15000.125', 15000.125, 0.005, '15000.1250'])(
		'%j is refused as money, which has two decimals',
		(value) => {
			expect(parseAmount(value).ok).toBe(true);
			expect(checkAmount(value, { asMoney: true })).toMatchObject({
				message: expect.stringMatching(/^'Amount' is .*, which has more than 2 decimals$/),
				description: "Round 'Amount' to 2 decimals, e.g. with {{ $json.amount.round(2) }}",
			});
		},
	);

	it.each(['15000.10', '15000.1200', ' 15000.12 ', 15000.99, 15000])('%j is money', (value) => {
		expect(checkAmount(value, { asMoney: true })).toEqual({ ok: true, value: Number(value) });
	});

	it('that is no number is refused for that, whatever else is asked of it', () => {
		expect(checkAmount('1.2345x', { asMoney: true, minimum: 15000, maximum: 1 })).toEqual(
			parseAmount('1.2345x'),
		);
	});

	it('below the minimum or above the maximum is refused, with what to do', () => {
		expect(checkAmount('14999.99', { minimum: 15000 })).toEqual({
			ok: false,
			message: `'Amount' is 14999.99, below the minimum of 15000`,
			description: "Set 'Amount' to 15000 or more",
		});
		expect(checkAmount(20001, { minimum: 15000, maximum: 20000 })).toEqual({
			ok: false,
			message: `'Amount' is 20001, above the 'Maximum Amount' of 20000`,
			description: "Lower 'Amount', or raise 'Maximum Amount' in Options",
		});
	});

	it('on the minimum or the maximum is accepted', () => {
		expect(checkAmount(15000, { minimum: 15000, maximum: 15000 })).toEqual({
			ok: true,
			value: 15000,
		});
	});

	it('that is accepted is finite, above zero, within the limits, and says what was written', () => {
		const written = fc.oneof(
			fc.anything(),
			fc.double(),
			fc.string({ unit: fc.constantFrom(...'0123456789.,-+eExX \n'), maxLength: 25 }),
		);
		fc.assert(
			fc.property(written, (value) => {
				const result = checkAmount(value, { minimum: 1, maximum: 1e9 });
				if (!result.ok) {
					expect(result.message).toMatch(/^'Amount' is /);
					return;
				}
				expect(result.value).toBeGreaterThanOrEqual(1);
				expect(result.value).toBeLessThanOrEqual(1e9);
				const bare = String(value).trim();
				if (typeof value === 'string') expect(bare).toMatch(/^\d+(\.\d+)?$/);
				expect(Number(bare)).toBe(result.value);
			}),
			{ numRuns: times(2000) },
		);
	});

	it('of up to 15 digits reaches the service with exactly the digits that were written', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 10 ** 13 - 1 }), fc.nat(99), (whole, decimals) => {
				const text = `${whole}.${String(decimals).padStart(2, '0')}`;
				const result = parseAmount(text);
				expect(result.ok && result.value.toFixed(2)).toBe(text);
			}),
		);
	});

	it('never brings a long text, which can be a secret, into the refusal', () => {
		fc.assert(
			fc.property(fc.string({ minLength: 21 }), (text) => {
				fc.pre(text.trim().length > 20);
				expect(parseAmount(text)).toMatchObject({
					message: expect.stringMatching(/^'Amount' is a text of \d+ characters, /),
				});
			}),
		);
	});
});
