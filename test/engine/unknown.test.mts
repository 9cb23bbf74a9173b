// Somebody who takes each step that a message about an unknown outcome names, by its words alone.
import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { options as optionFields } from '../../nodes/StablecoinRamp/resources/transaction/fields.ts';
import type { Ran } from '../support/engine/engine.mts';
import { someTable } from '../support/engine/fakeDataTable.mts';
import { startProcess } from '../support/engine/processes.mts';
import { onErrors, useSubmitting } from '../support/engine/submitting.mts';
import { outcomesOf } from '../support/told.mts';
import { referencesTo } from '../support/transactions.mts';

const { engine, sandbox, optionsFor, posts, accepted } = useSubmitting();

const noon = Date.parse('2026-11-16T12:00:00Z');

let table: ReturnType<typeof someTable>;
beforeEach(() => {
	table = someTable();
});

interface Running {
	at?: number;
	/** A choice of If Already Submitted, as the message names it. */
	choosing?: string;
	parameters?: INodeParameters;
	different?: Parameters<typeof optionsFor>[2];
}
type Where = [onError: (typeof onErrors)[number], hasRegister: boolean];

const wheres = onErrors.flatMap((onError): Where[] => [
	[onError, false],
	[onError, true],
]);

async function buy([onError, hasRegister]: Where, running: Running = {}): Promise<Ran> {
	const { at = noon, choosing, parameters, different } = running;
	const withTable = (context: IExecuteFunctions) =>
		void Object.assign(context, { executeWorkflow: table.executeWorkflow });
	const options = {
		...(hasRegister && { register: 'Register' }),
		...(choosing && { ifAlreadySubmitted: valueOf(choosing) }),
	};
	const process = startProcess(engine, withTable, { clock: () => at });
	const node = { onError };
	return (await process.run(
		optionsFor('buy', { ...parameters, options }, { node, ...different }),
	))!;
}

/** What a choice is in a saved workflow. */
function valueOf(name: string): string {
	const field = optionFields.options!.find((one) => one.name === 'ifAlreadySubmitted')!;
	const choices = (field as { options: Array<{ name: string; value: string }> }).options;
	return choices.find((choice) => choice.name === name)!.value;
}

/** The steps, by their numbers, and what follows them. */
function stepsIn({ error, json, errorItems }: Ran): string[] {
	const words = error?.description ?? (json[0] ?? errorItems[0]!.json).message;
	const lines = String(words).split('\n');
	const first = lines.findIndex((line) => line.startsWith('1. '));
	return ['', ...lines.slice(first)];
}

/** The reference and the time that the first step names. */
function toLookFor(step: string): { reference: string; from: number } {
	const [, reference = '', time, day] =
		/reference (\S+) on the service's dashboard at or after (\d\d:\d\d) UTC on (\d+) November \(\d\d:\d\d in Lagos\): a look before that proves nothing\.$/.exec(
			step,
		)!;
	return { reference, from: Date.parse(`2026-11-${day}T${time}:00Z`) };
}

const isThere = () => sandbox.fault({ kind: 'acceptThenDrop', on: 'buy' });
const isNotThere = () => sandbox.fault({ kind: 'serverError', accept: false, on: 'buy' });

