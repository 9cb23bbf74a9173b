import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { someTable } from '../support/engine/fakeDataTable.mts';
import { startProcess } from '../support/engine/processes.mts';
import { goingOn, useSubmitting } from '../support/engine/submitting.mts';
import { startService } from '../support/servers.mts';
import { outcomesOf } from '../support/told.mts';
import { fromItem, listed, referencesTo, wallet } from '../support/transactions.mts';

const { engine, sandbox, optionsFor, posts, accepted } = useSubmitting();

let table: ReturnType<typeof someTable>;
beforeEach(() => {
	table = someTable();
});

async function submit(
	operation: 'buy' | 'sell',
	parameters: INodeParameters,
	options: INodeParameters = {},
	different: Parameters<typeof optionsFor>[2] = {},
	executeWorkflow = table.executeWorkflow,
) {
	const withTable = (context: IExecuteFunctions) => {
		Object.assign(context, { executeWorkflow });
	};
	const all = { ...parameters, options: { register: 'Register', ...options } };
	return (await startProcess(engine, withTable).run(optionsFor(operation, all, different)))!;
}

const mistyped = { accountNumber: '123456789' };
const seed = 'SAV76USXIJOBMEQXPANUOQM6F5LIOTLPDIDVRJBFFE2MDJXG24TAPUU7';

const notEntered = 'It could not be entered in the register: ';
const fails = '={{ $json.a.b.c }}';

