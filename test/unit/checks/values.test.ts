import { asNumber, asText, oneOf } from '../../../nodes/StablecoinRamp/checks/values';
import { quote } from '../../../nodes/StablecoinRamp/checks/verdict';

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
	...['', '12.', '.5', '-1', '+1', '1e3', '0x10', 'x12', '12x', '1.2.3', true, [1], null].map(
		(value) => [value, NaN],
	),
])('the number in %j is %d', (value, number) => {
	expect(asNumber(value)).toBe(number);
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
