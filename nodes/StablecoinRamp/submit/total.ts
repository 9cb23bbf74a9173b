import { refuse, type Refusal } from '../../../client/refusal';

/** 15000.1 and 15000.2 are a little more than 30000.3 as JavaScript adds them. */
export const sumOf = (amounts: number[]): number =>
	Number(amounts.reduce((before, amount) => before + amount, 0).toPrecision(15));

/** Why this is too much, if it is. */
export const aboveTotal = (total: number, maximum: number): Refusal | undefined =>
	total <= maximum
		? undefined
		: refuse(
				`This run would submit ${total} in all, above the 'Maximum Total' of ${maximum}`,
				"Submit fewer at a time, or raise 'Maximum Total' in Options",
			);