describe('a buy that the checks refuse', () => {
	it('has a row, because its money may have been paid', async () => {
		const ran = await submit('buy', { ...mistyped, amount: 20000 });
		expect(ran.error?.message).toContain('9 digits');
		expect(ran.error?.description).not.toContain(notEntered);
		expect(posts()).toEqual([]);
		expect(table.rows()).toEqual([
			expect.objectContaining({
				reference: 'order-0',
				operation: 'buy',
				outcome: 'notSent',
				amount: 20000,
				vendor_number: '0011223344',
				account_number: '123456789',
				account_name: 'Ada Example',
				item: 0,
				message: expect.stringContaining('9 digits') as string,
			}),
		]);
		expect(table.rows()[0]).not.toHaveProperty('sentAt');
	});

	it.each([
		['an amount above the limit', { amount: 2_000_000 }, { maximumAmount: 1_000_000 }, 2_000_000],
		['an amount below the minimum', { amount: '100' }, {}, 100],
		['no amount that can be read', { amount: '20,000' }, {}, null],
	])('has its amount as it was asked for: %s', async (_, parameters, options, amount) => {
		await submit('buy', parameters, options);
		expect(table.rows()).toEqual([expect.objectContaining({ outcome: 'notSent', amount })]);
	});

	it('has the vendor that has left the list', async () => {
		await submit('buy', listed('0099999999'));
		const [row] = table.rows();
		expect(row).toMatchObject({ outcome: 'notSent', vendor_number: '0099999999' });
		expect(row!.message).toContain("set 'Vendor Source' to Enter by Hand");
		expect(row!.message).not.toContain('Choose a vendor that is on the list');
	});

	it('has a row where an expression of it fails', async () => {
		await submit('buy', { accountName: '={{ $json.a.b.c }}', network: '={{ $json.none }}' });
		expect(table.rows()).toEqual([
			expect.objectContaining({ reference: 'order-0', outcome: 'notSent', account_name: null }),
		]);
	});

	it('keeps what was known before of what cannot be read now', async () => {
		await submit('buy', { ...mistyped, amount: 45000 });
		await submit('buy', { amount: '45,00', accountName: '={{ $json.none }}' });
		expect(table.rows().at(-1)).toMatchObject({
			amount: 45000,
			account_number: '0123456789',
			account_name: null,
		});
		await submit('buy', { amount: '45,00' });
		await submit('buy', { amount: '45,00', accountName: '={{ $json.none }}' });
		expect(table.rows().at(-1)).toMatchObject({
			amount: 45000,
			account_number: '0123456789',
			account_name: 'Ada Example',
		});
	});

	it('makes no payer of two that were entered', async () => {
		await submit('buy', { bankName: 'Atlas Bank', accountName: '={{ $json.none }}' });
		await submit('buy', {
			bankName: 'Comet Bank',
			accountNumber: '={{ $json.none }}',
			accountName: 'Bola Example',
		});
		expect(table.rows().at(-1)).toMatchObject({
			bank_name: 'Comet Bank',
			account_number: null,
			account_name: 'Bola Example',
		});
	});

	it('has a row of the first refusal and one of the last, until it is sent', async () => {
		await submit('buy', mistyped);
		for (const accountNumber of ['1234567', '12345678']) await submit('buy', { accountNumber });
		expect(table.rows().map(({ outcome, account_number: number }) => [outcome, number])).toEqual([
			['notSent', '123456789'],
			['notSent', '12345678'],
		]);
		await submit('buy', {});
		expect(table.outcomes()).toEqual(['order-0 notSent', 'order-0 notSent', 'order-0 accepted']);
		expect(accepted()).toEqual(['order-0']);
	});

	it('has a row of its own after one that was rejected, and none after one that a person has closed', async () => {
		sandbox.fault({ kind: 'badRequest', on: 'buy' });
		await submit('buy', {});
		await submit('buy', mistyped);
		expect(table.outcomes()).toEqual(['order-0 rejected', 'order-0 notSent']);
		table.change((row) => ({
			...row,
			outcome: row.outcome === 'notSent' ? 'closed' : row.outcome,
		}));
		await submit('buy', mistyped);
		expect(table.outcomes()).toEqual(['order-0 rejected', 'order-0 closed']);
	});

	it.each([
		['accepted', undefined],
		['unknown', 'acceptThenDrop'],
	] as const)('has none where its reference is %s: that row counts', async (outcome, kind) => {
		if (kind) sandbox.fault({ kind, on: 'buy' });
		await submit('buy', {});
		await submit('buy', mistyped);
		expect(table.outcomes()).toEqual([`order-0 ${outcome}`]);
	});

	it('has none where another workflow may have sent its reference', async () => {
		table.rows().push({ reference: 'order-0', outcome: 'sending', id: 7 });
		await submit('buy', mistyped);
		expect(table.outcomes()).toEqual(['order-0 sending']);
	});

	it('has none where this workflow knows its reference and the register does not', async () => {
		await submit('buy', {}, { register: '' });
		const ran = await submit('buy', mistyped);
		expect(outcomesOf(ran)).toEqual(['notSent']);
		expect(table.rows()).toEqual([]);
	});

	it('has one beside others that are sent', async () => {
		const items = [{ accountNumber: '1', reference: 'a' }, ...good('b', 'c')];
		const ran = await submit('buy', fromItem('accountNumber'), {}, { items, node: goingOn });
		expect(outcomesOf(ran)).toEqual(['notSent', 'accepted', 'accepted']);
		expect(table.outcomes()).toEqual(['a notSent', 'b accepted', 'c accepted']);
	});

	it('has none where its reference is sent for another item of the same run', async () => {
		const items = [...good('a'), { accountNumber: '1', reference: 'a' }];
		const ran = await submit('buy', fromItem('accountNumber'), {}, { items, node: goingOn });
		expect(outcomesOf(ran)).toEqual(['accepted', 'notSent']);
		expect(table.outcomes()).toEqual(['a accepted']);
	});

	it('has one where its reference comes twice and neither is sent', async () => {
		const ran = await submit('buy', {}, {}, { items: [{ reference: 'a' }, { reference: 'a' }] });
		expect(ran.error?.message).toContain('is also the reference of item 0');
		expect(table.outcomes()).toEqual(['a notSent']);
		expect(posts()).toEqual([]);
	});

	it('has one each, of more than SQLite finds at once', async () => {
		const items = referencesTo(1100);
		await submit('buy', mistyped, {}, { items });
		expect(table.outcomes()).toHaveLength(1100);
		expect(Math.max(...table.asked().map((one) => (one as unknown[]).length))).toBeLessThan(1000);
	});

	it('does not stand above what a person has closed meanwhile, and that is not sent', async () => {
		await submit('buy', mistyped);
		table.failing((operation) => {
			if (operation === 'insert') table.change((row) => ({ ...row, outcome: 'closed' }));
			return undefined;
		});
		await submit('buy', { accountNumber: '12345678' });
		expect(table.outcomes()).toEqual(['order-0 closed']);
		table.failing(() => undefined);
		await submit('buy', {});
		expect(accepted()).toEqual([]);
	});

	it('does not stand above what another process has sent meanwhile', async () => {
		let isSent = false;
		const sendsFirst: typeof table.executeWorkflow = async (...given) => {
			const [{ code }] = given;
			if (code.nodes[1]!.parameters.operation === 'insert' && !isSent) {
				isSent = true;
				sandbox.fault({ kind: 'acceptThenDrop', on: 'buy' });
				await submit('buy', {});
			}
			return await table.executeWorkflow(...given);
		};
		await submit('buy', mistyped, {}, {}, sendsFirst);
		expect(accepted()).toEqual(['order-0']);
		expect(table.outcomes()).toEqual(['order-0 unknown']);
	});

	it('keeps what a person has written into its row', async () => {
		for (let refused = 0; refused < 2; refused++) await submit('buy', mistyped);
		table.change((row) => ({ ...row, message: 'Paid in two transfers' }));
		await submit('buy', mistyped);
		const messages = table.rows().map(({ message }) => message);
		expect(messages.slice(0, -1)).toEqual(['Paid in two transfers', 'Paid in two transfers']);
	});

	it.each([{ by: 'Ada' }, { transaction_id: 'X1' }, { sentAt: '2026-01-01T10:00:00.000Z' }])(
		'leaves a row that is no refusal of the node alone, with %j, as it is',
		async (added) => {
			await submit('buy', mistyped);
			const times = { createdAt: new Date(0), updatedAt: new Date(0) } as unknown as IDataObject;
			const row = { id: 7, reference: 'order-0', outcome: 'notSent', ...times, ...added };
			table.rows().push(row);
			await submit('buy', mistyped);
			expect(table.rows()).toEqual([
				expect.objectContaining({ id: 1 }),
				row,
				expect.objectContaining({ outcome: 'notSent', account_number: '123456789' }),
			]);
		},
	);

	it('takes nothing but its own row back where somebody has sent its reference meanwhile', async () => {
		const sending = { id: 90, reference: 'order-0', outcome: 'sending' };
		const others = { id: 80, reference: 'order-0', outcome: 'notSent', executionId: 'of others' };
		const before = [others, { ...others, id: 81, sentAt: '2026-01-01T10:00:00.000Z' }];
		table.rows().push(...before);
		table.failing((operation) => {
			if (operation === 'insert') table.rows().push(sending);
			return undefined;
		});
		await submit('buy', mistyped);
		expect(table.rows()).toEqual([...before, sending]);
	});

	it('has a row after the newest one, in whatever order the rows are found', async () => {
		table.rows().push({ id: 9, reference: 'order-0', outcome: 'rejected' });
		table.rows().push({ id: 3, reference: 'order-0', outcome: 'unknown' });
		await submit('buy', mistyped);
		expect(table.outcomes()).toContain('order-0 notSent');
	});

	it('has one row more than there are items with its reference, however often it is tried', async () => {
		const items = [{ reference: 'a' }, { reference: 'a' }];
		for (let tries = 0; tries < 4; tries++) await submit('buy', mistyped, {}, { items });
		expect(table.outcomes()).toEqual(['a notSent', 'a notSent', 'a notSent']);
	});

	it('has nothing of another vendor or wallet in its row', async () => {
		await submit('buy', { ...mistyped, ...wallet });
		await submit('buy', { ...listed('0099999999'), ...wallet });
		const vendor = { vendor_name: null, vendor_bank: null, vendor_number: '0099999999' };
		expect(table.rows().at(-1)).toMatchObject(vendor);
		await submit('buy', { ...mistyped, network: 'Stellar', walletAddress: seed });
		const withoutWallet = { network: 'Stellar', wallet_address: null };
		expect(table.rows().at(-1)).toMatchObject(withoutWallet);
		await submit('buy', { ...mistyped, ...wallet });
		await submit('buy', mistyped);
		const takenOut = { network: null, wallet_address: null };
		expect(table.rows().at(-1)).toMatchObject(takenOut);
	});

	it('has the wallet and the vendor of before where they could not be read', async () => {
		await submit('buy', { ...mistyped, ...wallet });
		const [before] = table.rows();
		await submit('buy', {
			...mistyped,
			network: fails,
			walletAddress: fails,
			vendorName: fails,
			vendorBank: fails,
			vendorNumber: fails,
		});
		for (const column of ['network', 'wallet_address', 'vendor_name', 'vendor_number']) {
			expect(table.rows()[1]![column]).toBe(before![column]);
		}
	});

	it.each(['network', 'walletAddress'])(
		'has the wallet of before where its %s could not be read and the other field is empty',
		async (field) => {
			await submit('buy', { ...mistyped, ...wallet });
			await submit('buy', { ...mistyped, network: '', walletAddress: '', [field]: fails });
			const { network, walletAddress: wallet_address } = wallet;
			expect(table.rows().at(-1)).toMatchObject({ network, wallet_address });
		},
	);

	it.each(['45.000', '0x3A98', '45 thousand'])(
		'has the amount of before where it is given as %s',
		async (amount) => {
			await submit('buy', { amount });
			expect(table.rows()[0]!.amount).toBeNull();
			await submit('buy', { ...mistyped, amount: 45000 });
			await submit('buy', { amount });
			expect(table.rows().at(-1)).toMatchObject({ amount: 45000 });
		},
	);

	it('has a row where its reference was also to be sent, and was not come to', async () => {
		sandbox.fault({ kind: 'serverError', accept: false, on: 'buy', times: 10 });
		const accountNumber = '0123456789';
		const others = ['p', 'q', 'r', 's', 't', 'u', 'v', 'x'];
		const items = [
			{ reference: 'x', accountNumber: '1' },
			...others.map((reference) => ({ reference, accountNumber })),
		];
		await submit('buy', fromItem('accountNumber'), {}, { items, node: goingOn });
		expect(table.outcomes()).toContain('x notSent');
		expect(accepted()).toEqual([]);
	});

	it('has a row where its reference is a hash', async () => {
		const reference = 'a3'.repeat(32);
		await submit('buy', mistyped, {}, { items: [{ reference }] });
		expect(table.outcomes()).toEqual([`${reference} notSent`]);
		sandbox.fault({ kind: 'acceptThenDrop', on: 'buy' });
		await submit('buy', {}, {}, { items: [{ reference }] });
		const [row] = table.rows().filter(({ outcome }) => outcome === 'unknown');
		expect(row!.message).toContain(`Look for reference ${reference}`);
		expect(accepted()).toEqual([reference]);
	});

	const unusable = { reference: 'order\u200b-7' };
	const cannotBeUsed = "its 'Reference' cannot be used";

	it.each<[string, INodeParameters, INodeParameters, IDataObject]>([
		[cannotBeUsed, {}, {}, unusable],
		[cannotBeUsed, mistyped, {}, { reference: 'x'.repeat(501) }],
		[cannotBeUsed, { reference: fails }, {}, {}],
		['nothing of this run could be checked', {}, { parallelRequests: 99 }, { reference: 'a' }],
	])('says that it has no row: %s (%j, %j, %j)', async (why, parameters, options, item) => {
		const { error } = await submit('buy', parameters, options, { items: [item] });
		expect(error?.description).toContain(notEntered + why);
		expect(table.rows()).toEqual([]);
	});

	it.each<[string, 'buy' | 'sell', INodeParameters, IDataObject]>([
		['no register is named', 'buy', { register: '' }, unusable],
		['nothing was paid', 'sell', {}, unusable],
		['nothing was paid', 'sell', { parallelRequests: 99 }, { reference: 'a' }],
	])('does not speak of a row where %s (%s)', async (_, operation, options, item) => {
		const { error } = await submit(operation, {}, options, { items: [item] });
		expect(error).toBeDefined();
		expect(error?.description).not.toContain(notEntered);
	});

	it('does not speak of a row where it has no reference of its own', async () => {
		const { error } = await submit('buy', { ...mistyped, reference: '' });
		expect(error?.message).toContain('9 digits');
		expect(error?.description).not.toContain(notEntered);
		expect(table.rows()).toEqual([]);
	});

	it.each(['={{ "ja" }}', '={{ $json.none }}', '={{ $json.a.b.c }}'])(
		'has no row where it may be a dry run: %s',
		async (dryRun) => {
			await submit('buy', mistyped, { dryRun });
			expect(table.rows()).toEqual([]);
		},
	);

	it('has a row where another option cannot be read, and where an expression says no dry run', async () => {
		const items = [
			{ reference: 'a', limit: 99999 },
			{ reference: 'b', limit: 0 },
		];
		const maximumAmount = '={{ $json.limit || $("Nobody").item.json.x }}';
		await submit('buy', {}, { maximumAmount }, { items, node: goingOn });
		expect(table.outcomes()).toEqual(['b notSent', 'a accepted']);
		for (const [reference, dryRun] of Object.entries({ c: '={{ false }}', d: '={{ "false" }}' })) {
			await submit('buy', mistyped, { dryRun }, { items: [{ reference }] });
			expect(table.outcomes()).toContain(`${reference} notSent`);
		}
	});

	it('has one where the total is too much', async () => {
		const items = referencesTo(2);
		await submit('buy', {}, { maximumTotal: 20000 }, { items });
		expect(table.outcomes()).toEqual(['order-0 notSent', 'order-1 notSent']);
		expect(posts()).toEqual([]);
	});

	it('says so where the register cannot be opened, read or written', async () => {
		for (const failing of ['list', 'get', 'insert']) {
			table.failing((operation) => (operation === failing ? new Error('no more room') : undefined));
			const ran = await submit('buy', mistyped);
			expect(ran.error?.message).toContain('9 digits');
			expect(ran.error?.description).toContain('could not be entered in the register');
			expect(ran.error?.description).toContain('no more room');
		}
	});

	const good = (...references: string[]) =>
		references.map((reference) => ({ reference, accountNumber: '0123456789' }));
});

