import type { IExecuteFunctions } from 'n8n-workflow';

import { someTable } from '../support/engine/fakeDataTable.mts';
import { startProcess, type Process } from '../support/engine/processes.mts';
import { repeated, watch } from '../support/watch.mts';
import { goingOn, onErrors, useSubmitting } from '../support/engine/submitting.mts';
import { outcomesOf, toldBy } from '../support/told.mts';
import { startService } from '../support/servers.mts';
import { referencesTo } from '../support/transactions.mts';
import { until } from '../support/waiting.mts';

const { engine, sandbox, optionsFor, posts, accepted } = useSubmitting();

const minute = 60_000;
const noon = Date.parse('2026-11-16T12:00:00Z');
const items = referencesTo(3);
const others = items.slice(1);
const references = items.map(({ reference }) => reference);

const choosing = (ifAlreadySubmitted: string, more = {}) => ({
	options: { ifAlreadySubmitted, ...more },
});

type Change = (context: IExecuteFunctions) => void;

/** A process in which something happens right after its first request was answered. */
function interrupted(happens: () => void | Promise<void>, clock: () => number, change?: Change) {
	let isFirst = true;
	const interrupt: Change = (context) => {
		change?.(context);
		const { helpers } = context;
		const send = helpers.httpRequestWithAuthentication as (...args: unknown[]) => Promise<unknown>;
		const andThen = async function (this: unknown, ...args: unknown[]) {
			const answer = await send.apply(this, args);
			if (isFirst) await happens();
			isFirst = false;
			return answer;
		};
		Object.assign(helpers, { httpRequestWithAuthentication: andThen });
	};
	return startProcess(engine, interrupt, { clock });
}

describe('a run whose turn comes late', () => {
	it.each([
		['is sent under its claim while the lease lasts', 5 * minute - 1, 0],
		['is claimed anew and sent once when the lease has run out', 5 * minute, 2],
		['is claimed anew and sent once after hours', 200 * minute, 2],
		['is claimed anew and sent once when the clock has gone back', -minute, 2],
	])('%s', async (_, later, claimedAnew) => {
		const options = optionsFor('buy', {}, { items });
		let now = noon;
		await interrupted(
			() => {},
			() => now,
		).run(options);
		const usual = engine.processedData.count();
		engine.processedData.clear();
		sandbox.reset();

		const broken = watch(sandbox);
		const late = interrupted(
			() => void (now += later),
			() => now,
		);
		const ran = (await late.run(options))!;
		expect(outcomesOf(ran)).toEqual(['accepted', 'accepted', 'accepted']);
		expect(broken(toldBy(ran))).toEqual([]);
		expect(accepted()).toEqual(references);
		// Released, and claimed as another attempt.
		expect(engine.processedData.count() - usual).toBe(2 * claimedAnew);
		const again = startProcess(engine, undefined, { clock: () => now });
		expect(outcomesOf((await again.run(options))!)).toEqual(['skipped', 'skipped', 'skipped']);
	});
});

let table: ReturnType<typeof someTable>;
beforeEach(() => {
	table = someTable();
});
const withTable: Change = (context) =>
	void Object.assign(context, { executeWorkflow: table.executeWorkflow });

