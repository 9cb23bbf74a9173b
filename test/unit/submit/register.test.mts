import type { IExecuteFunctions } from 'n8n-workflow';

import {
	openRegister,
	withSomethingUnseen,
	type Register,
} from '../../../nodes/StablecoinRamp/submit/memory/register.ts';
import { someTable } from '../../support/engine/fakeDataTable.mts';

type Writing = Parameters<Register['write']>[0];

const service = 'https://service.example/';
/** Of the items 0 to 3. */
const asked = (reference: string) => ({
	item: 'abcd'.indexOf(reference),
	reference,
	body: { amount: 20000, account_number: '0123456789' },
});
const accepted = (reference: string) => ({
	item: asked(reference).item,
	outcome: 'accepted',
	transaction_id: 'id',
	message: null,
	response: null,
	differs: null,
});

const open = async ({ executeWorkflow }: ReturnType<typeof someTable>) => {
	const context = {
		executeWorkflow,
		getExecutionId: () => '1',
		getExecutionCancelSignal: () => undefined,
		getWorkflow: () => ({ id: 'ours' }),
	} as unknown as IExecuteFunctions;
	return await openRegister(context, 'Register', 'buy', service);
};

async function opened() {
	const table = someTable();
	const found = await open(table);
	if (!found.ok) throw new Error(found.message);
	const register = found.value;
	const write = async (rows: Partial<Writing>) =>
		await register.write({ sending: [], settled: [], withdrawn: [], ...rows });
	return { table, register, write };
}

async function begun() {
	const { table, register, write } = await opened();
	await write({ sending: ['a', 'b'].map(asked) });
	const settle = async (sending: string[] = []) =>
		await write({ sending: sending.map(asked), settled: ['a', 'b'].map(accepted) });
	return { table, register, write, settle };
}

const nothingMissing = { lacking: new Set(), unconfirmed: new Set() };
const done = ['a accepted', 'b accepted'];

it('enters what is left by all that tells two rows apart, and not what was never sent', async () => {
	const { table, register, settle } = await begun();
	table.failing((operation) => (operation === 'insert' ? new Error('no room') : undefined));
	await expect(settle(['c'])).rejects.toThrow('no room');
	table.failing(() => undefined);
	expect(await register.finish()).toEqual(nothingMissing);
	expect(table.outcomes()).toEqual(done);
	expect(table.toldApartBy()).toEqual([['reference', 'executionId', 'item', 'sentAt', 'outcome']]);
});

it('enters what is settled once, however often it is given', async () => {
	const { table, register, settle } = await begun();
	expect(table.outcomes()).toEqual(['a sending', 'b sending']);
	await settle();
	await settle();
	await register.finish();
	expect(table.outcomes()).toEqual(done);
});

it.each(['insert', 'deleteRows'])(
	'completes at the end what %s did not, and takes out what was not sent after all',
	async (operation) => {
		const { table, register, settle } = await begun();
		table.failing((one) => (one === operation ? new Error('the database blinked') : undefined));
		await expect(settle(['c'])).rejects.toThrow('blinked');
		table.failing(() => undefined);
		expect(await register.finish()).toEqual(nothingMissing);
		expect(table.outcomes()).toEqual(done);
	},
);

it('enters what failed before anything else the next time, and once', async () => {
	const { table, register, settle } = await begun();
	table.failing((one) => (one === 'deleteRows' ? new Error('the database blinked') : undefined));
	await expect(settle()).rejects.toThrow('blinked');
	table.failing((one) => (one === 'upsert' ? new Error('still away') : undefined));
	await expect(settle(['c'])).rejects.toThrow('still away');
	table.failing(() => undefined);
	await settle(['c']);
	expect(await register.finish()).toEqual(nothingMissing);
	expect(table.outcomes()).toEqual([...done, 'c sending']);
});

it.each([[[]], [['deleteRows']]])(
	'takes out what somebody else has claimed, also when %j fails at first',
	async (failing: string[]) => {
		const { table, register, write } = await begun();
		table.failing((one) => (failing.includes(String(one)) ? new Error('away') : undefined));
		await write({ settled: [accepted('a')], withdrawn: [asked('b').item] }).catch(() => undefined);
		table.failing(() => undefined);
		expect(await register.finish()).toEqual(nothingMissing);
		expect(table.outcomes()).toEqual(['a accepted']);
	},
);

