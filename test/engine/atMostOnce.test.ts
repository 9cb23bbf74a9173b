import { credentialsFor, useEngine, type RunOptions } from '../support/engine.ts';
import { edited, withContext } from '../support/otherContext.ts';
import { startService, type ScriptedService } from '../support/servers.ts';
import { brokenPromises, personSees, repeated } from '../support/promise.ts';
import {
	fromItem,
	operations,
	referencesTo,
	submitting,
	type Operation,
} from '../support/transactions.ts';
import { until } from '../support/waiting.ts';

const { engine, sandbox } = useEngine();
let service: ScriptedService | undefined;

const run = async (different: Partial<RunOptions> = {}, operation: Operation = 'buy') =>
	await engine.run({
		parameters: submitting(operation, fromItem('reference')),
		credentials: credentialsFor(sandbox),
		items: referencesTo(1),
		...different,
	});

const accepted = () => sandbox.transactions().map(({ reference }) => reference);
const kept = { duplicates: [], lost: [] };

describe.each(operations)('%s', (operation) => {
	it('sends a reference once when two executions run one after the other', async () => {
		await run({}, operation);
		const second = await run({}, operation);
		expect(accepted()).toEqual(['order-0']);
		expect(second.error?.message).toBe(
			'Reference order-0 was submitted before and is not sent again',
		);
	});

	it('sends a reference once when two executions run at the same time', async () => {
		const rans = await Promise.all([run({}, operation), run({}, operation), run({}, operation)]);
		expect(accepted()).toEqual(['order-0']);
		expect(rans.filter(({ error }) => error === undefined)).toHaveLength(1);
	});

	it('sends a reference once when two executions run at the same time and n8n keeps no records', async () => {
		const rans = await Promise.all([
			run({ workflowId: '' }, operation),
			run({ workflowId: '' }, operation),
		]);
		expect(accepted()).toEqual(['order-0']);
		expect(rans.filter(({ error }) => error === undefined)).toHaveLength(1);
	});

	it.each([
		['with own references', fromItem('reference')],
		['with made references', {}],
	])('goes on after a Retry of a failed execution %s, and sends nothing twice', async (_, own) => {
		const parameters = submitting(operation, own);
		sandbox.fault({ kind: 'badRequest', on: operation, skip: 1 });
		const stopped = await run({ parameters, items: referencesTo(3) }, operation);
		expect(stopped.error?.message).toContain('[Item 1] The');
		const retried = await run(
			{ parameters, items: referencesTo(3), retryOf: stopped.run },
			operation,
		);

		expect(retried.error).toBeUndefined();
		expect(retried.items).toHaveLength(3);
		expect(accepted()).toHaveLength(3);
		expect(brokenPromises(sandbox, personSees(retried))).toEqual(kept);
	});

	it('does not send what is unknown in a Retry of a failed execution, with no reference given', async () => {
		const parameters = submitting(operation);
		sandbox.fault({ kind: 'acceptThenDrop', on: operation });
		const stopped = await run({ parameters }, operation);
		const retried = await run({ parameters, retryOf: stopped.run }, operation);
		expect(accepted()).toHaveLength(1);
		expect(retried.error?.message).toContain('It is not known whether');
	});

	it('makes another reference in another execution', async () => {
		const parameters = submitting(operation);
		await run({ parameters }, operation);
		await run({ parameters }, operation);
		expect(accepted()).toHaveLength(2);
		expect(repeated(accepted())).toEqual([]);
	});
});

