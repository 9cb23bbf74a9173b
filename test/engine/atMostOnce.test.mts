import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';

import { edited, withContext } from '../support/engine/changedContext.mts';
import { startProcess } from '../support/engine/processes.mts';
import { product } from '../support/engine/combinations.mts';
import { repeated, watch } from '../support/watch.mts';
import { someOf } from '../support/quick.mts';
import { startService } from '../support/servers.mts';
import { goingOn, onErrors, useSubmitting } from '../support/engine/submitting.mts';
import { outcomesOf, toldBy, type Told } from '../support/told.mts';
import { fromItem, listed, operations, referencesTo, vendor } from '../support/transactions.mts';
import { until } from '../support/waiting.mts';

const { engine, sandbox, optionsFor, submit, accepted } = useSubmitting();

const choosing = (ifAlreadySubmitted: string) => ({ options: { ifAlreadySubmitted } });

describe.each(operations)('%s', (operation) => {
	it('sends a reference once when two executions run one after the other', async () => {
		await submit(operation);
		expect(outcomesOf(await submit(operation))).toEqual(['skipped']);
		expect(accepted()).toEqual(['order-0']);
	});

	it('sends a reference once when executions run at the same time, in one process or in several', async () => {
		const other = startProcess(engine);
		const rans = await Promise.all([
			submit(operation),
			submit(operation),
			other.run(optionsFor(operation)),
		]);
		expect(accepted()).toEqual(['order-0']);
		expect(rans.filter((ran) => ran!.error === undefined)).toHaveLength(1);
	});

	it.each([
		['with own references', {}],
		['with made references', { reference: '' }],
	])('goes on after a Retry of a failed execution %s, and sends nothing twice', async (_, own) => {
		const broken = watch(sandbox);
		sandbox.fault({ kind: 'badRequest', on: operation, skip: 1 });
		const stopped = await submit(operation, own, { items: referencesTo(3) });
		expect(outcomesOf(stopped)).toEqual(['accepted', 'rejected', 'notSent']);
		const retried = await submit(operation, own, { retryOf: stopped.run });
		expect(outcomesOf(retried)).toEqual(['accepted', 'accepted', 'accepted']);
		expect(broken(toldBy(retried))).toEqual([]);
		expect(accepted()).toHaveLength(3);
	});

	it('does not send what is unknown in a Retry of a failed execution, with no reference given', async () => {
		const made = { reference: '' };
		sandbox.fault({ kind: 'acceptThenDrop', on: operation });
		const { run: retryOf } = await submit(operation, made);
		const retries = [1, 2].map(async () => await submit(operation, made, { retryOf }));
		for (const retried of await Promise.all(retries))
			expect(outcomesOf(retried)).toEqual(['unknown']);
		expect(accepted()).toHaveLength(1);
	});
});

