import { doubtAbout } from '../../../nodes/StablecoinRamp/resources/transaction/answer.ts';
import { isAboutItem, judge, outcomeOf } from '../../../nodes/StablecoinRamp/submit/judge.ts';
import type { Setback } from '../../../nodes/StablecoinRamp/submit/result.ts';
import { parseBody } from '../../../client/reply.ts';
import { operations } from '../../support/transactions.mts';

const good = { status: 'success', transaction: { transaction_id: 'T-1' } };
const rejected = [400, 401, 403, 404, 405, 407, 413, 415, 422, 429];
const aboutTheItem = [400, 405, 407, 413, 415, 422];
const isObjectBody = (body: unknown) => typeof body === 'object';
const isSuccess = (status: number) => status >= 200 && status <= 299;

describe.each(operations)('a %s', (operation) => {
	it.each([
		['a body that says that it was accepted', good],
		['no body', ''],
		['a body that names nothing', { id: 'request-1', message: 'Amount is too low' }],
		['words of one that is there', 'Amount taken already: T-0'],
	])('has the outcome of the table for every status from 100 to 599, with %s', (_, body) => {
		const isThere = (status: number) =>
			body === good || (/already/.test(String(body)) && aboutTheItem.includes(status));
		const outcomes = (status: number) => {
			if (rejected.includes(status)) return isThere(status) ? 'unknown' : 'rejected';
			return isSuccess(status) && (body === good || (isObjectBody(body) && operation === 'sell'))
				? 'accepted'
				: 'unknown';
		};
		const statuses = Array.from({ length: 500 }, (__, index) => 100 + index);
		const expected = statuses.map((status) => [status, outcomes(status)]);
		const told = statuses.map((statusCode) => [
			statusCode,
			outcomeOf({ statusCode, body }, operation),
		]);
		expect(told).toEqual(expected);
	});

	it('is spoken of by yes and by most refusals, and by nothing else', () => {
		const speaks = (statusCode: number, body: unknown) =>
			isAboutItem({ statusCode, body } as never, operation);
		const about = [200, 400, 401, 403, 404, 405, 407, 413, 415, 422, 429, 408, 500, 302];
		expect(about.filter((status) => speaks(status, good))).toEqual([200, ...aboutTheItem]);
		expect(speaks(200, { status: 'failed' })).toBe(false);
		expect(speaks(200, '')).toBe(false);
	});
});

const yes = 'accepted';
const no = 'unknown';

/** What a 200 with this body means for a buy, and for a sell, whose answer is not documented. */
it.each<[body: string, buy: string, sell: string]>([
	['{"status":"success","message":"ok","transaction":{"transaction_id":"1"}}', yes, yes],
	['{"transaction":{"reference":"order-1"}}', yes, yes],
	['{"status":"pending","transaction":{"transaction_id":"1"}}', yes, yes],
	['{"status":200,"success":true,"error":null,"transaction":{"transaction_id":"1"}}', yes, yes],
	['{"transaction_id":"1"}', no, yes],
	['{"message":"Payout initiated"}', no, yes],
	['{"message":"Payout declined by bank"}', no, no],
	['{"id":"request-1","message":"Transaction failed: no balance"}', no, no],
	['{"status":"completed","message":"Declined by bank","data":{"payout_id":"7"}}', no, no],
	['{"status":"could not be processed","transaction":{"id":7}}', no, no],
	['{"status":"got it","message":"It failed: x","transaction":{"transaction_id":0}}', no, no],
	['{"status":"OK","id":"request-1","message":"It failed: x"}', no, no],
	['{"status":200,"message":"Declined by bank","data":{"id":7}}', no, no],
	['{"status":true,"message":"Declined by bank","transaction":{"id":7}}', no, no],
	['{"status":" ","message":"Declined by bank","transaction":{"id":7}}', no, no],
	['{"status":"done","message":"It failed: x","transaction":{"reference":"order-1"}}', no, no],
	['{"status":"done","message":"The one before failed: x","transaction":{"id":"1"}}', yes, yes],
	['{"transaction":{}}', no, yes],
	['{"transaction":"1"}', no, yes],
	['{"data":{"payout_id":"7"}}', no, yes],
	['{"data":{"status":"failed"}}', no, no],
	['{}', no, yes],
	['{"status":"failed"}', no, no],
	['{"status":" Declined ","transaction":{"transaction_id":"1"}}', no, no],
	['{"status":"error","message":"later"}', no, no],
	['{"status":"rejected"}', no, no],
	['{"status":500,"transaction":{"transaction_id":"1"}}', no, no],
	['{"success":false,"transaction":{"transaction_id":"1"}}', no, no],
	['{"transaction":{"transaction_id":"1","status":"FAILED"}}', no, no],
	['{"error":{"code":7},"transaction":{"transaction_id":"1"}}', no, no],
	['<html><title>Sign in</title></html>', no, no],
	['', no, no],
	['   ', no, no],
	['null', no, no],
	['true', no, no],
	['"accepted"', no, no],
	['[{"transaction":{"transaction_id":"1"}}]', no, no],
	['{"status":"success","transaction":{"transaction_id":', no, no],
])('takes a 200 with %s for %s in a buy and for %s in a sell', (text, buy, sell) => {
	const reply = { statusCode: 200, body: parseBody(text) };
	expect([outcomeOf(reply, 'buy'), outcomeOf(reply, 'sell')]).toEqual([buy, sell]);
});

