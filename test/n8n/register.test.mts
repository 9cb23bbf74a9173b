import { columns } from '../../nodes/StablecoinRamp/submit/memory/register.ts';
import type { AcceptedTransaction } from '../../sandbox/server.mts';
import { publishBuys, stoppedBy } from '../support/n8n/buys.mts';
import { outputsOf, usePlayground } from '../support/n8n/playground.mts';
import { withoutVm } from '../support/n8n/userFolder.mts';
import { addRow, compareRegister, deleteRows, makeTable } from '../support/n8n/dataTables.mts';
import { fromItem, referencesTo } from '../support/transactions.mts';
import { until } from '../support/waiting.mts';
import { inARow, publish } from '../support/workflows.mts';

/** What n8n lets all data tables take: enough for these tests, and soon full. */
const mostBytes = 2_000_000;

const playground = usePlayground(() => ({
	env: {
		...withoutVm,
		N8N_DATA_TABLES_MAX_SIZE_BYTES: String(mostBytes),
		N8N_DATA_TABLES_SIZE_CHECK_CACHE_DURATION_MS: '100',
	},
}));

beforeEach(() => playground.sandbox.reset());

const buysWith = async (
	register: string,
	options: Record<string, string | number> = {},
	how: Parameters<typeof publishBuys>[3] = {},
) =>
	await publishBuys(
		playground,
		`${register} ${JSON.stringify(options)}`.replace(/[^\w]+/g, ' ').trim(),
		{ ...fromItem('reference'), options: { register, ...options } },
		how,
	);

const slowly = (delayMs = 100) =>
	playground.sandbox.fault({ kind: 'delay', on: 'buy', times: 1000, delayMs });

const accepted = () => playground.sandbox.transactions();

const sent = () => playground.sandbox.requests().filter(({ method }) => method === 'POST');

async function compare(register: string) {
	const rows = await playground.rowsOf(register);
	return { rows, ...compareRegister(rows, accepted()) };
}

it('has a row for each transaction, with what became of it', async () => {
	const buys = await buysWith('Book', {}, { node: { onError: 'continueRegularOutput' } });
	playground.sandbox.fault({ kind: 'badRequest', on: 'buy', skip: 1 });
	playground.sandbox.fault({ kind: 'acceptThenDrop', on: 'buy', skip: 2 });
	const { id, ended } = await buys.post(referencesTo(3, 'book'));
	await ended();

	const rows = await playground.rowsOf('Book');
	const [first] = accepted();
	const shared = {
		operation: 'buy',
		amount: 15000,
		service: playground.sandbox.baseUrl,
		workflowId: buys.id,
		executionId: id,
		sentAt: expect.any(String),
		answeredAt: expect.any(String),
	};
	expect(rows).toMatchObject([
		{
			...shared,
			reference: 'book-0',
			item: 0,
			outcome: 'accepted',
			transaction_id: first!.transaction_id,
			response: expect.stringContaining(first!.transaction_id),
		},
		{ ...shared, reference: 'book-1', item: 1, outcome: 'rejected', transaction_id: null },
		{ ...shared, reference: 'book-2', item: 2, outcome: 'unknown', transaction_id: null },
	]);
	expect(JSON.stringify(rows)).not.toContain(playground.sandbox.secretKey);
});

it('has the first and the last of the refusals of a buy', async () => {
	const buys = await buysWith('Refused', { maximumAmount: 1 });
	const ids: unknown[][] = [];
	for (const _ of [1, 2, 3, 4]) {
		await buys.run(referencesTo(1, 'refused'));
		const rows = await playground.rowsOf('Refused');
		const refused = { reference: 'refused-0', outcome: 'notSent', sentAt: null };
		expect(rows).toMatchObject(rows.map(() => refused));
		ids.push(rows.map(({ id }) => id));
	}
	expect(ids).toEqual([[1], [1, 2], [1, 3], [1, 4]]);
	expect(sent()).toEqual([]);
});

