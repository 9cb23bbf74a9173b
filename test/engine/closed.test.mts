import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { someTable } from '../support/engine/fakeDataTable.mts';
import { startProcess } from '../support/engine/processes.mts';
import { goingOn, useSubmitting } from '../support/engine/submitting.mts';
import { outcomesOf } from '../support/told.mts';

const { engine, sandbox, optionsFor, accepted } = useSubmitting();

let table: ReturnType<typeof someTable>;
beforeEach(() => {
	table = someTable();
});

async function submit(
	operation: 'buy' | 'sell',
	options: INodeParameters = {},
	different: Parameters<typeof optionsFor>[2] = {},
	fields: INodeParameters = {},
) {
	const withTable = (context: IExecuteFunctions) => {
		Object.assign(context, { executeWorkflow: table.executeWorkflow });
	};
	const parameters = { ...fields, options: { register: 'Register', ...options } };
	return (await startProcess(engine, withTable).run(optionsFor(operation, parameters, different)))!;
}

const close = () =>
	table.change((row) => ({ ...row, outcome: 'closed', message: 'Ada closed it: refunded' }));

async function rejectedOne(operation: 'buy' | 'sell' = 'buy') {
	sandbox.fault({ kind: 'badRequest', on: operation });
	await submit(operation);
}

/** Rejected by the service, and closed by a person then. */
async function closedOne(operation: 'buy' | 'sell' = 'buy') {
	await rejectedOne(operation);
	close();
}

describe.each(['buy', 'sell'] as const)(
	'a %s that a person has closed in the register',
	(operation) => {
		it.each(['stop', 'skip', 'submitUnknownAgain'])('is not sent with %s', async (choice) => {
			await closedOne(operation);
			const ran = await submit(operation, { ifAlreadySubmitted: choice });
			expect(ran.error?.message).toBe('Reference order-0 was closed by a person and is not sent');
			expect(ran.error?.description).toContain('The register says: Ada closed it: refunded.');
			expect(ran.error?.description).not.toContain('Submit Again');
			expect(accepted()).toEqual([]);
			expect(table.outcomes()).toEqual(['order-0 closed']);
		});

		it.each([
			...[...' \t\n\r\u00a0\u200b\ufeff\u200e'].flatMap((one) => [
				`${one}order-0`,
				`order-0${one}`,
			]),
			...['\u202aorder-0\u202c', '\u2066order-0', '\u2068order-0\u2069', '\u200forder-0\u200f'],
		])(
			'is not sent where its reference was pasted with something about it: %j',
			async (reference) => {
				await closedOne(operation);
				table.change((row) => ({ ...row, reference }));
				const ran = await submit(operation, { ifAlreadySubmitted: 'submitUnknownAgain' });
				expect(ran.error?.message).toContain('was closed by a person and is not sent');
				expect(accepted()).toEqual([]);
			},
		);

		it('is sent when a person has set its outcome to unknown, as the message says', async () => {
			await closedOne(operation);
			table.change((row) => ({ ...row, outcome: 'unknown' }));
			await submit(operation);
			expect(accepted()).toEqual(['order-0']);
		});

		it.each(['stop', 'skip', 'submitUnknownAgain'])(
			'is not sent where it is closed right before it is entered as about to be sent (%s)',
			async (choice) => {
				await rejectedOne(operation);
				table.failing((one) => void (one === 'insert' && close()));
				const ran = await submit(operation, { ifAlreadySubmitted: choice });
				expect(ran.error?.message).toBe('Reference order-0 was closed by a person and is not sent');
				expect(accepted()).toEqual([]);
				expect(table.outcomes()).toEqual(['order-0 closed']);
			},
		);

		it('is sent with Submit Again', async () => {
			await closedOne(operation);
			await submit(operation, { ifAlreadySubmitted: 'submitAgain' });
			expect(accepted()).toEqual(['order-0']);
			expect(table.outcomes()).toEqual(['order-0 closed', 'order-0 accepted']);
		});
	},
);

