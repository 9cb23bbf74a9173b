import type { Entry } from '../../../nodes/StablecoinRamp/submit/checkItems.ts';

/** A transaction that has passed the checks. */
export const entry = (reference: string, simplify = true): Entry => ({
	itemIndex: 0,
	reference,
	key: 'key',
	payload: 'payload',
	body: { account_number: '0123456789' },
	draft: {
		body: {},
		ownReference: reference,
		simplify,
		dryRun: false,
		checks: 'strict',
		ifAlreadySubmitted: 'fail',
		refusals: [],
	},
});