it('gives the receipt of an accepted reference back', async () => {
	const skipping = await buysWith('Back', { ifAlreadySubmitted: 'skip' });
	const first = outputsOf(await skipping.run(referencesTo(2, 'back')), 'Buy')[0]!;
	const again = outputsOf(await skipping.run(referencesTo(2, 'back')), 'Buy')[0]!;

	expect(again).toEqual(
		first.map((receipt) => ({ ...receipt, outcome: 'skipped', note: expect.any(String) })),
	);
	expect(accepted()).toHaveLength(2);
});

it('finds what a person has pasted with something about it that nobody sees', async () => {
	const skipping = await buysWith('Pasted', { ifAlreadySubmitted: 'skip' });
	await skipping.run([{ reference: 'pasted-0' }]);
	const pasted = [' pasted-1', 'pasted-2 ', 'pasted-3\u00a0', 'pasted-4\t', 'pasted-5\n'];
	for (const reference of pasted) {
		const row = { reference, operation: 'buy', outcome: 'accepted', transaction_id: 'T-1' };
		await addRow(playground.rest, 'Pasted', row);
	}
	const told = outputsOf(await skipping.run(referencesTo(7, 'pasted')), 'Buy')[0]!;
	expect(told.map(({ outcome }) => outcome)).toEqual([
		...Array.from({ length: 6 }, () => 'skipped'),
		'accepted',
	]);
	expect(accepted().map(({ reference }) => reference)).toEqual(['pasted-0', 'pasted-6']);
});

it.each(['skip', 'submitUnknownAgain'])(
	'believes a person who has found a buy on the dashboard and written that down, with %s',
	async (choice) => {
		const register = `Found ${choice}`;
		const how = { node: { onError: 'continueRegularOutput' as const } };
		const buys = await buysWith(register, { ifAlreadySubmitted: choice }, how);
		const items = referencesTo(1, choice);
		playground.sandbox.fault({ kind: 'acceptThenDrop', on: 'buy' });
		const [before] = outputsOf(await buys.run(items), 'Buy')[0]!;
		expect(before).toMatchObject({ outcome: 'unknown' });
		const [{ reference, transaction_id }] = accepted() as [AcceptedTransaction];
		const service = playground.sandbox.baseUrl;
		const found = { reference, operation: 'buy', outcome: 'accepted', transaction_id, service };
		await addRow(playground.rest, register, found);

		const [after] = outputsOf(await buys.run(items), 'Buy')[0]!;
		expect(after).toMatchObject({ outcome: 'skipped', reference, transaction_id });
		expect(accepted()).toHaveLength(1);
	},
);

it.each(['stop', 'skip', 'submitUnknownAgain'])(
	'is believed by the same workflow, imported anew, with %s',
	async (choice) => {
		const register = `Anew ${choice}`;
		const items = referencesTo(3, `anew-${choice}`);
		await (await buysWith(register)).run(items);
		const ids = accepted().map(({ transaction_id }) => transaction_id);
		const imported = await buysWith(register, { ifAlreadySubmitted: choice });
		const execution = await imported.run(items);

		if (choice === 'stop') {
			const words = stoppedBy(execution);
			for (const id of ids) expect(words).toContain(`transaction ${id}`);
		} else {
			const told = outputsOf(execution, 'Buy')[0]!;
			expect(told.map(({ outcome, transaction_id }) => [outcome, transaction_id])).toEqual(
				ids.map((id) => ['skipped', id]),
			);
		}
		expect(sent()).toHaveLength(3);
	},
);

