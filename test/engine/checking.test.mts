import {
	NodeHelpers,
	type IDataObject,
	type INodeParameters,
	type INodeProperties,
} from 'n8n-workflow';

import { credentialsFor } from '../support/engine/engine.mts';
import { edited } from '../support/engine/changedContext.mts';
import { startProcess } from '../support/engine/processes.mts';
import { goingOn, useSubmitting } from '../support/engine/submitting.mts';
import { outcomesOf } from '../support/told.mts';
import { fromItem, operations, referencesTo, wallet } from '../support/transactions.mts';

const { engine, sandbox, optionsFor, submit, posts, accepted } = useSubmitting();

describe.each(operations)('a %s among others that is refused', (operation) => {
	const items = referencesTo(10).map((item, index) => ({
		...item,
		amount: index === 6 ? '15,000' : 15000,
	}));

	it('keeps all of them from being sent, and its field, its item and the next step are named', async () => {
		const { error } = await submit(operation, fromItem('amount'), { items });
		expect(posts()).toEqual([]);
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message: `'Amount' is "15,000", which has a separator between its digits [item 6]`,
			description:
				"Write 'Amount' in digits, with a dot before any decimals, e.g. 15000 or 15000.50. Nothing was sent.",
			context: { itemIndex: 6 },
		});
	});

	it('is left out alone with Continue On Fail', async () => {
		const { json } = await submit(operation, fromItem('amount'), { items, node: goingOn });
		expect(accepted()).toEqual(items.map(({ reference }) => reference).filter((_, i) => i !== 6));
		expect(json[6]).toMatchObject({ outcome: 'notSent', reference: 'order-6' });
	});
});

describe.each(operations)('the business of a %s', (operation) => {
	const sent = () =>
		posts()
			.map(({ body }) => body as IDataObject)
			.map(({ business_id, link_tag }) => [business_id, link_tag]);

	it('is the one of the credential, or the one in Options where it is filled, each for itself', async () => {
		const reference = '';
		await submit(operation, { reference, options: { businessId: '', linkTag: ' ' } });
		await submit(operation, { reference, options: { businessId: ' MINE ', linkTag: '' } });
		const items = [{ tag: 'my-tag' }];
		await submit(operation, { reference, options: { linkTag: '={{ $json.tag }}' } }, { items });
		expect(sent()).toEqual([
			[sandbox.businessId, sandbox.linkTag],
			['MINE', sandbox.linkTag],
			[sandbox.businessId, 'my-tag'],
		]);
	});

	it('is asked for when it is in neither place, and nothing is sent', async () => {
		const credentials = { ...credentialsFor(sandbox), businessId: ' ', linkTag: '' };
		const { error } = await submit(operation, {}, { credentials });
		expect(error?.name).toBe('NodeOperationError');
		expect(error?.message).toBe("'Business ID' is empty, in the node and in the credential");
		expect(error?.description).toContain("'Link Tag' is empty, in the node and in the credential");
		expect(error?.description).toContain('once in the credential, from the business dashboard');
		expect(sandbox.requests()).toEqual([]);
	});
});

it('names every refused item in one go, each with its number at the end', async () => {
	const { error } = await submit('sell', fromItem('amount', 'accountNumber'), {
		items: [
			{ reference: 'a', amount: 0, accountNumber: '0123456789' },
			{ reference: 'b', amount: 5, accountNumber: '0123456789' },
			{ reference: 'c', amount: 5, accountNumber: '08012345678' },
		],
	});
	expect(error?.message).toBe(`'Amount' is "0", not above zero [item 0]`);
	expect(error?.description).toMatch(
		/'Account Number' ••••5678 has 11 digits and looks like a phone number\. .* \[item 2\]$/,
	);
	expect(error?.description).not.toContain('[item 1]');
});

it('refuses a sell of "15.000", which is fifteen or fifteen thousand', async () => {
	const { error } = await submit('sell', { amount: '={{ "15.000" }}' });
	expect(error?.message).toContain('which can be read as thousands or as decimals');
	expect(posts()).toEqual([]);
});

