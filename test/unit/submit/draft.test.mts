import fc from 'fast-check';

import {
	checkedAmount,
	draft,
	identity,
	options,
	others,
	vendor,
	wallet,
	type Item,
} from '../../../nodes/StablecoinRamp/submit/draft.ts';
import { fingerprintOfValues } from '../../../nodes/StablecoinRamp/submit/memory/fingerprint.ts';
import { times } from '../../support/quick.mts';
import { buyBody, submitting, wallet as polygon } from '../../support/transactions.mts';
import { faultsIn } from './allowed.mts';
import { hostile, parameters } from './arbitraries.mts';

const credentials = { businessId: 'BUSINESS-1', linkTag: 'business-one' };

const good = submitting('buy', submitting('sell'));

const { walletAddress: evm } = polygon;

const item = (raw: Record<string, unknown> = {}, different: Partial<Item> = {}): Item => ({
	operation: 'buy',
	raw: { ...good, ...raw },
	credentials,
	...different,
});

const off = { options: { checks: 'off' } };

type Part = (item: Item) => { value: unknown; refusals: Array<{ message: string }> };
const said = (part: Part, given: Item) => part(given).refusals.map(({ message }) => message);

it('lets nothing pass that breaks a check, and never throws', () => {
	let passed = 0;
	const operation = fc.constantFrom('buy' as const, 'sell' as const);
	fc.assert(
		fc.property(operation, parameters(hostile), fc.boolean(), (name, raw, filled) => {
			const given = { operation: name, raw: filled ? { ...good, ...raw } : raw, credentials };
			const drafted = draft(given);
			for (const { message, description } of drafted.refusals) {
				expect(message).toMatch(/\S/);
				expect(description).toMatch(/\S/);
			}
			if (drafted.refusals.length > 0) return;
			passed++;
			const chosen = raw.options as Record<string, unknown> | undefined;
			const maximum = Number(chosen?.maximumAmount ?? 0);
			expect(
				faultsIn(name, drafted.body, { strict: drafted.checks === 'strict', maximum }),
			).toEqual([]);
			expect(drafted.ownReference.length).toBeLessThanOrEqual(500);
		}),
		// The first ones pass, however chance will have it.
		{ numRuns: times(1500), examples: [['buy', {}, true]] },
	);
	expect(passed).toBeGreaterThanOrEqual(1);
});

it('puts the fields of all parts into one body, and the refusals of all into one list', () => {
	const { body, refusals, ownReference } = draft(item({ ...polygon, reference: ' order-1 ' }));
	const { reference, ...fields } = buyBody;
	expect(body).toEqual({ ...fields, business_id: 'BUSINESS-1', link_tag: 'business-one' });
	expect([refusals, ownReference]).toEqual([[], reference]);
	const bad = { amount: 1, vendorName: '', bankName: '', network: 'Polygon', reference: {} };
	expect(said((given) => ({ value: {}, ...draft(given) }), item(bad))).toEqual([
		"'Reference' is an object, not a text",
		"'Amount' is 1, below the minimum of 15000",
		"'Vendor Name' is empty",
		"'Bank Name' is empty",
		"'Network' is chosen and 'Wallet Address' is empty",
	]);
});

it('has a fingerprint that stays the same from version to version, because it is in the database', () => {
	expect(fingerprintOfValues(draft(item(polygon)).body)).toBe(
		'7e792adca96c2c30d3f8de3fb05c5d73a6804773',
	);
	expect(fingerprintOfValues(draft(item(polygon, { operation: 'sell' })).body)).toBe(
		'6d785893714e3424df2aa1b83be68b72a74f080b',
	);
});

it('has the same fingerprint in whatever order the fields are declared', () => {
	const { body } = draft(item(polygon));
	const backwards = Object.fromEntries(Object.entries(body).reverse());
	expect(fingerprintOfValues(backwards)).toBe(fingerprintOfValues(body));
	expect(fingerprintOfValues({ ...body, amount: 15001 })).not.toBe(fingerprintOfValues(body));
});

