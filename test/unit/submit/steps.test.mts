import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { nextFor, stepsFor, timeInWords } from '../../../nodes/StablecoinRamp/submit/steps.ts';
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
		"2. It is there: in the register, which is under Data tables, set its 'outcome' to accepted and fill in 'transaction_id'; where it has no row, add one with these and its 'reference', 'operation' and 'amount'.",
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

it.each([
	['2026-11-16T10:40:00Z', '10:40 UTC on 16 November (11:40 in Lagos)'],
	['2026-11-16T10:40:59.999Z', '10:40 UTC on 16 November (11:40 in Lagos)'],
	['2026-11-17T00:00:00Z', '00:00 UTC on 17 November (01:00 in Lagos)'],
	['2026-12-31T23:55:00Z', '23:55 UTC on 31 December (00:55 in Lagos)'],
	['2027-01-01T00:15:00Z', '00:15 UTC on 1 January (01:15 in Lagos)'],
	['2028-02-29T09:05:00Z', '09:05 UTC on 29 February (10:05 in Lagos)'],
])('%s in words is %s', (time, words) => {
	expect(timeInWords(Date.parse(time))).toBe(words);
});