describe('no row is written', () => {
	it.each([
		['for a sell, because nothing was paid', 'sell', {}, {}],
		['for one without a reference of its own', 'buy', { reference: '' }, {}],
		['for a dry run', 'buy', {}, { dryRun: true }],
		['where no register is named', 'buy', {}, { register: '' }],
	] as const)('%s', async (_, operation, parameters, options) => {
		await submit(operation, { ...mistyped, ...parameters }, options);
		expect(table.rows()).toEqual([]);
		expect(table.made()).toEqual([]);
	});

	it('where nobody can say whether it is a dry run', async () => {
		const options = { dryRun: '={{ fail( }}' };
		const ran = await submit('buy', mistyped, options);
		expect(ran.error?.message).toContain('could not be evaluated');
		expect(table.rows()).toEqual([]);
	});

	it('for those that a run did not come to', async () => {
		const items = [
			{ reference: 'a', accountNumber: '1' },
			{ reference: 'b', accountNumber: '0123456789' },
		];
		await submit('buy', fromItem('accountNumber'), {}, { items });
		expect(table.outcomes()).toEqual(['a notSent']);
	});
});

it('a secret that was typed into a field is in no column', async () => {
	const phrase = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
	const { secretKey } = sandbox;
	const texts = () => table.rows().map((row) => JSON.stringify(row as IDataObject));
	await submit('buy', { network: 'Stellar', walletAddress: seed, bankName: `my key ${secretKey}` });
	await submit('buy', { accountName: phrase, bankName: `my key ${secretKey}` });
	expect(table.outcomes()).toEqual(['order-0 notSent', 'order-0 accepted']);
	for (const text of texts()) {
		expect(text).not.toContain(seed);
		expect(text).not.toContain(phrase);
		expect(text).not.toContain(secretKey);
	}
	await submit('buy', { ...mistyped, reference: seed });
	const ran = await submit('buy', { reference: `order ${secretKey}` });
	expect(ran.error?.message).toContain('has the secret key of the credential in it');
	await submit('buy', { reference: 'order-1', network: secretKey });
	expect(texts().filter((text) => text.includes(secretKey))).toEqual([]);
	expect(table.outcomes()).toEqual(['order-0 notSent', 'order-0 accepted', 'order-1 notSent']);
});