describe('identity', () => {
	it.each([
		[{}, ['BUSINESS-1', 'business-one']],
		[{ businessId: ' OWN ' }, ['OWN', 'business-one']],
		[{ businessId: '', linkTag: 'own-tag' }, ['BUSINESS-1', 'own-tag']],
	])('with %j in Options is %j', (own, [business_id, link_tag]) => {
		expect(identity(item({ options: own }))).toEqual({
			value: { business_id, link_tag },
			refusals: [],
		});
	});

	it('is asked for where neither the node nor the credential has it', () => {
		expect(said(identity, item({}, { credentials: { businessId: ' ' } }))).toEqual([
			"'Business ID' is empty, in the node and in the credential",
			"'Link Tag' is empty, in the node and in the credential",
		]);
		expect(identity(item({}, { credentials: { linkTag: 'x' } })).refusals).toMatchObject([
			{
				description:
					"Fill in 'Business ID' once in the credential, from the business dashboard, or add it in Options",
			},
		]);
	});

	it('is not taken from the credential where the node has something that is no text', () => {
		expect(said(identity, item({ options: { businessId: ['x'] } }))).toEqual([
			"'Business ID' is a list, not a text",
		]);
	});
});

describe('amount', () => {
	it('has a minimum in a buy, also with the checks off, and none in a sell', () => {
		for (const raw of [{ amount: 14999 }, { amount: 14999, ...off }]) {
			expect(said(checkedAmount, item(raw))).toEqual([
				"'Amount' is 14999, below the minimum of 15000",
			]);
			expect(checkedAmount(item(raw, { operation: 'sell' })).value).toEqual({ amount: 14999 });
		}
	});

	it('has two decimals at most in strict checks, as many as are given with the checks off', () => {
		expect(said(checkedAmount, item({ amount: 15000.125 }))).toEqual([
			"'Amount' is 15000.125, which has more than 2 decimals",
		]);
		expect(checkedAmount(item({ amount: 15000.125, ...off })).value).toEqual({
			amount: 15000.125,
		});
	});

	it('is at most the Maximum Amount, where 0 is no limit', () => {
		expect(
			said(checkedAmount, item({ amount: 20001, options: { maximumAmount: '20000' } })),
		).toEqual(["'Amount' is 20001, above the 'Maximum Amount' of 20000"]);
		expect(said(checkedAmount, item({ amount: 20001, options: { maximumAmount: 0 } }))).toEqual([]);
	});

	it.each([
		['', '"", not a number'],
		[null, 'empty, not a number'],
		['a lot', '"a lot", not a number'],
		[-1, '-1, not a number'],
		[{ toString: null, valueOf: null }, 'an object, not a number'],
	])('does not take a limit of %j for no limit', (maximumAmount, is) => {
		expect(said(checkedAmount, item({ options: { maximumAmount } }))).toEqual([
			`'Maximum Amount' is ${is}`,
		]);
	});
});

describe('vendor', () => {
	const listed = { vendorName: 'Ada', vendorBank: 'Bank of Ada', vendorNumber: '12' };

	it('is the listed one as it is, before what was typed', () => {
		expect(vendor(item({}, { vendor: { ok: true, value: listed } }))).toEqual({
			value: { vendor_name: 'Ada', vendor_bank: 'Bank of Ada', vendor_number: '12' },
			refusals: [],
		});
	});

	it('is refused in the words of the list where it was not found there', () => {
		const gone = { ok: false as const, message: 'It is gone', description: 'Pay nothing' };
		const asked = item({ vendor: ' 0011223344 ' }, { vendor: gone });
		const value = { vendor_number: '0011223344' };
		expect(vendor(asked)).toEqual({ value, refusals: [gone] });
	});

	it('by hand needs all three fields, and ten digits in strict checks', () => {
		const nothing = { vendorName: '', vendorBank: ' ', vendorNumber: '' };
		expect(said(vendor, item(nothing))).toEqual([
			"'Vendor Name' is empty",
			"'Vendor Bank' is empty",
			"'Vendor Number' is empty",
		]);
		expect(said(vendor, item({ vendorNumber: '12345' }))).toEqual([
			"'Vendor Number' ••••2345 has 5 digits, not ten",
		]);
		expect(said(vendor, item({ vendorNumber: '12345', ...off }))).toEqual([]);
	});

	it('is no part of a sell', () => {
		expect(vendor(item({}, { operation: 'sell' }))).toEqual({ value: {}, refusals: [] });
	});
});