it('takes out what somebody else has claimed where there is nothing to enter', async () => {
	const { table, write } = await begun();
	await write({ withdrawn: [0, 1] });
	expect(table.outcomes()).toEqual([]);
});

describe('what leaves later than it was entered to', () => {
	/** Item b is entered anew. */
	const enteredAgain = async (failing: string[] = []) => {
		const all = await begun();
		const { table, register } = all;
		const [{ sentAt: before }] = table.rows() as [{ sentAt: string }];
		table.failing((one) => (failing.includes(String(one)) ? new Error('away') : undefined));
		const entering = register.enterAgain(asked('b').item);
		await (failing.length > 0 ? expect(entering).rejects.toThrow('away') : entering);
		table.failing(() => undefined);
		return { ...all, before };
	};

	it('has one row, with the time, and is settled with that', async () => {
		const { table, settle, before } = await enteredAgain();
		expect(table.outcomes()).toEqual(['a sending', 'b sending']);
		expect(table.rows()[1]).toMatchObject({ amount: 20000, executionId: '1', item: 1 });
		const times = () => table.rows().map(({ sentAt }) => String(sentAt) > before);
		expect(times()).toEqual([false, true]);
		await settle();
		expect(table.outcomes()).toEqual(done);
		expect(times()).toEqual([false, true]);
	});

	it.each(['insert', 'deleteRows'])('has one row in the end, also where %s failed', async (one) => {
		for (const isSettled of [true, false]) {
			const { table, register, write, settle } = await enteredAgain([one]);
			if (isSettled) await settle();
			else await write({ withdrawn: [0, 1] });
			expect(await register.finish()).toEqual(nothingMissing);
			expect(table.outcomes()).toEqual(isSettled ? done : []);
		}
	});

	it('and the rest of those that were entered with it stay where one is settled', async () => {
		const { table, register, write } = await begun();
		table.failing((one) => (one === 'insert' ? new Error('away') : undefined));
		await expect(write({ settled: [accepted('a')] })).rejects.toThrow('away');
		expect(table.outcomes()).toEqual(['a sending', 'b sending']);
		table.failing(() => undefined);
		await write({});
		expect(table.outcomes()).toEqual(['b sending', 'a accepted']);
		await write({ settled: [accepted('b')] });
		expect(await register.finish()).toEqual(nothingMissing);
		expect(table.outcomes()).toEqual(done);
	});

	it('has one row in the end, also where it could not be settled at first', async () => {
		const { table, register, settle } = await enteredAgain(['deleteRows']);
		expect(table.outcomes()).toEqual(['a sending', 'b sending', 'b sending']);
		table.failing((one) => (one === 'deleteRows' ? new Error('still away') : undefined));
		await expect(settle()).rejects.toThrow('still away');
		table.failing(() => undefined);
		expect(await register.finish()).toEqual(nothingMissing);
		expect(table.outcomes()).toEqual(done);
	});
});

it('goes on without anybody waiting when the execution has had its time', async () => {
	const { table, register, settle } = await begun();
	const over = new Error('The execution was cancelled because it timed out');
	table.failing((_, isAlone) => (isAlone ? undefined : over));
	await expect(settle()).rejects.toThrow('timed out');
	const unconfirmed = new Set([0, 1]);
	expect(await register.finish()).toEqual({ ...nothingMissing, unconfirmed });
	expect(table.outcomes()).toEqual(done);
});

it('completes at the end what two writes in a row did not', async () => {
	const { table, register, write, settle } = await begun();
	await settle(['c']);
	table.failing(() => new Error('away'));
	await expect(write({ sending: [asked('d')] })).rejects.toThrow('away');
	await expect(write({ settled: [accepted('c')] })).rejects.toThrow('away');
	table.failing(() => undefined);
	expect(await register.finish()).toEqual(nothingMissing);
	expect(table.outcomes()).toEqual([...done, 'c accepted']);
});

it.each(['no more room', 'Database connection timed out'])(
	'names what it could not complete: %s',
	async (message) => {
		const { table, register, settle } = await begun();
		table.failing(() => new Error(message));
		await expect(settle()).rejects.toThrow(message);
		expect(await register.finish()).toEqual({ ...nothingMissing, lacking: new Set([0, 1]) });
		expect(table.outcomes()).toEqual(['a sending', 'b sending']);
	},
);