describe('a retry', () => {
	const stoppedAtSecond = async (parameters: INodeParameters = {}) => {
		sandbox.fault({ kind: 'badRequest', on: 'buy', skip: 1 });
		return await submit('buy', parameters, { items: referencesTo(2) });
	};
	const elsewhere = "={{ $('Nowhere').item.json.value }}";

	it.each([
		['an expression breaks', { accountName: elsewhere }],
		['an expression in the options breaks', { options: { parallelRequests: elsewhere } }],
		['the options break', { options: elsewhere }],
		['the request options break', { requestOptions: { timeout: elsewhere } }],
	])('tells again what was accepted when %s', async (_, parameters) => {
		const broken = watch(sandbox);
		const stopped = await stoppedAtSecond();
		const retried = await submit('buy', {}, { retryOf: edited(stopped.run, parameters) });
		expect(outcomesOf(retried)).toEqual(['accepted', 'notSent']);
		expect(broken(toldBy(retried))).toEqual([]);
	});

	it('tells again what was accepted when Dry Run was switched on', async () => {
		const stopped = await stoppedAtSecond();
		const retryOf = edited(stopped.run, { options: { dryRun: true } });
		expect(outcomesOf(await submit('buy', {}, { retryOf }))).toEqual(['accepted', 'dryRun']);
		expect(accepted()).toEqual(['order-0']);
	});

	it('tells again what was accepted when the vendor has left the list', async () => {
		const broken = watch(sandbox);
		const stopped = await stoppedAtSecond(listed(vendor.vendorNumber));
		sandbox.setVendors([]);
		const retried = await submit('buy', {}, { retryOf: stopped.run });
		expect(outcomesOf(retried)).toEqual(['accepted', 'notSent']);
		expect(broken(toldBy(retried))).toEqual([]);
	});

	const threeTries = { retryOnFail: true, maxTries: 3 };

	it('does not send an unknown one again that is in the list twice', async () => {
		sandbox.fault({ kind: 'acceptThenDrop', on: 'buy' });
		const ran = await submit('buy', choosing('submitUnknownAgain'), {
			items: [{ reference: 'a' }, { reference: 'a' }],
			node: { ...goingOn, ...threeTries },
		});
		expect(outcomesOf(ran)).toEqual(['unknown', 'unknown']);
		expect(accepted()).toEqual(['a']);
	});

	it('sends no second one with a reference of which the first is unknown', async () => {
		sandbox.fault({ kind: 'acceptThenDrop', on: 'buy' });
		const parameters = { ...fromItem('amount'), ...choosing('submitUnknownAgain') };
		const ran = await submit('buy', parameters, {
			items: [
				{ reference: 'a', amount: 16000 },
				{ reference: 'a', amount: 15000 },
			],
			node: { ...goingOn, ...threeTries },
		});
		expect(outcomesOf(ran)).toEqual(['unknown', 'notSent']);
		expect(accepted()).toEqual(['a']);
	});

	it('tells once more of one that was passed over because an earlier one has its reference', async () => {
		sandbox.fault({ kind: 'badRequest', on: 'buy' });
		const ran = await submit('buy', choosing('skip'), {
			items: [{ reference: 'a' }, { reference: 'b' }, { reference: 'b' }],
			node: { ...goingOn, ...threeTries },
		});
		expect(outcomesOf(ran)).toEqual(['accepted', 'accepted', 'skipped']);
		expect(accepted()).toEqual(['b', 'a']);
	});

	it('starts nothing more after a cancelled try', async () => {
		const { credentials, received } = await startService(async () => {
			await cancelWhen;
			return await sleep(50, {});
		});
		const cancelWhen = until(() => received.length === 1);
		const items = referencesTo(3);
		await submit('buy', {}, { credentials, items, node: threeTries, cancelWhen });
		await sleep(200);
		expect(received).toHaveLength(1);
	});
});

it('remembers an attempt that was accepted though another one with the same reference was rejected', async () => {
	const items = [{ reference: 'twice' }, ...referencesTo(7), { reference: 'twice' }];
	sandbox.fault({ kind: 'badRequest', on: 'buy' });
	await submit('buy', choosing('submitAgain'), { items, node: goingOn });
	expect(outcomesOf(await submit('buy', {}, { items: items.slice(0, 1) }))).toEqual(['skipped']);
	expect(repeated(accepted())).toEqual([]);
});

/** Executions that choose this, at the same time in one process, when whatever is unknown is old. */
const atTheSameTime = async (...choices: string[]) => {
	const later = startProcess(engine, undefined, { ahead: 25 });
	await Promise.all(
		choices.map(async (choice) => await later.run(optionsFor('buy', choosing(choice)))),
	);
};

it('lets one of three take over what is unknown at the same time, in one process', async () => {
	sandbox.fault({ kind: 'resetBefore', on: 'buy' });
	await submit('buy');
	await atTheSameTime('submitUnknownAgain', 'submitUnknownAgain', 'submitUnknownAgain');
	expect(accepted()).toEqual(['order-0']);
});

