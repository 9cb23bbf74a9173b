import fc from 'fast-check';

import { parseBody, type Reply } from '../../../client/reply.ts';
import { sentence } from '../../../client/refusal.ts';
import { idIn } from '../../../nodes/StablecoinRamp/resources/transaction/answer.ts';
import { awaitingAnswer, judge } from '../../../nodes/StablecoinRamp/submit/judge.ts';
import type { Earlier } from '../../../nodes/StablecoinRamp/submit/memory/claims.ts';
import {
	alreadyAccepted,
	claimNotWritten,
	dryRun,
	lookedUp,
	notLookedUp,
	notOpened,
	notSentAgain,
	notStarted,
	notStartedFor,
	otherValuesInRun,
	outcomeNotWritten,
	refused,
	registerNotWritten,
	sharedResult,
	toolSubmittedBefore,
	twiceInRun,
} from '../../../nodes/StablecoinRamp/submit/notSent.ts';
import { jsonOf } from '../../../nodes/StablecoinRamp/submit/output.ts';
import {
	isKept,
	isSetback,
	mayHaveMoved,
	type Done,
	type Result,
} from '../../../nodes/StablecoinRamp/submit/result.ts';
import { notWrittenIn } from '../../../nodes/StablecoinRamp/submit/stopError.ts';
import { times } from '../../support/quick.mts';
import type { Operation } from '../../support/transactions.mts';
import { entry } from './entry.mts';

const settled = (reply: Reply, operation: Operation = 'buy', simplify = operation === 'buy') =>
	judge(reply, operation, entry('order-1', simplify), 'secret-key');

const answered = (body: unknown, operation?: Operation, simplify?: boolean) =>
	jsonOf(settled({ statusCode: 200, body }, operation, simplify), false);

const transaction = {
	transaction_id: 'T-1',
	business: { business_id: 'B-1' },
	type: 'Buy',
	reference: 'order-1',
	amount: 15000,
	link_account_name: 'Link',
	link_account_number: '0011223344',
	link_bank_name: 'Link Bank',
	account_number: '0123456789',
	bank_name: 'Bank',
	link_tag: 'tag',
	network: 'Polygon',
	wallet_address: '0x1',
	date_created: 'May 1, 2026',
};

const simplified = {
	outcome: 'accepted',
	reference: 'order-1',
	transaction_id: 'T-1',
	business_id: 'B-1',
	type: 'Buy',
	amount: 15000,
	link_account_number: '0011223344',
	network: 'Polygon',
	wallet_address: '0x1',
	date_created: 'May 1, 2026',
};

describe('an accepted buy', () => {
	it('is ten flat fields with Simplify, in this order', () => {
		const item = answered({ status: 'success', message: 'ok', transaction });
		expect(item).toEqual(simplified);
		expect(Object.keys(item)).toEqual(Object.keys(simplified));
	});

	it('keeps an id that does not stand in the transaction', () => {
		const body = { id: 7, transaction: { amount: 1 } };
		expect(answered(body)).toMatchObject({ transaction_id: '7' });
		expect(settled({ statusCode: 200, body }).knownAs).toBe('transaction 7');
	});
});

it('keeps a number with more digits than JavaScript has as the text that came, and tells all of an answer without an id', () => {
	const body = parseBody('{"data":{"payout_id":9007199254740993,"fee":1.50,"count":12}}');
	expect(answered(body, 'sell')).toMatchObject({
		data: { payout_id: '9007199254740993', fee: 1.5, count: 12 },
	});
	expect(settled({ statusCode: 200, body }, 'sell').knownAs).toBe(
		'answer {"data":{"payout_id":"9007199254740993","fee":1.5,"count":12}}',
	);
});

it('makes a receipt of any answer that it takes for accepted, and words of any other', () => {
	const answer = fc.oneof(
		fc.jsonValue(),
		fc.record({ transaction: fc.jsonValue() }),
		fc.record({ transaction: fc.record({ transaction_id: fc.string({ minLength: 1 }) }) }),
	);
	const status = fc.integer({ min: 200, max: 599 });
	const setback = /^(It is not known whether|The buy was rejected)/;
	fc.assert(
		fc.property(answer, fc.boolean(), status, (body, simplify, statusCode) => {
			const result = settled({ statusCode, body }, 'buy', simplify);
			const item = jsonOf(result, false);
			expect(item).toMatchObject({ outcome: result.outcome, reference: 'order-1' });
			if (result.outcome === 'accepted') {
				expect(result.knownAs).toMatch(/^(transaction|answer) ./);
				return;
			}
			expect(item).toMatchObject({
				error: expect.stringMatching(setback) as string,
				message: expect.stringContaining('order-1') as string,
				httpCode: String(statusCode),
			});
		}),
		{ numRuns: times(1000) },
	);
});

