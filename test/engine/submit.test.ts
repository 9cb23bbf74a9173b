import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type FaultRule } from '../../sandbox/server.ts';
import { credentialsFor, useEngine, type Ran, type RunOptions } from '../support/engine.ts';
import { withContext } from '../support/otherContext.ts';
import { startService, type ScriptedService } from '../support/servers.ts';
import {
	fromItem,
	operations,
	referencesTo,
	submitting,
	type Operation,
} from '../support/transactions.ts';

const { engine, sandbox } = useEngine();
let service: ScriptedService | undefined;

const withOptions = (operation: Operation, options: INodeParameters, ...names: string[]) =>
	submitting(operation, { ...fromItem('reference', ...names), options });

const run = async (different: Partial<RunOptions> = {}): Promise<Ran> =>
	await engine.run({
		parameters: submitting('buy', fromItem('reference')),
		credentials: credentialsFor(sandbox),
		items: referencesTo(1),
		...different,
	});

const posts = () => sandbox.requests().filter(({ method }) => method === 'POST');
const accepted = () => sandbox.transactions().map(({ reference }) => reference);
const continuing = { onError: 'continueRegularOutput' } as const;

describe.each(operations)('checking a %s first', (operation) => {
	const parameters = submitting(operation, fromItem('reference', 'amount'));
	const items = referencesTo(10).map((item, index) => ({
		...item,
		amount: index === 6 ? '15,000' : 15000,
	}));

	it('sends nothing at all when the seventh of ten items is bad, and names field, item and next step', async () => {
		const { error } = await run({ parameters, items });
		expect(posts()).toEqual([]);
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message: '[Item 6] Amount is "15,000", which has a separator between its digits',
			description:
				'Write Amount in digits, with a dot before any decimals, e.g. 15000 or 15000.50. Nothing was sent.',
			context: { itemIndex: 6 },
		});
	});

	it('sends the nine others with Continue On Fail', async () => {
		const { json } = await run({ parameters, items, node: continuing });
		expect(accepted()).toEqual(items.map(({ reference }) => reference).filter((_, i) => i !== 6));
		expect(json[6]).toMatchObject({
			error: 'Amount is "15,000", which has a separator between its digits',
			details: { outcome: 'notSent', reference: 'order-6' },
		});
	});

	it('puts the bad one on the error output, linked to its item', async () => {
		const ran = await run({ parameters, items, node: { onError: 'continueErrorOutput' } });
		expect(ran.items).toHaveLength(9);
		expect(ran.errorItems).toMatchObject([
			{ json: { reference: 'order-6' }, pairedItem: { item: 6 } },
		]);
	});
});

it('names every bad item in one go', async () => {
	const parameters = submitting('sell', fromItem('reference', 'amount', 'accountNumber'));
	const { error } = await run({
		parameters,
		items: [
			{ reference: 'a', amount: 0, accountNumber: '0123456789' },
			{ reference: 'b', amount: 5, accountNumber: '0123456789' },
			{ reference: 'c', amount: 5, accountNumber: '08012345678' },
		],
	});
	expect(error?.message).toBe('[Item 0] Amount is 0, not above zero');
	expect(error?.description).toContain(
		'[Item 2] Account Number ••••5678 has 11 digits and looks like a phone number.',
	);
	expect(error?.description).not.toContain('[Item 1]');
});

