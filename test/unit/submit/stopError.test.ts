import fc from 'fast-check';

import {
	notLookedUp,
	notOpened,
	notSentAgain,
	notStarted,
	refused,
	resultOf,
	unrecorded,
	type Result,
} from '../../../nodes/StablecoinRamp/submit/result.ts';
import { stopError } from '../../../nodes/StablecoinRamp/submit/stopError.ts';
import { entry } from './entry.ts';

const node = {
	id: '1',
	name: 'Ramp',
	type: 'ramp',
	typeVersion: 1,
	position: [0, 0] as [number, number],
	parameters: { walletAddress: 'typed', amount: 1 },
};

const answered = (statusCode: number, reference: string) =>
	resultOf(
		{ statusCode, body: { transaction: { transaction_id: `T-${reference}` } } },
		'buy',
		entry(reference),
		'secret-key',
	);

const refusal = (message: string) => ({ ok: false as const, message, description: 'Mend it' });

/** A reference as the node makes it. */
const made = (letter: string) => `n8n-${letter.repeat(40)}`;

/** One of each kind, by the heading under which a person looks for it. */
const kinds: Record<string, (reference: string) => Result> = {
	'Accepted in this run': (reference) => answered(200, reference),
	'Accepted before': (reference) =>
		notSentAgain(reference, { attempt: 1, state: 'accepted', hasSameValues: true }),
	'Outcome unknown': (reference) => answered(500, reference),
	Rejected: (reference) => answered(400, reference),
	'Refused by the checks': (reference) =>
		refused([{ ok: false, message: "'Amount' is 1", description: 'Raise it' }], reference),
	'New, not sent': (reference) => notStarted(reference),
	"Not sent, and n8n's database could not say whether they are new": (reference) =>
		notLookedUp(reference, new Error('away')),
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
	const { message, description } = stopError(node, [
		kinds['Accepted in this run']!('a'),
		kinds['Outcome unknown']!('b'),
		kinds.Rejected!('c'),
		kinds['New, not sent']!('d'),
	]);
	expect(message).toBe(
		'It is not known whether the buy was accepted. The service is not working at the moment [item 1]',
	);
	expect(description?.split('\n').slice(1)).toEqual([
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

it.each<[string, Result[], RegExp | undefined]>([
	[
		'Skip, where all others were accepted',
		[kinds['Accepted before']!('a'), notStarted('b')],
		/^To send the 1 that are new, set 'If Already Submitted' in Options to Skip, then submit/,
	],
	[
		'Skip, where some were accepted in this run',
		[kinds['Accepted in this run']!('a'), notStarted('b')],
		/^To send the 1 that are new, set 'If Already Submitted' in Options to Skip, then submit/,
	],
	[
		'Retry, where only some references were made',
		[kinds['Outcome unknown']!('a'), notStarted('b'), notStarted(made('c'))],
		/^To send the 2 that are new, press Retry on this execution/,
	],
	[
		'Retry, where references were made: a new execution would make others',
		[kinds['Outcome unknown']!(made('a')), notStarted(made('b')), notStarted(made('c'))],
		/^To send the 2 that are new, press Retry on this execution/,
	],
	[
		'Retry, where a try could not start',
		[kinds['Accepted in this run']!(made('a')), notOpened(refusal('Away'), made('b'))],
		/^To send the 1 that are new, press Retry on this execution/,
	],
	[
		'Continue, where what was accepted is not recorded',
		[unrecorded(kinds['Accepted in this run']!('a')), notStarted('b')],
		/^To send the 1 that are new, set .* to Skip and 'On Error' in Settings to Continue/,
	],
	['nothing, where nothing is known', [kinds.Rejected!('a'), notStarted('b')], undefined],
	['nothing, where nothing is new', [kinds['Accepted before']!('a')], undefined],
])('names what sends the new ones: %s', (_, results, words) => {
	const last = stopError(node, results).description?.split('\n').at(-1);
	if (words) expect(last).toMatch(words);
	else expect(last).not.toContain('To send the');
});

it('names the item at the end of the message where there are several, and not where there is one', () => {
	const result = kinds['Refused by the checks']!('b');
	expect(stopError(node, [result]).message).toBe("'Amount' is 1");
	const error = stopError(node, [notStarted('a'), result]);
	expect(error.message).toBe("'Amount' is 1 [item 1]");
	expect(error.context.itemIndex).toBe(1);
});

it.each(headings.filter((one) => one !== 'New, not sent' && one !== 'Refused by the checks'))(
	'does not say that nothing was sent where one is "%s"',
	(heading) => {
		const results = [kinds[heading]!('a'), kinds['Refused by the checks']!('b')];
		expect(stopError(node, results).description).not.toContain('Nothing was sent.');
	},
);

it.each(['preexisting', 'keeperm', 'ETIMEDOUT', 'order-ENOTFOUND-1'])(
	'keeps its own words about reference %s',
	(reference) => {
		const message = `About ${reference}`;
		for (const result of [kinds['Outcome unknown']!(reference), notStarted(reference)]) {
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
	const failed = resultOf({ code: 'ENOTFOUND', detail: '' }, 'buy', entry('c'), 'secret-key');
	const error = stopError(node, [notStarted('a'), answered(200, 'b'), failed]);
	expect(error.message).toMatch(/^The buy was not sent\. .* \[item 2\]$/);
	expect(stopError(node, [answered(200, 'a'), notStarted('b')]).message).toMatch(
		/^Not sent, because the run was stopped before it \[item 1\]$/,
	);
});

it('has the status of what the service answered, also where nothing was sent', () => {
	const error = stopError(node, [kinds.Rejected!('a')]);
	expect([error.name, 'httpCode' in error && error.httpCode]).toEqual(['NodeApiError', '400']);
	expect(error.description).not.toContain('Rejected (1)');
	const read = { ...refused([refusal('a')]), httpCode: '503' };
	expect(stopError(node, [read])).toMatchObject({ name: 'NodeApiError', httpCode: '503' });
});

it('says of one that has no reference yet that it is not made', () => {
	const { description } = stopError(node, [
		kinds['Outcome unknown']!('a'),
		refused([refusal('b')]),
	]);
	expect(description).toContain('reference not made yet: b. Mend it. [item 1]');
});

it('does not say twice what the cause is', () => {
	const { description } = stopError(node, [kinds.Rejected!('a'), kinds['Accepted before']!('b')]);
	expect(description?.split('\n').slice(1)).toEqual([
		'Accepted before (1):',
		'reference b [item 1]',
		'Rejected (1):',
		'reference a [item 0]',
	]);
});
