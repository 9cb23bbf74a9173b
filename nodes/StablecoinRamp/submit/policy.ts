import type { Earlier } from './memory/claims';

/** If Already Submitted: what to do with a reference that this workflow has submitted before. */
export type Choice = 'stop' | 'skip' | 'submitUnknownAgain' | 'submitAgain';

/**
 * - send: once more, whatever became of the earlier attempt
 * - skip: passed over as accepted before, and counts as done
 * - stop: not sent, and the run stops, unless On Error lets it go on with the next item
 */
export type Decision = 'send' | 'skip' | 'stop';

/**
 * - unknown: nobody here can say what became of it, and who has looked for it knows more
 * - underWay: its owner may still send it, or nobody can have looked for it yet
 */
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
export const decide = (choice: Choice, earlier: Earlier): Decision =>
	table[choice][situationOf(earlier)];

/** What to do with an item whose reference came earlier in the same run: that counts as accepted. */
export const decideWithinRun = (choice: Choice, hasSameValues: boolean): Decision =>
	table[choice][hasSameValues ? 'accepted' : 'acceptedWithOtherValues'];

function situationOf({ state, hasSameValues, lookFrom, isNew }: Earlier): Situation {
	if (state === 'accepted') return hasSameValues ? 'accepted' : 'acceptedWithOtherValues';
	return lookFrom === undefined && !isNew ? 'unknown' : 'underWay';
}

/** Under this choice a person has looked for what is unknown, when the run began. */
export const isLookedFor = (choice: Choice): boolean => choice === 'submitUnknownAgain';

/** A reference that the node itself has made comes again only in a retry of the same execution: there Stop means Skip. */
export const choiceForMade = (choice: Choice): Choice => (choice === 'stop' ? 'skip' : choice);