it.each([
	['submitUnknownAgain', 'submitUnknownAgain', 'stop'],
	['submitUnknownAgain', 'stop', 'submitUnknownAgain'],
	['stop', 'submitUnknownAgain', 'submitUnknownAgain'],
])(
	'sends a new reference once when executions with %s, %s and %s run at the same time in one process',
	async (...choices) => {
		await atTheSameTime(...choices);
		expect(accepted()).toEqual(['order-0']);
	},
);

describe('a database that fails', () => {
	const gone = new Error('the database is gone');

	it.each(onErrors)('lets nothing leave without its claim (%s)', async (onError) => {
		engine.processedData.outage = gone;
		const ran = await submit('buy', {}, { items: referencesTo(12), node: { onError } });
		expect(outcomesOf(ran)).toEqual(referencesTo(12).map(() => 'notSent'));
		expect(sandbox.requests()).toEqual([]);
		engine.processedData.outage = undefined;
		expect(outcomesOf(await submit('buy', {}, { items: referencesTo(12) }))).toEqual(
			referencesTo(12).map(() => 'accepted'),
		);
	});

	it.each(onErrors)(
		'lets nothing leave where it is gone when the first is claimed (%s)',
		async (onError) => {
			await submit('buy');
			const losing = startProcess(engine, ({ helpers }) => {
				const record = helpers.checkProcessedAndRecord;
				helpers.checkProcessedAndRecord = async (...args) => {
					engine.processedData.outage = gone;
					return await record(...args);
				};
			});
			const items = referencesTo(12, 'next');
			const ran = (await losing.run(optionsFor('buy', {}, { items, node: { onError } })))!;
			expect(outcomesOf(ran)).toEqual(items.map(() => 'notSent'));
			expect(accepted()).toEqual(['order-0']);
			engine.processedData.outage = undefined;
			expect(outcomesOf(await submit('buy', {}, { items }))).toEqual(items.map(() => 'accepted'));
		},
	);

	it.each(onErrors)(
		'loses nothing when it is gone before the first chunk is settled (%s)',
		async (onError) => {
			const service = await startService((_, index) => {
				engine.processedData.outage = gone;
				return { body: { status: 'success', transaction: { transaction_id: `T-${index}` } } };
			});
			const { credentials, received } = service;
			const different = { credentials, items: referencesTo(3), node: { onError } };
			const ran = await submit('buy', {}, different);
			expect(outcomesOf(ran)).toEqual(['accepted', 'accepted', 'accepted']);
			expect(toldBy(ran).map(({ id }) => id)).toEqual(['T-0', 'T-1', 'T-2']);
			expect(ran.hints.join()).toContain('order-0, order-1, order-2');

			engine.processedData.outage = undefined;
			expect(outcomesOf(await submit('buy', {}, different))).toEqual([
				'unknown',
				'unknown',
				'unknown',
			]);
			expect(received).toHaveLength(3);
		},
	);

	const items = referencesTo(6);
	/** The third is rejected, and of the fourth nobody hears that it was accepted. */
	const strike = () => {
		sandbox.fault({ kind: 'badRequest', on: 'buy', skip: 2 });
		sandbox.fault({ kind: 'acceptThenDrop', on: 'buy', skip: 3 });
	};
	const calls = Array.from({ length: 80 }, (_, index) => index + 1);

	it.each(
		product({
			when: ['before', 'after'] as const,
			onError: ['stopWorkflow', 'continueRegularOutput'] as const,
		}),
	)(
		'tells the truth when it fails at any one call, $when its write ($onError)',
		async ({ when, onError }) => {
			for (const call of someOf(calls)) {
				sandbox.reset();
				engine.processedData.clear();
				strike();
				const broken = watch(sandbox);
				engine.processedData.blip = { call, when };
				const first = toldBy(await submit('buy', {}, { items, node: { onError } }));
				const hasFailed = engine.processedData.blip === undefined;
				engine.processedData.blip = undefined;
				expect([call, broken(first)]).toEqual([call, []]);
				await fetch(`${sandbox.baseUrl}/_sandbox/faults`, { method: 'DELETE' });

				// What was told as accepted or unknown is that for the next run too; the rest is sent, or unknown.
				const brokenAgain = watch(sandbox);
				const second = toldBy(await submit('buy', choosing('skip'), { items, node: goingOn }));
				expect([call, brokenAgain(second)]).toEqual([call, []]);
				const goesWith = second.map(({ outcome }, index) =>
					followers[first[index]!.outcome].includes(outcome),
				);
				expect([call, goesWith]).toEqual([call, items.map(() => true)]);
				if (!hasFailed) {
					const unknown = (told: Told[]) => told.filter(({ outcome }) => outcome === 'unknown');
					expect(unknown(second)).toHaveLength(unknown(first).length);
					expect(call).toBeGreaterThan(10);
					return;
				}

				// Who has looked on the dashboard when it was time sends what is not there.
				const missing = items.filter(({ reference }) => !accepted().includes(reference));
				const different = { items: missing, node: goingOn };
				const options = optionsFor('buy', choosing('submitUnknownAgain'), different);
				const last = await startProcess(engine, undefined, { ahead: 20 }).run(options);
				expect([call, outcomesOf(last!)]).toEqual([call, missing.map(() => 'accepted')]);
				expect([call, accepted().toSorted()]).toEqual([
					call,
					items.map(({ reference }) => reference),
				]);
			}
			throw new Error(`A run makes more than ${calls.length} calls`);
		},
	);

	const followers: Record<Told['outcome'], Array<Told['outcome']>> = {
		accepted: ['skipped'],
		unknown: ['unknown'],
		rejected: ['accepted', 'unknown'],
		notSent: ['accepted', 'unknown'],
		skipped: [],
		dryRun: [],
	};

	it('takes no claim from another process when it has released and did not say so', async () => {
		sandbox.fault({ kind: 'badRequest', on: 'buy' });
		sandbox.fault({ kind: 'delay', on: 'buy', skip: 1, delayMs: 300 });
		const other = startProcess(engine);
		let others: Promise<unknown> | undefined;
		const meanwhile = async () => {
			others = other.run(optionsFor('buy'));
			await until(() => sandbox.requests().length === 2);
		};
		// Five to see whether rows are kept apart; then claimed, then released.
		engine.processedData.blip = { call: 7, when: 'after', meanwhile };
		await submit('buy');
		expect(others).toBeDefined();
		const third = await startProcess(engine).run(optionsFor('buy'));
		await others;
		expect(outcomesOf(third!)).not.toEqual(['accepted']);
		expect(accepted()).toEqual(['order-0']);
	});
});

it('settles the others when something unexpected is thrown at one', async () => {
	const service = await startService(async (_, index) => {
		await until(() => service.received.length >= 2);
		return index === 0 ? { status: 400 } : {};
	});
	const { credentials, received } = service;
	const parameters = { options: { parallelRequests: 2 } };
	const items = referencesTo(2);
	const stopped = await withContext(
		engine,
		(context) => {
			const original = context.helpers.httpRequestWithAuthentication;
			let first = true;
			context.helpers.httpRequestWithAuthentication = async function (...request) {
				const isFirst = first;
				first = false;
				const response: unknown = await original.call(this, ...request);
				return isFirst ? new Proxy({}, { get: throwNothing }) : response;
			};
		},
		async () => await submit('sell', parameters, { credentials, items }),
	);
	expect(outcomesOf(stopped)).toContain('unknown');
	const again = await submit('sell', parameters, { credentials, items, node: goingOn });
	expect(outcomesOf(again)).toEqual(['unknown', 'skipped']);
	expect(received).toHaveLength(2);
});

function throwNothing(): never {
	throw null;
}