it.each([
	[{ status: 'failed' }, 'with an object, which says "failed"'],
	[
		{ transaction_id: 'T-900' },
		'with an object, which has no transaction in it, but names transaction T-900',
	],
	['<html>Sign in</html>', 'with an HTML page, which is not a JSON object'],
	['', 'with an empty body, which is not a JSON object'],
	[[1], 'with a list, which is not a JSON object'],
])('says what came with a 200 that is not taken for accepted: %j', (body, came) => {
	expect(settled({ statusCode: 200, body })).toMatchObject({
		outcome: 'unknown',
		message: `It is not known whether the buy was accepted. The service answered 200 ${came}`,
		description: expect.stringMatching(
			/^It may have been accepted, so this node does not send it again by itself\./,
		) as string,
	});
});

it('puts out a setback as five flat fields', () => {
	const body = { message: 'No such bank' };
	expect(jsonOf(settled({ statusCode: 422, body }), false)).toEqual({
		outcome: 'rejected',
		reference: 'order-1',
		error: 'The buy was rejected. The service refused the request',
		message:
			'Compare the fields of the node with what the service says. Reference order-1 was not accepted and may be submitted again. The service says: No such bank',
		httpCode: '422',
	});
	const refusal = { ok: false as const, message: 'This', description: 'Do that' };
	expect(jsonOf(refused([refusal]), false)).toEqual({
		outcome: 'notSent',
		reference: null,
		error: 'This',
		message: 'Do that.',
		httpCode: null,
	});
});

const passedOver = 'This reference was accepted before. Nothing was sent.';

it('holds back what the service may have, and nothing else', () => {
	const outcomes = ['accepted', 'unknown', 'rejected', 'notSent', 'skipped', 'dryRun'];
	expect(outcomes.filter((outcome) => mayHaveMoved({ outcome } as Result))).toEqual([
		'accepted',
		'unknown',
	]);
});

it.each([
	['accepted', true],
	['unknown', true],
	['skipped', true],
	['rejected', false],
	['notSent', false],
	['dryRun', false],
])('of an item that was %s it is %s that a later try leaves it as it is', (outcome, kept) => {
	expect(isKept({ outcome } as Result)).toBe(kept);
});

const known: Earlier = { attempt: 1, state: 'accepted', hasSameValues: true };

it('gives an item with the reference of an earlier one what became of that, and never says accepted twice', () => {
	const first = settled({ statusCode: 200, body: { transaction } });
	expect(sharedResult(first, 0, 'order-1')).toEqual({
		...first,
		outcome: 'skipped',
		standing: 'acceptedBefore',
		receipt: { ...(first as Done).receipt, note: passedOver },
	});
	expect(sharedResult(settled({ statusCode: 500, body: '' }), 0, 'order-1').outcome).toBe(
		'unknown',
	);
	expect(sharedResult(settled({ statusCode: 400, body: '' }), 3, 'order-1')).toMatchObject({
		outcome: 'notSent',
		message:
			'Not sent: it has the reference of item 3. The buy was rejected. The service refused the request',
	});
	expect(isSetback(alreadyAccepted('order-1', known, true))).toBe(false);
});

const alone = 'It may have been accepted, so this node does not send it again by itself.';

