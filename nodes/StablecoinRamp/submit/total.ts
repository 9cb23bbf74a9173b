import { refuse, type Refusal } from '../../../client/refusal';
import type { Entry } from './run';

/** Why these are too much together, if they are. */
export function aboveTotal(entries: Entry[], maximum: number): Refusal | undefined {
	const sum = entries.reduce((before, { amount }) => before + amount, 0);
	// 15000.1 and 15000.2 are a little more than 30000.3 as JavaScript adds them.
	const total = Number(sum.toPrecision(15));
	if (total <= maximum) return undefined;
	return refuse(
		`This run would submit ${total} in all, above the 'Maximum Total' of ${maximum}`,
		"Submit fewer at a time, or raise 'Maximum Total' in Options",
	);
}