describe('what leaves late is in the register with the time at which it does', () => {
	const register = 'Register';
	/** The first is answered, then so many minutes pass. */
	async function late(minutes: number, happens = () => {}) {
		let now = noon;
		const process = interrupted(
			() => {
				now += minutes * minute;
				happens();
			},
			() => now,
			withTable,
		);
		const options = optionsFor('buy', choosing('stop', { register }), { items, node: goingOn });
		return (await process.run(options))!;
	}
	const minutesAfterNoon = () =>
		table
			.rows()
			.toSorted((one, other) => Number(one.item) - Number(other.item))
			.map(({ sentAt }) => Math.floor((Date.parse(String(sentAt)) - noon) / minute));

	it.each([
		[4, 0],
		[5, 5],
		[30, 30],
	])('%d minutes later', async (minutes, told) => {
		expect(outcomesOf(await late(minutes))).toEqual(['accepted', 'accepted', 'accepted']);
		expect(table.outcomes().toSorted()).toEqual(references.map((one) => `${one} accepted`));
		expect(minutesAfterNoon()).toEqual([0, told, told]);
	});

	it('is not sent where a person closes it in that moment', async () => {
		const ran = await late(30, () =>
			table.failing((operation, _, [given]) => {
				if (operation !== 'insert' || given?.item !== 1) return undefined;
				// Whoever looks at 12:30 for what says `sending` since 12:00 may close it.
				table.change((row) => (row.item === 1 ? { ...row, outcome: 'closed' } : row));
				return undefined;
			}),
		);
		expect(outcomesOf(ran)).toEqual(['accepted', 'notSent', 'accepted']);
		expect(ran.json[1]!.error).toContain('was closed by a person');
		expect(accepted()).toEqual(['order-0', 'order-2']);
		expect(table.outcomes().toSorted()).toEqual([
			'order-0 accepted',
			'order-1 closed',
			'order-2 accepted',
		]);
	});

	it.each(['insert', 'deleteRows', 'get'])('is not sent where %s fails then', async (failing) => {
		let isEntered = false;
		let isAway = true;
		const ran = await late(30, () =>
			table.failing((operation, _, [given]) => {
				isEntered ||= operation === 'insert' && given?.item === 1;
				if (!isEntered || !isAway || operation !== failing) return undefined;
				isAway = false;
				return new Error('away');
			}),
		);
		expect(outcomesOf(ran)).toEqual(['accepted', 'notSent', 'accepted']);
		expect(accepted()).toEqual(['order-0', 'order-2']);
		// It may be submitted again, and is not open.
		expect(table.outcomes().filter((one) => one.endsWith('sending'))).toEqual([]);
		const again = startProcess(engine, withTable, { clock: () => noon + 31 * minute });
		const options = optionsFor('buy', choosing('skip', { register }), { items });
		expect(outcomesOf((await again.run(options))!)).toEqual(['skipped', 'accepted', 'skipped']);
		expect(repeated(accepted())).toEqual([]);
	});
});

it('what a slow service has answered is in the register long before a person would look for it', async () => {
	let now = noon;
	const process = startProcess(engine, withTable, { clock: () => now });
	const late: unknown[] = [];
	const answered = new Set<unknown>();
	const { credentials, received } = await startService(({ reference }) => {
		now += 2 * minute;
		for (const { reference: one, outcome, sentAt } of table.rows()) {
			const isLate = Date.parse(String(sentAt)) < now - 20 * minute;
			if (outcome === 'sending' && answered.has(one) && isLate) late.push(one);
		}
		answered.add(reference);
		return received.length > 70 ? { status: 400 } : { body: { transaction_id: reference } };
	});
	// By twenties.
	const all = referencesTo(400);
	const asked = optionsFor('sell', choosing('stop', { register: 'Register' }), {
		credentials,
		items: all,
	});
	const ran = (await process.run(asked))!;
	expect(ran.error?.message).toContain('rejected');
	expect(late).toEqual([]);
	expect(received.map(({ reference }) => reference)).toEqual(
		all.slice(0, 71).map(({ reference }) => reference),
	);
	const outcomes = table.outcomes();
	expect(outcomes).toHaveLength(71);
	expect(outcomes.filter((one) => !one.endsWith(' accepted'))).toEqual(['order-70 rejected']);
});

it('what the service has asked to come back with is not sent after its lease, however long the register took', async () => {
	let ahead = 0;
	const { credentials, received } = await startService(() => {
		table.failing((operation) => {
			if (operation === 'get') ahead = 5 * minute;
			return undefined;
		});
		return { status: 429, headers: { 'retry-after': '3' } };
	});
	const process = startProcess(engine, withTable, { clock: () => Date.now() + ahead });
	const asked = optionsFor('buy', choosing('stop', { register: 'Register' }), {
		credentials,
		node: goingOn,
	});
	expect(outcomesOf((await process.run(asked))!)).toEqual(['rejected']);
	expect(ahead).toBeGreaterThan(0);
	expect(received).toHaveLength(1);
	expect(table.outcomes()).toEqual(['order-0 rejected']);
});