const words =
	'fail failed failure error declined denied rejected refused invalid unsuccessful canceled cancelled false';
const unlike = ['no error', 'xfail', 'without failures', 'badge', ''];

it('takes a word for a no where it begins or ends like one', () => {
	const says = (status: string) => outcomeOf({ statusCode: 200, body: { status } }, 'sell');
	expect(words.split(' ').filter((word) => says(word) !== no)).toEqual([]);
	expect(words.split(' ').filter((word) => says(` ${word.toUpperCase()} `) !== no)).toEqual([]);
	expect(unlike.filter((word) => says(word) !== yes)).toEqual([]);
});

it.each<[body: object, doubt: string | undefined]>([
	[{ status: 'Failed' }, 'which says "Failed"'],
	[{ status: false }, 'which says status false'],
	[{ status: 400 }, 'which says status 400'],
	[{ status: '500' }, 'which says status 500'],
	[{ status: 399 }, undefined],
	[{ status: true }, undefined],
	[{ success: false }, 'which says that it did not succeed'],
	[{ success: 'false' }, 'which says "false"'],
	[{ success: 'true' }, undefined],
	[{ success: 'False' }, 'which says "False"'],
	[{ success: '0' }, 'which says that it did not succeed'],
	[{ success: 'N' }, 'which says that it did not succeed'],
	[{ isSuccess: false }, 'which says that it did not succeed'],
	[{ Status: 'Failed', Message: 'Insufficient balance' }, 'which says "Failed"'],
	[{ STATUS: 'ERROR' }, 'which says "ERROR"'],
	[{ Error: 'Insufficient balance' }, 'which has an error in it'],
	[{ errorMessage: 'Insufficient balance' }, 'which has an error in it'],
	[{ error_code: '51' }, 'which has an error in it'],
	[{ error_code: '00', errorMessage: 'none' }, undefined],
	[{ status: 'failed: no balance' }, 'which says "failed: no balance"'],
	[{ status: 'Failed to process' }, 'which says "Failed to process"'],
	[{ status: 'unauthorized' }, 'which says "unauthorized"'],
	[{ status: 'NOT_OK' }, 'which says "NOT_OK"'],
	[{ result: 'failed' }, 'which says "failed"'],
	[{ code: 500 }, 'which says status 500'],
	[{ code: 60234 }, undefined],
	[{ status: { code: 500 } }, 'which says status 500'],
	[{ data: { transaction: { status: 'Declined by bank' } } }, 'which says "Declined by bank"'],
	[{ success: 0 }, 'which says that it did not succeed'],
	[{ success: 1 }, undefined],
	[{ ok: false }, 'which says that it did not succeed'],
	[{ ok: 'no' }, 'which says "no"'],
	[{ ok: 'not known' }, undefined],
	[{ status: 'Failed.' }, 'which says "Failed."'],
	[{ status: { toString: 1, valueOf: 1 } }, undefined],
	[{ errors: ['late'] }, 'which has an error in it'],
	[{ errors: { amount: 'low' } }, 'which has an error in it'],
	[{ errors: 'no' }, 'which has an error in it'],
	[{ errors: 0 }, undefined],
	[{ errors: [] }, undefined],
	[{ errors: {} }, undefined],
	[{ errors: null }, undefined],
	[{ data: { transaction: { status: 'failed' } } }, 'which says "failed"'],
	[{ error: 'later' }, 'which has an error in it'],
	[{ error: 0 }, 'which has an error in it'],
	[{ error: null }, undefined],
	[{ error: false }, undefined],
	[{ error: '' }, undefined],
	[{ data: { error: {} } }, 'which has an error in it'],
	[{ transaction: { success: false } }, 'which says that it did not succeed'],
	[{ data: [{ error: 1 }], transaction: 'none' }, undefined],
	[['x'], 'which is not a JSON object'],
])('of %j it says: %s', (body, doubt) => {
	expect(doubtAbout(body, 'sell')).toBe(doubt);
	const doubtOfBuy = doubt ?? 'which has no transaction in it';
	expect(doubtAbout(body, 'buy')).toBe(doubtOfBuy);
});

