import fc from 'fast-check';

import {
	rateChanged,
	rateCrossed,
	vendorsChanged,
	type Position,
	type RateChange,
	type Side,
} from '../../../nodes/StablecoinRampTrigger/whatChanged';

type Rates = Record<string, number>;
type Vendor = { vendorName: string; vendorNumber: string; vendorBank: string };

/** Polls one after the other, each with what the one before knew. */
function follow<Known, Seen, Happening>(
	seen: Seen[],
	poll: (
		known: Known | undefined,
		seen: Seen,
	) => { happened: Happening[]; known: Known | undefined },
): Happening[][] {
	let known: Known | undefined;
	return seen.map((now) => {
		const outcome = poll(known, now);
		known = outcome.known;
		return outcome.happened;
	});
}

describe('a rate changed', () => {
	const watch = (minimumChange: number, ...seen: Rates[]): RateChange[][] =>
		follow(seen, (known: Rates | undefined, now) => rateChanged({ minimumChange }, known, now));
	const quiet: RateChange[] = [];

	it('says nothing the first time, then from where to where, and by how much', () => {
		expect(watch(1, { USD: 1500, EUR: 1700 }, { USD: 1530, EUR: 1700 })).toEqual([
			quiet,
			[{ currency: 'USD', rate: 1530, previousRate: 1500, change: 30, changePercent: 2 }],
		]);
	});

	it('shows decimal numbers as people subtract them', () => {
		expect(watch(0, { USD: 1500 }, { USD: 1500.1 })[1]).toMatchObject([
			{ change: 0.1, changePercent: 0.0066666667 },
		]);
	});

	it('is reported from exactly the minimum on', () => {
		expect(watch(1, { USD: 1450 }, { USD: 1464.49 })).toEqual([quiet, quiet]);
		expect(watch(1, { USD: 1450 }, { USD: 1464.5 })[1]).toMatchObject([{ changePercent: 1 }]);
		expect(watch(1, { USD: 1450 }, { USD: 1435.5 })[1]).toMatchObject([{ changePercent: -1 }]);
	});

	it('is reported when a slow drift adds up to the minimum', () => {
		const drift = [1000, 1004, 1008, 1012, 1016, 1020, 1024].map((USD) => ({ USD }));
		const reported = watch(1, ...drift).map((changes) => changes.map(({ rate }) => rate));
		expect(reported).toEqual([[], [], [], [1012], [], [], [1024]]);
	});

	it('with a minimum of zero is reported for any change, and not without one', () => {
		expect(watch(0, { USD: 1500 }, { USD: 1500 }, { USD: 1500.01 }, { USD: 1500.01 })).toEqual([
			quiet,
			quiet,
			[expect.objectContaining({ change: 0.01 })],
			quiet,
		]);
	});

	it('is none when two numbers differ by less than decimal numbers can show', () => {
		expect(watch(0, { USD: 0.3 }, { USD: 0.1 + 0.2 })).toEqual([quiet, quiet]);
	});

	it('has no percentage from zero, and is reported whatever the minimum', () => {
		expect(watch(50, { USD: 0 }, { USD: 5 })[1]).toMatchObject([
			{ previousRate: 0, change: 5, changePercent: null },
		]);
	});

	it('is not reported when a currency appears', () => {
		expect(watch(0, { USD: 1500 }, { USD: 1500, EUR: 1700 })).toEqual([quiet, quiet]);
	});

	it('is reported against the last known value when a currency comes back', () => {
		const back = watch(1, { USD: 1500, EUR: 1700 }, { USD: 1500 }, { USD: 1500, EUR: 1700 });
		expect(back).toEqual([quiet, quiet, quiet]);
		const moved = watch(1, { USD: 1500, EUR: 1700 }, { USD: 1500 }, { USD: 1500, EUR: 1734 });
		expect(moved[2]).toMatchObject([{ currency: 'EUR', previousRate: 1700, rate: 1734 }]);
	});

	it('does not depend on the order of the currencies', () => {
		expect(watch(0, { USD: 1500, EUR: 1700 }, { EUR: 1700, USD: 1500 })).toEqual([quiet, quiet]);
	});

	it('is not confused by names that every object has', () => {
		expect(watch(0, { USD: 1 }, { USD: 1, constructor: 2, toString: 3 } as Rates)).toEqual([
			quiet,
			quiet,
		]);
	});

	const rate = fc.integer({ min: 900, max: 1100 }).map((tenths) => tenths / 10);
	const sequences = fc.array(
		fc.dictionary(fc.constantFrom('USD', 'EUR', 'GBP', 'KES'), rate, { noNullPrototype: true }),
		{ minLength: 1, maxLength: 30 },
	);
	const minimum = fc.integer({ min: 0, max: 15 });

	it('yields changes that add up from the first remembered value to the last reported one', () => {
		fc.assert(
			fc.property(minimum, sequences, (minimumChange, seen) => {
				const reported = watch(minimumChange, ...seen).flat();
				for (const currency of ['USD', 'EUR', 'GBP', 'KES']) {
					const changes = reported.filter((change) => change.currency === currency);
					const first = seen.find((rates) => Object.hasOwn(rates, currency))?.[currency];
					const last = changes.at(-1)?.rate ?? first ?? 0;
					const sum = changes.reduce((total, { change }) => total + change, 0);
					expect(Math.abs(sum - (last - (first ?? 0)))).toBeLessThan(1e-3);
					let previous = first;
					for (const change of changes) {
						expect(change.previousRate).toBe(previous);
						previous = change.rate;
					}
				}
			}),
		);
	});

	it('leaves no rate further than the minimum from the last reported one, and reports none nearer', () => {
		fc.assert(
			fc.property(minimum, sequences, (minimumChange, seen) => {
				const reported: Rates = {};
				for (const [index, changes] of watch(minimumChange, ...seen).entries()) {
					for (const { currency, rate: now, previousRate, changePercent } of changes) {
						expect(now).not.toBe(previousRate);
						expect(Math.abs(changePercent ?? NaN)).toBeGreaterThanOrEqual(minimumChange);
						reported[currency] = now;
					}
					for (const [currency, now] of Object.entries(seen[index] ?? {})) {
						const known = (reported[currency] ??= now);
						const percent = (Math.abs(now - known) / known) * 100;
						expect(percent).toBeLessThanOrEqual(minimumChange + 1e-6);
					}
				}
			}),
		);
	});

	it('remembers a bounded number of currencies, those of the present first', () => {
		let known: Rates | undefined;
		for (let poll = 0; poll < 50; poll++) {
			const strangers = Array.from({ length: 20 }, (_, index) => [`X${poll}-${index}`, 1]);
			const seen = { USD: 1500, ...(Object.fromEntries(strangers) as Rates) };
			known = rateChanged({ minimumChange: 1 }, known, seen).known;
			expect(known).toMatchObject(seen);
		}
		expect(Object.keys(known ?? {})).toHaveLength(300);
	});
});

