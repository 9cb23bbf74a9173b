import type { IDataObject } from 'n8n-workflow';

import { whatFailed, whatSaysNo } from '../../../client/saysNo';

const didNotSucceed = 'says that it did not succeed';
const hasAnError = 'has an error in it';

it.each([
	['fail', 'failed', 'failure', 'Error', 'declined', 'denied', 'rejected', 'refused'],
	['invalid', 'unsuccessful', 'cancelled', 'canceled', 'FALSE', 'failed!', 'error.'],
])('a status of these says no: %s, %s, %s …', (...words) => {
	for (const status of words) expect(whatSaysNo({ status })).toBe(`says "${status}"`);
});

it.each<[IDataObject, string]>([
	[{ status: 'Transaction declined' }, 'Transaction declined'],
	[{ status: 'Payment rejected by the bank' }, 'Payment rejected by the bank'],
	[{ status: 'TXN_REJECTED' }, 'TXN_REJECTED'],
	[{ status: 'paymentFailed' }, 'paymentFailed'],
	[{ status: 'ERR_LIMIT' }, 'ERR_LIMIT'],
	[{ status: 'Aborted' }, 'Aborted'],
	[{ status: 'reversed' }, 'reversed'],
	[{ status: 'nok' }, 'nok'],
	[{ state: 'failed' }, 'failed'],
	[{ transaction_status: 'DECLINED' }, 'DECLINED'],
	[{ outcome: 'rejected' }, 'rejected'],
	[{ status: true, message: 'Transaction failed' }, 'Transaction failed'],
	[{ message: 'Insufficient balance' }, 'Insufficient balance'],
])('of a transaction %j says no', (body, words) => {
	expect(whatSaysNo(body)).toBe(`says "${words}"`);
});

it.each([
	[{ status: ' failed ' }, 'says " failed "'],
	[{ status: 400 }, 'says status 400'],
	[{ status: '503' }, 'says status 503'],
	[{ status: false }, 'says status false'],
	[{ statusCode: 500 }, 'says status 500'],
	[{ status: 'success', statusCode: 404 }, 'says status 404'],
	[{ success: false }, didNotSucceed],
	[{ success: 0 }, didNotSucceed],
	[{ ok: 'No' }, 'says "No"'],
	[{ ok: 'false' }, 'says "false"'],
	[{ error: 'quota' }, hasAnError],
	[{ error: {} }, hasAnError],
	[{ error: true }, hasAnError],
	[{ errors: ['quota'] }, hasAnError],
	[{ errors: 1 }, hasAnError],
	[{ errors: '0 of 3' }, hasAnError],
	[{ errors: 10 }, hasAnError],
])('%j says no', (body, words) => {
	expect(whatSaysNo(body)).toBe(words);
});

it.each([
	{},
	{ status: 'success' },
	{ status: 'pending' },
	{ status: 'no failed ones' },
	{ status: 200 },
	{ status: 399 },
	{ status: true },
	{ status: null },
	{ status: [500] },
	{ statusCode: 200 },
	{ success: true },
	{ success: 1 },
	{ ok: 'yes' },
	{ ok: 'nobody' },
	{ ok: 'I say no' },
	{ error: null },
	{ error: false },
	{ error: '' },
	{ errors: [] },
	{ errors: {} },
	{ errors: 0 },
	{ errors: '' },
	{ status: 'falsework done' },
	{ status: 'accepted, 0 rejected' },
	{ status: 'processing, will be cancelled if not paid' },
	{ state: 'pending' },
	{ message: 'Transaction initiated. It can fail later on' },
	{ message: 'Not declined' },
	{ note: 'failed' },
])('%j does not', (body) => {
	expect(whatSaysNo(body)).toBeUndefined();
});

it.each([
	'You will be notified when it is approved or declined.',
	'You will be refunded if it is rejected.',
	'You will hear from us unless the payment is declined.',
	'Submitted. It can no longer be cancelled',
	'This transaction cannot be reversed.',
	'Submitted, it may be reversed',
	'Cancellation is possible for ten minutes',
])(
	'of a clear answer to a transaction the message %j says what may come, and not no',
	(message) => {
		expect(whatSaysNo({ message })).toBeUndefined();
	},
);

const noes = [
	'Your API key is invalid or expired',
	'Your card was blocked or declined',
	'Account inactive or unavailable',
	'Your transaction had to be cancelled.',
	'Payment appears to be reversed',
	'When we tried to pay out, the bank declined',
	'When it is paid the bank declined',
	'The vendor was closed when the payout failed',
	'We had trouble when debiting your wallet: transaction failed',
	'PENDING_OR_FAILED',
	'TO_BE_CANCELLED',
	'CANCELLATION',
	'Cancellation completed',
	'cancellationDone',
	'CANCELLATION_IS_PENDING',
	'Cancellation will be refunded',
	'Your transaction will be cancelled',
	'WILL_BE_REVERSED',
	'Bank will be unavailable',
	'Payment not successful or declined',
	'Payment not approved or declined',
	'Declined. You will be told if it is reversed',
	'Transfers can not be made when the bank is unavailable',
];

