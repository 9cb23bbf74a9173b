import fc from 'fast-check';
import {
	isRates,
	isSide,
	isVendors,
	recall,
	remember,
} from '../../../nodes/StablecoinRampTrigger/memory';

const vendor = { vendorName: 'One', vendorNumber: '0000000001', vendorBank: 'Bank A' };
const guards = { isRates, isSide, isVendors };

describe('a memory', () => {
	it.each([
		['isRates', { USD: 1500 }],
		['isRates', {}],
		['isSide', 'above'],
		['isVendors', [vendor]],
		['isVendors', []],
	] as const)('comes back from the database as it was (%s, %j)', (guard, known) => {
		const stored: unknown = JSON.parse(JSON.stringify(remember('this', known)));
		expect(recall<unknown>(stored, 'this', guards[guard] as typeof isSide)).toEqual(known);
	});

	it.each([
		['isRates', { USD: '1500' }],
		['isRates', { USD: null }],
		['isRates', [1500]],
		['isRates', 'above'],
		['isSide', 'beside'],
		['isSide', null],
		['isVendors', [{ ...vendor, vendorNumber: 1 }]],
		['isVendors', [vendor, null]],
		['isVendors', { 0: vendor }],
	] as const)('that is damaged is none (%s, %j)', (guard, known) => {
		expect(recall<unknown>(remember('this', known), 'this', guards[guard] as typeof isSide)).toBe(
			undefined,
		);
	});

	it('of something else is none', () => {
		expect(recall(remember('that', 'above'), 'this', isSide)).toBe(undefined);
	});

	it('of another version is none', () => {
		expect(recall({ ...remember('this', 'above'), version: 2 }, 'this', isSide)).toBe(undefined);
		expect(recall({ of: 'this', known: 'above' }, 'this', isSide)).toBe(undefined);
	});

	it('that is anything at all raises nothing', () => {
		fc.assert(
			fc.property(fc.anything(), (anything) => {
				for (const guard of Object.values(guards)) {
					const isIntact = guard as (known: unknown) => known is unknown;
					expect(recall(anything, 'this', isIntact)).toBe(undefined);
					const known = recall(remember('this', anything), 'this', isIntact);
					expect([undefined, anything]).toContain(known);
				}
			}),
		);
	});
});