describe('in full', () => {
	it('a request that did not leave', () => {
		expect(settled({ code: 'ENOTFOUND', detail: 'x' }, 'sell')).toEqual({
			outcome: 'notSent',
			standing: 'new',
			reference: 'order-1',
			message: 'The sell was not sent. The host of the service was not found',
			description:
				"Open the credential and check the host in the 'Base URL' and the 'OTC Base URL'. Nothing was submitted for reference order-1; it may be submitted again. (ENOTFOUND)",
		});
	});

	it('a request of which nothing more was heard', () => {
		const unknown = {
			outcome: 'unknown',
			standing: 'unknown',
			reference: 'order-1',
			description: alone,
		};
		const lookFrom = Date.UTC(2026, 10, 16, 10, 40);
		expect(awaitingAnswer('buy', 'order-1', lookFrom)).toEqual({
			...unknown,
			lookFrom,
			message:
				'It is not known whether the buy was accepted. The run ended before the service answered',
		});
		expect(settled({ code: 'ECONNRESET', detail: 'x' }, 'sell')).toEqual({
			...unknown,
			message:
				'It is not known whether the sell was accepted. The connection to the service was closed before it answered',
			description: `${unknown.description} (ECONNRESET)`,
		});
	});

	it('a rejected one, with the answer as it came but for the key', () => {
		const body = { message: 'key secret-key of 0123456789' };
		expect(settled({ statusCode: 403, body })).toEqual({
			outcome: 'rejected',
			standing: 'rejected',
			reference: 'order-1',
			message: 'The buy was rejected. The service does not allow this with the secret key',
			description:
				"Check on the service's dashboard what the key may do. Reference order-1 was not accepted and may be submitted again. The service says: key *** of ••••6789",
			response: '{"message":"key *** of 0123456789"}',
			httpCode: '403',
		});
		expect(settled({ statusCode: 500, body: undefined })).not.toHaveProperty('response');
		const long = settled({ statusCode: 500, body: 'x'.repeat(2000) });
		expect(long.response).toHaveLength(1000);
	});

	it('an accepted one', () => {
		const body = { transaction: { transaction_id: 'T-1' }, note: 'secret-key' };
		expect(settled({ statusCode: 200, body }, 'buy', false)).toEqual({
			outcome: 'accepted',
			standing: 'accepted',
			reference: 'order-1',
			knownAs: 'transaction T-1',
			id: 'T-1',
			response: '{"transaction":{"transaction_id":"T-1"},"note":"***"}',
			receipt: { transaction: { transaction_id: 'T-1' }, note: '***' },
		});
	});

	it('an accepted one in short has what the answer has', () => {
		const item = answered({ transaction: { transaction_id: 'T-1', amount: 5 } });
		expect(Object.keys(item)).toEqual(['outcome', 'reference', 'transaction_id', 'amount']);
	});

	it('one of a run that could not start', () => {
		const away = { ok: false, message: 'Away', description: 'Wait' } as const;
		expect(notOpened('order-1', away)).toEqual({
			outcome: 'notSent',
			standing: 'notLookedUp',
			reference: 'order-1',
			message: 'Away',
			description: 'Wait.',
		});
	});

	it('those that the run did not come to', () => {
		const away = new Error('away');
		const rest = { outcome: 'notSent', reference: 'order-1' };
		expect(notStarted('order-1')).toEqual({
			...rest,
			standing: 'new',
			isLeftOver: true,
			message: 'Not sent, because the run was stopped before it',
			description: 'It may be submitted again.',
		});
		expect(notLookedUp('order-1', away)).toEqual({
			...rest,
			standing: 'notLookedUp',
			isLeftOver: true,
			message: "Not sent. n8n's database could not say whether it was submitted before: away",
			description: 'It may be submitted again.',
		});
		expect(claimNotWritten('order-1', away)).toEqual({
			...rest,
			standing: 'notLookedUp',
			message: "n8n's database could not record the reference, so nothing was sent",
			description:
				'Submit reference order-1 again when the database answers. Should this node say later that its outcome is unknown, take the steps that it names then. n8n says: away',
		});
	});

	it('what is added to a setback', () => {
		const setback = notStarted('order-1');
		expect(outcomeNotWritten(setback)).toEqual({
			...setback,
			description:
				"It may be submitted again. n8n's database did not confirm that. Should this node say later that its outcome is unknown, take the steps that it names then.",
		});
		const unknown = settled({ statusCode: 500, body: '' });
		expect(outcomeNotWritten(unknown)).toEqual({ ...unknown, isUnsettled: true });
		const took = settled({ statusCode: 200, body: { transaction: { transaction_id: 'T' } } });
		expect(notWrittenIn([setback, took])).toEqual([]);
		expect(notWrittenIn([setback, outcomeNotWritten(took), outcomeNotWritten(unknown)])).toEqual([
			"n8n's database did not take note of what became of order-1, order-1. Where no register has it, later executions will say that the outcome is unknown.",
		]);
		expect(toolSubmittedBefore('buy', setback)).toEqual({
			...setback,
			message: `This tool has submitted a buy in this execution already. ${setback.message}`,
			description:
				"It may be submitted again. For a second buy, start another conversation, or let a person give the tool a 'Reference'.",
		});
	});

	it('a refused one', () => {
		const no = (message: string, secret?: true) => ({
			ok: false as const,
			message,
			description: `Mend ${message}`,
			...(secret && { secret }),
		});
		expect(refused([no('this'), no('that')], 'order-1')).toEqual({
			outcome: 'notSent',
			standing: 'refused',
			reference: 'order-1',
			message: 'this',
			description: 'Mend this. that. Mend that.',
		});
		expect(refused([no('this'), no('that', true)])).toMatchObject({ hasSecret: true });
	});

	it('a reference that is twice in a run', () => {
		expect(otherValuesInRun('order-1', 3)).toEqual({
			ok: false,
			message: 'Reference order-1 is also the reference of item 3, with other values',
			description: "One reference stands for one transaction: give each item its own 'Reference'",
		});
		expect(twiceInRun('order-1', 3)).toEqual({
			ok: false,
			message: 'Reference order-1 is also the reference of item 3',
			description:
				"If it is the same payment, take this item out, or set 'If Already Submitted' in Options to Skip. Another payment needs a 'Reference' of its own",
		});
	});

	describe('a reference that was submitted before', () => {
		const other = "A payment keeps its 'Reference': under another one it could be submitted twice.";

		it.each([
			[true, 'skipped', 'and is not sent again'],
			[false, 'notSent', 'with other values, and stands for that transaction'],
		])('and accepted, with the same values: %j', (hasSameValues, outcome, words) => {
			const known: Earlier = { attempt: 1, state: 'accepted', hasSameValues };
			const before = {
				outcome,
				standing: 'acceptedBefore',
				reference: 'order-1',
				message: `Reference order-1 was accepted before ${words}`,
				description: other,
			};
			expect(notSentAgain('order-1', known)).toEqual(before);
			expect(notSentAgain('order-1', { ...known, answer: { id: 7 } })).toEqual({
				...before,
				knownAs: 'transaction 7',
				description: `It is transaction 7. ${other}`,
			});
			// Without an id it could be told only by the whole answer, which may name an account.
			const answer = { account_number: '0123456789' };
			expect(notSentAgain('order-1', { ...known, answer })).toEqual(before);
		});

		const inTime = Date.UTC(2026, 10, 16, 10, 40);

		it.each([
			['claimedHere', inTime, 'another run is submitting it at this moment'],
			[
				'claimed',
				inTime,
				'another process is submitting it at this moment, or was stopped in the middle of it',
			],
			[
				'claimed',
				undefined,
				'n8n was stopped in the middle of it, or could not take note of its end',
			],
			['unknown', undefined, 'it left n8n, and no answer said what became of it'],
		] as const)('and %s, to be looked for from %s on', (state, lookFrom, why) => {
			for (const [hasSameValues, before] of [
				[true, 'before'],
				[false, 'before with other values'],
			] as const) {
				expect(notSentAgain('order-1', { attempt: 1, state, hasSameValues, lookFrom })).toEqual({
					outcome: 'unknown',
					standing: 'unknown',
					reference: 'order-1',
					...(lookFrom && { lookFrom }),
					message: `Reference order-1 was submitted ${before}, and its outcome is unknown: ${why}`,
					description: other,
				});
			}
		});
	});

	it('one that is passed over, with the receipt of then where there is one', () => {
		const passed = { outcome: 'skipped', standing: 'acceptedBefore', reference: 'order-1' };
		const note = passedOver;
		expect(alreadyAccepted('order-1', known, true)).toEqual({ ...passed, receipt: { note } });
		const answer = { status: 'success', transaction: { transaction_id: 'T-1', amount: 5 } };
		const withId = { ...passed, knownAs: 'transaction T-1' };
		expect(alreadyAccepted('order-1', { ...known, answer }, false)).toEqual({
			...withId,
			receipt: { ...answer, note },
		});
		const differs = [{ field: 'amount', sent: '6', answered: '5' }];
		expect(alreadyAccepted('order-1', { ...known, answer, differs }, true)).toEqual({
			...withId,
			receipt: { transaction_id: 'T-1', amount: 5, differs, note },
		});
	});

	it('a dry run', () => {
		const draft = { checks: 'strict', refusals: [] };
		const request = { method: 'POST', url: 'https://x', body: {} };
		expect(dryRun('order-1', request, draft)).toEqual({
			outcome: 'dryRun',
			standing: 'dryRun',
			reference: 'order-1',
			receipt: {
				note: 'Nothing was sent.',
				request,
				checks: { mode: 'strict', passed: true, refusals: [] },
			},
		});
		const no = { ok: false as const, message: 'no', description: 'mend it', secret: true as const };
		expect(
			dryRun('order-1', request, { ...draft, refusals: [no] }, 'an evaluation moves no money')
				.receipt,
		).toEqual({
			note: 'Nothing was sent: an evaluation moves no money.',
			request,
			checks: {
				mode: 'strict',
				passed: false,
				refusals: [{ message: 'no', description: 'mend it' }],
			},
		});
	});
});

