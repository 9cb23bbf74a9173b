import type { Earlier } from '../../../nodes/StablecoinRamp/submit/memory/claims.ts';
import {
	besideEarlier,
	notSentAgain,
	notStarted,
	notStartedInOutage,
	refused,
	registerNotRead,
	totalNotKnown,
} from '../../../nodes/StablecoinRamp/submit/notSent.ts';
import type { Setback } from '../../../nodes/StablecoinRamp/submit/result.ts';

it('what an outage kept from being sent says so', () => {
	expect(notStartedInOutage('a')).toEqual({
		...notStarted('a'),
		message: 'Not sent, because the service did not work for the three requests before it',
		description: 'It may be submitted again when the service works.',
	});
});

it('what nobody could look up says so', () => {
	const gone = new Error('it is gone');
	expect(registerNotRead('a', gone)).toEqual({
		outcome: 'notSent',
		standing: 'notLookedUp',
		reference: 'a',
		message: 'The register could not say whether it was accepted before, so nothing was sent',
		description: 'Submit reference a again when the register can be read. n8n says: it is gone',
	});
	expect(totalNotKnown('a', gone)).toEqual({
		outcome: 'notSent',
		standing: 'notLookedUp',
		reference: 'a',
		message:
			"n8n could not say what was submitted before, so whether this run stays within 'Maximum Total' is not known, and nothing was sent",
		description:
			"Submit it again when n8n's database and the register can be read. n8n says: it is gone.",
	});
});

it.each([
	['Ada closed it: refunded', 'The register says: Ada closed it: refunded. '],
	[undefined, ''],
])('what a person has closed says why, and how to open it again: %s', (because, words) => {
	const earlier = { attempt: 0, state: 'closed' as const, hasSameValues: true, because };
	expect(notSentAgain('a', earlier)).toEqual({
		outcome: 'notSent',
		standing: 'closed',
		reference: 'a',
		message: 'Reference a was closed by a person and is not sent',
		description: `${words}If it is to be sent after all: look for it on the service's dashboard first. If it is not there, a person sets its 'outcome' in the register to unknown, and submits it in the workflow that it came from, which knows whether it was sent. A payment keeps its 'Reference': under another one it could be submitted twice.`,
	});
});

it('what was refused for nothing says nothing', () => {
	expect(refused([])).toMatchObject({ message: '', description: '.' });
});

describe('an attempt that moved nothing, after one that may have', () => {
	const rejected: Setback = {
		outcome: 'rejected',
		standing: 'rejected',
		reference: 'a',
		message: 'The buy was rejected. Bad request',
		description: 'The service says: no',
	};
	const notSent: Setback = { ...rejected, outcome: 'notSent', standing: 'new' };
	const notWritten: Setback = { ...rejected, outcome: 'notSent', standing: 'notLookedUp' };
	const unknown: Earlier = { attempt: 1, state: 'unknown', hasSameValues: true };
	const accepted: Earlier = { ...unknown, state: 'accepted' };
	const other = "A payment keeps its 'Reference': under another one it could be submitted twice.";
	const alone =
		'The service says: no. That is this attempt alone: one before it, under reference a,';

	it('of its own is told for what it is, with words about the earlier one', () => {
		expect(besideEarlier(rejected, unknown, true)).toEqual({
			...rejected,
			description: `${alone} may have been accepted.`,
		});
		expect(besideEarlier(notSent, unknown, true)).toEqual({
			...notSent,
			standing: 'unknown',
			description: `${alone} may have been accepted.`,
		});
		expect(besideEarlier(notSent, accepted, true)).toEqual({
			...notSent,
			standing: 'acceptedBefore',
			description: `${alone} was accepted.`,
		});
		expect(besideEarlier(rejected, accepted, true).standing).toBe('rejected');
	});

	it('of its own names the time from which on the earlier one can be looked for', () => {
		const young = { ...unknown, lookFrom: 1 };
		expect(besideEarlier(notSent, young, true)).toMatchObject({ standing: 'unknown', lookFrom: 1 });
		expect(besideEarlier(rejected, young, true)).not.toHaveProperty('lookFrom');
		expect(besideEarlier(rejected, young, false)).toMatchObject({ lookFrom: 1 });
	});

	it('that was to take its place is unknown, in the words of both', () => {
		const told = besideEarlier(rejected, unknown, false);
		expect(told).toMatchObject({ outcome: 'unknown', standing: 'unknown', isOfEarlier: true });
		expect(told.message).toBe(
			'The buy was rejected. Bad request. Reference a was submitted before, and its outcome is unknown: it left n8n, and no answer said what became of it',
		);
		expect(told.description).toBe(`The service says: no. ${other}`);
	});

	it('and could not be written down gives the advice of the earlier one alone', () => {
		const told = besideEarlier(notWritten, unknown, false);
		expect(told.description).toBe(other);
	});

	it.each([
		['claimed', undefined, 'n8n was stopped in the middle of it'],
		['claimed', 1, 'another process is submitting it at this moment, or was stopped'],
		['claimedHere', 1, 'another run is submitting it at this moment'],
	] as const)('says why it is unknown: %s', (state, lookFrom, why) => {
		const earlier = { ...unknown, state, ...(lookFrom && { lookFrom }) };
		expect(besideEarlier(rejected, earlier, false).message).toContain(why);
	});
});
