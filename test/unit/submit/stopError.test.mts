import fc from 'fast-check';

import { sentence } from '../../../client/refusal.ts';
import { judge } from '../../../nodes/StablecoinRamp/submit/judge.ts';
import { stepsFor } from '../../../nodes/StablecoinRamp/submit/steps.ts';
import {
	dryRun,
	notLookedUp,
	notOpened,
	notSentAgain,
	notStarted,
	notStartedFor,
	outcomeNotWritten,
	refused,
} from '../../../nodes/StablecoinRamp/submit/notSent.ts';
import type { Result, Setback } from '../../../nodes/StablecoinRamp/submit/result.ts';
import {
	notWrittenIn,
	stopError as stoppedBy,
} from '../../../nodes/StablecoinRamp/submit/stopError.ts';
import { readAsHtml, shown } from '../../support/shown.mts';
import { entry } from './entry.mts';

const node = {
	id: '1',
	name: 'Ramp',
	type: 'ramp',
	typeVersion: 1,
	position: [0, 0] as [number, number],
	parameters: { walletAddress: 'typed', amount: 1 },
};

function stopError(...given: Parameters<typeof stoppedBy>) {
	const error = stoppedBy(...given);
	error.description = shown(error.description ?? '');
	return error;
}

const answered = (statusCode: number, reference: string) =>
	judge(
		// A refusal that names a transaction would be none.
		{
			statusCode,
			body: statusCode === 400 ? {} : { transaction: { transaction_id: `T-${reference}` } },
		},
		'buy',
		entry(reference),
		'secret-key',
	);

const refusal = (message: string) => ({ ok: false as const, message, description: 'Mend it' });

/** A reference as the node makes it. */
const made = (letter: string) => `n8n-${letter.repeat(40)}`;

const accepted = (reference: string) => answered(200, reference);
const rejected = (reference: string) => answered(400, reference);
const unknown = (reference: string) => answered(500, reference);
const acceptedBefore = (reference: string) =>
	notSentAgain(reference, { attempt: 1, state: 'accepted', hasSameValues: true });
const closed = (reference: string) =>
	notSentAgain(reference, { attempt: 0, state: 'closed', hasSameValues: true });
const unreadable = (reference: string) =>
	notSentAgain(reference, { attempt: 0, state: 'unreadable', hasSameValues: true });
const acceptedWithOthers = (reference: string) =>
	notSentAgain(reference, { attempt: 1, state: 'accepted', hasSameValues: false });
const lookUpFailed = (reference: string) => notLookedUp(reference, new Error('away'));
const request = { method: 'POST', url: 'https://service', body: {} };
const amountRefused = (reference: string) => refused([refusal("'Amount' is 1")], reference);

/** One of each kind, by the heading under which a person looks for it. */
const kinds: Record<string, (reference: string) => Result> = {
	'Accepted in this run': accepted,
	'Accepted before': acceptedBefore,
	'Outcome unknown': unknown,
	Rejected: rejected,
	'Refused by the checks': amountRefused,
	'Closed by a person, not sent': closed,
	'In the register in words that cannot be read, not sent': unreadable,
	'New, not sent': notStarted,
	'Not sent, and nobody could say whether they are new': lookUpFailed,
	'Dry run, not sent': (reference) =>
		dryRun(reference, request, { checks: 'strict', refusals: [] }),
};
const headings = Object.keys(kinds);

/** What stands under each heading. */
function sections(description: string): Record<string, string[]> {
	const found: Record<string, string[]> = {};
	let rows: string[] | undefined;
	for (const line of description.split('\n')) {
		const heading = headings.find((one) => line.startsWith(`${one} (`));
		if (heading) {
			found[heading] = rows = [];
			expect(line).toMatch(/ \(\d+\):$/);
		} else rows?.push(line);
	}
	return found;
}

