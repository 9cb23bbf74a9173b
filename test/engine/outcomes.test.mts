import type { IDataObject } from 'n8n-workflow';

import { credentialsFor, type RunOptions } from '../support/engine/engine.mts';
import { startServer, startService } from '../support/servers.mts';
import { goingOn, onErrors, useSubmitting } from '../support/engine/submitting.mts';
import { fromItem, operations, referencesTo, type Operation } from '../support/transactions.mts';

const { sandbox, submit, posts, accepted } = useSubmitting();

const lookItUp =
	/^It may have been accepted, so this node does not send it again by itself\..*\n1\. Look for reference order-0 on the service's dashboard at or after \d\d:\d\d UTC on \d+ \w+ \(\d\d:\d\d in Lagos\): a look before that proves nothing\.\n2\. /;

/** A service that gives the same answer however often it is asked. */
const answering = async (status: number, body: string) => {
	const server = await startServer(() => ({ status, body }));
	return { ...server, credentials: { ...credentialsFor(sandbox), baseUrl: server.url } };
};

describe.each(operations)('a %s', (operation) => {
	const notThere = () => ({ ...credentialsFor(sandbox), baseUrl: 'http://127.0.0.1:1' });

	it.each([
		['badRequest', 'The service refused the request'],
		['unauthorized', 'The service did not accept the secret key'],
		['notFound', 'The service does not know this address'],
	] as const)('is rejected by %s, and can be submitted again', async (kind, why) => {
		sandbox.fault({ on: operation, kind });
		const { error } = await submit(operation);
		expect(error?.message).toBe(`The ${operation} was rejected. ${why}`);
		expect(error?.description).toContain(
			'Reference order-0 was not accepted and may be submitted again.',
		);
		expect(posts()).toHaveLength(1);
		await submit(operation);
		expect(accepted()).toEqual(['order-0']);
	});

	it('is not sent where the connection is refused, and can be submitted again', async () => {
		const { error } = await submit(operation, {}, { credentials: notThere() });
		expect(error?.message).toBe(
			`The ${operation} was not sent. Nothing answers at the address of the service`,
		);
		expect(error?.description).toContain(
			'Nothing was submitted for reference order-0; it may be submitted again.',
		);
	});

	it.each([
		['serverError', 'The service is not working at the moment'],
		['unavailable', 'The service is not working at the moment'],
		['redirect', 'The service answered with a redirect, which is not followed'],
		['resetBefore', 'The connection to the service was closed before it answered'],
		['acceptThenDrop', 'The connection to the service was closed before it answered'],
		['truncated', 'The answer of the service broke off'],
		[
			'malformed',
			'The service answered 200 with text that is not JSON, which is not a JSON object',
		],
		['empty', 'The service answered 200 with an empty body, which is not a JSON object'],
		['html', 'The service answered 200 with an HTML page, which is not a JSON object'],
	] as const)('is of unknown outcome after %s, and is not sent again', async (kind, why) => {
		sandbox.fault({ on: operation, kind });
		const { error } = await submit(operation);
		expect(error?.message).toBe(`It is not known whether the ${operation} was accepted. ${why}`);
		expect(error?.description).toMatch(lookItUp);
		const again = await submit(operation);
		expect(again.error?.message).toMatch(
			/^Reference order-0 was submitted before, and its outcome/,
		);
		expect(posts()).toHaveLength(1);
	});

	it.each([
		[408, ''],
		[409, '{"message":"this reference already exists"}'],
		[423, ''],
		[425, ''],
		[499, ''],
		[200, '{"status":"failed"}'],
		[200, '<html>Sign in</html>'],
		[204, ''],
	])('is sent once with five tries when the answer is %i %s', async (status, body) => {
		const { seen, credentials } = await answering(status, body);
		const node = { retryOnFail: true, maxTries: 5 };
		const { error } = await submit(operation, {}, { credentials, node });
		expect(seen).toHaveLength(1);
		expect(error?.message).toContain(`It is not known whether the ${operation} was accepted.`);
		expect(error?.description).toMatch(lookItUp);
		await submit(operation, {}, { credentials, node });
		expect(seen).toHaveLength(1);
	});

	it.each([400, 422, 429])(
		'is sent with each of five tries when each is answered %i',
		async (status) => {
			const { seen, credentials } = await answering(status, '');
			await submit(operation, {}, { credentials, node: { retryOnFail: true, maxTries: 5 } });
			expect(seen).toHaveLength(5);
		},
	);
});