describe.each(operations)('the four outcomes of a %s', (operation) => {
	const settled = async (fault?: FaultRule, different: Partial<RunOptions> = {}) => {
		if (fault) sandbox.fault({ on: operation, ...fault });
		return await run({ parameters: submitting(operation, fromItem('reference')), ...different });
	};

	it('accepted: gives the receipt', async () => {
		const { json } = await settled();
		expect(JSON.stringify(json)).toContain('SBX-000001');
	});

	it.each(['malformed', 'empty', 'html'] as const)(
		'accepted: says so also of a success whose answer cannot be read (%s)',
		async (kind) => {
			const { json, error } = await settled({ kind });
			expect(error).toBeUndefined();
			expect(json).toMatchObject([
				{
					outcome: 'accepted',
					reference: 'order-0',
					note: "The service accepted the transaction, but its answer could not be read. Look for reference order-0 on the service's dashboard before anything else.",
				},
			]);
		},
	);

	it.each([
		['badRequest', 'The service refused the request'],
		['unauthorized', 'The service did not accept the secret key'],
		['notFound', 'The service does not know this address'],
		['tooManyRequests', 'The service asks for fewer requests'],
	] as const)('rejected: %s', async (kind, why) => {
		const { error } = await settled({ kind });
		expect(error?.message).toBe(`The ${operation} was rejected. ${why}`);
		expect(error?.description).toContain(
			'Reference order-0 was not accepted and may be submitted again.',
		);
		expect(posts()).toHaveLength(1);
	});

	it('not sent: a connection that is refused', async () => {
		const { error } = await settled(undefined, {
			credentials: { ...credentialsFor(sandbox), baseUrl: 'http://127.0.0.1:1' },
		});
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
	] as const)('unknown: %s', async (kind, why) => {
		const { error } = await settled({ kind });
		expect(error?.message).toBe(`It is not known whether the ${operation} was accepted. ${why}`);
		expect(error?.description).toContain(
			"Look for reference order-0 on the service's dashboard before anything else. It may have been accepted, so this node does not send it again by itself.",
		);
		const again = await settled();
		expect(again.error?.message).toContain('was submitted before and is not sent again');
		expect(posts()).toHaveLength(1);
	});

	it.each(['badRequest', 'tooManyRequests'] as const)(
		'can be submitted again when it was rejected (%s)',
		async (kind) => {
			await settled({ kind });
			expect(engine.records.of('ramp')).toEqual([]);
			await settled();
			expect(accepted()).toEqual(['order-0']);
		},
	);

	it('can be submitted again when it was not sent', async () => {
		await settled(undefined, {
			credentials: { ...credentialsFor(sandbox), baseUrl: 'http://127.0.0.1:1' },
		});
		await settled();
		expect(accepted()).toEqual(['order-0']);
	});
});

describe('a run that stops', () => {
	it('lists what was accepted with its id, what is unknown and what was not sent', async () => {
		sandbox.fault({ kind: 'serverError', on: 'buy', skip: 2 });
		const { error } = await run({ items: referencesTo(5) });
		expect(error?.message).toBe(
			'[Item 2] It is not known whether the buy was accepted. The service is not working at the moment',
		);
		expect(error?.description).toMatch(
			/Accepted \(2\):\n\[Item 0\] transaction SBX-000001, reference order-0\n\[Item 1\] transaction SBX-000002, reference order-1\nOutcome unknown \(1\):\n\[Item 2\] reference order-2\nNot sent \(2\):\n\[Item 3\] reference order-3\n\[Item 4\] reference order-4$/,
		);
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '500' });
	});

	it('releases the claims of what it did not send', async () => {
		sandbox.fault({ kind: 'badRequest', on: 'buy', skip: 1 });
		await run({ items: referencesTo(30) });
		expect(engine.records.of('ramp').filter((record) => record.startsWith('reference'))).toEqual([
			'reference order-0',
		]);
	});

	it('keeps its own words when a reference contains what n8n takes for a system code', async () => {
		const items = [{ reference: 'preexisting-eperm' }];
		await run({ items });
		const { error } = await run({ items });
		expect(error?.message).toBe(
			'Reference preexisting-eperm was submitted before and is not sent again',
		);
	});
});

describe('a reference that was submitted before', () => {
	const again = async (ifAlreadySubmitted: string, different: INodeParameters = {}) =>
		await run({ parameters: { ...withOptions('sell', { ifAlreadySubmitted }), ...different } });

	it('stops, and says what to do', async () => {
		await again('fail');
		const { error } = await again('fail');
		expect(error).toMatchObject({
			message: 'Reference order-0 was submitted before and is not sent again',
			description:
				"Look for reference order-0 on the service's dashboard before anything else. To submit another transaction, give it another Reference. To send this one all the same, set If Already Submitted in Options to Submit Again.",
		});
		expect(accepted()).toHaveLength(1);
	});

	it('is skipped if that is chosen, with an item that says so', async () => {
		await again('skip');
		const { json, error } = await again('skip');
		expect(error).toBeUndefined();
		expect(json).toEqual([
			{
				outcome: 'skipped',
				reference: 'order-0',
				note: 'This reference was submitted before. Nothing was sent.',
			},
		]);
		expect(accepted()).toHaveLength(1);
	});

	it('is sent again if that is chosen, and stays claimed when the second is rejected', async () => {
		await again('submitAgain');
		await again('submitAgain');
		expect(accepted()).toEqual(['order-0', 'order-0']);
		sandbox.fault({ kind: 'badRequest', on: 'sell' });
		await again('submitAgain');
		await again('skip');
		expect(accepted()).toHaveLength(2);
	});

	it.each(['fail', 'skip', 'submitAgain'])(
		'is refused with another payload (%s)',
		async (setting) => {
			await again(setting);
			const other = await again(setting, { amount: 20000 });
			expect(other.error?.message).toBe('Reference order-0 was submitted before with other values');
			expect(other.error?.description).toContain('give it another Reference');
			const same = await again('skip');
			expect(same.json).toMatchObject([{ outcome: 'skipped' }]);
			expect(accepted()).toHaveLength(1);
		},
	);

	it.each([
		['fail', 'Reference twin is also the reference of item 0'],
		['skip', undefined],
	])('counts also within one run (%s)', async (ifAlreadySubmitted, message) => {
		const { json } = await run({
			parameters: withOptions('sell', { ifAlreadySubmitted }),
			items: [{ reference: 'twin' }, { reference: 'twin' }],
			node: continuing,
		});
		expect(accepted()).toEqual(['twin']);
		expect(json[1]?.error).toBe(message);
	});

	it('is refused within one run with another payload, and then nothing is sent', async () => {
		const { error } = await run({
			parameters: withOptions('sell', { ifAlreadySubmitted: 'submitAgain' }, 'amount'),
			items: [
				{ reference: 'twin', amount: 1 },
				{ reference: 'twin', amount: 2 },
			],
		});
		expect(error?.message).toBe('[Item 1] Reference twin was submitted before with other values');
		expect(posts()).toEqual([]);
	});
});