describe('Retry On Fail', () => {
	const node = { retryOnFail: true, maxTries: 3 };

	it.each(['', 0, 'a word', {}])(
		'keeps the receipts when the first has an error of %j in it, which n8n takes for a reason to try again',
		async (error) => {
			service = await startService((_, index) => ({
				body: { status: 'success', transaction_id: `T-${index}`, error },
			}));
			const { credentials, received } = service;
			const ran = await run({ credentials, items: referencesTo(2), node }, 'sell');
			expect(received).toHaveLength(2);
			expect(ran.error).toBeUndefined();
			expect(ran.json.map(({ transaction_id }) => transaction_id)).toEqual(['T-0', 'T-1']);
		},
	);

	it('replays what was accepted when an expression breaks in a later try', async () => {
		sandbox.fault({ kind: 'badRequest', on: 'buy', skip: 1 });
		const stopped = await run({ items: referencesTo(2) });
		const broken = "={{ $('Nowhere').item.json.value }}";
		for (const parameters of [
			{ accountName: broken },
			{ options: { parallelRequests: broken } },
			{ options: broken },
			{ requestOptions: { timeout: broken } },
		]) {
			const retried = await run({
				items: referencesTo(2),
				retryOf: edited(stopped.run, parameters),
			});
			expect(retried.error?.message).toMatch(
				/^\[Item 1\] The expression in .* could not be evaluated/,
			);
			expect(brokenPromises(sandbox, personSees(retried))).toEqual(kept);
		}
		expect(accepted()).toEqual(['order-0']);
	});

	it('replays what was accepted when Dry Run is switched on before a Retry', async () => {
		sandbox.fault({ kind: 'badRequest', on: 'buy', skip: 1 });
		const stopped = await run({ items: referencesTo(2) });
		const retried = await run({ retryOf: edited(stopped.run, { options: { dryRun: true } }) });
		expect(retried.json).toMatchObject([{ transaction_id: 'SBX-000001' }, { outcome: 'dryRun' }]);
	});

	it('replays what was accepted when the vendor has left the list meanwhile', async () => {
		const parameters = submitting('buy', {
			...fromItem('reference'),
			vendorSource: 'live',
			vendor: { __rl: true, mode: 'id', value: '0011223344' },
		});
		sandbox.fault({ kind: 'badRequest', on: 'buy', skip: 1 });
		const stopped = await run({ parameters, items: referencesTo(2) });
		sandbox.setVendors([]);
		const retried = await run({ retryOf: stopped.run });
		expect(brokenPromises(sandbox, personSees(retried))).toEqual(kept);
		expect(retried.error?.description).toContain('transaction SBX-000001, reference order-0');
	});

	it('names what was accepted when the values have changed before a Retry, and sends neither', async () => {
		sandbox.fault({ kind: 'badRequest', on: 'buy', skip: 1 });
		const stopped = await run({ items: referencesTo(2) });
		const retried = await run({ retryOf: edited(stopped.run, { amount: 16000 }) });
		expect(retried.error?.message).toBe(
			'[Item 0] This item was submitted before in this execution, with other values',
		);
		expect(retried.error?.description).toContain('transaction SBX-000001, reference order-0');
		expect(retried.error?.description).not.toContain('Nothing was sent');
		expect(accepted()).toEqual(['order-0']);
	});

	it('sends no second item with the reference of an accepted one, also where n8n keeps no records', async () => {
		const items = [{ reference: 'a' }, { reference: 'b' }, { reference: 'b' }];
		sandbox.fault({ kind: 'badRequest', on: 'buy' });
		const ran = await run({
			items,
			workflowId: '',
			node: { ...node, onError: 'continueRegularOutput' },
		});
		expect(ran.json).toHaveLength(3);
		expect(accepted()).toEqual(['b', 'a']);
	});

	it('starts nothing more after a cancelled try', async () => {
		service = await startService(
			async () => await new Promise((resolve) => setTimeout(resolve, 50, {})),
		);
		const { credentials, received } = service;
		const ran = await run({
			credentials,
			items: referencesTo(3),
			node,
			cancelWhen: until(() => received.length === 1),
		});
		expect(received).toHaveLength(1);
		expect(ran.error?.description).toContain(
			'Accepted (1):\n[Item 0] no transaction id told, reference order-0',
		);
	});
});

