import type { IDataObject } from 'n8n-workflow';

import { goingOn, useSubmitting } from '../support/engine/submitting.mts';
import { fromItem, referencesTo } from '../support/transactions.mts';

const { engine, sandbox, submit, submitLater, posts, accepted } = useSubmitting();

/** Submitted once; then again with a choice, on two outputs. */
const again = async (
	ifAlreadySubmitted: string,
	before: 'accepted' | 'unknown',
	values: 'the same' | 'other',
) => {
	if (before === 'unknown') sandbox.fault({ kind: 'serverError', on: 'sell' });
	await submit('sell');
	const amount = values === 'the same' ? 15000 : 20000;
	const options = { ifAlreadySubmitted };
	const node = { onError: 'continueErrorOutput' } as const;
	const { json, errorItems } = await submitLater('sell', { amount, options }, { node });
	return {
		success: json.map(({ outcome }) => outcome),
		setback: errorItems.map(({ json: { outcome } }) => outcome),
		sent: posts().length - 1,
	};
};

const sent = { success: ['accepted'], setback: [], sent: 1 };
const passedOver = { success: ['skipped'], setback: [], sent: 0 };
const setback = (outcome: string) => ({ success: [], setback: [outcome], sent: 0 });

/** The table of the choices, row by row: accepted, unknown, and each of them with other values. */
it.each<[choice: string, ...unknown[]]>([
	['stop', setback('skipped'), setback('unknown'), setback('notSent'), setback('unknown')],
	['skip', passedOver, setback('unknown'), setback('notSent'), setback('unknown')],
	['submitUnknownAgain', passedOver, sent, setback('notSent'), sent],
	['submitAgain', sent, sent, sent, sent],
])(
	'does with a reference that was submitted before what the table says: %s',
	async (choice, ...row) => {
		const found: unknown[] = [];
		for (const values of ['the same', 'other'] as const) {
			for (const before of ['accepted', 'unknown'] as const) {
				sandbox.reset();
				engine.processedData.clear();
				found.push(await again(choice, before, values));
			}
		}
		expect(found).toEqual(row);
	},
);

it('stops, says what is known and what to do', async () => {
	await submit('buy');
	const same = await submit('buy');
	expect(same.error).toMatchObject({
		message: 'Reference order-0 was accepted before and is not sent again',
		description: "A payment keeps its 'Reference': under another one it could be submitted twice.",
	});
	const other = await submit('buy', { amount: 20000 });
	expect(other.error?.message).toBe(
		'Reference order-0 was accepted before with other values, and stands for that transaction',
	);
	expect(accepted()).toEqual(['order-0']);
});

it('says of an unknown one why, and to look for it first', async () => {
	sandbox.fault({ kind: 'serverError', on: 'buy' });
	await submit('buy');
	const { error } = await submit('buy');
	expect(error?.message).toBe(
		'Reference order-0 was submitted before, and its outcome is unknown: it left n8n, and no answer said what became of it',
	);
	expect(error?.description).toMatch(
		/^A payment keeps its 'Reference': under another one it could be submitted twice\.\n1\. Look for reference order-0 on the service's dashboard at or after /,
	);
});

it('takes the choice of each item by expression', async () => {
	await submit('sell', {}, { items: referencesTo(3) });
	const items = ['skip', 'submitAgain', 'skip'].map((ifAlreadySubmitted, index) => ({
		reference: `order-${index}`,
		ifAlreadySubmitted,
	}));
	const { json } = await submit('sell', { options: fromItem('ifAlreadySubmitted') }, { items });
	expect(json.map(({ outcome }) => outcome)).toEqual(['skipped', 'accepted', 'skipped']);
	expect(accepted().slice(3)).toEqual(['order-1']);
});

it('keeps a rejected second try from freeing what was accepted', async () => {
	await submit('sell');
	sandbox.fault({ kind: 'badRequest', on: 'sell' });
	await submit('sell', { options: { ifAlreadySubmitted: 'submitAgain' } });
	const { error } = await submit('sell');
	expect(error?.message).toContain('was accepted before');
	expect(accepted()).toEqual(['order-0']);
});

describe('the same reference twice in one run', () => {
	const twice = async (ifAlreadySubmitted: string, ...amounts: number[]) => {
		const items: IDataObject[] = amounts.map((amount) => ({ reference: 'twin', amount }));
		const parameters = { ...fromItem('amount'), options: { ifAlreadySubmitted } };
		const { json } = await submit('sell', parameters, { items, node: goingOn });
		return json.map(({ outcome, error }) => error ?? outcome);
	};

	it.each([
		['stop', ['accepted', 'Reference twin is also the reference of item 0']],
		['skip', ['accepted', 'skipped']],
		['submitUnknownAgain', ['accepted', 'skipped']],
	])('is sent once (%s)', async (choice, outcomes) => {
		expect(await twice(choice, 1, 1)).toEqual(outcomes);
		expect(accepted()).toEqual(['twin']);
	});

	it.each(['stop', 'skip', 'submitUnknownAgain'])(
		'is refused with other values (%s)',
		async (choice) => {
			expect(await twice(choice, 1, 2)).toEqual([
				'accepted',
				'Reference twin is also the reference of item 0, with other values',
			]);
			expect(accepted()).toEqual(['twin']);
		},
	);

	it('is sent twice with Submit Again', async () => {
		expect(await twice('submitAgain', 1, 2)).toEqual(['accepted', 'accepted']);
	});
});

it('of an earlier item in the run does not keep the later ones from being sent, with Skip', async () => {
	const items = [{ reference: 'order-0' }, ...referencesTo(12)];
	const ran = await submit('buy', { options: { ifAlreadySubmitted: 'skip' } }, { items });
	expect(ran.json.map(({ outcome }) => outcome)).toEqual([
		'accepted',
		'skipped',
		...referencesTo(11).map(() => 'accepted'),
	]);
	expect(accepted()).toEqual(referencesTo(12).map(({ reference }) => reference));
});

const neverSaved = { workflowId: '', mode: 'manual' } as const;

it('holds within a run and its tries in a workflow that was never saved', async () => {
	const items = [{ reference: 'twin' }, { reference: 'twin' }];
	const refused = await submit('buy', {}, { ...neverSaved, items });
	expect(refused.error?.message).toContain('is also the reference of item 0');
	expect(posts()).toEqual([]);

	sandbox.fault({ kind: 'badRequest', on: 'buy', skip: 1, times: 3 });
	const node = { retryOnFail: true, maxTries: 3 };
	await submit('buy', {}, { ...neverSaved, items: referencesTo(2), node });
	expect(accepted()).toEqual(['order-0']);
});

it('holds for another node of a workflow that was never saved', async () => {
	const { run } = await submit('buy', {}, { ...neverSaved, isThereTwice: true });
	expect(run.data.resultData.runData.Again?.[0]?.error?.message).toContain(
		'Reference order-0 was accepted before and is not sent again',
	);
	expect(accepted()).toEqual(['order-0']);
});

it('is not sent where the workflow was deleted while it ran', async () => {
	engine.processedData.outage = new Error('FOREIGN KEY constraint failed');
	const { error } = await submit('buy', {}, { items: referencesTo(2) });
	expect(error?.message).toContain("n8n's database could not record what is submitted");
	expect(error?.description).toContain(
		'Submit it again when the database answers. n8n says: FOREIGN KEY constraint failed',
	);
	expect(posts()).toEqual([]);
});
