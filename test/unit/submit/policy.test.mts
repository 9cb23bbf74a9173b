import type { Earlier } from '../../../nodes/StablecoinRamp/submit/memory/claims.ts';
import {
	choiceForMade,
	choices,
	decide,
	decideWithinRun,
	isLookedFor,
	type Choice,
	type Decision,
} from '../../../nodes/StablecoinRamp/submit/policy.ts';

const situations: Record<string, Earlier> = {
	accepted: { attempt: 1, state: 'accepted', hasSameValues: true },
	'accepted with other values': { attempt: 1, state: 'accepted', hasSameValues: false },
	unknown: { attempt: 1, state: 'unknown', hasSameValues: true },
	'unknown with other values': { attempt: 1, state: 'unknown', hasSameValues: false },
	'unknown, and a look proves nothing yet': {
		attempt: 2,
		state: 'unknown',
		hasSameValues: true,
		lookFrom: 1,
	},
	'closed by a person': { attempt: 0, state: 'closed', hasSameValues: true },
	'not to be read': { attempt: 0, state: 'unreadable', hasSameValues: true },
	'claimed long ago': { attempt: 1, state: 'claimed', hasSameValues: true },
	'claimed just now': { attempt: 1, state: 'claimed', hasSameValues: true, lookFrom: 1 },
	'claimed by a run of this process': {
		attempt: 1,
		state: 'claimedHere',
		hasSameValues: true,
		lookFrom: 1,
	},
};

const table: Record<keyof typeof situations, [Decision, Decision, Decision, Decision]> = {
	accepted: ['stop', 'skip', 'skip', 'send'],
	'accepted with other values': ['stop', 'stop', 'stop', 'send'],
	unknown: ['stop', 'stop', 'send', 'send'],
	'unknown with other values': ['stop', 'stop', 'send', 'send'],
	'unknown, and a look proves nothing yet': ['stop', 'stop', 'stop', 'send'],
	'closed by a person': ['stop', 'stop', 'stop', 'send'],
	'not to be read': ['stop', 'stop', 'stop', 'send'],
	'claimed long ago': ['stop', 'stop', 'send', 'send'],
	'claimed just now': ['stop', 'stop', 'stop', 'send'],
	'claimed by a run of this process': ['stop', 'stop', 'stop', 'send'],
};

const order: Choice[] = ['stop', 'skip', 'submitUnknownAgain', 'submitAgain'];

it.each(Object.entries(table))('decides what to do with one that is %s: %j', (name, decisions) => {
	expect(order.map((choice) => decide(choice, situations[name]!))).toEqual(decisions);
});

it('offers these choices, the usual one first', () => {
	expect(choices).toEqual(order);
});

it.each([
	['the same values', true, ['stop', 'skip', 'skip', 'send']],
	['other values', false, ['stop', 'stop', 'stop', 'send']],
])('decides about a reference that comes twice in a run with %s', (_, isSame, decisions) => {
	expect(order.map((choice) => decideWithinRun(choice, isSame))).toEqual(decisions);
});

it('takes Stop for Skip where the node has made the reference', () => {
	expect(order.map(choiceForMade)).toEqual(['skip', 'skip', 'submitUnknownAgain', 'submitAgain']);
});

it('who submits unknown ones again has looked for them, and nobody else', () => {
	expect(choices.filter(isLookedFor)).toEqual(['submitUnknownAgain']);
});
