import fc from 'fast-check';

import { networks } from '../../../nodes/StablecoinRamp/checks/wallet/networks.ts';
import { evmAddress, solanaAddress, stellarAccount, stellarSeed } from '../checks/arbitraries.mts';

/** What an expression can give where something else was meant. */
export const hostile = fc.oneof(
	fc.anything({
		withBigInt: true,
		withDate: true,
		withMap: true,
		withNullPrototype: true,
		withObjectString: true,
		withSparseArray: true,
	}),
	fc.constantFrom<unknown>(
		{ toString: null, valueOf: null },
		{ toString: 1 },
		Symbol('x'),
		() => 1,
		NaN,
		-0,
		'\u0000',
		'15,000',
		'1e9',
		'0x3A98',
		'__proto__',
		'constructor',
		'x'.repeat(501),
	),
);

const amount = fc.oneof(
	fc.integer({ min: -5, max: 40000 }),
	fc.constantFrom<unknown>('15000', '20000.50', '15.000', 15000.125),
);
const tenDigits = fc.stringMatching(/^\d{10}$/);
const anyDigits = fc.stringMatching(/^\d{8,12}$/);
const word = fc.string({ maxLength: 30 });
const address = fc.oneof(stellarAccount, evmAddress, solanaAddress, stellarSeed, word);

const plausible: Record<string, fc.Arbitrary<unknown>> = {
	amount,
	vendorSource: fc.constantFrom('live', 'manual'),
	vendorName: word,
	vendorBank: word,
	vendorNumber: fc.oneof(tenDigits, anyDigits),
	bankName: word,
	accountNumber: fc.oneof(tenDigits, anyDigits, fc.integer({ min: 1e9, max: 9999999999 })),
	accountName: word,
	network: fc.constantFrom('', ...networks, 'stellar', 'Bitcoin'),
	walletAddress: fc.oneof(fc.constant(''), address),
	reference: word,
	type: fc.constantFrom('sell_ramp', '', 'x'),
	simplify: fc.boolean(),
};

const option: Record<string, fc.Arbitrary<unknown>> = {
	checks: fc.constantFrom('strict', 'off'),
	dryRun: fc.constantFrom(false, 'false', true),
	maximumAmount: fc.constantFrom(0, 20000, '30000'),
	ifAlreadySubmitted: fc.constantFrom('stop', 'skip', 'submitUnknownAgain', 'submitAgain'),
	businessId: word,
	linkTag: word,
};

const mostly = (arbitraries: Record<string, fc.Arbitrary<unknown>>, odd: fc.Arbitrary<unknown>) =>
	fc.record(
		Object.fromEntries(
			Object.entries(arbitraries).map(([name, usual]) => [
				name,
				fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: odd }),
			]),
		),
		{ requiredKeys: [] },
	);

/** The parameters of an item: now and then what was meant, now and then anything at all. */
export const parameters = (odd: fc.Arbitrary<unknown>) =>
	fc
		.tuple(
			mostly(plausible, odd),
			fc.oneof({ weight: 12, arbitrary: mostly(option, odd) }, { weight: 1, arbitrary: odd }),
		)
		.map(([given, options]): Record<string, unknown> => ({ ...given, options }));
