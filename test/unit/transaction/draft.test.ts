import fc from 'fast-check';

import { draft } from '../../../nodes/StablecoinRamp/submit/draft.ts';
import { faultsIn } from './allowed.ts';
import { hostile, parameters } from './arbitraries.ts';

const credentials = { businessId: 'BUSINESS-1', linkTag: 'business-one' };

const good = {
	amount: 15000,
	vendorName: 'Vendor One',
	vendorBank: 'Harbour Demo Bank',
	vendorNumber: '0011223344',
	bankName: 'Savanna Demo Bank',
	accountNumber: '0123456789',
	accountName: 'Ada Obi',
	type: 'sell_ramp',
};

const operation = fc.constantFrom('buy' as const, 'sell' as const);

it('lets nothing pass that breaks a check, and never throws', () => {
	let passed = 0;
	fc.assert(
		fc.property(operation, parameters(hostile), fc.boolean(), (name, raw, filled) => {
			const drafted = draft(name, filled ? { ...good, ...raw } : raw, { credentials });
			for (const { message, description } of drafted.refusals) {
				expect(message).toMatch(/\S/);
				expect(description).toMatch(/\S/);
			}
			if (drafted.refusals.length > 0) return;
			passed++;
			const options = raw.options as Record<string, unknown> | undefined;
			const maximum = Number(options?.maximumAmount ?? 0);
			expect(
				faultsIn(name, drafted.body, { strict: drafted.checks === 'strict', maximum }),
			).toEqual([]);
			expect(drafted.ownReference.length).toBeLessThanOrEqual(500);
		}),
		{ numRuns: 1500 },
	);
	expect(passed).toBeGreaterThan(20);
});

it('turns off only the checks that are not documented', () => {
	const raw = { ...good, options: { checks: 'off' } };
	const off = (different: Record<string, unknown>) =>
		draft('buy', { ...raw, ...different }, { credentials }).refusals.map(({ message }) => message);
	expect(off({ accountNumber: '12', walletAddress: 'x', network: '' })).toEqual([]);
	expect(off({ accountNumber: '' })).toEqual(['Account Number is empty']);
	expect(off({ amount: 14999 })).toEqual(['Amount is 14999, below the minimum of 15000']);
});

it.each([
	['', 'Maximum Amount is "", not a number'],
	[null, 'Maximum Amount is empty, not a number'],
	['a lot', 'Maximum Amount is "a lot", not a number'],
	[-1, 'Maximum Amount is -1, not a number'],
	[{ toString: null, valueOf: null }, 'Maximum Amount is an object, not a number'],
])('does not take a limit of %j for no limit', (maximumAmount, message) => {
	const { refusals } = draft('buy', { ...good, options: { maximumAmount } }, { credentials });
	expect(refusals.map((refusal) => refusal.message)).toEqual([message]);
});

it.each(['dry', 5, true])('does not overlook Options that are %j', (options) => {
	const { refusals } = draft('buy', { ...good, options }, { credentials });
	expect(refusals.map(({ message }) => message)).toEqual([
		expect.stringContaining('not a list of options'),
	]);
});

it('takes the identity of the node before that of the credential, and asks for one', () => {
	const own = draft('sell', { ...good, businessId: 'OWN' }, { credentials });
	expect(own.body).toMatchObject({ business_id: 'OWN', link_tag: 'business-one' });
	const none = draft('sell', good, { credentials: { businessId: ' ' } });
	expect(none.refusals.map(({ message }) => message)).toEqual([
		'Business ID is empty, in the node and in the credential',
		'Link Tag is empty, in the node and in the credential',
	]);
});