describe('a dry run', () => {
	it.each(operations)('returns the exact request of a %s, and sends nothing', async (operation) => {
		const dry = await run({ parameters: withOptions(operation, { dryRun: true }) });
		expect(posts()).toEqual([]);
		await run({ parameters: withOptions(operation, {}) });
		const [sent] = posts();
		expect(dry.json).toEqual([
			{
				outcome: 'dryRun',
				note: 'Nothing was sent.',
				request: { method: 'POST', url: `${sandbox.baseUrl}${sent!.path}`, body: sent!.body },
				checks: { mode: 'strict', passed: true, refusals: [] },
			},
		]);
	});

	it('returns what the checks said', async () => {
		const { json, error } = await run({
			parameters: { ...withOptions('buy', { dryRun: true }), amount: 10 },
		});
		expect(error).toBeUndefined();
		expect(json).toMatchObject([
			{
				checks: {
					passed: false,
					refusals: [
						{
							message: 'Amount is 10, below the minimum of 15000',
							description: 'Set Amount to 15000 or more',
						},
					],
				},
			},
		]);
		expect(posts()).toEqual([]);
	});

	it('claims nothing', async () => {
		await run({ parameters: withOptions('buy', { dryRun: true }) });
		expect(engine.records.calls).toBe(0);
	});

	it.each([1, 'yes', ['x']])('is not taken for switched off when it is %j', async (dryRun) => {
		const { error } = await run({
			parameters: withOptions('buy', { dryRun: `={{ ${JSON.stringify(dryRun)} }}` }),
		});
		expect(error?.message).toContain('neither true nor false');
		expect(posts()).toEqual([]);
	});
});

describe('parallel requests', () => {
	const parallel = async (
		parallelRequests: number,
		count: number,
		answer: (body: IDataObject, index: number) => Promise<{ status?: number }>,
	) => {
		service = await startService(answer);
		return await run({
			credentials: service.credentials,
			parameters: withOptions('sell', { parallelRequests }),
			items: referencesTo(count),
		});
	};
	const soon = async <T>(value: T) =>
		await new Promise<T>((resolve) => setTimeout(resolve, 20, value));

	it.each([1, 4])(
		'has at most %i on their way, and as many when there are enough',
		async (most) => {
			await parallel(most, 12, async () => await soon({}));
			expect(service?.mostAtOnce()).toBe(most);
			expect(service?.received).toHaveLength(12);
		},
	);

	it('keeps the items in order', async () => {
		const { items } = await parallel(4, 8, async (_, index) => {
			await new Promise((resolve) => setTimeout(resolve, 5 * (8 - index)));
			return {};
		});
		expect(items.map(({ json }) => json.reference)).toEqual(
			referencesTo(8).map(({ reference }) => reference),
		);
	});

	it('starts nothing new after a setback, and waits for those on their way', async () => {
		const { error } = await parallel(3, 20, async (_, index) => {
			if (index === 1) return { status: 500 };
			await soon(undefined);
			return {};
		});
		expect(service?.received).toHaveLength(3);
		expect(error?.description).toContain('Accepted (2)');
		expect(error?.description).toContain('Outcome unknown (1)');
		expect(error?.description).toContain('Not sent (17)');
	});

	it.each([0, 51, 1.5, 'many'])('is refused when it is %j', async (parallelRequests) => {
		const { error } = await run({ parameters: withOptions('buy', { parallelRequests }) });
		expect(error?.message).toContain('Parallel Requests is');
		expect(posts()).toEqual([]);
	});
});