describe('an expression that comes out empty', () => {
	const fields = { reference: 'Reference', network: 'Network', walletAddress: 'Wallet Address' };
	const options = {
		businessId: 'Business ID',
		linkTag: 'Link Tag',
		dryRun: 'Dry Run',
		maximumAmount: 'Maximum Amount',
		ifAlreadySubmitted: 'If Already Submitted',
	};
	const all = Object.entries({ ...fields, ...options });
	const put = (name: string, expression: string): INodeParameters =>
		name in options ? { options: { [name]: expression } } : { ...wallet, [name]: expression };

	it.each(all)('in %s is refused by its name, %s, and nothing is sent', async (name, label) => {
		for (const operation of operations) {
			for (const expression of ['={{ $json.missing }}', '={{ $json.blank }}', '={{ null }}']) {
				const { error } = await submit(operation, put(name, expression), {
					items: [{ reference: 'order-0', blank: ' ', body: { missing: 'on a webhook' } }],
				});
				expect(error?.message).toBe(`The expression in '${label}' came out empty`);
				expect(error?.description).toContain(`Correct the expression in '${label}'`);
				expect(error?.description).toContain('What a webhook received is in $json.body');
			}
		}
		expect(posts()).toEqual([]);
	});

	it('is answered with the field that the item lacks, and where a webhook has it', async () => {
		const { error } = await submit('buy', { reference: '={{ $json.orderId }}' });
		expect(error?.description).toContain("The item has no 'orderId', or an empty one.");
		expect(error?.description).toContain('{{ $json.body.orderId }}');
	});

	it.each(all)('in %s refuses that item alone with Continue On Fail', async (name) => {
		const fine = { reference: 'fine', ...wallet, businessId: 'B', linkTag: 'L', dryRun: false };
		const items = [{ ...fine, maximumAmount: 15000, ifAlreadySubmitted: 'stop' }, {}];
		const reference = '={{ $json.reference ?? "other" }}';
		const parameters = { reference, ...put(name, `={{ $json.${name} }}`) };
		const { json } = await submit('sell', parameters, { items, node: goingOn });
		expect(json.map(({ outcome }) => outcome)).toEqual(['accepted', 'notSent']);
	});

	it('is something else than a field that is empty', async () => {
		const options = { businessId: '', linkTag: '' };
		const { error } = await submit('buy', { network: '', walletAddress: '', options });
		expect(error).toBeUndefined();
		expect(accepted()).toEqual(['order-0']);
	});
});

describe('an item that is refused', () => {
	const notRead = { accountName: '={{ $("Nobody").item.json.name }}' };
	const all: Array<[string, INodeParameters, unknown]> = [
		['keeps its own reference', notRead, 'order-0'],
		['has no made one where not all of it could be read', { ...notRead, reference: '' }, null],
		[
			'has a made one where all of it could be read',
			{ amount: 1, reference: '' },
			expect.stringMatching(/^n8n-[0-9a-f]{40}$/),
		],
	];

	it.each(all)('%s', async (_, parameters, reference) => {
		const { json } = await submit('buy', parameters, { node: goingOn });
		expect(json).toMatchObject([{ outcome: 'notSent' }]);
		expect(json[0]!.reference).toEqual(reference);
	});
});

describe('an expression that names a field of the item', () => {
	const named = async (expression: string, items: IDataObject[]) => {
		const { json, error } = await submit(
			'sell',
			{ accountName: expression, options: { dryRun: true } },
			{ items, node: goingOn },
		);
		return error?.message ?? json.map(({ request, error: setback }) => request ?? setback);
	};

	it.each([
		'name',
		'_name',
		'missing',
		'Name',
		'toString',
		'hasOwnProperty',
		'valueOf',
		'constructor',
		'prototype',
		'__proto__',
		'__defineGetter__',
		'getPrototypeOf',
		'caller',
		'isEmpty',
		'length',
	])('gives for $json.%s what n8n gives', async (name) => {
		const own = JSON.parse(`{"reference":"order-1","${name}":"own"}`) as IDataObject;
		const items = [{ reference: 'order-0', name: 'Ada' }, own];
		expect(await named(`={{ $json.${name} }}`, items)).toEqual(
			await named(`={{ ($json).${name} }}`, items),
		);
	});

	it.each([
		['={{$json.reference}}', 'order-0'],
		['={{  $json.reference  }}', 'order-0'],
		['={{ $json.reference }}-x', 'order-0-x'],
		['={{ $json.reference }}{{ $json.reference }}', 'order-0order-0'],
		['=x-{{ $json.reference }}', 'x-order-0'],
		['x={{ $json.reference }}', 'x={{ $json.reference }}'],
	])('is told from one that says more: %s', async (expression, accountName) => {
		expect(await named(expression, [{ reference: 'order-0' }])).toMatchObject([
			{ body: { account_name: accountName } },
		]);
	});

	it('is not read from $JSON, which n8n does not know', async () => {
		const items = [{ reference: 'order-0', name: 'Ada' }];
		expect(JSON.stringify(await named('={{ $JSON.name }}', items))).not.toContain('Ada');
		expect(JSON.stringify(await named('={{ $json.name }}', items))).toContain('Ada');
	});
});