describe('a rate crossed a threshold', () => {
	const either = { threshold: 1500, direction: 'either' as Side | 'either' };
	const watch = (settings: typeof either, ...seen: Array<number | undefined>): string =>
		follow(seen, (known: Position | undefined, rate: number | undefined) =>
			rateCrossed(settings, known, rate),
		)
			.map(([side]) => side ?? '-')
			.join(' ');

	it('is reported once for each crossing, and not the first time', () => {
		expect(watch(either, 1400, 1501, 1600, 1502, 1499, 1400, 1501)).toBe(
			'- above - - below - above',
		);
	});

	it('is reported in the chosen direction only, and again after the rate has come back', () => {
		const seen = [1400, 1501, 1600, 1499, 1501];
		expect(watch({ ...either, direction: 'above' }, ...seen)).toBe('- above - - above');
		expect(watch({ ...either, direction: 'below' }, ...seen)).toBe('- - - below -');
	});

	it('is not reported for a rate exactly on the threshold, which counts to the side that it came from', () => {
		expect(watch(either, 1400, 1500, 1400)).toBe('- - -');
		expect(watch(either, 1600, 1500, 1600)).toBe('- - -');
		expect(watch(either, 1400, 1500, 1501)).toBe('- - above');
		expect(watch(either, 1600, 1500, 1499)).toBe('- - below');
	});

	it('is reported for a rate that began exactly on the threshold, as soon as it leaves it', () => {
		expect(watch(either, 1500, 1501, 1499)).toBe('- above below');
		expect(watch(either, 1500, 1499, 1501)).toBe('- below above');
		expect(watch(either, 1500, 1500, undefined, 1501, 1502)).toBe('- - - above -');
		expect(watch({ ...either, direction: 'above' }, 1500, 1499, 1501)).toBe('- - above');
		expect(watch({ ...either, direction: 'below' }, 1500, 1501, 1499)).toBe('- - below');
		expect(watch(either, undefined, 1500, 1501)).toBe('- - above');
	});

	it('is reported after a gap in which the currency was missing', () => {
		expect(watch(either, 1400, undefined, 1400)).toBe('- - -');
		expect(watch(either, 1400, undefined, 1501)).toBe('- - above');
		expect(watch(either, undefined, 1400, 1501)).toBe('- - above');
	});

	const rates = fc.array(
		fc.option(fc.integer({ min: 1490, max: 1510 }), { nil: undefined, freq: 8 }),
		{ maxLength: 60 },
	);

	it('is reported when a rate is on another side than the last one that was off the threshold', () => {
		const direction = fc.constantFrom('above', 'below', 'either');
		fc.assert(
			fc.property(rates, direction, (seen, wanted: Side | 'either') => {
				let last: string | undefined;
				const expected = seen.map((rate) => {
					if (rate === undefined) return '-';
					const side = rate > 1500 ? 'above' : rate < 1500 ? 'below' : 'on';
					const before = last;
					if (before === undefined || side !== 'on') last = side;
					const isCrossing = before !== undefined && side !== 'on' && side !== before;
					return isCrossing && [side, 'either'].includes(wanted) ? side : '-';
				});
				expect(watch({ ...either, direction: wanted }, ...seen)).toBe(expected.join(' '));
			}),
		);
	});
});