it.each(noes)('of a transaction %j says no, as its message and as its status', (words) => {
	for (const isClear of [true, false])
		expect(whatSaysNo({ message: words }, isClear)).toBe(`says "${words}"`);
	expect(whatSaysNo({ status: words })).toBe(`says "${words}"`);
});

it.each([
	'Transaction failed: insufficient balance',
	'Transaction failed. Please try again',
	'Payout declined by bank',
	'An error occurred while processing your request',
	'Request failed with status code 500',
	'Something went wrong',
	'Unable to process your request',
	'We could not process it',
	'We couldn’t process it',
	'Payment not successful',
	'Transaction was not successful',
	'Account not found',
	'Your balance is insufficient',
	'Account number is invalid',
	'Transaction cannot be processed',
	'It did not go through',
	'Transaction timed out',
	'The service may be unavailable',
	'It has not been processed',
	'It wasn’t successful',
])(
	'of a transaction %j says no as its status, and as the message of an answer that is not clear',
	(words) => {
		expect(whatSaysNo({ message: words }, false)).toBe(`says "${words}"`);
		expect(whatSaysNo({ Detail: ['For you', words] }, false)).toBe(`says "${words}"`);
		expect(whatSaysNo({ status: words })).toBe(`says "${words}"`);
		expect(whatSaysNo({ message: words })).toBeUndefined();
	},
);

it.each(['Payout initiated', 'Received, thank you', 'processing: no error, 0 rejected so far'])(
	'%j says no nowhere',
	(words) => {
		expect(whatSaysNo({ message: words, status: words }, false)).toBeUndefined();
	},
);

it.each(['if it is ', 'transaction ', 'not ', 'fail ', '. '])(
	'takes no longer than it is long for an answer that is full of %j',
	(words) => {
		const took = (times: number) => {
			const message = `${words.repeat(times)}well`;
			const begun = process.cpuUsage();
			whatSaysNo({ message, status: message }, false);
			const { user, system } = process.cpuUsage(begun);
			return (user + system) / 1000;
		};
		took(1000);
		// Of what grows with the square, a hundred times as much, and minutes of it.
		expect(took(100_000)).toBeLessThan(30 * Math.max(took(10_000), 10));
	},
);

describe('of an answer to a read', () => {
	it.each([
		[{ status: 'failed' }, 'says "failed"'],
		[{ Status: 'Failure' }, 'says "Failure"'],
		[{ STATUS: 'FAILED' }, 'says "FAILED"'],
		[{ status: 'Internal Server Error' }, 'says "Internal Server Error"'],
		[{ status: 'error: db' }, 'says "error: db"'],
		[{ status: 'unavailable' }, 'says "unavailable"'],
		[{ status: 'Service Unavailable.' }, 'says "Service Unavailable."'],
		[{ status: 'timeout' }, 'says "timeout"'],
		[{ status: 'not_found' }, 'says "not_found"'],
		[{ status: 'notFound' }, 'says "notFound"'],
		[{ success: 'failed' }, 'says "failed"'],
		[{ ok: 'no' }, 'says "no"'],
		[{ status: false }, 'says status false'],
		[{ statusCode: 500 }, 'says status 500'],
		[{ code: 500 }, 'says status 500'],
		[{ CODE: '503' }, 'says status 503'],
		[{ status: { code: 500 } }, 'says status 500'],
		[{ Success: false }, didNotSucceed],
		[{ OK: 0 }, didNotSucceed],
		[{ ERROR: 1 }, hasAnError],
		[{ error: { code: 7 } }, hasAnError],
		[{ errors: [null, 'db'] }, hasAnError],
		[{ error: 'no money' }, hasAnError],
		[{ error: 'limit is null' }, hasAnError],
	])('%j says no', (body, words) => {
		expect(whatFailed(body)).toBe(words);
	});

	it.each([
		{},
		{ status: 'success' },
		{ status: 'no error' },
		{ status: 'fine, without failures' },
		{ status: 'badge' },
		{ status: 200, code: 0 },
		{ code: 600 },
		{ status: {} },
		{ success: true, ok: 'yes' },
		{ error: 0, errors: [] },
		{ error: [], errors: {} },
		{ error: {}, errors: [null] },
		{ error: 'none', errors: 'null' },
		{ error: 'false' },
		{ message: 'failed' },
	])('%j does not', (body) => {
		expect(whatFailed(body)).toBeUndefined();
	});
});
