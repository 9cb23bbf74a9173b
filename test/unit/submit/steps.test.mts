import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { nextFor, stepsFor } from '../../../nodes/StablecoinRamp/submit/steps.ts';
import { jsonOf } from '../../../nodes/StablecoinRamp/submit/output.ts';
import type { Result, Setback } from '../../../nodes/StablecoinRamp/submit/result.ts';

const examples = join(__dirname, '..', '..', '..', 'examples');
const lookFrom = Date.UTC(2026, 10, 16, 10, 40);
const made = (letter: string) => `n8n-${letter.repeat(40)}`;

const unknown = (reference: string, from?: number): Setback => ({
	outcome: 'unknown',
	standing: 'unknown',
	reference,
	message: 'Nobody knows',
	description: 'It may have been accepted.',
	...(from && { lookFrom: from }),
});

const steps = {
	look: "1. Look for reference a on the service's dashboard at or after 10:40 UTC on 16 November (11:40 in Lagos): a look before that proves nothing.",
	inRegister:
		"2. It is there: in the register, which is under Data tables, set its 'outcome' to accepted and fill in 'transaction_id'; where it has no row, add one with these and its 'reference'.",
	noted: '2. It is there: note its transaction id. There is nothing to submit again.',
	again:
		"3. It is still not there after the time that the service may take: right after that look, run that one reference in a new execution with 'If Already Submitted' in Options set to Submit Unknown Again, then set that back. A retry of this execution does not send it.",
	asAnother:
		'3. It is still not there after the time that the service may take: right after that look, submit that one item in a new execution, where it gets another reference. A retry of this execution does not send it.',
	ask: '4. Not sure: ask the service, with reference, amount and time.',
	more: 'More: https://github.com/n8n-nodes-stablecoin-ramp/n8n-nodes-stablecoin-ramp#an-unknown-outcome',
};

it('names four steps for what is unknown, and the link after them', () => {
	expect(stepsFor([unknown('a', lookFrom)], true)).toEqual([
		steps.look,
		steps.inRegister,
		steps.again,
		steps.ask,
		steps.more,
	]);
});

it('says what to do with what is there where no register can be told', () => {
	expect(stepsFor([unknown('a', lookFrom)], false)[1]).toBe(steps.noted);
});

it('names no time where a look proves something already', () => {
	expect(stepsFor([unknown('a')], true)[0]).toBe(
		"1. Look for reference a on the service's dashboard.",
	);
});

it('names the latest time where several are to be looked for', () => {
	const several = [unknown('a', lookFrom - 300_000), unknown('b', lookFrom), unknown('c')];
	expect(stepsFor(several, true)[0]).toBe(
		steps.look.replace('reference a', "each reference under 'Outcome unknown'"),
	);
	// Two items that share one reference are one transaction.
	expect(stepsFor([unknown('a'), unknown('a', lookFrom)], true)[0]).toBe(steps.look);
});

it('does not promise to send again under a reference that a new execution does not make', () => {
	expect(stepsFor([unknown(made('a')), unknown(made('b'))], false)[2]).toBe(steps.asAnother);
	expect(stepsFor([unknown(made('a')), unknown('b')], false)[2]).toBe(steps.again);
});

it('is repeated by example 7, for what no node tells, in the same words', () => {
	const example = readFileSync(join(examples, '07-a-buy-stopped.json'), 'utf8');
	for (const step of [steps.inRegister, steps.again, steps.ask]) {
		expect(example).toContain(`\`${step}\``);
	}
});

it('names no steps where nothing is unknown', () => {
	const rejected: Setback = { ...unknown('a'), outcome: 'rejected', standing: 'rejected' };
	const accepted: Result = {
		outcome: 'accepted',
		standing: 'accepted',
		reference: 'b',
		receipt: {},
	};
	expect(stepsFor([rejected, accepted], true)).toEqual([]);
	expect(nextFor(rejected, true)).toBe('It may have been accepted.');
});

it.each([true, false])(
	'puts them out with the item they are about (register: %j)',
	(hasRegister) => {
		const one = unknown('a', lookFrom);
		expect(jsonOf(one, hasRegister)).toEqual({
			outcome: 'unknown',
			reference: 'a',
			error: 'Nobody knows',
			message: ['It may have been accepted.', ...stepsFor([one], hasRegister)].join('\n'),
			httpCode: null,
		});
	},
);
