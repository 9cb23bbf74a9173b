export type Rates = Record<string, number>;

/** Moves rates by up to half a percent a step; the same seed always takes the same steps. */
export function randomWalk(seed: number): (rates: Rates) => Rates {
	const random = mulberry32(seed);
	const move = (rate: number) => Math.round(rate * (1 + (random() - 0.5) / 100) * 100) / 100;
	return (rates) =>
		Object.fromEntries(Object.entries(rates).map(([currency, rate]) => [currency, move(rate)]));
}

/** Numbers from 0 to 1, the same for the same seed. Node's own take none. */
export function mulberry32(seed: number): () => number {
	let state = seed | 0;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