it('gives the rows of what was accepted', async () => {
	const { register, settle } = await begun();
	await settle();
	const found = await register.settled(['a', 'b', 'c']);
	expect([...found].filter(([, rows]) => rows.length > 0)).toEqual(
		['a', 'b'].map((reference) => [
			reference,
			[expect.objectContaining({ reference, transaction_id: 'id', amount: 20000 })],
		]),
	);
	expect(await register.settled([])).toEqual(new Map());
});

it.each(['caf\u00e9', 'cafe\u0301'])('finds %j in whichever form it was written', async (form) => {
	const { table, register, settle } = await begun();
	await settle();
	table.change((row) => ({ ...row, reference: form }));
	for (const asked of ['caf\u00e9', 'cafe\u0301']) {
		expect((await register.settled([asked])).get(asked)).toHaveLength(2);
	}
});

it.each([
	...['a ', 'a\u00a0', 'a\t', 'a\n', 'a\r\n', 'a\u200b', ' \n a \n'],
	...[
		' a',
		'\u00a0a',
		'\ta',
		'\na',
		'\u200ba',
		'\ufeffa',
		'\u200ea',
		'\u202aa\u202c',
		'\u200fa',
		'\u2068a\u2069',
		'\u2066a',
	],
])('finds %j, which a person has pasted', async (form) => {
	const { table, register, settle } = await begun();
	await settle();
	table.change((row) => ({ ...row, reference: row.reference === 'a' ? form : row.reference }));
	expect((await register.settled(['a'])).get('a')).toHaveLength(1);
});

it.each(withSomethingUnseen)('%j finds what nobody sees, and not every row', (pattern) => {
	expect(pattern).toMatch(/^(%[\s\p{Cf}]|[\s\p{Cf}]%)$/u);
});

it('finds behind what it enters how a person has written the reference', async () => {
	const { table, register, write, settle } = await begun();
	await settle();
	table.change((row) => ({ ...row, reference: `${String(row.reference)}\n`, outcome: 'notSent' }));
	expect((await register.settled(['a'])).get('a')).toEqual([]);
	table.change((row) => ({ ...row, outcome: 'closed' }));
	expect((await write({ sending: [asked('a')] })).get('a')).toMatchObject([{ outcome: 'closed' }]);
});

describe('what a person does between the reading of a reference and its entry is found behind that', () => {
	const closed = (reference: string) => ({ reference, operation: 'buy', outcome: 'closed' });

	it.each(['c', 'c\u00a0', '\tc'])('to a row that was there as %j', async (reference) => {
		const { table, register, write } = await begun();
		table.add({ ...closed(reference), outcome: 'rejected' });
		await write({ sending: [asked('d')] });
		expect((await register.settled(['c'])).get('c')).toEqual([]);
		table.change((row) => (row.outcome === 'rejected' ? { ...row, outcome: 'closed' } : row));
		expect((await write({ sending: [asked('c')] })).get('c')).toMatchObject([closed(reference)]);
	});

	it.each(['c', 'c\u00a0', '\tc'])('as a row that is added as %j', async (reference) => {
		const { table, register, write } = await begun();
		expect((await register.settled(['c'])).get('c')).toEqual([]);
		table.add(closed(reference));
		expect((await write({ sending: [asked('c')] })).get('c')).toMatchObject([closed(reference)]);
		expect(table.asked().at(-1)).toEqual([]);
	});

	it('also before anything else was entered', async () => {
		const { table, register, write } = await opened();
		expect((await register.settled(['c'])).get('c')).toEqual([]);
		table.add(closed('c'));
		expect((await write({ sending: [asked('c')] })).get('c')).toMatchObject([closed('c')]);
	});
});

it('tells what a person has closed, also behind a row that says that this run sends it', async () => {
	const { table, register, write, settle } = await begun();
	await settle();
	table.change((row) => ({ ...row, outcome: 'closed' }));
	await write({ sending: [asked('a')] });
	expect((await register.settled(['a'])).get('a')).toMatchObject([{ outcome: 'closed' }]);
	table.change((row) => (row.outcome === 'sending' ? { ...row, executionId: '2' } : row));
	expect((await register.settled(['a'])).get('a')).toEqual([]);
});

