import type { Rates } from '../../client/rates';
import { vendorFields, type Vendor } from '../../client/vendors';

/**
 * What happened between the last poll and this one, and what is known for the next one. The first
 * poll knows nothing, so nothing has happened.
 */
export type Comparison<Happening, Known> = { happened: Happening[]; known: Known };

export type RateChange = ReturnType<typeof changeOf>;

// A service that sends other codes every time must not fill n8n's database. There are some 180 currencies.
const currenciesRemembered = 300;

/** Known is the last reported rate of each currency, so that a slow drift adds up and is reported. */
export function rateChanged(
	{ minimumChange }: { minimumChange: number },
	known: Rates | undefined,
	seen: Rates,
): Comparison<RateChange, Rates> {
	if (!known) return { happened: [], known: remembered(Object.entries(seen)) };

	const happened = Object.entries(seen)
		.filter(([currency, rate]) => Object.hasOwn(known, currency) && known[currency] !== rate)
		.map(([currency, rate]) => changeOf(currency, known[currency] as number, rate))
		.filter(
			({ change, changePercent }) =>
				change !== 0 && Math.abs(changePercent ?? Infinity) >= minimumChange,
		);

	const appeared = Object.entries(seen).filter(([currency]) => !Object.hasOwn(known, currency));
	if (happened.length === 0 && appeared.length === 0) return { happened, known };

	// One that has vanished is kept: it is compared with this value should it come back.
	const reported = happened.map(({ currency, rate }) => [currency, rate] as const);
	const current = new Map([...Object.entries(known), ...reported, ...appeared]);
	const vanishedFirst = [...current].sort(
		([a], [b]) => Number(Object.hasOwn(seen, a)) - Number(Object.hasOwn(seen, b)),
	);
	return { happened, known: remembered(vanishedFirst) };
}

const remembered = (rates: Array<[string, number]>): Rates =>
	Object.fromEntries(rates.slice(-currenciesRemembered));

/** From a rate of zero `changePercent` is null. */
export function changeOf(currency: string, previousRate: number, rate: number) {
	const change = withoutBinaryNoise(
		rate - previousRate,
		Math.max(Math.abs(rate), Math.abs(previousRate)),
	);
	const percent = (change / Math.abs(previousRate)) * 100;
	const changePercent = previousRate === 0 ? null : withoutBinaryNoise(percent, 100);
	return { currency, rate, previousRate, change, changePercent };
}

/** For a computer 1500.1 - 1500 is 0.0999999999999. Rounded to twelve digits of the larger number, it is 0.1. */
function withoutBinaryNoise(value: number, magnitude: number): number {
	const decimals = 12 - Math.ceil(Math.log10(magnitude || 1));
	return decimals >= 0 && decimals <= 100 ? Number(value.toFixed(decimals)) : value;
}

export type Side = 'above' | 'below';

/** Where a rate is, seen from the threshold. */
export type Position = Side | 'on';

/**
 * Known is the side where the rate was last seen. A rate exactly on the threshold counts to the side
 * that it came from; one that began there has crossed the threshold as soon as it leaves it.
 */
export function rateCrossed(
	{ threshold, direction }: { threshold: number; direction: Side | 'either' },
	known: Position | undefined,
	rate: number | undefined,
): Comparison<Side, Position | undefined> {
	if (rate === undefined) return { happened: [], known };
	if (rate === threshold) return { happened: [], known: known ?? 'on' };
	const side: Side = rate > threshold ? 'above' : 'below';
	const crossed = known !== undefined && known !== side;
	return { happened: crossed && [side, 'either'].includes(direction) ? [side] : [], known: side };
}

export type VendorChange = Vendor & { change: 'added' | 'removed' | 'changed'; previous?: Vendor };

/**
 * A vendor is known by its account number, since that is where the money goes: another number is another
 * vendor, and the one it replaces is removed. Known is the list as it was last seen, in whatever order.
 */
export function vendorsChanged(
	known: Vendor[] | undefined,
	seen: Vendor[],
): Comparison<VendorChange, Vendor[]> {
	if (!known) return { happened: [], known: seen };

	const gone = [...known];
	const unmatched = seen.filter((vendor) => !take(gone, (old) => isSame(old, vendor)));
	const arrived = unmatched.map((vendor): VendorChange => {
		const previous = take(gone, (old) => old.vendorNumber === vendor.vendorNumber);
		return previous ? { change: 'changed', ...vendor, previous } : { change: 'added', ...vendor };
	});
	const removed = gone.map((vendor): VendorChange => ({ change: 'removed', ...vendor }));

	const happened = [...removed, ...arrived];
	return { happened, known: happened.length > 0 ? seen : known };
}

const isSame = (a: Vendor, b: Vendor) => vendorFields.every((field) => a[field] === b[field]);

function take<T>(list: T[], matches: (one: T) => boolean): T | undefined {
	const at = list.findIndex(matches);
	return at < 0 ? undefined : list.splice(at, 1)[0];
}