describe('a run that was overtaken while it waited for its turn', () => {
	/** The first is answered, then twenty minutes pass, and somebody takes over the others. */
	async function overtaken(
		choice: string,
		takeOver: (other: Process) => Promise<unknown>,
		{ register = '', onError = 'continueRegularOutput' as (typeof onErrors)[number] } = {},
	) {
		let now = noon;
		const clock = () => now;
		const change = register ? withTable : undefined;
		const broken = watch(sandbox);
		const waiting = interrupted(
			async () => {
				now += 20 * minute;
				await takeOver(startProcess(engine, change, { clock }));
			},
			clock,
			change,
		);
		const options = optionsFor('buy', choosing(choice, { register }), {
			items,
			node: { onError },
			executionId: 'waiting',
		});
		return { ran: (await waiting.run(options))!, broken };
	}

	const other = (register = '') =>
		optionsFor('buy', choosing('submitUnknownAgain', { register }), {
			items: others,
			node: goingOn,
			executionId: 'other',
		});
	const registers = ['', 'Register'];

	describe.each(registers)('with register "%s"', (register) => {
		it.each(['skip', 'submitUnknownAgain'])(
			'passes over what the other had accepted (%s)',
			async (choice) => {
				const told: Array<ReturnType<typeof toldBy>[number]> = [];
				const { ran, broken } = await overtaken(
					choice,
					async (process) => void told.push(...toldBy((await process.run(other(register)))!)),
					{ register },
				);
				expect(told.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
				expect(outcomesOf(ran)).toEqual(['accepted', 'skipped', 'skipped']);
				expect(broken([...told, ...toldBy(ran)])).toEqual([]);
				expect(accepted()).toEqual(references);
				if (!register) return;
				expect(toldBy(ran).map(({ id }) => id)).toEqual(
					sandbox.transactions().map(({ transaction_id }) => transaction_id),
				);
				expect(table.outcomes().toSorted()).toEqual(references.map((one) => `${one} accepted`));
			},
		);

		it.each(['skip', 'submitUnknownAgain'])(
			'says from when on to look for what the other has not settled (%s)',
			async (choice) => {
				const { ran, broken } = await overtaken(
					choice,
					async (process) => {
						const before = posts().length;
						process.dieWhen(() => accepted().length >= before + 2);
						await process.run(other(register));
					},
					{ register },
				);
				expect(outcomesOf(ran)).toEqual(['accepted', 'unknown', 'unknown']);
				for (const { message } of ran.json.slice(1)) {
					expect(message).toContain('at or after 12:40 UTC on 16 November');
				}
				expect(broken(toldBy(ran), { killed: true })).toEqual([]);
				expect(accepted()).toEqual(references);
				if (!register) return;
				expect(table.outcomes().toSorted()).toEqual([
					'order-0 accepted',
					...others.map(({ reference }) => `${reference} sending`),
				]);
			},
		);

		it.each(['skip', 'submitUnknownAgain'])(
			'does not send what has become unknown in the hands of the other (%s)',
			async (choice) => {
				const { ran, broken } = await overtaken(
					choice,
					async (process) => {
						sandbox.fault({ kind: 'acceptThenDrop', on: 'buy', times: 2 });
						await process.run(other(register));
					},
					{ register },
				);
				expect(outcomesOf(ran)).toEqual(['accepted', 'unknown', 'unknown']);
				expect(broken(toldBy(ran))).toEqual([]);
				expect(accepted()).toEqual(references);
				if (!register) return;
				expect(table.outcomes().toSorted()).toEqual([
					'order-0 accepted',
					...others.map(({ reference }) => `${reference} unknown`),
				]);
			},
		);

		it('sends what was rejected in the hands of the other', async () => {
			const { ran } = await overtaken(
				'skip',
				async (process) => {
					sandbox.fault({ kind: 'badRequest', on: 'buy', times: 2 });
					await process.run(other(register));
				},
				{ register },
			);
			expect(outcomesOf(ran)).toEqual(['accepted', 'accepted', 'accepted']);
			expect(accepted()).toEqual(references);
		});
	});

	it('stops there, and tells of every item', async () => {
		const { ran } = await overtaken(
			'stop',
			async (process) => {
				process.dieWhen(() => accepted().length >= 2);
				await process.run(other());
			},
			{ onError: 'stopWorkflow' },
		);
		expect(outcomesOf(ran)).toEqual(['accepted', 'unknown', 'unknown']);
		expect(ran.error?.message).toContain('Reference order-1 was submitted before');
		expect(ran.error?.description).toContain('at or after 12:40 UTC on 16 November');
		expect(repeated(accepted())).toEqual([]);
	});
});

describe('what a killed process has claimed, or somebody has sent again', () => {
	const stamp = /at or after (\d\d):(\d\d) UTC on (\d+) November/;

	/** The moment that a message names. */
	function timeIn(message: unknown): number {
		const [, hours, minutes, day] = stamp.exec(String(message))!.map(Number);
		return Date.UTC(2026, 10, day, hours, minutes);
	}

	const submitUnknownAgain = async (now: number) =>
		(await startProcess(engine, undefined, { clock: () => now }).run(
			optionsFor('buy', choosing('submitUnknownAgain'), { node: goingOn }),
		))!;

	it.each([
		['a step begins', noon],
		['a step ends', noon + 5 * minute - 1],
		['a day ends', noon + 12 * 60 * minute - 1],
	])(
		'is unknown until the time that the message names, and can be sent then (claimed when %s)',
		async (_, claimedAt) => {
			const dying = startProcess(engine, undefined, { clock: () => claimedAt });
			// One row is there to see whether rows are kept apart, the next is the claim.
			dying.dieWhen(() => engine.processedData.count() === 2);
			expect(await dying.run(optionsFor('buy'))).toBeUndefined();
			expect(posts()).toEqual([]);

			const first = await submitUnknownAgain(claimedAt + 1000);
			expect(outcomesOf(first)).toEqual(['unknown']);
			const from = timeIn(first.json[0]!.message);
			expect(from - claimedAt).toBeGreaterThan(15 * minute);
			expect(from - claimedAt).toBeLessThanOrEqual(20 * minute);

			for (const early of [from - minute, from - 1]) {
				const ran = await submitUnknownAgain(early);
				expect(outcomesOf(ran)).toEqual(['unknown']);
				expect(timeIn(ran.json[0]!.message)).toBe(from);
			}
			expect(posts()).toEqual([]);
			expect(outcomesOf(await submitUnknownAgain(from))).toEqual(['accepted']);
			expect(accepted()).toEqual(['order-0']);
		},
	);

	it('names a time for each attempt that is unknown, and can be sent then', async () => {
		sandbox.fault({ kind: 'serverError', on: 'buy', times: 2 });
		let from = noon;
		for (const next of [20, 40]) {
			const ran = await submitUnknownAgain(from);
			expect(outcomesOf(ran)).toEqual(['unknown']);
			from = timeIn(ran.json[0]!.message);
			expect(from).toBe(noon + next * minute);
			const early = await submitUnknownAgain(from - 1);
			expect(outcomesOf(early)).toEqual(['unknown']);
			expect(timeIn(early.json[0]!.message)).toBe(from);
		}
		expect(outcomesOf(await submitUnknownAgain(from))).toEqual(['accepted']);
		expect(accepted()).toEqual(['order-0']);
	});

	it.each([
		['after this one has begun', {}],
		['before a later try of this one', { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 }],
	])('was not looked for if it was sent %s, and is not sent again', async (_, node) => {
		const other = startProcess(engine, undefined, { clock: () => noon });
		let isFirst = true;
		const meanwhile: Change = (context) => {
			const { helpers } = context;
			const check = helpers.checkProcessedAndRecord as (...args: unknown[]) => Promise<unknown>;
			const andThen = async function (this: unknown, ...args: unknown[]) {
				if (isFirst) {
					isFirst = false;
					sandbox.fault({ kind: 'acceptThenDrop', on: 'buy' });
					await other.run(optionsFor('buy', {}, { node: goingOn }));
					if ('retryOnFail' in node) throw new Error('the database is away');
				}
				return await check.apply(this, args);
			};
			Object.assign(helpers, { checkProcessedAndRecord: andThen });
		};
		let now = noon;
		const clock = () => (now += minute);
		const process = startProcess(engine, meanwhile, { clock });
		const asked = optionsFor('buy', choosing('submitUnknownAgain'), {
			node: { ...goingOn, ...node },
		});
		expect(outcomesOf((await process.run(asked))!)).toEqual(['unknown']);
		expect(accepted()).toEqual(['order-0']);
	});

	it('that was sent is not sent again before that time', async () => {
		const dying = startProcess(engine, undefined, { clock: () => noon });
		dying.dieWhen(() => accepted().length === 1);
		await dying.run(optionsFor('buy'));
		const ran = await submitUnknownAgain(noon + 19 * minute);
		expect(outcomesOf(ran)).toEqual(['unknown']);
		expect(accepted()).toEqual(['order-0']);
	});

	it('is sent by one of two that take it over at the same time, in one process or in two', async () => {
		const options = optionsFor('buy', choosing('submitUnknownAgain'), { node: goingOn });
		const later = () => startProcess(engine, undefined, { clock: () => noon + 20 * minute });
		const [one, two] = [later(), later()];
		for (const [first, second] of [
			[one, one],
			[one, two],
		]) {
			engine.processedData.clear();
			sandbox.reset();
			const dying = startProcess(engine, undefined, { clock: () => noon });
			dying.dieWhen(() => engine.processedData.count() === 2);
			await dying.run(options);
			const rans = await Promise.all([first!.run(options), second!.run(options)]);
			expect(accepted()).toEqual(['order-0']);
			expect(rans.filter((ran) => outcomesOf(ran!)[0] === 'accepted')).toHaveLength(1);
		}
	});
});

it.each(onErrors)(
	'two processes with the same list send nothing twice, though one may take over what is unknown (%s)',
	async (onError) => {
		const forty = referencesTo(40);
		sandbox.fault({ kind: 'delay', on: 'buy', times: 80, delayMs: 20 });
		const broken = watch(sandbox);
		const run = async (choice: string) =>
			(await startProcess(engine).run(
				optionsFor('buy', choosing(choice), { items: forty, node: { onError } }),
			))!;
		const first = run('skip');
		await until(() => posts().length > 0);
		const second = await run('submitUnknownAgain');
		const told = [...toldBy(await first), ...toldBy(second)];
		expect(broken(told)).toEqual([]);
		expect(repeated(accepted())).toEqual([]);
		expect(['unknown', 'skipped']).toContain(outcomesOf(second)[0]);
		if (onError !== 'stopWorkflow') expect(accepted()).toHaveLength(40);
	},
);

it('does not repeat what has become unknown since the run began: nobody has looked for that', async () => {
	const twelve = referencesTo(12);
	const last = twelve.slice(10);
	const meanwhile = async () => {
		sandbox.fault({ kind: 'acceptThenDrop', on: 'buy', times: 2 });
		const ran = await startProcess(engine).run(
			optionsFor('buy', choosing('skip'), { items: last, node: goingOn }),
		);
		expect(outcomesOf(ran!)).toEqual(['unknown', 'unknown']);
	};
	const asked = optionsFor('buy', choosing('submitUnknownAgain'), { items: twelve, node: goingOn });
	const ran = (await interrupted(meanwhile, Date.now).run(asked))!;
	expect(outcomesOf(ran)).toEqual(twelve.map((_, index) => (index < 10 ? 'accepted' : 'unknown')));
	expect(repeated(accepted())).toEqual([]);
	// Who looks for them now finds them. One that was not there would be sent by the next run.
	expect(accepted()).toHaveLength(12);
});
