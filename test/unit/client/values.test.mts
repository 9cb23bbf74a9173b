import { asLimit, asNumber, asText, asTimeout, oneOf } from '../../../client/values';
import { quote } from '../../../client/refusal';

it.each([
	['as it is ', 'as it is '],
	[5, '5'],
	[true, ''],
	[null, ''],
	[['x'], ''],
])('the text of %j is %j', (value, text) => {
	expect(asText(value)).toBe(text);
});

it.each([
	[5, 5],
	['5', 5],
	[' 12.55 ', 12.55],
	[0.0000001, 1e-7],
	['1e-7', 1e-7],
	['1.5E+3', 1500],
	['1e10', 1e10],
	['0e0', 0],
	['0.00', 0],
	...['', '12.', '.5', '-1', '+1', '1e', 'e3', '0x10', 'x12', '12x', '1.2.3', true, [1], null].map(
		(value) => [value, NaN],
	),
	// What cannot be held would be no limit at all.
	...['1e999', '1e-999', '0.1e-400', Infinity, NaN, -1].map((value) => [value, NaN]),
])('the number in %j is %d', (value, number) => {
	expect(asNumber(value)).toBe(number);
});

it.each([
	[undefined, Infinity],
	[0, Infinity],
	['0', Infinity],
	[0.5, 0.5],
	[' 20000 ', 20000],
])('a limit of %j is %d', (value, limit) => {
	expect(asLimit("'Most'", value)).toEqual({ ok: true, value: limit });
});

it.each([
	['', '""'],
	[null, 'empty'],
	[-1, '-1'],
	['a lot', '"a lot"'],
])('a limit of %j is refused, and not taken for none', (value, is) => {
	expect(asLimit("'Most'", value)).toEqual({
		ok: false,
		message: `'Most' is ${is}, not a number`,
		description: "Set 'Most' in Options to a number, or take it out",
	});
});

it.each([
	[undefined, 30],
	[0, 30],
	['0', 30],
	[1, 1],
	['50', 50],
	[100, 100],
])('a Timeout of %j is %d', (value, milliseconds) => {
	expect(asTimeout(value, 30, 100)).toEqual({ ok: true, value: milliseconds });
});

it.each([
	[101, '101'],
	[0.5, '0.5'],
	[-1, '-1'],
	['soon', '"soon"'],
	[[5], 'a list'],
	[null, 'empty'],
	['', '""'],
	[false, 'false'],
	[NaN, 'NaN'],
])('a Timeout of %j is refused, and says what it may be', (value, is) => {
	expect(asTimeout(value, 30, 100, ': so much')).toEqual({
		ok: false,
		message: `'Timeout' in Request Options is ${is}`,
		description:
			"Set 'Timeout' under Request Options in Settings to a number of milliseconds, e.g. 60000, or take it out. At most 100: so much",
	});
});

it('a choice is one of those that are allowed, or is refused with all of them', () => {
	expect(oneOf("'Size'", 'big', ['small', 'big'])).toEqual({ ok: true, value: 'big' });
	expect(oneOf("'Size'", 'huge', ['small', 'big'])).toEqual({
		ok: false,
		message: '\'Size\' is "huge", which is none of small, big',
		description: "Set 'Size' to one of small, big",
	});
});

it.each([
	['x'.repeat(20), `"${'x'.repeat(20)}"`],
	['x'.repeat(21), 'a text of 21 characters'],
	['"', '"\\""'],
	[null, 'empty'],
	[undefined, 'empty'],
	[[], 'a list'],
	[{}, 'an object'],
	[5, '5'],
	[false, 'false'],
])('%j is quoted as %s', (value, words) => {
	expect(quote(value)).toBe(words);
});