describe('the vendors changed', () => {
	const one = { vendorName: 'One', vendorNumber: '0000000001', vendorBank: 'Bank A' };
	const two = { vendorName: 'Two', vendorNumber: '0000000002', vendorBank: 'Bank B' };
	const watch = (...seen: Vendor[][]) => follow(seen, vendorsChanged);

	it('says which were added, removed and changed, and takes another number for another vendor', () => {
		const renamed = { ...one, vendorName: 'Uno' };
		const three = { ...two, vendorNumber: '0000000003' };
		expect(watch([one, two], [renamed, three])[1]).toEqual([
			{ change: 'removed', ...two },
			{ change: 'changed', ...renamed, previous: one },
			{ change: 'added', ...three },
		]);
	});

	it('says nothing the first time, then so when the list empties, and when it fills again', () => {
		expect(watch([one], [], [one])).toEqual([
			[],
			[{ change: 'removed', ...one }],
			[{ change: 'added', ...one }],
		]);
	});

	it('says it once', () => {
		expect(watch([one], [two], [two])[2]).toEqual([]);
	});

	it('says that the second of two equal entries was removed', () => {
		expect(watch([one, one], [one])[1]).toEqual([{ change: 'removed', ...one }]);
	});

	const vendor = fc.record({
		vendorName: fc.constantFrom('One', 'Two', ''),
		vendorNumber: fc.constantFrom('0000000001', '0000000002', '0000000003'),
		vendorBank: fc.constantFrom('Bank A', 'Bank B'),
	});
	const list = fc.array(vendor, { maxLength: 8 });
	const sorted = (vendors: Vendor[]) =>
		vendors.map((each) => JSON.stringify(Object.entries(each).sort())).sort();

	it('is not said of a list in another order', () => {
		const shuffled = list.chain((vendors) =>
			fc.tuple(fc.constant(vendors), fc.shuffledSubarray(vendors, { minLength: vendors.length })),
		);
		fc.assert(
			fc.property(shuffled, ([before, after]) => {
				expect(vendorsChanged(before, after)).toEqual({ happened: [], known: before });
			}),
		);
	});

	it('leads from the old list to the new one', () => {
		fc.assert(
			fc.property(list, list, (before, after) => {
				const result: Vendor[] = [...before];
				for (const { change, previous, ...now } of vendorsChanged(before, after).happened) {
					const left = change === 'changed' ? previous : now;
					if (change !== 'added') {
						const at = result.findIndex((each) => sorted([each])[0] === sorted([left!])[0]);
						expect(at).toBeGreaterThanOrEqual(0);
						result.splice(at, 1);
					}
					if (change !== 'removed') result.push(now);
				}
				expect(sorted(result)).toEqual(sorted(after));
			}),
		);
	});

	it('says of every account that is no longer on the list that it was removed', () => {
		fc.assert(
			fc.property(list, list, (before, after) => {
				const removed = vendorsChanged(before, after)
					.happened.filter(({ change }) => change === 'removed')
					.map(({ vendorNumber }) => vendorNumber);
				for (const { vendorNumber } of before) {
					if (after.some((each) => each.vendorNumber === vendorNumber)) continue;
					expect(removed).toContain(vendorNumber);
				}
			}),
		);
	});
});