it.each([1, 10])(
	'and the service agree after an outage in the middle of 200 (%d at a time)',
	async (parallelRequests) => {
		const register = `Outage ${parallelRequests}`;
		const buys = await buysWith(
			register,
			{ parallelRequests },
			{ node: { onError: 'continueRegularOutput' } },
		);
		playground.sandbox.fault({ kind: 'unavailable', on: 'buy', skip: 100, times: 1000 });
		const items = referencesTo(200, `outage-${parallelRequests}`);
		const told = outputsOf(await buys.run(items), 'Buy')[0]!;

		const count = (outcome: string) => told.filter((one) => one.outcome === outcome).length;
		expect(count('accepted')).toBe(100);
		expect(count('unknown')).toBeGreaterThanOrEqual(3);
		expect(count('unknown')).toBeLessThanOrEqual(2 + parallelRequests);
		expect(count('notSent')).toBe(200 - 100 - count('unknown'));
		expect(sent()).toHaveLength(100 + count('unknown'));
		const { rows, ...wrong } = await compare(register);
		expect(wrong).toEqual({ sending: [], missing: [], false: [], twice: [] });
		expect(rows.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(100);

		// The rest may be submitted again when the service works.
		playground.sandbox.reset();
		const rest = items.filter((_, index) => told[index]!.outcome === 'notSent');
		const again = outputsOf(await buys.run(rest), 'Buy')[0]!;
		expect(again.map(({ outcome }) => outcome)).toEqual(rest.map(() => 'accepted'));
	},
);

it('names the transaction id of an accepted reference where it stops', async () => {
	const buys = await buysWith('Named');
	await buys.run([{ reference: 'named-1' }]);
	const id = accepted()[0]!.transaction_id;

	const stopped = stoppedBy(await buys.run([{ reference: 'named-1' }]));
	expect(stopped).toContain('Reference named-1 was accepted before and is not sent again');
	expect(stopped).toContain(`transaction ${id}`);
});

const cancel = async (id: string) => await playground.rest.post(`/executions/${id}/stop`, {});

it.each([
	{ what: 'cancelled', delayMs: 200, count: 100, end: cancel },
	{ what: 'out of time', delayMs: 200, count: 100, timeout: 8 },
	// Without a delay it ends mostly in the middle of writing.
	{ what: 'cancelled at full speed', end: cancel },
	{ what: 'out of time at full speed', timeout: 4 },
	{ what: 'out of time at full speed, later', timeout: 6 },
])(
	'has every accepted transaction with its id, once, when the execution is $what',
	// As many as cannot be sent in that time: before the first is sent, all are checked.
	async ({ what, delayMs = 0, count = 1000, end, timeout }) => {
		const settings = { executionTimeout: timeout };
		const buys = await buysWith(`Ended ${what}`, {}, { settings });
		slowly(delayMs);
		const { id, ended } = await buys.post(referencesTo(count, what.replace(/\W+/g, '-')));
		if (end) {
			await until(() => accepted().length >= 2);
			await end(id);
		}
		await ended();
		// n8n has saved the execution by now; the node still settles what it had in hand.
		await until(async () => {
			const { missing, sending } = await compare(`Ended ${what}`);
			return missing.length === 0 && sending.length === 0;
		});

		expect(accepted().length).toBeLessThan(count);
		const book = await compare(`Ended ${what}`);
		expect(book).toMatchObject({ missing: [], false: [], twice: [] });
	},
);

it('has every accepted transaction, or says that it is on its way, when n8n is killed', async () => {
	const buys = await buysWith('Killed', { ifAlreadySubmitted: 'skip' });
	slowly();
	const references = referencesTo(100, 'killed');
	await buys.post(references);
	await until(() => accepted().length >= 23);
	await playground.n8n.kill();
	const atTheKill = accepted().length;
	await playground.restart();

	const book = await compare('Killed');
	expect(book.missing).toEqual([]);
	expect(book.false).toEqual([]);
	// the chunk in hand, the one being settled and the one being claimed
	expect(book.sending.length).toBeLessThanOrEqual(15);
	expect(book.rows.filter(({ outcome }) => outcome === 'accepted').length).toBeGreaterThanOrEqual(
		atTheKill - 10,
	);
});

it('finishes what it has begun when n8n is restarted', async () => {
	const buys = await buysWith('Restarted');
	slowly(50);
	await buys.post(referencesTo(40, 'restarted'));
	await until(() => accepted().length >= 7);
	await playground.n8n.stop();
	await playground.restart();

	const book = await compare('Restarted');
	expect(book).toMatchObject({ missing: [], false: [], sending: [] });
});

it('shows nobody the workflow through which it writes, also when that fails or n8n is killed in it', async () => {
	const alarm = await publish(playground.rest, {
		...inARow([{ name: 'Error Trigger', type: 'n8n-nodes-base.errorTrigger' }]),
		name: 'Alarm',
	});
	const settings = { errorWorkflow: alarm };
	const buys = await publishBuys(playground, 'Hidden', fromItem('reference'), { settings });
	const unentered = { ...fromItem('reference'), options: { register: 'Hidden register' } };
	const failing = await publishBuys(playground, 'Hidden too', unentered, { settings });
	const before = (await playground.listed()).map(({ id }) => id);

	await buys.run(referencesTo(12, 'hidden'));
	// The register is there, and n8n cannot write into it.
	await makeTable(playground.rest, 'Hidden register', { ...columns, operation: 'number' });
	const stopped = await failing.run(referencesTo(1, 'not-entered'));
	expect(stoppedBy(stopped)).toContain('The register could not be written');
	const cutOff = await buys.post(referencesTo(400, 'cut-off'));
	await until(() => accepted().length > 100);
	await playground.n8n.kill();
	await playground.restart();

	const alarms = await until(async () => {
		const listed = await playground.listed({ workflowId: alarm });
		return listed.length > 1 && listed;
	});
	const about = alarms.map(async ({ id }) => {
		const [told] = outputsOf(await playground.executionEnded(id), 'Error Trigger')[0]!;
		return (told!.execution as { id: string }).id;
	});
	expect((await Promise.all(about)).sort()).toEqual([stopped.id, cutOff.id].sort());
	// What n8n had made and not yet begun when it was killed, it runs when it starts again. Where it had begun no node, n8n
	// takes it for running: docs/operating.md says so.
	const listed = await until(async () => {
		const all = (await playground.listed()).filter(({ id }) => !before.includes(id));
		return all.every(({ status }) => status !== 'new') && all;
	});
	const ended = listed.filter(({ status }) => status !== 'running');
	expect(ended.filter(({ workflowId }) => workflowId !== alarm)).toMatchObject([
		{ mode: 'webhook', status: 'crashed' },
		{ mode: 'webhook', status: 'error' },
		{ mode: 'webhook', status: 'success' },
	]);
});

it('refuses a table with other columns, and says which are needed', async () => {
	await makeTable(playground.rest, 'Shopping list', { what: 'string' });
	const buys = await buysWith('Shopping list');
	const stopped = stoppedBy(await buys.run([{ reference: 'shopping-1' }]));

	expect(stopped).toContain('The data table "Shopping list" is not a register');
	expect(stopped).toContain('reference, operation, outcome, transaction_id, amount');
	expect(sent()).toEqual([]);
});

it('forgets nothing when old rows are deleted: the record still refuses what they had', async () => {
	const [stopping, skipping] = [
		await buysWith('Old'),
		await buysWith('Old', { ifAlreadySubmitted: 'skip' }),
	];
	await skipping.run([{ reference: 'old-1' }]);
	await deleteRows(playground.rest, 'Old', 'old-1');
	expect(await playground.rowsOf('Old')).toEqual([]);

	const again = await skipping.run([{ reference: 'old-1' }]);
	expect(outputsOf(again, 'Buy')[0]).toEqual([
		expect.objectContaining({ outcome: 'skipped', reference: 'old-1' }),
	]);
	expect(accepted()).toHaveLength(1);
	// Another workflow knows of it by the register alone.
	await stopping.run([{ reference: 'old-1' }]);
	expect(accepted()).toHaveLength(2);
});

it('sends nothing when the tables are full', async () => {
	const buys = await buysWith('Full');
	await buys.run([{ reference: 'full-0' }]);
	await makeTable(playground.rest, 'Big', { text: 'string' });
	const hasRoom = async () =>
		await addRow(playground.rest, 'Big', { text: 'x'.repeat(mostBytes / 5) }).then(
			() => true,
			() => false,
		);
	await until(async () => !(await hasRoom()));
	playground.sandbox.reset();

	const stopped = stoppedBy(await buys.run([{ reference: 'full-1' }]));
	expect(stopped).toMatch(/size limit/i);
	expect(sent()).toEqual([]);
});
