import type { Rates } from '../StablecoinRamp/resources/rate/rates';
import type { Vendor } from '../StablecoinRamp/resources/vendor/vendors';
import type { Side } from './whatChanged';

const version = 1;

/** What is kept between polls, in n8n's static data of the node. */
export interface Memory<Known> {
	version: typeof version;
	/** What the values are of: those of another source, currency or line say nothing about this one. */
	of: string;
	known: Known;
}

export const remember = <Known>(of: string, known: Known): Memory<Known> => ({
	version,
	of,
	known,
});

/** A memory that is damaged, of another version or of something else is none. */
export function recall<Known>(
	memory: unknown,
	of: string,
	isIntact: (known: unknown) => known is Known,
): Known | undefined {
	if (!isRecord(memory) || memory.version !== version || memory.of !== of) return undefined;
	return isIntact(memory.known) ? memory.known : undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

export const isRates = (known: unknown): known is Rates =>
	isRecord(known) && Object.values(known).every(Number.isFinite);

export const isSide = (known: unknown): known is Side => known === 'above' || known === 'below';

export const isVendors = (known: unknown): known is Vendor[] =>
	Array.isArray(known) &&
	known.every(
		(vendor) =>
			isRecord(vendor) &&
			[vendor.vendorName, vendor.vendorNumber, vendor.vendorBank].every(
				(value) => typeof value === 'string',
			),
	);
