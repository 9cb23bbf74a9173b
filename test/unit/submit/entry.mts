import type { Entry } from '../../../nodes/StablecoinRamp/submit/run.ts';

/** A transaction that has passed the checks. */
export const entry = (reference: string, simplify = true): Entry => ({
	itemIndex: 0,
	reference,
	isReferenceMade: false,
	referenceFingerprint: 'reference',
	valuesFingerprint: 'values',
	amount: 20000,
	body: { account_number: '0123456789' },
	ifAlreadySubmitted: 'stop',
	simplify,
});