describe('a row in the register that nobody can read', () => {
	const spoil = (different: IDataObject) => table.change((row) => ({ ...row, ...different }));

	it.each<[IDataObject, string]>([
		[{ outcome: 'acepted' }, 'In row 2 its \'outcome\' is "acepted".'],
		[{ outcome: 'accepted', operation: 'buy_ramp' }, 'In row 2 its \'operation\' is "buy_ramp".'],
		[{ outcome: 'accepted', service: 'api.example' }, 'In row 2 its \'service\' is "api.example".'],
	])(
		'keeps its reference from being sent until a person has corrected it: %j',
		async (row, words) => {
			await rejectedOne();
			spoil(row);
			for (const ifAlreadySubmitted of ['stop', 'skip', 'submitUnknownAgain']) {
				const { error } = await submit('buy', { ifAlreadySubmitted });
				expect(error?.message).toBe(
					'The register has a row of reference order-0 that cannot be read, so nothing was sent',
				);
				expect(error?.description).toContain(words);
			}
			expect(accepted()).toEqual([]);
			spoil({ outcome: 'notSent', operation: 'buy', service: null });
			expect(outcomesOf(await submit('buy'))).toEqual(['accepted']);
			expect(accepted()).toEqual(['order-0']);
		},
	);

	it('does not hide that it was accepted', async () => {
		await submit('buy');
		await submit('buy', { ifAlreadySubmitted: 'submitAgain' });
		const [first] = table.rows();
		table.change((row) => (row.id === first!.id ? { ...row, outcome: '?' } : row));
		expect(outcomesOf(await submit('buy', { ifAlreadySubmitted: 'skip' }))).toEqual(['skipped']);
	});

	it('is sent all the same with Submit Again', async () => {
		await rejectedOne();
		spoil({ outcome: '' });
		await submit('buy', { ifAlreadySubmitted: 'submitAgain' });
		expect(accepted()).toEqual(['order-0']);
	});

	it('says nothing of a transaction of another service or operation', async () => {
		await rejectedOne();
		spoil({ outcome: '?', operation: 'sell' });
		await submit('buy');
		spoil({ outcome: '?', operation: 'buy', service: 'https://elsewhere.example' });
		await submit('buy', {}, { workflowId: 'another' });
		expect(accepted()).toEqual(['order-0', 'order-0']);
	});
});

it('is told for itself alone when Submit Again does not work out', async () => {
	await closedOne();
	sandbox.fault({ kind: 'badRequest', on: 'buy' });
	const ran = await submit('buy', { ifAlreadySubmitted: 'submitAgain' });
	expect(ran.error?.description).not.toContain('one before it');
	expect(table.outcomes()).toEqual(['order-0 closed', 'order-0 rejected']);
});

it('is closed though its outcome was unknown', async () => {
	sandbox.fault({ kind: 'serverError', accept: false, on: 'buy' });
	await submit('buy');
	close();
	const ran = await submit('buy', { ifAlreadySubmitted: 'submitUnknownAgain' });
	expect(ran.error?.message).toContain('was closed by a person');
	expect(accepted()).toEqual([]);
});

it('counts only as the newest of its rows', async () => {
	await closedOne();
	await submit('buy', { ifAlreadySubmitted: 'submitAgain' });
	const ran = await submit('buy', { ifAlreadySubmitted: 'skip' });
	expect(outcomesOf(ran)).toEqual(['skipped']);
});

it('is left out of a list that goes on, and named in the message of one that stops', async () => {
	await closedOne();
	const items = [{ reference: 'a' }, { reference: 'order-0' }, { reference: 'b' }];
	const went = await submit('buy', { ifAlreadySubmitted: 'skip' }, { items, node: goingOn });
	expect(outcomesOf(went)).toEqual(['accepted', 'notSent', 'accepted']);
	const more = [...items, { reference: 'c' }];
	const stopped = await submit('buy', { ifAlreadySubmitted: 'skip' }, { items: more });
	expect(stopped.error?.message).toContain('was closed by a person and is not sent [item 1]');
	expect(stopped.error?.description).toContain('New, not sent (1):');
	expect(stopped.error?.description).toContain('Skip and');
	const advised = await submit(
		'buy',
		{ ifAlreadySubmitted: 'skip' },
		{ items: more, node: goingOn },
	);
	expect(outcomesOf(advised)).toEqual(['skipped', 'notSent', 'skipped', 'accepted']);
});

it('does not count against Maximum Total', async () => {
	await closedOne();
	const items = [{ reference: 'a' }, { reference: 'order-0' }];
	const options = { ifAlreadySubmitted: 'skip', maximumTotal: 20000 };
	const ran = await submit('buy', options, { items, node: goingOn });
	expect(outcomesOf(ran)).toEqual(['accepted', 'notSent']);
});

it('is not sent where the node has made its reference, and somebody presses Retry', async () => {
	sandbox.fault({ kind: 'badRequest', on: 'buy' });
	const first = await submit('buy', {}, {}, { reference: '' });
	close();
	const again = await submit('buy', {}, { retryOf: first.run }, { reference: '' });
	expect(again.error?.message).toContain('was closed by a person and is not sent');
	expect(accepted()).toEqual([]);
});

it('is looked for on the dashboard before anything else, by the words of the node', async () => {
	await closedOne();
	const { error } = await submit('buy');
	expect(error?.description).toMatch(
		/look for it on the service's dashboard first\. If it is not there, .* in the workflow that it came from/,
	);
});
