import {
	describeBody,
	isHtml,
	mayHaveLeft,
	parseBody,
	readRetryAfter,
} from '../../../client/reply.ts';

describe('something of a request may have left', () => {
	const handshake = ['alert handshake failure'];

	it.each([
		[true, 'where nothing is known of it', {}],
		[false, 'where the host was not found', { code: 'ENOTFOUND' }],
		[false, 'where it never connected', { code: 'EHOSTUNREACH', syscall: 'connect' }],
		[true, 'where the host was lost while reading', { code: 'EHOSTUNREACH', syscall: 'read' }],
		[true, 'where the host was lost while writing', { code: 'EHOSTUNREACH', syscall: 'write' }],
		[false, 'where n8n blocked it', { causes: ['Error: x', 'SsrfBlockedIpError: x'] }],
		[true, 'where that is only mentioned', { causes: ['Error: SsrfBlockedIpError: x'] }],
		[false, 'where the handshake failed', { code: 'EPROTO', causes: handshake }],
		[true, 'where another fault has those words', { code: 'EPIPE', causes: handshake }],
	])('%s %s', (expected, _, reply) => {
		expect(mayHaveLeft({ detail: '', ...reply })).toBe(expected);
	});
});

describe('Retry-After', () => {
	const now = Date.parse('Mon, 16 Nov 2026 10:00:00 GMT');

	it.each([
		['7', 7000],
		['30', 30_000],
		[' 7 ', 7000],
		['0', 0],
		['Mon, 16 Nov 2026 10:00:30 GMT', 30_000],
		[' Mon, 16 Nov 2026 10:00:30 GMT ', 30_000],
		['Mon, 16 Nov 2026 09:59:30 GMT', 0],
		['Mon, 16 Nov 2026 10:00:30 GMT+0100', undefined],
		['on Mon, 16 Nov 2026 10:00:30 GMT', undefined],
		['Mon, 99 Nov 2026 10:00:30 GMT', undefined],
		['-1', undefined],
		['7 seconds', undefined],
		['in 7', undefined],
		['', undefined],
		['  ', undefined],
		[7, undefined],
		[['7'], undefined],
		[undefined, undefined],
	])('%j', (header, expected) => {
		expect(readRetryAfter(header, now)).toBe(expected);
	});

	it('is counted from now, where no time is given', () => {
		const inAMinute = new Date(Date.now() + 60_000).toUTCString();
		expect(readRetryAfter(inAMinute)).toBeGreaterThan(50_000);
		expect(readRetryAfter(inAMinute)).toBeLessThanOrEqual(60_000);
	});
});

it.each([
	['<!DOCTYPE html>', true],
	[' \n<html lang="en">', true],
	['<head>', true],
	['<body>', true],
	['x<html>', false],
	['it says <html>', false],
	['<b>', false],
])('%j is a page: %s', (text, expected) => {
	expect(isHtml(text)).toBe(expected);
});

it.each([
	[undefined, 'null'],
	[null, 'null'],
	['', 'an empty body'],
	[' \n', 'an empty body'],
	['<html>', 'an HTML page'],
	['hello', 'text that is not JSON'],
	[[], 'a list'],
	[{}, 'an object of another shape'],
	[7, 'a number'],
	[true, 'a boolean'],
])('the body %j is told as %s', (body, words) => {
	expect(describeBody(body)).toBe(words);
});

it.each([
	['{"a":1}', { a: 1 }],
	['{"id":12345678901234567890,"rate":1.5}', { id: '12345678901234567890', rate: 1.5 }],
	['9007199254740991', 9007199254740991],
	['1e400', Infinity],
	['[-1e20,0.5,"a \\" 12345678901234567890"]', ['-1e20', 0.5, 'a " 12345678901234567890']],
	['{"\\\\":12345678901234567890}', { '\\': '12345678901234567890' }],
	['{12345678901234567890:1}', '{12345678901234567890:1}'],
	['[00012345678901234567890]', '[00012345678901234567890]'],
	['{"a":', '{"a":'],
	[{ a: 1 }, { a: 1 }],
	[[1], [1]],
	[7, 7],
	[null, null],
	[undefined, undefined],
])('the body %j is read as %j', (body, expected) => {
	expect(parseBody(body)).toEqual(expected);
});

it('what is nested deeper than n8n can keep is left out, and the rest stays', () => {
	const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
	expect(JSON.stringify(parseBody(nested(101)))).toBe(nested(101));
	for (const levels of [102, 2300, 20_000]) {
		expect(JSON.stringify(parseBody(nested(levels)))).toBe(nested(101).replace('1', '"…"'));
	}
	const receipt = `{"id":12345678901234567890,"more":[${nested(20_000)}]}`;
	expect(parseBody(receipt)).toMatchObject({ id: '12345678901234567890' });
});