it.each<[answer: object, id: string | undefined]>([
	[{ transaction: { id: 'a' }, id: 'b', data: { id: 'c' } }, 'a'],
	[{ transaction: 'x', id: 'b', data: { id: 'c' } }, 'b'],
	[{ data: { id: 'c' } }, 'c'],
	[{ transaction_id: 'a', transactionId: 'b', id: 'c' }, 'a'],
	[{ transaction_id: '', transactionId: 'b', id: 'c' }, 'b'],
	[{ transaction_id: null, transactionId: {}, id: 0 }, '0'],
	[{ transaction_id: true }, undefined],
	[{}, undefined],
])('finds the id in %j: %s', (answer, id) => {
	expect(idIn(answer as Record<string, never>)).toBe(id);
});

it('covers the account numbers of a buy, also without their zeros, and tells no more than a thousand characters', () => {
	const transaction = {
		from: '0123456789',
		bare: 123456789,
		vendor: '0099887766',
		bareVendor: 99887766,
		much: 'x'.repeat(2000),
	};
	const sent = {
		...entry('order-1', false),
		body: { account_number: '0123456789', vendor_number: '0099887766' },
	};
	const reply = { statusCode: 200, body: { transaction } };
	const { knownAs } = judge(reply, 'buy', sent, 'secret-key');
	expect(knownAs).toMatch(
		/^answer \{"transaction":\{"from":"••••6789","bare":••••6789,"vendor":"••••7766","bareVendor":••••7766,"much":"x+$/,
	);
	expect(knownAs).toHaveLength('answer '.length + 1000);
});

it('takes an answer without Simplify for the whole receipt, and once more as it came where it speaks by our names', () => {
	for (const answer of [{ a: 1 }, { a: 1, outcome: 'accepted', reference: 'order-1' }]) {
		expect(settled({ statusCode: 200, body: answer }, 'sell')).toMatchObject({ receipt: answer });
		expect(answered(answer, 'sell')).not.toHaveProperty('response');
	}
	for (const answer of [
		{ a: 1, reference: 'other' },
		{ a: 1, outcome: 'other' },
	]) {
		const ours = { outcome: 'accepted', reference: 'order-1' };
		expect(answered(answer, 'sell')).toEqual({ a: 1, ...ours, response: answer });
	}
	expect(answered({ transaction: { amount: 5 } })).toMatchObject({ transaction: { amount: 5 } });
});

it.each(['a.', 'a!', 'a?', 'a…', 'a)'])('leaves the end of "%s" as it is', (text) => {
	expect(sentence(text)).toBe(text);
	expect(sentence(`${text}b`)).toBe(`${text}b.`);
});

it('says of what a run did not come to why, and that it did not stop the run', () => {
	const refusal = { ok: false as const, message: 'One differs', description: 'Mend it' };
	expect(notStartedFor(refusal, 3)).toEqual({
		outcome: 'notSent',
		standing: 'notLookedUp',
		isLeftOver: true,
		reference: undefined,
		message: 'Not sent, because the whole run was refused: One differs [item 3]',
		description: 'Mend it',
	});
	const found = { attempt: 1, state: 'unknown' as const, hasSameValues: true };
	expect(lookedUp('order-1', found)).toMatchObject({ outcome: 'unknown', isLeftOver: true });
});

it('says what to do where the register cannot be written', () => {
	expect(registerNotWritten('order-1', new Error('table is full'))).toEqual({
		outcome: 'notSent',
		standing: 'new',
		reference: 'order-1',
		message: 'The register could not be written, so nothing was sent',
		description:
			'Submit reference order-1 again when the register can be written. n8n says: table is full',
	});
});