it('puts each item under its true heading, with the id of what was accepted, in whatever order they come', () => {
	const kind = fc.constantFrom(...headings);
	fc.assert(
		fc.property(fc.array(kind, { minLength: 1, maxLength: 30 }), (some) => {
			const all = [...some, 'Outcome unknown'];
			const results = all.map((heading, index) => kinds[heading]!(`ref-${index}`));
			const found = sections(stopError(node, results).description ?? '');
			all.forEach((heading, index) => {
				const id = heading === 'Accepted in this run' ? `transaction T-ref-${index}, ` : '';
				const rows = found[heading]!.filter((row) => row.endsWith(` [item ${index}]`));
				expect(rows).toEqual([expect.stringContaining(`${id}reference ref-${index}`)]);
			});
			expect(Object.keys(found).sort()).toEqual([...new Set(all)].sort());
		}),
	);
});

it('says it all in this form', () => {
	const results = [accepted('a'), unknown('b'), rejected('c'), notStarted('d')];
	const { message, description } = stopError(node, results);
	expect(message).toBe(
		'It is not known whether the buy was accepted. The service is not working at the moment [item 1]',
	);
	expect(description?.split('\n').slice(1)).toEqual([
		...stepsFor(results, false),
		'Accepted in this run (1):',
		'transaction T-a, reference a [item 0]',
		'Outcome unknown (1):',
		'reference b [item 1]',
		'Rejected (1):',
		'reference c: The buy was rejected. The service refused the request. Compare the fields of the node with what the service says. Reference c was not accepted and may be submitted again. [item 2]',
		'New, not sent (1):',
		'reference d [item 3]',
		"To send the 1 that are new, set 'If Already Submitted' in Options to Skip and 'On Error' in Settings to Continue (using error output), then submit all of them again: what was accepted is passed over.",
	]);
});

it.each([
	['without a register', {}, false],
	['with a register', { options: { register: 'Money' } }, true],
	['with a register by expression', { options: { register: '={{ $json.name }}' } }, true],
])('says what to do about all that is unknown once, %s', (_, parameters, hasRegister) => {
	const results = [unknown('a'), unknown('b'), unknown('c')];
	const lines = stopError({ ...node, parameters }, results).description!.split('\n');
	const steps = stepsFor(results, hasRegister);
	expect(lines.slice(1, 1 + steps.length)).toEqual(steps);
	expect(lines.filter((line) => /^\d\. /.test(line))).toHaveLength(4);
});

it('says what to do about what is unknown where something else has stopped the run', () => {
	const results = [rejected('a'), unknown('b')];
	const lines = stopError(node, results).description!.split('\n');
	expect(lines.slice(1, 7)).toEqual([
		'What to do about what is unknown:',
		...stepsFor(results, false),
	]);
	expect(stopError(node, [rejected('a'), accepted('b')]).description).not.toContain('unknown');
});

it('ends each line as HTML does, because the editor shows it as that', () => {
	const { description } = stoppedBy(node, [unknown('a'), rejected('b')]);
	for (const line of description!.split('\n').slice(0, -1)) expect(line).toMatch(/[^>]<br>$/);
});

it('shows word for word what comes from elsewhere', () => {
	const odd = '<b>order</b> 1  &lt;`2`  <br> &amp;';
	const { message, description } = stoppedBy(node, [unknown(odd), rejected('b')]);
	expect(readAsHtml(description!)).toContain(`1. Look for reference ${odd} on the service's`);
	expect(message).not.toContain('&amp;lt;');
	expect(stopError(node, [unknown(odd)]).description).toContain(`reference ${odd} on`);
});

it('names every one that was closed, and what sends the others', () => {
	const { message, description } = stopError(node, [closed('a'), closed('b'), notStarted('c')]);
	expect(message).toBe('Reference a was closed by a person and is not sent [item 0]');
	expect(description).toContain('Nothing was sent.');
	expect(description).toContain('Reference b was closed by a person and is not sent.');
	expect(description).toContain(`To send the 1 that are new, ${goOn}`);
});

const skip = "set 'If Already Submitted' in Options to Skip, then submit";
const goOn = "set 'If Already Submitted' in Options to Skip and 'On Error' in Settings to Continue";
const retry = 'press Retry on this execution';
const retryAndGoOn =
	"set 'On Error' in Settings to Continue \\(using error output\\), save the workflow, and press Retry with currently saved workflow on";