const unanswered = (code?: string, syscall?: string) =>
	operations.map((operation) => outcomeOf({ code, syscall, detail: '' }, operation));
const both = (outcome: string) => operations.map(() => outcome);

it.each([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'CERT_HAS_EXPIRED',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])('takes %s for not sent, since no request can have left', (code) =>
	expect(unanswered(code)).toEqual(both('notSent')),
);

const before = 'Client network socket disconnected before secure TLS connection was established';
const alert = '40D7:error:0A000410:SSL routines:ssl3_read_bytes:ssl/tls alert';

it.each([
	['ECONNRESET', `Error: ${before}`, 'notSent'],
	['ECONNRESET', 'Error: read ECONNRESET', 'unknown'],
	['ETIMEDOUT', `Error: ${before}`, 'unknown'],
	['EPROTO', `Error: write EPROTO ${alert} handshake failure:rec_layer_s3.c:1`, 'notSent'],
	['EPROTO', `Error: write EPROTO ${alert} protocol version:rec_layer_s3.c:1`, 'notSent'],
	[
		'EPROTO',
		'Error: write EPROTO x:SSL routines:tls_validate_record_header:wrong version number:',
		'notSent',
	],
	[
		'EPROTO',
		'Error: write EPROTO x:SSL routines:tls13_validate_record_header:wrong version number:',
		'unknown',
	],
	['EPROTO', `Error: write EPROTO ${alert} certificate required:rec_layer_s3.c:1`, 'unknown'],
	['EPROTO', `Error: write EPROTO ${alert} bad record mac:rec_layer_s3.c:1`, 'unknown'],
	['constructor', 'Error: ', 'unknown'],
	[undefined, 'SsrfBlockedIpError: 10.0.0.1 is not allowed', 'notSent'],
	[undefined, 'SsrfBlockedHostnameError: localhost is not allowed', 'notSent'],
	[undefined, 'Error: SsrfBlockedIpError: somebody says so', 'unknown'],
])('takes %s with "%s" for %s', (code, cause, outcome) => {
	const reply = { code, syscall: 'write', causes: ['NodeApiError: away', cause], detail: '' };
	expect(operations.map((operation) => outcomeOf(reply, operation))).toEqual(both(outcome));
});

it.each([
	['EHOSTUNREACH', 'connect', 'notSent'],
	['EHOSTUNREACH', 'read', 'unknown'],
	['EHOSTUNREACH', 'write', 'unknown'],
	['ENETUNREACH', 'connect', 'notSent'],
	['ENETUNREACH', 'write', 'unknown'],
])('takes %s on %s for %s: a connection in use can lose its host too', (code, syscall, outcome) => {
	expect(unanswered(code, syscall)).toEqual(both(outcome));
});