describe('Maximum Total', () => {
	const total = async (maximumTotal: unknown, ...amounts: number[]) =>
		await submit(
			'buy',
			{ ...fromItem('amount'), options: { maximumTotal } as INodeParameters },
			{ items: amounts.map((amount, index) => ({ amount, reference: `order-${index}` })) },
		);

	it('keeps a run that would submit more from sending anything', async () => {
		const { error } = await total(45000, 15000, 15000, 15000.01);
		expect(error?.message).toBe(
			"This run would submit 45000.01 in all, above the 'Maximum Total' of 45000 [item 0]",
		);
		expect(error?.description).toContain(
			"Submit fewer at a time, or raise 'Maximum Total' in Options.",
		);
		expect(posts()).toEqual([]);
	});

	it.each([
		[30000.3, [15000.1, 15000.2]],
		[0, [15000, 900000]],
	])('of %d lets %j through', async (maximum, amounts) => {
		const { error } = await total(maximum, ...amounts);
		expect(error).toBeUndefined();
		expect(accepted()).toHaveLength(2);
	});

	describe('of a list that grows', () => {
		const growing = async (options: object, count: number, onError?: object) =>
			await submit(
				'buy',
				{ options: { maximumTotal: 30000, ...options } },
				{ items: referencesTo(count), ...onError },
			);
		beforeEach(async () => void (await growing({}, 2)));

		it('counts what is sent, and not what was accepted before', async () => {
			const skip = { ifAlreadySubmitted: 'skip' };
			expect(outcomesOf(await growing(skip, 4))).toEqual([
				'skipped',
				'skipped',
				'accepted',
				'accepted',
			]);
			expect((await growing(skip, 7)).error?.message).toBe(
				"This run would submit 45000 in all, above the 'Maximum Total' of 30000 [item 4]",
			);
			expect(accepted()).toHaveLength(4);
		});

		it('names what was accepted before, where that stops the run', async () => {
			const { error } = await growing({}, 4);
			expect(error?.message).toBe(
				'Reference order-0 was accepted before and is not sent again [item 0]',
			);
			expect(accepted()).toHaveLength(2);
		});

		it('counts it where it is sent again', async () => {
			const { error } = await growing({ ifAlreadySubmitted: 'submitAgain' }, 3);
			expect(error?.message).toContain('This run would submit 45000 in all');
			expect(accepted()).toHaveLength(2);
		});

		it('refuses all that would be sent and nothing else, where a run continues', async () => {
			const ran = await growing({ ifAlreadySubmitted: 'skip' }, 5, { node: goingOn });
			expect(outcomesOf(ran)).toEqual(['skipped', 'skipped', 'notSent', 'notSent', 'notSent']);
			expect(ran.json[2]!.error).toContain('This run would submit 45000 in all');
		});
	});

	it('counts what an earlier try has sent', async () => {
		const options = { maximumTotal: 30000 };
		const items = referencesTo(2);
		sandbox.fault({ kind: 'badRequest', on: 'buy', skip: 1 });
		const { run } = await submit('buy', { options }, { items });
		const more = { amount: 20000, options };
		const { error } = await submit('buy', more, { items, retryOf: edited(run, more) });
		expect(error?.message).toBe(
			"This run would submit 35000 in all, above the 'Maximum Total' of 30000 [item 1]",
		);
		expect(accepted()).toEqual(['order-0']);
		const retried = await submit('buy', { options }, { items, retryOf: run });
		expect(outcomesOf(retried)).toEqual(['accepted', 'accepted']);
	});

	it('adds what an earlier try has sent as people do', async () => {
		const parameters = { ...fromItem('amount'), options: { maximumTotal: 30000.3 } };
		const items = [15000.1, 15000.2].map((amount, index) => ({
			amount,
			reference: `order-${index}`,
		}));
		sandbox.fault({ kind: 'badRequest', on: 'buy', skip: 1 });
		const { run } = await submit('buy', parameters, { items });
		const retried = await submit('buy', parameters, { items, retryOf: run });
		expect(outcomesOf(retried)).toEqual(['accepted', 'accepted']);
	});

	it('says that nobody knows, where the database cannot say what was submitted before', async () => {
		await submit('buy', {}, { items: referencesTo(2) });
		const options = { maximumTotal: 30000, ifAlreadySubmitted: 'skip' };
		const items = referencesTo(3);
		const away = startProcess(engine, ({ helpers }) => {
			let calls = 0;
			const count = helpers.getProcessedDataCount.bind(helpers);
			// Two are for finding out whether it works at all.
			helpers.getProcessedDataCount = async (...asked) => {
				if (++calls > 2) throw new Error('the database is gone');
				return await count(...asked);
			};
		});
		const ran = (await away.run(optionsFor('buy', { options }, { items, node: goingOn })))!;
		expect(outcomesOf(ran)).toEqual(['notSent', 'notSent', 'notSent']);
		expect(ran.json[0]).toMatchObject({
			error:
				"n8n could not say what was submitted before, so whether this run stays within 'Maximum Total' is not known, and nothing was sent",
			message:
				"Submit it again when n8n's database and the register can be read. n8n says: the database is gone.",
		});
		expect(posts()).toHaveLength(2);
	});

	it('counts a reference that comes twice once, as it is sent once', async () => {
		const options = { maximumTotal: 15000, ifAlreadySubmitted: 'skip' };
		const items = [...referencesTo(1), ...referencesTo(1)];
		const { error } = await submit('buy', { options }, { items });
		expect(error).toBeUndefined();
		expect(accepted()).toHaveLength(1);
	});

	it.each([-1, 'a lot', ''])('that is %j is refused', async (maximum) => {
		const { error } = await total(maximum, 15000);
		expect(error?.message).toContain("'Maximum Total' is");
		expect(posts()).toEqual([]);
	});
});