it.each<[where: string, count: number, next: string, results: Result[]]>([
	['all others were accepted', 1, skip, [acceptedBefore('a'), notStarted('b')]],
	['some were accepted in this run', 1, skip, [accepted('a'), notStarted('b')]],
	[
		'what was accepted is not recorded',
		1,
		goOn,
		[outcomeNotWritten(accepted('a')), notStarted('b')],
	],
	['one was accepted and has been changed', 1, goOn, [acceptedWithOthers('a'), notStarted('b')]],
	[
		'only one of the accepted was not recorded',
		1,
		goOn,
		[outcomeNotWritten(accepted('a')), accepted('b'), notStarted('c')],
	],
	[
		'only one of the accepted has been changed',
		1,
		goOn,
		[acceptedWithOthers('a'), acceptedBefore('b'), notStarted('c')],
	],
	['one was closed by a person', 1, goOn, [closed('a'), accepted('b'), notStarted('c')]],
	['one was rejected', 1, goOn, [accepted('a'), rejected('b'), notStarted('c')]],
	['the row of one cannot be read', 1, goOn, [unreadable('a'), notStarted('b')]],
	[
		'of some nobody could say whether they are new',
		2,
		skip,
		[accepted('a'), notStarted('b'), lookUpFailed('c')],
	],
	['some references are made', 2, retry, [accepted('a'), notStarted('b'), notStarted(made('c'))]],
	['all references are made', 1, retry, [accepted(made('a')), notStarted(made('b'))]],
	['one that is made is unknown', 1, retryAndGoOn, [unknown(made('a')), notStarted(made('b'))]],
	[
		'one that is made was rejected',
		1,
		retryAndGoOn,
		[accepted(made('a')), rejected(made('b')), notStarted(made('c'))],
	],
	['a whole run was refused', 1, retry, [accepted(made('a')), notStartedFor(refusal('No'), 0)]],
	['a try did not start', 1, retry, [accepted(made('a')), notOpened(made('b'), refusal('No'))]],
])('names what sends the new ones, where %s', (_, count, next, results) => {
	const last = stopError(node, results).description?.split('\n').at(-1);
	expect(last).toMatch(new RegExp(`^To send the ${count} that (are new|were not sent), ${next}`));
});

it.each<[what: string, results: Result[]]>([
	['nothing is known', [rejected('a'), notStarted('b')]],
	['nothing is new', [acceptedBefore('a')]],
])('does not say what sends the new ones where %s', (_, results) => {
	expect(stopError(node, results).description).not.toContain('To send the');
});

it('names the item at the end of the message where there are several, and not where there is one', () => {
	const result = amountRefused('b');
	expect(stopError(node, [result]).message).toBe("'Amount' is 1");
	const error = stopError(node, [notStarted('a'), result]);
	expect(error.message).toBe("'Amount' is 1 [item 1]");
	expect(error.context.itemIndex).toBe(1);
});

it.each(headings.filter((one) => !/not sent|Refused/i.test(one)))(
	'does not say that nothing was sent where one is "%s"',
	(heading) => {
		const results = [kinds[heading]!('a'), amountRefused('b')];
		expect(stopError(node, results).description).not.toContain('Nothing was sent.');
	},
);

it.each(headings.filter((one) => /not sent|Refused/i.test(one)))(
	'says that nothing was sent where one is "%s", and another is refused',
	(heading) => {
		const results = [kinds[heading]!('a'), amountRefused('b')];
		expect(stopError(node, results).description).toContain('Nothing was sent.');
	},
);

it.each(['Rejected', 'Refused by the checks', 'Closed by a person', 'In the register in words'])(
	'says beside each why it is "%s", where something else has stopped the run',
	(start) => {
		const result = kinds[headings.find((heading) => heading.startsWith(start))!]!('b');
		const { message, description } = result as Setback;
		expect(stopError(node, [unknown('a'), result]).description).toContain(
			`reference b: ${sentence(message)} ${sentence(description)} [item 1]`,
		);
	},
);