describe('outcome and reference are at the top level of every item', () => {
	/** The service does what the reference says. */
	const answers: Record<string, { status?: number; body?: unknown }> = {
		accepted: { body: { transaction: { transaction_id: 'T-1' } } },
		rejected: { status: 400, body: { message: 'no' } },
		unknown: { status: 500, body: '' },
	};
	const all = async (operation: Operation, different: Partial<RunOptions>) => {
		const { credentials } = await startService(({ reference }) => answers[String(reference)]!);
		const options = { ...fromItem('dryRun'), ifAlreadySubmitted: 'skip' };
		const before = { credentials, items: [{ reference: 'skipped', dryRun: false }] };
		answers.skipped = answers.accepted!;
		await submit(operation, { amount: 20000, options }, before);
		const items = ['accepted', 'rejected', 'unknown', 'skipped', 'dryRun', 'notSent'].map(
			(reference) => ({
				reference,
				dryRun: reference === 'dryRun',
				colour: 'blue',
				amount: reference === 'notSent' ? 'none' : 20000,
				outcome: 'from before',
			}),
		);
		const parameters = { ...fromItem('amount'), options };
		return await submit(operation, parameters, { credentials, items, ...different });
	};
	const words = { error: expect.any(String) as string, message: expect.any(String) as string };

	it.each(operations)('of a %s, in one output', async (operation) => {
		const { json } = await all(operation, { node: goingOn });
		expect(json.map(({ outcome, reference }) => [outcome, reference])).toEqual(
			json.map(({ reference }) => [reference, reference]),
		);
		expect(json).toHaveLength(6);
		const { 1: rejected, 5: notSent } = json;
		expect(rejected).toEqual({
			...words,
			outcome: 'rejected',
			reference: 'rejected',
			httpCode: '400',
		});
		expect(notSent).toEqual({ ...words, outcome: 'notSent', reference: 'notSent', httpCode: null });
	});

	it.each(operations)('of a %s, in two outputs, the second with the input', async (operation) => {
		const ran = await all(operation, { node: { onError: 'continueErrorOutput' } });
		expect(ran.json).toMatchObject([
			{ outcome: 'accepted', reference: 'accepted' },
			{ outcome: 'skipped', reference: 'skipped' },
			{ outcome: 'dryRun', reference: 'dryRun' },
		]);
		const input = { colour: 'blue', dryRun: false, amount: 20000, ...words };
		expect(ran.errorItems.map(({ json }) => json)).toEqual([
			{ ...input, outcome: 'rejected', reference: 'rejected', httpCode: '400' },
			{ ...input, outcome: 'unknown', reference: 'unknown', httpCode: '500' },
			{ ...input, amount: 'none', outcome: 'notSent', reference: 'notSent', httpCode: null },
		]);
		expect(ran.errorItems.map(({ pairedItem }) => pairedItem)).toEqual(
			[1, 2, 5].map((item) => ({ item })),
		);
	});

	it('of a run that stops, in its message', async () => {
		const { error, json } = await all('buy', {});
		expect(json).toEqual([]);
		expect(error?.message).toBe(`'Amount' is "none", which is not a number [item 5]`);
	});

	it('with the wallet secret of the input covered', async () => {
		const seed = `0x${'ab'.repeat(32)}`;
		const items = [{ reference: 'order-0', walletAddress: seed, colour: 'blue' }];
		for (const onError of onErrors) {
			const ran = await submit('buy', fromItem('walletAddress'), { items, node: { onError } });
			const shown = [...ran.items, ...ran.errorItems].map(({ json }) => json);
			expect(JSON.stringify([shown, ran.error])).not.toContain(seed);
			if (onError !== 'continueErrorOutput') continue;
			expect(shown).toEqual([
				{
					outcome: 'notSent',
					reference: 'order-0',
					...words,
					httpCode: null,
					walletAddress: '***',
					colour: '***',
				},
			]);
		}
	});
});

describe('a receipt is whole', () => {
	const cases: Array<[Operation, body: string, item: IDataObject, told: string]> = [
		[
			'sell',
			'{"data":{"payout_id":"P-7"}}',
			{ data: { payout_id: 'P-7' } },
			'answer {"data":{"payout_id":"P-7"}}',
		],
		[
			'sell',
			'{"payout":{"number":9007199254740993}}',
			{ payout: { number: '9007199254740993' } },
			'answer {"payout":{"number":"9007199254740993"}}',
		],
		[
			'buy',
			'{"transaction_id":"T-7","transaction":{"amount":15000}}',
			{ transaction_id: 'T-7', amount: 15000 },
			'transaction T-7',
		],
		[
			'buy',
			'{"transaction":{"transaction_id":9007199254740993}}',
			{ transaction_id: '9007199254740993' },
			'transaction 9007199254740993',
		],
	];

	it.each(cases)('of a %s answered %s, in the item', async (operation, body, item) => {
		const { credentials } = await answering(200, body);
		const { json } = await submit(operation, {}, { credentials });
		expect(json).toEqual([{ outcome: 'accepted', reference: 'order-0', ...item }]);
	});

	it.each(cases)('of a %s answered %s, in what stops the run', async (operation, body, _, told) => {
		let answers = 0;
		const { url } = await startServer(() => (answers++ === 0 ? { body } : { status: 500 }));
		const credentials = { ...credentialsFor(sandbox), baseUrl: url };
		const { error } = await submit(operation, {}, { credentials, items: referencesTo(2) });
		expect(error?.description).toContain(`${told}, reference order-0 [item 0]`);
	});
});

it('gives up a service that never answers after the Timeout, and the outcome is unknown', async () => {
	const { credentials } = await startService(async () => await new Promise<never>(() => {}));
	const { error } = await submit('sell', { requestOptions: { timeout: 100 } }, { credentials });
	expect(error?.message).toBe(
		'It is not known whether the sell was accepted. The service did not answer in time',
	);
	expect(error?.description).toMatch(lookItUp);
	expect(error?.description).toContain('(ECONNABORTED)');
});