it.each([
	'ECONNRESET',
	'ECONNABORTED',
	'ETIMEDOUT',
	'EPIPE',
	'EPROTO',
	'ERR_BAD_RESPONSE',
	'anything',
	undefined,
])('takes %s for unknown', (code) => expect(unanswered(code)).toEqual(both('unknown')));

it.each<[body: unknown, says: string | false]>([
	[{ message: 'Duplicate reference' }, 'but says that there is one already'],
	[
		{ errors: [{ detail: 'Reference has already been taken' }] },
		'but says that there is one already',
	],
	['This reference has been used', 'but says that there is one already'],
	[{ reference: ['must be unique'] }, 'but says that there is one already'],
	[{ code: 'TRANSACTION_ALREADY_EXISTS' }, 'but says that there is one already'],
	[{ error: 'reference_already_used' }, 'but says that there is one already'],
	[{ error: 'ERR_DUPLICATE_REFERENCE' }, 'but says that there is one already'],
	[{ alreadyExists: true, message: 'see above' }, 'but says that there is one already'],
	['A transaction with this reference exists', 'but says that there is one already'],
	[{ transaction: { transaction_id: 'T-7' } }, 'but names transaction T-7'],
	[{ result: { transaction_id: 'T-7' } }, 'but names transaction T-7'],
	[{ errors: [{ detail: { transaction: { id: 'T-7' } } }] }, 'but names transaction T-7'],
	[{ transaction: { id: 7 } }, 'but names transaction 7'],
	[{ id: 'request-1', message: 'Amount is too low' }, false],
	[{ transaction: { reference: 'order-1' }, message: 'Amount is too low' }, false],
	[{ error: { id: 'E-7' } }, false],
	[{ errors: { transaction_id: 'is not wanted here' } }, false],
	[{ isDuplicate: false, message: 'Amount is too low' }, false],
	['This vendor does not exist', false],
	['No vendor exists with this number', false],
	['This vendor no longer exists', false],
	[{ message: 'Amount is too low', duplicate_of: null }, false],
	[{ message: 'Amount is too low', is_duplicate: 0, existing: '' }, false],
	[{ errors: { transaction_id: 'invalid' } }, false],
	[{ errors: { transaction_id: 'Required' } }, false],
	[{ transaction_id: 'N/A' }, false],
	[{ transaction_id: 0 }, false],
	['A transaction with reference no INV7 exists', 'but says that there is one already'],
	['Transaction No 4711 exists', 'but says that there is one already'],
	[{ transaction: { transaction_id: 'pending' } }, 'but names transaction pending'],
	['A transaction is in progress', 'but says that there is one already'],
	[{ code: 'IDEMPOTENCY_KEY_IN_USE' }, 'but says that there is one already'],
	['Reference has been taken', 'but says that there is one already'],
	['You used this reference before', 'but says that there is one already'],
	['unique constraint failed', 'but says that there is one already'],
	['Your previous transaction is still pending', 'but says that there is one already'],
	[{ transaction_id: 'none', transactionId: 'TX-1' }, 'but names transaction TX-1'],
	[{ transaction: { id: 'abcdef' } }, 'but names transaction abcdef'],
	['The reference is taken', 'but says that there is one already'],
	[{ code: 'REFERENCE_TAKEN' }, 'but says that there is one already'],
	['This reference is in use', 'but says that there is one already'],
	['Reference was used before', 'but says that there is one already'],
	[{ transaction_id: 'TXNONE' }, 'but names transaction TXNONE'],
	[{ transaction_id: 'tx-a' }, 'but names transaction tx-a'],
	['No vendor of that name is known: not exists', false],
	['', false],
	[undefined, false],
])('a refusal with %j leaves the outcome unknown only if the service may have it', (body, says) => {
	const sent = { reference: 'order-1', body: {}, simplify: true };
	const { outcome, ...told } = judge({ statusCode: 422, body }, 'buy', sent, 'secret-key');
	expect(outcome).toBe(says ? 'unknown' : 'rejected');
	if (says) expect((told as Setback).message).toContain(`The service refused the request, ${says}`);
});