describe.each(wheres)('what is unknown, with %s and a register: %j', (...where) => {
	const [, hasRegister] = where;

	it('has four steps, and a link after them', async () => {
		isThere();
		const steps = stepsIn(await buy(where));
		expect(steps.slice(1).map((line) => line.split(' ')[0])).toEqual([
			...['1.', '2.', '3.', '4.'],
			'More:',
		]);
	});

	it('1. is looked for by the reference, and nobody can send it before the time', async () => {
		isNotThere();
		const { reference, from } = toLookFor(stepsIn(await buy(where))[1]!);
		expect(reference).toBe('order-0');
		const choosing = 'Submit Unknown Again';
		const early = await buy(where, { at: from - 1, choosing });
		expect(outcomesOf(early)).toEqual(['unknown']);
		expect(toLookFor(stepsIn(early)[1]!)).toEqual({ reference, from });
		expect(JSON.stringify(early)).toContain(
			'It is too early for Submit Unknown Again: begin with step 1',
		);
		expect(posts()).toHaveLength(1);
	});

	it('2. is there, and nothing sends it again', async () => {
		isThere();
		const [, first = '', second = ''] = stepsIn(await buy(where));
		const { reference, from } = toLookFor(first);
		const [found] = sandbox.transactions().filter((one) => one.reference === reference);
		const [, outcome = '', value, id = ''] =
			/^2\. It is there: in the register, which is under Data tables, set its '(\w+)' to (\w+) and fill in '(\w+)'/.exec(
				second,
			) ?? [];
		expect(value !== undefined).toBe(hasRegister);
		if (hasRegister) {
			table.change((row) => ({ ...row, [outcome]: value!, [id]: found!.transaction_id }));
			const again = await buy(where, { at: from, choosing: 'Submit Unknown Again' });
			expect(again.json).toMatchObject([
				{ outcome: 'skipped', transaction_id: found!.transaction_id },
			]);
		} else {
			expect(second).toBe(
				'2. It is there: note its transaction id. There is nothing to submit again.',
			);
		}
		await buy(where, { at: from });
		expect(accepted()).toEqual(['order-0']);
		expect(posts()).toHaveLength(1);
	});

	it('3. is not there, and is sent by what the message names alone', async () => {
		isNotThere();
		const unknown = await buy(where);
		const [, first = '', , third = ''] = stepsIn(unknown);
		const { reference, from } = toLookFor(first);
		expect(sandbox.transactions().filter((one) => one.reference === reference)).toEqual([]);
		expect(third).toContain('A retry of this execution does not send it.');
		await buy(where, { at: from, different: { retryOf: unknown.run } });
		expect(posts()).toHaveLength(1);

		const [, choosing = ''] =
			/run that one reference in a new execution with 'If Already Submitted' in Options set to ([\w ]+), then set that back\./.exec(
				third,
			)!;
		expect(outcomesOf(await buy(where, { at: from, choosing }))).toEqual(['accepted']);
		await buy(where, { at: from });
		expect(accepted()).toEqual(['order-0']);
		expect(posts()).toHaveLength(2);
	});

	it('3. and has no reference of its own: a new execution sends it under another', async () => {
		isNotThere();
		const parameters = { reference: '' };
		const unknown = await buy(where, { parameters });
		const [, first = '', , third = ''] = stepsIn(unknown);
		const { reference, from } = toLookFor(first);
		expect(third).toContain(
			'submit that one item in a new execution, where it gets another reference. A retry of this execution does not send it.',
		);
		await buy(where, { at: from, parameters, different: { retryOf: unknown.run } });
		expect(posts()).toHaveLength(1);
		expect(outcomesOf(await buy(where, { at: from, parameters }))).toEqual(['accepted']);
		expect(accepted()).toEqual([expect.not.stringMatching(reference)]);
	});

	it('4. and not sure: reference, amount and time are at hand for whoever asks', async () => {
		isThere();
		const [, , , , fourth] = stepsIn(await buy(where));
		expect(fourth).toBe('4. Not sure: ask the service, with reference, amount and time.');
		if (!hasRegister) return;
		expect(table.rows()).toEqual([
			expect.objectContaining({
				reference: 'order-0',
				amount: expect.any(Number) as number,
				sentAt: expect.stringMatching(/^\d{4}-/) as string,
			}),
		]);
	});
});

it('2. is there, and the register has no row of it: one with what the message names is believed', async () => {
	isThere();
	const where: Where = ['continueRegularOutput', true];
	await buy(['continueRegularOutput', false]);
	const [, first = '', second] = stepsIn(await buy(where));
	expect(second).toMatch(
		/; where it has no row, add one with these and its 'reference', 'operation' and 'amount'\.$/,
	);
	expect(table.rows()).toEqual([]);
	const { reference, from } = toLookFor(first);
	const row: IDataObject = { reference, outcome: 'accepted', transaction_id: 'T-77' };
	table.rows().push(row);
	const again = await buy(where, { at: from, choosing: 'Submit Unknown Again' });
	expect(again.json).toMatchObject([{ outcome: 'skipped', transaction_id: 'T-77' }]);
	expect(posts()).toHaveLength(1);
});

it('names a time at which all can be looked for, where several are unknown and the run has stopped', async () => {
	const where: Where = ['stopWorkflow', false];
	const items = referencesTo(2);
	for (const [index, item] of items.entries()) {
		isNotThere();
		const at = noon + index * 5 * 60_000;
		await buy(where, { at, different: { items: [item], node: { onError: 'stopWorkflow' } } });
	}
	const at = noon + 6 * 60_000;
	const stopped = await buy(where, { at, different: { items, node: { onError: 'stopWorkflow' } } });
	const [, first = '', , third = ''] = stepsIn(stopped);
	const words = "each reference under 'Outcome unknown'";
	expect(first).toContain(words);
	const { from } = toLookFor(first.replace(words, 'reference all'));
	expect(third).toContain('run that one reference');
	for (const item of items) {
		const ran = await buy(where, {
			at: from,
			choosing: 'Submit Unknown Again',
			different: { items: [item] },
		});
		expect(outcomesOf(ran)).toEqual(['accepted']);
	}
	expect(accepted()).toEqual(['order-0', 'order-1']);
});
