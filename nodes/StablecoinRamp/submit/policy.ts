import type { Earlier } from './memory/claims';

/** If Already Submitted: what to do with a reference that this workflow has submitted before. */
export type Choice = 'stop' | 'skip' | 'submitUnknownAgain' | 'submitAgain';

/**
 * - send: once more, whatever became of the earlier attempt
 * - skip: passed over, and counts as done
 * - stop: not sent, and the run stops, unless On Error lets it go on with the next item
 */
export type Decision = 'send' | 'skip' | 'stop';

type Situation = 'accepted' | 'acceptedWithOtherValues' | 'unknown' | 'underWay';

const table: Record<Choice, Record<Situation, Decision>> = {
	stop: {
		accepted: 'stop',
		acceptedWithOtherValues: 'stop',
		unknown: 'stop',
		underWay: 'stop',
	},
	skip: {
		accepted: 'skip',
		acceptedWithOtherValues: 'stop',
		unknown: 'stop',
		underWay: 'stop',
	},
	// A person has looked for what is unknown, and has not found it.
	submitUnknownAgain: {
		accepted: 'skip',
		acceptedWithOtherValues: 'stop',
		unknown: 'send',
		underWay: 'stop',
	},
	submitAgain: {
		accepted: 'send',
		acceptedWithOtherValues: 'send',
		unknown: 'send',
		underWay: 'send',
	},
};

/** The first is the usual one. */
export const choices = Object.keys(table) as [Choice, ...Choice[]];

/** What to do with an item, by what is known of an earlier attempt under its reference. */
export const decide = (
	choice: Choice,
	earlier: Pick<Earlier, 'state' | 'hasSameValues'>,
): Decision => table[choice][situationOf(earlier)];

function situationOf({
	state,
	hasSameValues,
	lookFrom,
	isNew,
}: Pick<Earlier, 'state' | 'hasSameValues'> & Partial<Earlier>): Situation {
	if (state === 'accepted') return hasSameValues ? 'accepted' : 'acceptedWithOtherValues';
	return lookFrom === undefined && !isNew ? 'unknown' : 'underWay';
}

/** The same reference earlier in the same run counts as accepted: whatever becomes of that becomes of this. */
export const decideWithinRun = (choice: Choice, hasSameValues: boolean): Decision =>
	decide(choice, { state: 'accepted', hasSameValues });

/** A reference that the node has made comes again only in a retry of the same execution: there Stop means Skip. */
export const choiceForMade = (choice: Choice): Choice => (choice === 'stop' ? 'skip' : choice);