describe('a database that stops answering', () => {
	const broken = new Error('the database is gone');

	it('sends nothing when it cannot record a reference, and says so', async () => {
		engine.records.outage = broken;
		const { error } = await run();
		expect(sandbox.requests()).toEqual([]);
		expect(error?.message).toBe(
			"n8n's database could not record the reference, so nothing was sent",
		);
		engine.records.outage = undefined;
		await run();
		expect(accepted()).toEqual(['order-0']);
	});

	it('sends nothing for any item with Continue On Fail', async () => {
		engine.records.outage = broken;
		const { json } = await run({
			items: referencesTo(12),
			node: { onError: 'continueRegularOutput' },
		});
		expect(json).toHaveLength(12);
		expect(
			json.every(({ details }) => (details as { outcome: string }).outcome === 'notSent'),
		).toBe(true);
		expect(sandbox.requests()).toEqual([]);
	});

	describe.each(['before', 'after'] as const)('for one call, %s it has written', (when) => {
		it.each(Array.from({ length: 14 }, (_, index) => index + 1))(
			'forgets and doubles nothing (call %i)',
			async (call) => {
				const items = referencesTo(6);
				const all = items.map(({ reference }) => reference);
				const skipping = submitting('buy', {
					...fromItem('reference'),
					options: { ifAlreadySubmitted: 'skip' },
				});
				engine.records.blip = { call, when };
				const { json } = await run({
					items,
					parameters: skipping,
					node: { onError: 'continueRegularOutput' },
				});
				const sent = accepted();
				const told = json.filter(({ transaction_id }) => transaction_id).length;
				const failed = json.filter(({ details }) => details !== undefined);
				expect(new Set(sent).size).toBe(sent.length);
				expect(told).toBe(sent.length);
				expect(told + failed.length).toBe(6);

				engine.records.blip = undefined;
				const again = await run({ items, parameters: skipping });
				const missing = all.filter((reference) => !accepted().includes(reference));
				expect(new Set(accepted()).size).toBe(accepted().length);
				expect(again.json).toHaveLength(6);
				// Where the database wrote and did not say so, the item is refused in words, and stays so.
				expect(missing.length).toBeLessThanOrEqual(when === 'after' ? failed.length : 0);
				for (const { message } of failed) expect(message).toContain('Submit Again');
			},
		);
	});

	it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'loses no receipt when it is gone at the end of a run (%s)',
		async (onError) => {
			service = await startService((_, index) => {
				if (index === 1) engine.records.outage = broken;
				return index === 1
					? { status: 400 }
					: { body: { status: 'success', transaction_id: `T-${index}` } };
			});
			const { credentials, received } = service;
			const ran = await run({ credentials, items: referencesTo(2), node: { onError } }, 'sell');
			expect(personSees(ran)).toContain('T-0');
			expect(personSees(ran)).toContain("n8n's database did not take note");

			engine.records.outage = undefined;
			await run({ credentials, items: referencesTo(2), node: { onError } }, 'sell');
			expect(received.filter(({ reference }) => reference === 'order-0')).toHaveLength(1);
		},
	);
});

describe('what is in the way of a claim', () => {
	it('records all references of executions that run at the same time, though n8n reads and writes in two steps', async () => {
		const orders = ['one', 'two', 'three', 'four'].map((name) => referencesTo(2, name));
		const runAll = async () => await Promise.all(orders.map(async (items) => await run({ items })));
		await runAll();
		await runAll();
		expect(accepted()).toHaveLength(8);
		expect(repeated(accepted())).toEqual([]);
	});

	it('keeps a claim under which one of two was accepted, though the other was rejected', async () => {
		const parameters = submitting('buy', {
			...fromItem('reference'),
			options: { ifAlreadySubmitted: 'submitAgain' },
		});
		const items = [{ reference: 'twice' }, ...referencesTo(12), { reference: 'twice' }];
		sandbox.fault({ kind: 'badRequest', on: 'buy' });
		await run({ parameters, items, node: { onError: 'continueRegularOutput' } });
		await run({ items: [{ reference: 'twice' }] });
		expect(accepted().filter((reference) => reference === 'twice')).toHaveLength(1);
	});

	it('keeps the claims of requests on their way when something unexpected is thrown', async () => {
		service = await startService(async (_, index) => {
			await until(() => service!.received.length === 2);
			return index === 0 ? { status: 400 } : {};
		});
		const { credentials, received } = service;
		const parameters = submitting('sell', {
			...fromItem('reference'),
			options: { parallelRequests: 2 },
		});
		await withContext(
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
			async () => await run({ credentials, parameters, items: referencesTo(2) }),
		);
		await run({ credentials, parameters, items: referencesTo(2) });
		expect(received).toHaveLength(2);
	});

	it('loses no receipt in an n8n that knows neither records nor hints', async () => {
		const ran = await withContext(
			engine,
			(context) => {
				const { helpers } = context as { helpers: Partial<typeof context.helpers> };
				delete helpers.checkProcessedAndRecord;
				delete helpers.removeProcessed;
				Object.defineProperty(context, 'addExecutionHints', { value: undefined });
			},
			async () => await run({ items: referencesTo(2) }),
		);
		expect(ran.error).toBeUndefined();
		expect(brokenPromises(sandbox, personSees(ran))).toEqual(kept);
	});
});

function throwNothing(): never {
	throw null;
}
