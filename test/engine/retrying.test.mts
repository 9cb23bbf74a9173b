import type { INodeParameters } from 'n8n-workflow';

import { edited, withContext } from '../support/engine/changedContext.mts';
import { credentialsFor } from '../support/engine/engine.mts';
import { startServer, startService } from '../support/servers.mts';
import { watch } from '../support/watch.mts';
import { goingOn, useSubmitting } from '../support/engine/submitting.mts';
import { outcomesOf, toldBy } from '../support/told.mts';
import { fromItem, operations, referencesTo } from '../support/transactions.mts';

const { engine, sandbox, submit, submitLater, posts, accepted } = useSubmitting();

const withoutReference = { reference: '' };
const three = { items: [{}, {}, {}] };

describe.each(operations)('a %s without a Reference', (operation) => {
	/** The second of three was rejected; the third was not reached. */
	const stopped = async () => {
		sandbox.fault({ kind: 'badRequest', on: operation, skip: 1 });
		return await submit(operation, withoutReference, three);
	};
	const retry = async (retryOf: Awaited<ReturnType<typeof stopped>>) =>
		await submit(operation, withoutReference, { ...three, retryOf: retryOf.run });

	it('is sent once when Retry is pressed twice, one after the other', async () => {
		const failed = await stopped();
		const first = await retry(failed);
		expect(first.json.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted', 'accepted']);
		const second = await retry(failed);
		expect(second.json.map(({ outcome }) => outcome)).toEqual(['accepted', 'skipped', 'skipped']);
		expect(new Set(accepted()).size).toBe(3);
		expect(accepted()).toHaveLength(3);
	});

	it('is sent once when Retry is pressed twice at the same moment', async () => {
		const failed = await stopped();
		await Promise.all([retry(failed), retry(failed), retry(failed)]);
		expect(accepted().length).toBe(new Set(accepted()).size);
		await retry(failed);
		expect(accepted()).toHaveLength(3);
		expect(new Set(accepted()).size).toBe(3);
	});

	it('keeps its reference when a retry is retried', async () => {
		const failed = await stopped();
		sandbox.fault({ kind: 'serverError', on: operation });
		const unknown = await retry(failed);
		expect(unknown.error?.message).toContain('It is not known whether');
		const again = await retry(unknown);
		expect(again.error?.message).toContain('It is not known whether');
		expect(posts()).toHaveLength(3);
	});

	it('is sent beside one of unknown outcome by what the message says, and by nothing else', async () => {
		sandbox.fault({ kind: 'serverError', on: operation, skip: 1 });
		const failed = await submit(operation, withoutReference, three);
		expect(failed.error?.description).toMatch(
			/To send the 1 that are new, set 'On Error' in Settings to Continue .* and press Retry/,
		);
		await retry(failed);
		expect(posts()).toHaveLength(2);
		const retryOf = edited(failed.run, {}, goingOn);
		const { json } = await submit(operation, withoutReference, { ...three, retryOf });
		expect(json.map(({ outcome }) => outcome)).toEqual(['accepted', 'unknown', 'accepted']);
		expect(posts()).toHaveLength(3);
		expect(accepted()).toHaveLength(2);
	});

	it('is sent beside one that is rejected each time by what the message says', async () => {
		const { credentials, received } = await startService((_, index) =>
			index % 2 === 1 ? { status: 400 } : { body: { transaction: { transaction_id: 'T-1' } } },
		);
		const options = { ...three, credentials };
		const failed = await submit(operation, withoutReference, options);
		expect(failed.error?.description).toMatch(
			/To send the 1 that are new, set 'On Error' in Settings to Continue .* and press Retry with/,
		);
		received.pop();
		const retryOf = edited(failed.run, {}, goingOn);
		const { json } = await submit(operation, withoutReference, { ...options, retryOf });
		expect(json.map(({ outcome }) => outcome)).toEqual(['accepted', 'rejected', 'accepted']);
		expect(received).toHaveLength(3);
	});

	it('is another transaction in another execution', async () => {
		await submit(operation, withoutReference);
		await submit(operation, withoutReference);
		expect(new Set(accepted()).size).toBe(2);
	});
});

describe.each(operations)('a %s that is retried with changed values', (operation) => {
	const items = referencesTo(2);
	const retryChanged = async (changed: INodeParameters) => {
		const { run } = await submit(operation, {}, { items });
		return await submit(operation, changed, { items, retryOf: edited(run, changed) });
	};

	it('stays accepted, with its receipt', async () => {
		sandbox.fault({ kind: 'badRequest', on: operation, skip: 1 });
		const broken = watch(sandbox);
		const retried = await retryChanged({ accountName: 'Somebody Else' });
		expect(retried.json).toMatchObject([
			{ outcome: 'accepted', reference: 'order-0' },
			{ outcome: 'accepted', reference: 'order-1' },
		]);
		expect(JSON.stringify(retried.json[0])).toContain('SBX-000001');
		expect(broken(toldBy(retried))).toEqual([]);
		expect(sandbox.transactions().map(({ request }) => request.account_name)).toEqual([
			'Ada Example',
			'Somebody Else',
		]);
	});

	it('stays accepted under the reference that it was sent with', async () => {
		sandbox.fault({ kind: 'badRequest', on: operation, skip: 1 });
		const retried = await retryChanged({ reference: '={{ $json.reference }}-changed' });
		expect(retried.json).toMatchObject([
			{ outcome: 'accepted', reference: 'order-0' },
			{ outcome: 'accepted', reference: 'order-1-changed' },
		]);
		expect(accepted()).toEqual(['order-0', 'order-1-changed']);
	});

	it('stays of unknown outcome', async () => {
		sandbox.fault({ kind: 'acceptThenDrop', on: operation });
		const { error } = await retryChanged({ accountName: 'Somebody Else' });
		expect(error?.message).toContain(`It is not known whether the ${operation} was accepted.`);
		expect(error?.description).toMatch(
			/Outcome unknown \(1\):\nreference order-0: look for it at or after .* \[item 0\]/,
		);
		expect(accepted()).toEqual(['order-0']);
	});

	it('stays what it is when a changed value is refused', async () => {
		sandbox.fault({ kind: 'badRequest', on: operation, skip: 1 });
		const { error } = await retryChanged({ amount: 'none' });
		expect(error?.message).toContain("'Amount' is");
		expect(error?.description).toContain('transaction SBX-000001, reference order-0 [item 0]');
	});
});

describe.each(operations)('a %s beside one of unknown outcome', (operation) => {
	const options = { ifAlreadySubmitted: 'skip' };
	const items = ['before', 'unknown', 'new'].map((reference) => ({ reference }));

	/** The retry sends nothing and records nothing, and says what stopped the first try. */
	const retried = async ({
		changed = {},
		outage,
	}: {
		changed?: INodeParameters;
		outage?: Error;
	}) => {
		await submit(operation, {}, { items: [{ reference: 'before' }] });
		sandbox.fault({ kind: 'acceptThenDrop', on: operation });
		const { run } = await submit(operation, { options }, { items });
		const rows = engine.processedData.count();
		engine.processedData.outage = outage;
		const retryOf = edited(run, changed);
		const { error } = await submit(operation, { options }, { items, retryOf });
		expect(error?.message).toMatch(/^It is not known whether .* \[item 1\]$/);
		expect(error?.description).toMatch(
			/Outcome unknown \(1\):\nreference unknown: look for it at or after .* \[item 1\]/,
		);
		expect(accepted()).toEqual(['before', 'unknown']);
		expect(engine.processedData.count()).toBe(rows);
		return error?.description;
	};

	it.each([{}, { amount: 16000 }, { options: { ifAlreadySubmitted: 'stop' } }])(
		'is told in a retry as accepted before, or as new, also with %j',
		async (changed) => {
			const description = await retried({ changed });
			expect(description).toContain('Accepted before (1):\nreference before [item 0]');
			expect(description).toContain('New, not sent (1):\nreference new [item 2]');
		},
	);

	it('is not told as new in a retry in which the database is away', async () => {
		expect(await retried({ outage: new Error('away') })).toContain(
			'nobody could say whether they are new (2):\nreference before [item 0]\nreference new [item 2]',
		);
	});
});

describe('a reference that was that of another item, corrected before a retry', () => {
	const options = { ifAlreadySubmitted: 'skip' };
	const retryCorrected = async (references: string[]) => {
		const items = references.map((reference) => ({ reference }));
		const { run } = await submit('buy', { options }, { items });
		const last = `={{ $itemIndex === ${items.length - 1} ? 'corrected' : $json.reference }}`;
		const retryOf = edited(run, { reference: last }, goingOn);
		return (await submit('buy', { options }, { items, retryOf })).json.slice(-2);
	};
	const corrected = { outcome: 'accepted', reference: 'corrected' };

	it.each([1, 6])(
		'is sent where the other item was accepted before, after %d items',
		async (count) => {
			await submit('buy', {}, { items: [{ reference: 'twice' }] });
			sandbox.fault({ kind: 'acceptThenDrop', on: 'buy' });
			const others = referencesTo(count).map(({ reference }) => reference);
			expect(await retryCorrected([...others, 'twice', 'twice'])).toMatchObject([
				{ outcome: 'skipped', reference: 'twice' },
				corrected,
			]);
			expect(accepted().sort()).toEqual(['corrected', ...others, 'twice']);
		},
	);

	it('is sent where the other item was accepted in the first try', async () => {
		sandbox.fault({ kind: 'badRequest', on: 'buy', skip: 1 });
		expect(await retryCorrected(['twice', 'rejected', 'twice'])).toMatchObject([
			{ outcome: 'accepted', reference: 'rejected' },
			corrected,
		]);
		expect(accepted().sort()).toEqual(['corrected', 'rejected', 'twice']);
	});
});

it.each<[string, INodeParameters]>([
	['has other values', { amount: 16000 }],
	['is refused', { amount: 'none' }],
	['is a dry run', { options: { dryRun: true } }],
])(
	'an item that shared the result of an earlier one stays skipped in a retry in which it %s',
	async (_, changed) => {
		const items = ['twice', 'twice', 'rejected'].map((reference) => ({ reference }));
		sandbox.fault({ kind: 'badRequest', on: 'buy', skip: 1 });
		const { run } = await submit('buy', { options: { ifAlreadySubmitted: 'skip' } }, { items });
		const broken = watch(sandbox);
		const retryOf = edited(run, changed, goingOn);
		const retried = await submit('buy', {}, { items, retryOf });
		expect(outcomesOf(retried).slice(0, 2)).toEqual(['accepted', 'skipped']);
		expect(broken(toldBy(retried))).toEqual([]);
		expect(accepted().filter((reference) => reference === 'twice')).toHaveLength(1);
	},
);

it('an item that shared the unknown outcome of another execution shares what became of that', async () => {
	const options = { ifAlreadySubmitted: 'skip' };
	const shared = { items: [{ reference: 'shared' }] };
	sandbox.fault({ kind: 'serverError', on: 'buy' });
	await submit('buy', {}, shared);
	const items = ['first', 'shared', 'shared'].map((reference) => ({ reference }));
	const { run } = await submit('buy', { options }, { items });
	await submitLater('buy', { options: { ifAlreadySubmitted: 'submitUnknownAgain' } }, shared);

	const retryOf = edited(run, {}, goingOn);
	const { json } = await submit('buy', { options }, { items, retryOf });
	expect(json.map(({ outcome }) => outcome)).toEqual(['accepted', 'skipped', 'skipped']);
	expect(accepted()).toEqual(['shared', 'first']);
});

it('a list with a refused item asks nothing of the database', async () => {
	const calls = engine.processedData.calls;
	const items = referencesTo(2).map((item, index) => ({ ...item, amount: index * 15000 }));
	const { error } = await submit('buy', fromItem('amount'), { items });
	expect(error?.description).toContain('Nothing was sent.');
	expect(engine.processedData.calls).toBe(calls);
});

describe('a reference that was changed into that of an item sent before', () => {
	const isAlso = 'Reference order-0 is also the reference of item 0';

	it.each([
		['stop', {}, `${isAlso} [item 1]`],
		['stop', { amount: 30000 }, `${isAlso}, with other values [item 1]`],
		['skip', { amount: 30000 }, `${isAlso}, with other values [item 1]`],
		['skip', {}, undefined],
	])('under %s, with %j', async (ifAlreadySubmitted, different, message) => {
		sandbox.fault({ kind: 'badRequest', on: 'buy', skip: 1 });
		const { run } = await submit('buy', {}, { items: referencesTo(2) });
		const changed = { reference: 'order-0', options: { ifAlreadySubmitted }, ...different };
		const retried = await submit(
			'buy',
			{},
			{ items: referencesTo(2), retryOf: edited(run, changed) },
		);
		expect(retried.error?.message).toBe(message);
		if (!message) expect(outcomesOf(retried)).toEqual(['accepted', 'skipped']);
		expect(posts()).toHaveLength(2);
		expect(accepted()).toEqual(['order-0']);
	});
});

describe('a retry after the credential or the operation was changed', () => {
	const elsewhere = async () => {
		const { url: baseUrl, seen } = await startServer(() => ({ body: { status: 'success' } }));
		return { seen, baseUrl, credentials: { ...credentialsFor(sandbox), baseUrl } };
	};

	it('sends nothing where something was sent to the other address, and says what to do', async () => {
		sandbox.fault({ kind: 'badRequest', on: 'buy', skip: 1 });
		const items = referencesTo(3);
		const failed = await submit('buy', {}, { items });
		const { seen, baseUrl, credentials } = await elsewhere();
		const retried = await submit('buy', {}, { items, retryOf: failed.run, credentials });
		expect(retried.error?.message).toContain(
			`An earlier try of this execution has sent a buy to ${sandbox.baseUrl}, and this one would send a buy to ${baseUrl}`,
		);
		expect(retried.error?.description).toContain(
			"set the operation, and 'Base URL' in the credential, back to what they were",
		);
		expect(retried.error?.description).toContain('order-0');
		expect(seen).toEqual([]);

		// As the message says: back to what it began with, and it goes on.
		const back = await submit('buy', {}, { items, retryOf: retried.run });
		expect(outcomesOf(back)).toEqual(['accepted', 'accepted', 'accepted']);
		expect(accepted()).toEqual(['order-0', 'order-1', 'order-2']);
	});

	it('sends it where nothing may have moved before', async () => {
		const { credentials } = await elsewhere();
		sandbox.fault({ kind: 'badRequest', on: 'sell' });
		const failed = await submit('sell');
		expect(failed.error).toBeDefined();
		const retried = await submit('sell', {}, { retryOf: failed.run, credentials });
		expect(outcomesOf(retried)).toEqual(['accepted']);
		expect(accepted()).toEqual([]);
	});

	it('sends no sell where a buy was sent', async () => {
		sandbox.fault({ kind: 'badRequest', on: 'buy', skip: 1 });
		const items = referencesTo(2);
		const failed = await submit('buy', {}, { items });
		const retryOf = edited(failed.run, { operation: 'sell' });
		const retried = await submit('sell', {}, { items, retryOf });
		expect(retried.error?.message).toContain(
			`has sent a buy to ${sandbox.baseUrl}, and this one would send a sell to ${sandbox.baseUrl}`,
		);
		expect(posts()).toHaveLength(2);
	});
});

it('of a run in which everything worked out nothing is kept for a later try', async () => {
	const keptOf = ({ run: { data } }: Awaited<ReturnType<typeof submit>>) =>
		data.executionData?.contextData['node:Ramp']?.submitted;
	expect(keptOf(await submit('buy', {}, { items: referencesTo(2) }))).toEqual({});
	sandbox.fault({ kind: 'badRequest', on: 'sell', skip: 1 });
	const partly = await submit('sell', {}, { items: referencesTo(2), node: goingOn });
	expect(keptOf(partly)).toEqual({ 0: { 0: expect.anything(), 1: expect.anything() } });
	expect(partly.json.map(({ outcome }) => outcome)).toEqual(['accepted', 'rejected']);
	expect(accepted()).toEqual(['order-0', 'order-1', 'order-0']);
});

it('what nobody expects is told in words, with where to report it', async () => {
	const breakDown = () => {
		throw new Error('gone wrong');
	};
	const { error } = await withContext(
		engine,
		(context) => Object.assign(context, { getWorkflow: breakDown }),
		async () => await submit('buy'),
	);
	expect(error?.message).toBe('Something happened that this node does not expect');
	expect(error?.description).toMatch(/^Report it at https:\/\/\S+\/issues\. n8n says: gone wrong/);
	expect(posts()).toEqual([]);
});