it('a register of an earlier version is refused, with what to do', async () => {
	table = someTable(['reference', 'operation', 'outcome', 'settledAt']);
	const ran = await submit('buy', {});
	expect(ran.error?.message).toContain('is a register of an earlier version of this node');
	expect(ran.error?.description).toContain('Rename it under Data tables');
	expect(posts()).toEqual([]);
});

const phrase = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

it.each(['bankName', 'accountName', 'vendorName', 'vendorBank'])(
	'has no secret in any column that was typed into %s, though the service repeats it',
	async (field) => {
		const service = await startService((body) => ({
			body: { status: 'success', transaction: { transaction_id: 'T-1', ...body, network: 'x' } },
		}));
		const { credentials } = service;
		await submit('buy', { [field]: phrase, ...wallet }, { checks: 'off' }, { credentials });
		expect(service.received).toHaveLength(1);
		expect(table.outcomes()).toEqual(['order-0 accepted']);
		expect(JSON.stringify(table.rows())).not.toContain(phrase);
	},
);

it.each(['businessId', 'linkTag'])('has no secret that was typed into %s', async (name) => {
	await submit('buy', {}, { [name]: phrase });
	expect(JSON.stringify(table.rows())).not.toContain(phrase);
});

const listOfBytes = JSON.stringify(Array.from({ length: 64 }, (_, index) => index));

it.each([seed, phrase, listOfBytes])(
	'sends nothing whose reference is a secret',
	async (reference) => {
		const { error } = await submit('buy', {}, {}, { items: [{ reference }] });
		expect(error?.message).toMatch(
			/^'Reference' looks like a (Stellar secret seed|recovery phrase|Solana secret key)/,
		);
		expect(posts()).toEqual([]);
		expect(table.rows()).toEqual([]);
	},
);