describe('the bank account', () => {
	const nothing = { bankName: '', accountNumber: '', accountName: '' };

	it('is asked for in a buy, and in a sell unless the checks are off', () => {
		const all = ["'Bank Name' is empty", "'Account Number' is empty", "'Account Name' is empty"];
		expect(said(others, item(nothing))).toEqual(all);
		expect(said(others, item({ ...nothing, ...off }))).toEqual(all);
		// In the order of the fields, as a person sees them.
		expect(said(others, item(nothing, { operation: 'sell' }))).toEqual([
			"'Account Name' is empty",
			"'Account Number' is empty",
			"'Bank Name' is empty",
		]);
		expect(said(others, item({ ...nothing, ...off }, { operation: 'sell' }))).toEqual([]);
	});

	it('takes digits that came as a number, and checks how many there are in strict checks alone', () => {
		expect(others(item({ accountNumber: 1234567890 })).value).toMatchObject({
			account_number: '1234567890',
		});
		expect(said(others, item({ bankName: '', accountNumber: '12' }))).toEqual([
			"'Bank Name' is empty",
			"'Account Number' has 2 digits, not ten",
		]);
		expect(said(others, item({ accountNumber: '12', ...off }))).toEqual([]);
	});

	it('takes nothing but texts, and none of more than 500 characters, whatever the checks', () => {
		expect(said(others, item({ accountNumber: {} }))).toEqual([
			"'Account Number' is an object, not a text",
		]);
		expect(said(others, item({ accountName: 'x'.repeat(501), ...off }))).toEqual([
			"'Account Name' has 501 characters, which are more than 500",
		]);
	});
});

describe('wallet', () => {
	it.each([
		['', '', []],
		['polygon', evm, []],
		['', evm, ["'Wallet Address' is filled and 'Network' is not"]],
		['Polygon', '', ["'Network' is chosen and 'Wallet Address' is empty"]],
		['Bitcoin', evm, [expect.stringMatching(/^'Network' is "Bitcoin", which is none of/)]],
		[
			'Solana',
			evm,
			["'Wallet Address' is an address of Polygon or Avalanche, and 'Network' is Solana"],
		],
	])('with network %j and address %j is refused by %j', (network, walletAddress, messages) => {
		const given = { network, walletAddress };
		expect(said(wallet, item(given))).toEqual(messages);
		expect(said(wallet, item({ ...given, ...off }))).toEqual([]);
	});

	it('is sent under the name that the service has for the network', () => {
		const { value: fields } = wallet(item({ network: 'polygon', walletAddress: evm }));
		expect(fields).toEqual({ network: 'Polygon', wallet_address: evm });
	});

	it('is refused and not passed on when it is a secret, also with the checks off', () => {
		const walletAddress = `0x${'ab'.repeat(32)}`;
		for (const checks of [{}, off]) {
			const { value: fields, refusals } = wallet(
				item({ network: 'polygon', walletAddress, ...checks }),
			);
			expect(refusals).toMatchObject([{ secret: true }]);
			expect(fields).toEqual({ network: 'Polygon' });
			expect(said(wallet, item({ network: {}, walletAddress, ...checks }))).toHaveLength(2);
		}
	});
});

