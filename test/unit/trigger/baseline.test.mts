import fc from 'fast-check';

import {
	alreadySays,
	baselineOf,
	isPosition,
	isRates,
	isVendors,
	knownFrom,
	latest,
} from '../../../nodes/StablecoinRampTrigger/baseline';

const vendor = { vendorName: 'One', vendorNumber: '0000000001', vendorBank: 'Bank A' };
const guards = { isRates, isPosition, isVendors };

describe('a baseline', () => {
	it.each([
		['isRates', { USD: 1500 }],
		['isRates', {}],
		['isPosition', 'above'],
		['isPosition', 'on'],
		['isVendors', [vendor]],
		['isVendors', []],
	] as const)('comes back from the database as it was (%s, %j)', (guard, known) => {
		const stored: unknown = JSON.parse(JSON.stringify(baselineOf('this', known, 1)));
		expect(knownFrom<unknown>(stored, 'this', guards[guard] as typeof isPosition)).toEqual(known);
		expect(alreadySays(stored, 'this', known)).toBe(true);
	});

	it.each([
		['isRates', { USD: '1500' }],
		['isRates', { USD: null }],
		['isRates', [1500]],
		['isRates', 'above'],
		['isPosition', 'beside'],
		['isPosition', null],
		['isVendors', [{ ...vendor, vendorNumber: 1 }]],
		['isVendors', [vendor, null]],
		['isVendors', { 0: vendor }],
	] as const)('that is damaged is none (%s, %j)', (guard, known) => {
		const stored = baselineOf('this', known, 1);
		expect(knownFrom<unknown>(stored, 'this', guards[guard] as typeof isPosition)).toBe(undefined);
	});

	it('of something else or of another version is none', () => {
		for (const stored of [
			baselineOf('that', 'above', 1),
			{ ...baselineOf('this', 'above', 1), version: 2 },
			{ of: 'this', known: 'above', at: 1 },
			{ version: 1, of: 'this', known: 'above' },
		]) {
			expect(knownFrom(stored, 'this', isPosition)).toBe(undefined);
			expect(alreadySays(stored, 'this', 'above')).toBe(false);
		}
	});

	it('that is anything at all raises nothing', () => {
		fc.assert(
			fc.property(fc.anything(), (anything) => {
				for (const guard of Object.values(guards)) {
					const isIntact = guard as (known: unknown) => known is unknown;
					expect(knownFrom(anything, 'this', isIntact)).toBe(undefined);
					const known = knownFrom(baselineOf('this', anything, 1), 'this', isIntact);
					expect([undefined, anything]).toContain(known);
				}
				expect(latest(anything, undefined)).toBe(anything);
			}),
		);
	});
});

describe('of the baseline in the database and the one in this process', () => {
	const older = baselineOf('this', 'above', 1);
	const newer = baselineOf('this', 'below', 2);

	it('the one that was learned later counts', () => {
		expect(latest(older, newer)).toBe(newer);
		expect(latest(newer, older)).toBe(newer);
	});

	it('the one in the database counts when both were learned at once, so that it is not written again', () => {
		expect(latest(older, { ...older })).toBe(older);
	});

	it.each([undefined, null, 'above', { ...newer, version: 2 }, { ...newer, at: '2' }])(
		'a good one counts beside a damaged one: %j',
		(damaged) => {
			expect(latest(older, damaged)).toBe(older);
			expect(latest(damaged, older)).toBe(older);
		},
	);
});
