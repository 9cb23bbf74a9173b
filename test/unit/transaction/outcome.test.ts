import fc from 'fast-check';

import { mayHaveMoved, outcomeOf } from '../../../nodes/StablecoinRamp/submit/outcome.ts';

const answered = (statusCode: number) => outcomeOf({ statusCode, body: '' });
const unanswered = (code?: string, syscall?: string) => outcomeOf({ code, syscall, detail: '' });

it('takes any 2xx for accepted, whatever its body', () => {
	fc.assert(
		fc.property(fc.integer({ min: 200, max: 299 }), fc.anything(), (statusCode, body) => {
			expect(outcomeOf({ statusCode, body })).toBe('accepted');
		}),
	);
});

it('takes any 4xx for rejected', () => {
	fc.assert(
		fc.property(fc.integer({ min: 400, max: 499 }), (status) => {
			expect(answered(status)).toBe('rejected');
		}),
	);
});

it('takes every other status for unknown', () => {
	const others = fc
		.integer({ min: 100, max: 999 })
		.filter((status) => ![2, 4].includes(Math.floor(status / 100)));
	fc.assert(fc.property(others, (status) => expect(answered(status)).toBe('unknown')));
});

it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CERT_HAS_EXPIRED'])(
	'takes %s for not sent, since no request can have left',
	(code) => expect(unanswered(code)).toBe('notSent'),
);

it.each([
	['EHOSTUNREACH', 'connect', 'notSent'],
	['EHOSTUNREACH', 'read', 'unknown'],
	['ENETUNREACH', 'connect', 'notSent'],
	['ENETUNREACH', 'write', 'unknown'],
])('takes %s on %s for %s: a connection in use can lose its host too', (code, syscall, outcome) => {
	expect(unanswered(code, syscall)).toBe(outcome);
});

it.each([
	'ECONNRESET',
	'ECONNABORTED',
	'ETIMEDOUT',
	'EPIPE',
	'ERR_BAD_RESPONSE',
	'anything',
	undefined,
])('takes %s for unknown', (code) => expect(unanswered(code)).toBe('unknown'));

it('holds back only what the service may have', () => {
	expect(['accepted', 'unknown', 'rejected', 'notSent', undefined].map(mayHaveMoved)).toEqual([
		true,
		true,
		false,
		false,
		false,
	]);
});
