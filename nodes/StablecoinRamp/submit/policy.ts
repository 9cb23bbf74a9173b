import type { Earlier } from './memory/claims';

/** If Already Submitted: what to do with a reference that this workflow has submitted before. */
export type Choice = 'stop' | 'skip' | 'submitUnknownAgain' | 'submitAgain';

/**
 * - send: once more, whatever became of the earlier attempt
 * - skip: passed over as accepted before, and counts as done; one that came earlier in the same run: shares its result
 * - stop: not sent, and the run stops, unless On Error lets it go on with the next item
 */
export type Decision = 'send' | 'skip' | 'stop';

/**
 * - unknown: it may have been accepted, with these values or others; who looks on the dashboard can tell
 * - tooEarly: its owner could still send it when this run began, so nobody can have looked for it
 * - closed: a person has refunded it or given it up
 * - unreadable: a person has written something into its row that nobody can read
 */
type Situation =
	'accepted' | 'acceptedWithOtherValues' | 'unknown' | 'tooEarly' | 'closed' | 'unreadable';

const table: Record<Choice, Record<Situation, Decision>> = {
	stop: {
		accepted: 'stop',
		acceptedWithOtherValues: 'stop',
		unknown: 'stop',
		tooEarly: 'stop',
		closed: 'stop',
		unreadable: 'stop',
	},
	skip: {
		accepted: 'skip',
		acceptedWithOtherValues: 'stop',
		unknown: 'stop',
		tooEarly: 'stop',
		closed: 'stop',
		unreadable: 'stop',
	},
	// A person has looked for what is unknown, and has not found it.
	submitUnknownAgain: {
		accepted: 'skip',
		acceptedWithOtherValues: 'stop',
		unknown: 'send',
		tooEarly: 'stop',
		closed: 'stop',
		unreadable: 'stop',
	},
	submitAgain: {
		accepted: 'send',
		acceptedWithOtherValues: 'send',
		unknown: 'send',
		tooEarly: 'send',
		closed: 'send',
		unreadable: 'send',
	},
};

/** The first is the default. */
export const choices = Object.keys(table) as [Choice, ...Choice[]];

/** What to do with an item, by what is known of an earlier attempt under its reference. */
export const decide = (choice: Choice, earlier: Earlier): Decision =>
	table[choice][situationOf(earlier)];

/** What to do with an item whose reference came earlier in the same run: as if that one were accepted already. */
export const decideWithinRun = (choice: Choice, hasSameValues: boolean): Decision =>
	table[choice][hasSameValues ? 'accepted' : 'acceptedWithOtherValues'];

function situationOf({ state, hasSameValues, lookFrom }: Earlier): Situation {
	if (state === 'closed' || state === 'unreadable') return state;
	if (state === 'accepted') return hasSameValues ? 'accepted' : 'acceptedWithOtherValues';
	return lookFrom === undefined ? 'unknown' : 'tooEarly';
}

/** Who makes this choice has looked for what is unknown on the dashboard, before the run began. */
export const isLookedFor = (choice: Choice): boolean => choice === 'submitUnknownAgain';

/** A reference that the node itself has made comes again only within an execution and its retries: there Stop means Skip. */
export const choiceForMade = (choice: Choice): Choice => (choice === 'stop' ? 'skip' : choice);