describe('options', () => {
	const usual = { checks: 'strict', ifAlreadySubmitted: 'stop', dryRun: false };

	it.each([
		[undefined, usual],
		['', usual],
		[{}, usual],
		[{ checks: '', ifAlreadySubmitted: '' }, usual],
		[{ dryRun: true }, { ...usual, dryRun: true }],
		[{ dryRun: false }, usual],
		[{ dryRun: 'false' }, usual],
		[
			{ checks: 'off', ifAlreadySubmitted: 'submitUnknownAgain', dryRun: 'true' },
			{ checks: 'off', ifAlreadySubmitted: 'submitUnknownAgain', dryRun: true },
		],
	])('of %j are %j', (given, fields) => {
		expect(options(item({ options: given }))).toEqual({ value: fields, refusals: [] });
	});

	it.each(['dry', 5, true])('that are %j are not overlooked', (given) => {
		expect(said(options, item({ options: given }))).toEqual([
			expect.stringContaining('not a list of options'),
		]);
	});

	it.each([
		[{ checks: 'none' }, '\'Checks\' is "none", which is none of strict, off'],
		[
			{ ifAlreadySubmitted: 'again' },
			'\'If Already Submitted\' is "again", which is none of stop, skip, submitUnknownAgain, submitAgain',
		],
		[{ dryRun: 1 }, "'Dry Run' is 1, neither true nor false"],
		[{ dryRun: '' }, '\'Dry Run\' is "", neither true nor false'],
		[{ dryRun: null }, "'Dry Run' is empty, neither true nor false"],
	])('refuse %j, and are the usual meanwhile', (given, message) => {
		expect(said(options, item({ options: given }))).toEqual([message]);
		expect(options(item({ options: given })).value).toEqual(usual);
	});
});

it.each<[Record<string, unknown>, string]>([
	[
		{ options: { maximumAmount: 'x' } },
		"Set 'Maximum Amount' in Options to a number, or take it out",
	],
	[{ options: 'dry' }, "Choose the options in 'Options'"],
	[{ options: { dryRun: 1 } }, "Set 'Dry Run' in Options to true or false"],
	[{ reference: {} }, "Set 'Reference' to a text"],
	[{ reference: 'x'.repeat(501) }, "Shorten 'Reference' to at most 500 characters"],
	[{ bankName: '' }, "Fill in 'Bank Name'"],
])('says what to do next where there is %j: %s', (raw, description) => {
	expect(draft(item(raw)).refusals.map((refusal) => refusal.description)).toEqual([description]);
});

it('takes a text of 500 characters, and a number for a text where it is one', () => {
	expect(draft(item({ reference: 'x'.repeat(500) })).refusals).toEqual([]);
	expect(draft(item({ reference: 5 })).ownReference).toBe('5');
	expect(draft(item({ reference: null })).ownReference).toBe('');
	for (const reference of [NaN, Infinity, true]) {
		expect(draft(item({ reference })).refusals).toMatchObject([
			{ message: `'Reference' is ${reference}, not a text` },
		]);
	}
});

it.each([
	[undefined, true],
	[true, true],
	['yes', true],
	[false, false],
	['false', false],
])('takes Simplify %j for %j in a buy, and never simplifies a sell', (simplify, isSimplified) => {
	expect(draft(item({ simplify })).simplify).toBe(isSimplified);
	expect(draft(item({ simplify }, { operation: 'sell' })).simplify).toBe(false);
});

it('asks for the type of a sell whatever the checks, and sends what is not empty', () => {
	const sell = { operation: 'sell' as const };
	expect(draft(item({ type: ' ', ...off }, sell)).refusals).toMatchObject([
		{ message: "'Type' is empty" },
	]);
	const { body, refusals } = draft(item({ bankName: '', accountName: '', ...off }, sell));
	expect([body, refusals]).toEqual([
		{
			type: 'sell_ramp',
			business_id: 'BUSINESS-1',
			link_tag: 'business-one',
			amount: 15000,
			account_number: '0123456789',
		},
		[],
	]);
});