it.each<[statusCode: number, body: unknown, outcome: string]>([
	[403, { message: 'Duplicate: accepted', transaction_id: 'T-7' }, 'unknown'],
	[404, { message: 'Accepted, receipt not found', transaction_id: 'T-7' }, 'unknown'],
	[429, { message: 'Already being processed', transaction: { transaction_id: 'T-7' } }, 'unknown'],
	[429, { message: 'You have already made too many requests' }, 'rejected'],
	[401, { message: 'This key has been used up' }, 'rejected'],
	[429, { message: 'Your transactions: too many of them already today' }, 'rejected'],
	[404, { message: 'This transaction does not exist' }, 'rejected'],
	[403, { message: 'Duplicate transaction: r1' }, 'unknown'],
	[403, { code: 'DUPLICATE_REFERENCE' }, 'unknown'],
	[403, { code: 'TRANSACTION_ALREADY_EXISTS' }, 'unknown'],
	[429, { code: 'transactionAlreadyExists' }, 'unknown'],
	[403, 'This transaction is a duplicate', 'unknown'],
	[403, { errors: ['Reference has been used', 'Reference must be unique'] }, 'unknown'],
	[429, 'This transaction is already being processed', 'unknown'],
	[403, `A transaction with reference ${'a'.repeat(36)} for business 1 already exists`, 'unknown'],
	[429, { reference: 'order-1', message: 'Daily quota already used' }, 'rejected'],
	[429, 'Your transaction limit is already used', 'rejected'],
	[429, 'Too many payments: one is in progress', 'rejected'],
	[404, 'No transaction with this reference exists', 'rejected'],
	[404, { path: '/v1/transaction', message: 'No route exists' }, 'rejected'],
	[401, undefined, 'rejected'],
	[403, { message: 'Transaction r1 already exists' }, 'unknown'],
	[429, { error: 'This reference has already been processed' }, 'unknown'],
	[429, { error: 'A transaction with this reference was already accepted' }, 'unknown'],
])('a %s with %j, which is about who asks, is %s', (statusCode, body, outcome) => {
	for (const operation of operations)
		expect(outcomeOf({ statusCode, body }, operation)).toBe(outcome);
});

it.each<[statusCode: number, body: unknown, shown: string]>([
	[
		200,
		{ message: 'Invalid key secret-key for 0123456789' },
		'says "Invalid key *** for ••••6789"',
	],
	[200, { status: 'Error: secret-key is disabled' }, 'says "Error: *** is disabled"'],
	[200, { status: 'failed', transaction_id: 'secret-key' }, 'but names transaction ***'],
	[400, { transaction_id: 'key:secret-key' }, 'but names transaction key:***'],
])('hides in its message what a %i with %j repeats', (statusCode, body, shown) => {
	for (const operation of operations) {
		const sent = { reference: 'order-1', body: { account_number: '0123456789' }, simplify: true };
		const told = judge({ statusCode, body }, operation, sent, 'secret-key');
		expect((told as Setback).message).toContain(shown);
		expect(JSON.stringify(told)).not.toContain('secret-key');
	}
});

it.each<[statusCode: number, body: unknown]>([
	[200, { message: `Error: ${'x'.repeat(1_000_000)}` }],
	[200, { status: 'failed', transaction_id: `1${'x'.repeat(1_000_000)}` }],
	[400, { transaction_id: `1${'x'.repeat(1_000_000)}` }],
])('says no more than can be read, whatever a %i has', (statusCode, body) => {
	const sent = { reference: 'order-1', body: {}, simplify: true };
	const told = judge({ statusCode, body }, 'sell', sent, 'secret-key') as Setback;
	expect(told.outcome).toBe('unknown');
	expect(told.message.length).toBeLessThan(3000);
});