describe('where n8n keeps no records', () => {
	const older = async (work: () => Promise<Ran>) =>
		await withContext(
			engine,
			({ helpers }) => {
				delete (helpers as Partial<typeof helpers>).checkProcessedAndRecord;
			},
			work,
		);

	it.each([
		[
			'in a workflow that was never saved',
			'the workflow is not saved yet',
			async () => await run({ workflowId: '', mode: 'manual', items: referencesTo(2) }),
		],
		[
			'in a workflow that the database does not have',
			'the workflow is not saved yet',
			async () => {
				engine.records.outage = new Error('SQLITE_CONSTRAINT: FOREIGN KEY constraint failed');
				return await run({ mode: 'manual', items: referencesTo(2) });
			},
		],
		[
			'in an older n8n',
			'this version of n8n has no place for them',
			async () => await older(async () => await run({ items: referencesTo(2) })),
		],
	])('says so in a hint and submits: %s', async (_, why, work) => {
		const { hints, json } = await work();
		expect(json).toHaveLength(2);
		expect(hints).toEqual([
			`The references were not recorded in n8n's database, because ${why}. Within this execution each was sent at most once; a later execution will not know them.`,
		]);
	});

	it('still refuses the same reference twice in a run, bad items, and what an earlier try has sent', async () => {
		const twice = [{ reference: 'twin' }, { reference: 'twin' }];
		const refused = await run({ workflowId: '', items: twice });
		expect(refused.error?.message).toContain('is also the reference of item 0');
		expect(posts()).toEqual([]);

		sandbox.fault({ kind: 'badRequest', on: 'buy', skip: 1, times: 3 });
		await run({
			workflowId: '',
			items: referencesTo(2),
			node: { retryOnFail: true, maxTries: 3 },
		});
		expect(accepted()).toEqual(['order-0']);
	});

	it('gives no hint where it does', async () => {
		expect((await run()).hints).toEqual([]);
	});
});

describe('a service that never answers', () => {
	const never = async () => await new Promise<never>(() => {});

	it('is given up after the Timeout in Request Options, and the outcome is unknown', async () => {
		service = await startService(never);
		const { error } = await run({
			credentials: service.credentials,
			parameters: { ...withOptions('sell', {}), requestOptions: { timeout: 100 } },
		});
		expect(error?.message).toBe(
			'It is not known whether the sell was accepted. The service did not answer in time',
		);
		expect(error?.description).toContain('Look for reference order-0');
		expect(error?.description).toContain('(ECONNABORTED)');
	});

	it.each([
		['60 seconds unless set', {}, 60_000],
		['what is set', { timeout: 1234 }, 1234],
	])('is waited for %s', async (_, requestOptions, expected) => {
		const timeouts: unknown[] = [];
		await withContext(
			engine,
			(context) => {
				const original = context.helpers.httpRequestWithAuthentication;
				context.helpers.httpRequestWithAuthentication = async function (type, request, ...more) {
					timeouts.push(request.timeout);
					return (await original.call(this, type, request, ...more)) as unknown;
				};
			},
			async () => await run({ parameters: { ...withOptions('sell', {}), requestOptions } }),
		);
		expect(timeouts).toEqual([expected]);
	});

	it.each([-5, 'soon', 1e12])('is not asked at all with a Timeout of %j', async (timeout) => {
		const { error } = await run({
			parameters: { ...withOptions('sell', {}), requestOptions: { timeout } },
		});
		expect(error?.message).toContain('Timeout in Request Options is');
		expect(posts()).toEqual([]);
	});
});

describe('cancelling the execution', () => {
	it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'stops before the next item and settles the one under way (%s)',
		async (onError) => {
			let answer = (_: { body: unknown }) => {};
			let arrive = () => {};
			const arrived = new Promise<void>((resolve) => (arrive = resolve));
			service = await startService(async () => {
				arrive();
				return await new Promise((resolve) => (answer = resolve));
			});
			const ending = run({
				credentials: service.credentials,
				items: referencesTo(5),
				parameters: withOptions('sell', {}),
				node: { onError },
				cancelWhen: arrived,
			});
			await arrived;
			answer({ body: { transaction_id: 'T-1' } });
			const ran = await ending;
			expect(service.received).toHaveLength(1);
			expect(JSON.stringify([ran.json, ran.error?.description])).toContain('T-1');
			expect(engine.records.of('ramp').filter((one) => one.startsWith('reference'))).toEqual([
				'reference order-0',
			]);
		},
	);
});
