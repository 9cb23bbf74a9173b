import { serviceSays } from '../../../client/replyWords';

it.each([
	[{ message: '[E12] no such account' }, ' The service says: [E12] no such account'],
	[{ error: { message: 'two\nlines' } }, ' The service says: two\nlines'],
	['Come back later', ' The service says: Come back later'],
	['{"message": "bro', ''],
	[' [{"USD": 15', ''],
	['\u0000\u0001packed', ''],
	['not \ufffd text', ''],
	['<!doctype html><p>Log in', ''],
	[{ status: 'failed' }, ''],
])('of %j the words are %j', (body, words) => {
	expect(serviceSays(body)).toBe(words);
});