it.each([
	['another workflow with the same register', { workflowId: 'theirs' }, true],
	['another address of the service', { service: `${service}live` }, false],
	['what may be of this service', { service: 'service.example' }, true],
	['what may be of this operation', { operation: 'onramp' }, true],
	['what says nothing that is known', { outcome: 'paid' }, true],
	[
		'what says nothing that is known, of another service',
		{ outcome: 'paid', service: `${service}live` },
		false,
	],
	['a sell', { operation: 'sell' }, false],
	['one that was rejected', { outcome: 'rejected' }, false],
	['one that a person has closed', { outcome: ' Closed' }, true],
	['what a person has typed', { outcome: ' Accepted', operation: 'Buy ' }, true],
	['an address with a slash at its end', { service: `${service}/` }, true],
	['a row that a person has added', { workflowId: null, amount: null, executionId: null }, true],
])('does not take the transaction of another for its own: %s', async (_, different, isOurs) => {
	const { table, register, settle } = await begun();
	await settle();
	table.change((row) => ({ ...row, ...different }));
	expect((await register.settled(['a'])).get('a')).toHaveLength(isOurs ? 1 : 0);
});

it.each([
	['accepted', 'closed', ['accepted']],
	['closed', 'accepted', ['accepted']],
	['notSent', 'closed', ['closed']],
	['closed', 'notSent', []],
	['accepted', 'paid', ['accepted']],
	['paid', 'accepted', ['accepted']],
	['paid', 'closed', ['paid']],
	['paid', 'notSent', ['paid']],
])(
	'goes by what was accepted, else by what cannot be read, else by the newest: %s, then %s',
	async (first, second, expected) => {
		const { table, register, settle } = await begun();
		await settle();
		const outcomes = [first, second];
		table.change((row) => ({ ...row, reference: 'a', outcome: outcomes.shift() }));
		const found = (await register.settled(['a'])).get('a')!;
		expect(found.map(({ outcome }) => outcome)).toEqual(expected);
	},
);

it('asks for a reference that n8n would take for an expression', async () => {
	const { table, register } = await begun();
	const odd = '={{ $env.HOME }}';
	await register.settled([odd]);
	expect(table.asked().at(-1)).toEqual([odd]);
	expect(table.evaluated().filter((one) => /\$env|HOME/.test(one))).toEqual([]);
});

const numbers = ['amount', 'item'];
const texts = [
	'reference operation outcome transaction_id business_id vendor_name vendor_bank vendor_number',
	'bank_name account_number account_name network wallet_address differs message response by',
	'service workflowId executionId sentAt answeredAt',
].flatMap((names) => names.split(' '));

it('makes the table where there is none, with numbers as numbers', async () => {
	const table = someTable();
	expect((await open(table)).ok).toBe(true);
	const [{ tableName, columns, options }] = table.made() as [Record<string, unknown>];
	const { column } = columns as { column: Array<{ name: string; type: string }> };
	const named = (type: string) => column.filter((one) => one.type === type).map(({ name }) => name);
	expect({ tableName, options }).toEqual({
		tableName: 'Register',
		options: { createIfNotExists: true },
	});
	expect([named('string').sort(), named('number').sort()]).toEqual([
		[...texts].sort(),
		[...numbers].sort(),
	]);
});

it('refuses a table of another shape, and says what it lacks', async () => {
	const table = someTable([
		...texts.filter((name) => !['outcome', 'sentAt'].includes(name)),
		'item',
	]);
	const opened = await open(table);
	expect(opened).toMatchObject({
		message:
			'The data table "Register" is not a register: it lacks the columns outcome, amount, sentAt',
		description: expect.stringMatching(
			/^Choose another name in 'Register' in Options, or give the table the columns reference, operation, /,
		) as unknown,
	});
	expect(table.made()).toEqual([]);
});

it('says so where n8n has no data tables', async () => {
	const table = someTable();
	table.failing(() => new Error('Unrecognized node type: dataTable'));
	expect(await open(table)).toMatchObject({
		message: 'The register "Register" cannot be opened',
		description: expect.stringContaining(
			"Update n8n, or take 'Register' out of Options. n8n says: Unrecognized node type: dataTable",
		) as unknown,
	});
});

it('gives each write a moment of its own, however fast they come', async () => {
	const { table, write } = await begun();
	await Promise.all(['c', 'd'].map(async (one) => await write({ sending: [asked(one)] })));
	const moments = new Set(table.rows().map(({ sentAt }) => sentAt));
	expect(moments.size).toBe(3);
	const late = [...moments].filter(
		(one) => Math.abs(Date.parse(String(one)) - Date.now()) > 60_000,
	);
	expect(late).toEqual([]);
});

it('does nothing at the end where nothing failed', async () => {
	const { table, register, settle } = await begun();
	await settle();
	table.failing(() => new Error('not to be asked'));
	expect(await register.finish()).toEqual(nothingMissing);
});
