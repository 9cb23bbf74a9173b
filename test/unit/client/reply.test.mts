import {
	describeBody,
	isHtml,
	mayHaveLeft,
	parseBody,
	readRetryAfter,
} from '../../../client/reply.ts';

describe('whether something of a request may have left', () => {
	const detail = '';

	it.each([
		['nothing is known of it', { detail }, true],
		['the host was not found', { detail, code: 'ENOTFOUND' }, false],
		[
			'the host was lost while it was read from',
			{ detail, code: 'EHOSTUNREACH', syscall: 'read' },
			true,
		],
		[
			'the host was lost while it was written to',
			{ detail, code: 'EHOSTUNREACH', syscall: 'write' },
			true,
		],
		['it never connected', { detail, code: 'EHOSTUNREACH', syscall: 'connect' }, false],
		['n8n blocked it', { detail, causes: ['Error: x', 'SsrfBlockedIpError: x'] }, false],
		[
			'something of that name was only mentioned',
			{ detail, causes: ['Error: SsrfBlockedIpError: x'] },
			true,
		],
		[
			'the handshake failed',
			{ detail, code: 'EPROTO', causes: ['alert handshake failure'] },
			false,
		],
		[
			'another fault had those words',
			{ detail, code: 'EPIPE', causes: ['alert handshake failure'] },
			true,
		],
	])('%s', (_, reply, expected) => {
		expect(mayHaveLeft(reply)).toBe(expected);
	});
});

describe('Retry-After', () => {
	const now = Date.parse('Mon, 16 Nov 2026 10:00:00 GMT');

	it.each([
		['7', 7000],
		[' 7 ', 7000],
		['0', 0],
		['Mon, 16 Nov 2026 10:00:30 GMT', 30_000],
		[' Mon, 16 Nov 2026 10:00:30 GMT ', 30_000],
		['Mon, 16 Nov 2026 09:59:30 GMT', 0],
		['Mon, 16 Nov 2026 10:00:30 GMT+0100', undefined],
		['on Mon, 16 Nov 2026 10:00:30 GMT', undefined],
		['x Mon, 16 Nov 2026 10:00:30 GMT', undefined],
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

	it('is counted from now', () => {
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

describe('a body is read', () => {
	const list = [1];

	it.each([
		['{"a":1}', { a: 1 }],
		[
			'{"id":12345678901234567890,"rate":1.5,"text":"x"}',
			{ id: '12345678901234567890', rate: 1.5, text: 'x' },
		],
		['9007199254740991', 9007199254740991],
		['1e400', Infinity],
		['{"a":', '{"a":'],
		[{ a: 1 }, { a: 1 }],
		[7, 7],
		[null, null],
		[undefined, undefined],
	])('%j', (body, expected) => {
		expect(parseBody(body)).toEqual(expected);
	});

	it('as it is, where it is no text', () => {
		expect(parseBody(list)).toBe(list);
	});
});