it('tells both of an amount and of its limit what is wrong with them', () => {
	expect(said(checkedAmount, item({ amount: 1, options: { maximumAmount: 'x' } }))).toEqual([
		"'Amount' is 1, below the minimum of 15000",
		'\'Maximum Amount\' is "x", not a number',
	]);
	expect(checkedAmount(item({ amount: 1 })).value).toEqual({ amount: 1 });
	expect(checkedAmount(item({ amount: ' 12 ' })).value).toEqual({ amount: 12 });
	for (const amount of ['', ' ', 'x', null, [5], Infinity]) {
		expect(checkedAmount(item({ amount })).value).toEqual({});
	}
});

it('does not check a wallet further where network or address is no text', () => {
	expect(said(wallet, item({ network: {}, walletAddress: 'x' }))).toEqual([
		"'Network' is an object, not a text",
	]);
	expect(said(wallet, item({ network: 'Polygon', walletAddress: [] }))).toEqual([
		"'Wallet Address' is a list, not a text",
	]);
});

describe('a reference', () => {
	it.each([20261116000000001, 2 ** 53, 1.5, -(2 ** 60)])(
		'that is the number %d is refused',
		(reference) => {
			const { ownReference, refusals } = draft(item({ reference }));
			expect(ownReference).toBe('');
			expect(refusals).toMatchObject([
				{
					message: `'Reference' is the number ${reference}, which may not be the one that was meant`,
					description: expect.stringMatching(/^Give 'Reference' as a text /) as unknown,
				},
			]);
		},
	);

	it.each([
		['\u0000', '0000'],
		['\u200B', '200B'],
		['\u00AD', '00AD'],
		['\u202E', '202E'],
		['\uFE0F', 'FE0F'],
		['\u3164', '3164'],
		['\u{E0041}', 'E0041'],
		['\uD800', 'D800'],
		['\n', '000A'],
	])('with a character in it that nobody sees is refused: %j', (character, code) => {
		expect(draft(item({ reference: `order${character}1` })).refusals).toMatchObject([
			{
				message: `'Reference' has a character in it that nobody sees, U+${code}`,
				description: expect.stringMatching(/^Take it out of 'Reference', /) as unknown,
			},
		]);
	});

	it.each([
		['order-undefined', 'undefined'],
		['null', 'null'],
		['12-NaN', 'NaN'],
		['of [object Object] 1', '[object Object]'],
	])('with a word in it that stands for nothing is refused: %s', (reference, word) => {
		expect(draft(item({ reference }))).toMatchObject({
			ownReference: '',
			refusals: [
				{
					message: `'Reference' has "${word}" in it, which an expression leaves where it finds nothing that it can use`,
					description: expect.stringMatching(
						/^Correct the expression in 'Reference': .* \$json\.body$/,
					) as unknown,
				},
			],
		});
	});

	it.each([
		['PrivateKey-2v', "'Reference' looks like an Avalanche private key", ', and kept. If this'],
		['for sk_live_1', "'Reference' has the secret key of the credential in it", ' to people'],
	])('with a secret in it is refused: %s', (reference, message, reason) => {
		const withKey = { credentials: { ...credentials, secretKey: 'sk_live_1' } };
		const { ownReference, refusals } = draft(item({ reference }, withKey));
		expect([ownReference, refusals]).toMatchObject(['', [{ message }]]);
		expect(refusals[0]!.description).toMatch(/^Take it out of 'Reference'/);
		expect(refusals[0]!.description).toContain(reason);
	});

	it.each(['nullarbor', 'annull-1', 'NaNcy', `0x${'ab'.repeat(32)}`])(
		'that has only a part of such a word, or is a hash, is taken: %s',
		(reference) => {
			expect(draft(item({ reference }))).toMatchObject({
				ownReference: reference,
				refusals: [],
			});
		},
	);

	it.each(['Zahlung für März', 'Ọ̀nà', '注文１', 'a-b_c/d e'])(
		'that people can read is taken: %s',
		(reference) => {
			const ownReference = reference.normalize('NFKC');
			expect(draft(item({ reference }))).toMatchObject({ ownReference, refusals: [] });
		},
	);
});