it('says of one alone no more than what to do', () => {
	const alone = unknown('a') as Setback;
	expect(stopError(node, [alone]).description!.split('\n')).toEqual([
		sentence(alone.description),
		...stepsFor([alone], false),
	]);
});

it.each(['preexisting', 'keeperm', 'ETIMEDOUT', 'order-ENOTFOUND-1'])(
	'keeps its own words about reference %s',
	(reference) => {
		const message = `About ${reference}`;
		for (const result of [unknown(reference), notStarted(reference)]) {
			expect(stopError(node, [{ ...result, message } as Result]).message).toBe(message);
		}
	},
);

it('stores no wallet address with what stops a run, and leaves the node as it was', () => {
	expect(stopError(node, [notStarted('order-1')]).node.parameters).toEqual({ amount: 1 });
	expect(node.parameters).toEqual({ walletAddress: 'typed', amount: 1 });
});

it('says of refused items alone that nothing was sent, and what the others are refused for', () => {
	const error = stopError(node, [
		refused([refusal('a')]),
		notStarted(),
		refused([refusal('c.')], 'x'),
	]);
	expect(error.name).toBe('NodeOperationError');
	expect(error.message).toBe('a [item 0]');
	expect(error.description).toBe('Mend it. Nothing was sent.\nc. Mend it. [item 2]');
});

it('names as the cause what was tried, before what was not', () => {
	const failed = judge({ code: 'ENOTFOUND', detail: '' }, 'buy', entry('c'), 'secret-key');
	const error = stopError(node, [notStarted('a'), answered(200, 'b'), failed]);
	expect(error.message).toMatch(/^The buy was not sent\. .* \[item 2\]$/);
	expect(stopError(node, [answered(200, 'a'), notStarted('b')]).message).toMatch(
		/^Not sent, because the run was stopped before it \[item 1\]$/,
	);
});

it('has the status of what the service answered, also where nothing was sent', () => {
	const error = stopError(node, [rejected('a')]);
	expect([error.name, 'httpCode' in error && error.httpCode]).toEqual(['NodeApiError', '400']);
	expect(error.description).not.toContain('Rejected (1)');
	const read = { ...refused([refusal('a')]), httpCode: '503' };
	expect(stopError(node, [read])).toMatchObject({ name: 'NodeApiError', httpCode: '503' });
});

it('says of one that has no reference yet that it is not made', () => {
	const { description } = stopError(node, [unknown('a'), refused([refusal('b')])]);
	expect(description).toContain('reference not made yet: b. Mend it. [item 1]');
});

it('does not say twice what the cause is', () => {
	const { description } = stopError(node, [rejected('a'), acceptedBefore('b')]);
	expect(description?.split('\n').slice(1)).toEqual([
		'Accepted before (1):',
		'reference b [item 1]',
		'Rejected (1):',
		'reference a [item 0]',
	]);
});

it('names the time beside each reference that is to be looked for then', () => {
	const lookFrom = Date.UTC(2026, 10, 16, 10, 40);
	const claimed = (reference: string) =>
		notSentAgain(reference, { attempt: 1, state: 'claimed', hasSameValues: true, lookFrom });
	const { description } = stopError(node, [rejected('a'), claimed('b'), unknown('c')]);
	expect(sections(description!)['Outcome unknown']).toEqual([
		'reference b: look for it at or after 10:40 UTC on 16 November (11:40 in Lagos) [item 1]',
		'reference c [item 2]',
	]);
});

it('says what the register lacks, and not of what was never sent', () => {
	const lacking = (result: Result): Result => ({ ...result, isNotInRegister: true });
	expect(notWrittenIn([accepted('a'), unknown('b')])).toEqual([]);
	expect(notWrittenIn([lacking(notStarted('c'))])).toEqual([]);
	const all = [accepted('a'), rejected('b'), unknown('c'), notStarted('d')].map(lacking);
	expect(notWrittenIn([...all, accepted('e')])).toEqual([
		"The register could not be completed. It lacks these, or still says 'sending' of them: reference a was accepted as transaction T-a; reference b was rejected; the outcome of reference c is unknown. Write them there by hand.",
	]);
});