it.each([0, 51, 1.5, 'many'])('refuses Parallel Requests of %j', async (parallelRequests) => {
	const { error } = await submit('buy', { options: { parallelRequests } });
	expect(error?.message).toMatch(
		/^'Parallel Requests' is .+, which is no whole number from 1 to 50\b/,
	);
	expect(error?.description).toContain('a whole number from 1 to 50');
	expect(posts()).toEqual([]);
});

it('takes up to fifty Parallel Requests', async () => {
	expect((await submit('buy', { options: { parallelRequests: 50 } })).json).toHaveLength(1);
});

it.each([5, '={{ "=x" }}', '={{ ["x"] }}'])(
	'refuses %j for the name of a register',
	async (register) => {
		const { error } = await submit('buy', { options: { register } });
		expect(error?.message).toMatch(/^'Register' is .+, not a name$/);
		expect(error?.description).toContain("Set 'Register' in Options to the name of a data table");
		expect(posts()).toEqual([]);
	},
);

describe('a dry run', () => {
	const checksOf = async (options: object, items: IDataObject[]) => {
		const dry = await submit(
			'buy',
			{ ...fromItem('amount'), options: { dryRun: true, ...options } },
			{ items },
		);
		expect(posts()).toEqual([]);
		expect(engine.processedData.calls).toBe(0);
		return dry.json.map(({ checks }) => {
			const { passed, refusals } = checks as { passed: boolean; refusals: IDataObject[] };
			return [passed, ...refusals.map(({ message }) => message)];
		});
	};
	const amounts = (...all: number[]) =>
		all.map((amount, index) => ({ reference: `order-${index}`, amount }));

	it('is what comes of adding the option, without a second click, and n8n keeps it', async () => {
		const { description } = engine.nodeTypeOf('stablecoinRamp');
		const options = description.properties.find(
			({ name, displayOptions }) =>
				name === 'options' && displayOptions?.show?.operation?.includes('buy'),
		)?.options as INodeProperties[];
		const dryRun = options.find(({ name }) => name === 'dryRun')!.default as boolean;
		const filled = optionsFor('buy', { options: { dryRun } }).parameters;
		const saved = NodeHelpers.getNodeParameters(
			description.properties,
			filled,
			false,
			false,
			{ typeVersion: 1 },
			description,
		);
		expect(saved?.options).toEqual({ dryRun: true });
		expect(outcomesOf(await submit('buy', { options: { dryRun } }))).toEqual(['dryRun']);
		expect(posts()).toEqual([]);
	});

	it('says that the run would be above Maximum Total', async () => {
		const tooMuch = "This run would submit 60000 in all, above the 'Maximum Total' of 50000";
		expect(await checksOf({ maximumTotal: 50000 }, amounts(30000, 30000))).toEqual([
			[false, tooMuch],
			[false, tooMuch],
		]);
		expect(await checksOf({ maximumTotal: 60000 }, amounts(30000, 30000))).toEqual([
			[true],
			[true],
		]);
	});

	it('leaves out of that what would be refused anyway', async () => {
		expect(await checksOf({ maximumTotal: 50000 }, amounts(30000, 1, 20000))).toEqual([
			[true],
			[false, expect.stringContaining('15000')],
			[true],
		]);
	});

	it('does not say that a reference comes twice where one of the two would be refused', async () => {
		const items = [
			{ reference: 'a', amount: 1 },
			{ reference: 'a', amount: 20000 },
		];
		expect(await checksOf({}, items)).toEqual([[false, expect.stringContaining('15000')], [true]]);
	});

	it('says which reference comes twice, as the choice has it', async () => {
		const twice = [
			{ reference: 'a', amount: 20000 },
			{ reference: 'a', amount: 20000 },
			{ reference: 'a', amount: 30000 },
		];
		const also = 'Reference a is also the reference of item 0';
		expect(await checksOf({}, twice)).toEqual([
			[true],
			[false, also],
			[false, `${also}, with other values`],
		]);
		expect(await checksOf({ ifAlreadySubmitted: 'skip' }, twice)).toEqual([
			[true],
			[true],
			[false, `${also}, with other values`],
		]);
	});

	it('is what an evaluation makes of everything, and the note says why', async () => {
		const { json } = await submit('buy', {}, { mode: 'evaluation' });
		expect(json).toMatchObject([
			{ outcome: 'dryRun', note: 'Nothing was sent: an evaluation moves no money.' },
		]);
		expect(posts()).toEqual([]);
	});

	it.each(operations)('returns the exact request of a %s, and sends nothing', async (operation) => {
		const dry = await submit(operation, { options: { dryRun: true } });
		expect(posts()).toEqual([]);
		expect(engine.processedData.calls).toBe(0);
		await submit(operation);
		const [sent] = posts();
		expect(dry.json).toEqual([
			{
				outcome: 'dryRun',
				reference: 'order-0',
				note: 'Nothing was sent.',
				request: { method: 'POST', url: `${sandbox.baseUrl}${sent!.path}`, body: sent!.body },
				checks: { mode: 'strict', passed: true, refusals: [] },
			},
		]);
	});

	it('returns what the checks said', async () => {
		const { json } = await submit('buy', { amount: 10, options: { dryRun: true } });
		const refusal = {
			message: "'Amount' is 10, below the minimum of 15000",
			description: "Set 'Amount' to 15000 or more",
		};
		expect(json).toMatchObject([{ checks: { passed: false, refusals: [refusal] } }]);
	});

	it.each([1, 'yes', ['x']])('is not taken for switched off when it is %j', async (dryRun) => {
		const options = { dryRun: `={{ ${JSON.stringify(dryRun)} }}` };
		const { error } = await submit('buy', { options });
		expect(error?.message).toContain('neither true nor false');
		expect(posts()).toEqual([]);
	});
});
