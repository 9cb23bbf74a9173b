import type { Rates } from '../../client/rates';
import { vendorFields, type Vendor } from '../../client/vendors';
import { isObject } from '../../client/reply';
import type { Position } from './whatChanged';

const version = 1;

/** What the trigger keeps between polls: the values that the next poll compares with. */
interface Baseline {
	version: typeof version;
	/** What was watched: values of another source, currency or threshold say nothing about this one. */
	of: string;
	known: unknown;
	/** When they were learned, in milliseconds. */
	at: number;
}

export const baselineOf = (watched: string, known: unknown, at: number): Baseline => ({
	version,
	of: watched,
	known,
	at,
});

/** What is known from the last polls. A baseline that is damaged, of another version or of something else is none. */
export function knownFrom<Known>(
	baseline: unknown,
	watched: string,
	isIntact: (known: unknown) => known is Known,
): Known | undefined {
	if (!isOf(baseline, watched)) return undefined;
	return isIntact(baseline.known) ? baseline.known : undefined;
}

/** Whether a baseline says just this already. */
export const alreadySays = (
	baseline: unknown,
	watched: string,
	known: unknown,
): baseline is Baseline =>
	isOf(baseline, watched) && JSON.stringify(baseline.known) === JSON.stringify(known);

export const isOf = (baseline: unknown, watched: string): baseline is Baseline =>
	isBaseline(baseline) && baseline.of === watched;

/** Of two baselines the one that was learned later; of a good one and a damaged one the good one. */
export function latest(stored: unknown, learned: unknown): unknown {
	if (!isBaseline(learned)) return stored;
	return isBaseline(stored) && stored.at >= learned.at ? stored : learned;
}

const isBaseline = (value: unknown): value is Baseline =>
	isObject(value) && value.version === version && Number.isFinite(value.at);

export const isRates = (known: unknown): known is Rates =>
	isObject(known) && Object.values(known).every(Number.isFinite);

export const isPosition = (known: unknown): known is Position =>
	known === 'above' || known === 'below' || known === 'on';

export const isVendors = (known: unknown): known is Vendor[] =>
	Array.isArray(known) &&
	known.every(
		(vendor) =>
			isObject(vendor) && vendorFields.every((field) => typeof vendor[field] === 'string'),
	);
