import { someTable } from '../support/engine/fakeDataTable.mts';
import { startProcess } from '../support/engine/processes.mts';
import { repeated, watch } from '../support/watch.mts';
import { someOf } from '../support/quick.mts';
import { goingOn, useSubmitting } from '../support/engine/submitting.mts';
import { outcomesOf, toldBy } from '../support/told.mts';
import { referencesTo } from '../support/transactions.mts';

const { engine, sandbox, optionsFor, accepted } = useSubmitting();

const items = referencesTo(8);
const steps = Array.from({ length: 400 }, (_, index) => index);

const processWith = (table: ReturnType<typeof someTable>, ahead = 0) =>
	startProcess(
		engine,
		(context, goingOut) =>
			Object.assign(context, { executeWorkflow: table.executeWorkflowBy(goingOut) }),
		{ ahead },
	);

it.each([
	{ parallelRequests: 1, isStruck: false },
	{ parallelRequests: 5, isStruck: true },
])(
	'after a kill at any step nothing is passed over without its transaction id ($parallelRequests at a time, struck: $isStruck)',
	async ({ parallelRequests, isStruck }) => {
		const buys = (ifAlreadySubmitted: string, of = items) =>
			optionsFor(
				'buy',
				{ options: { register: 'Register', ifAlreadySubmitted, parallelRequests } },
				{ items: of, node: goingOn },
			);
		let [skipped, doubtful] = [0, 0];
		for (const step of someOf(steps)) {
			sandbox.reset();
			engine.processedData.clear();
			if (isStruck) {
				sandbox.fault({ kind: 'badRequest', on: 'buy', skip: 2 });
				sandbox.fault({ kind: 'acceptThenDrop', on: 'buy', skip: 6 });
			}
			const table = someTable();
			const dying = processWith(table);
			let left = step;
			dying.dieWhen(() => left-- <= 0);
			const killed = await dying.run(buys('skip'));
			await fetch(`${sandbox.baseUrl}/_sandbox/faults`, { method: 'DELETE' });
			const there = sandbox.transactions();

			// Nothing leaves that is not in the register.
			const entered = table.outcomes();
			const absent = there.filter(
				({ reference }) => !entered.some((row) => row.startsWith(`${reference} `)),
			);
			expect([step, absent]).toEqual([step, []]);

			const broken = watch(sandbox);
			const told = toldBy((await processWith(table).run(buys('skip')))!);
			expect([step, broken(told)]).toEqual([step, []]);
			const wrong = there.flatMap(({ reference, transaction_id: id }) => {
				const one = told.find((of) => of.reference === reference)!;
				const isTrue = one.outcome === 'unknown' || (one.outcome === 'skipped' && one.id === id);
				return isTrue ? [] : [one];
			});
			expect([step, wrong]).toEqual([step, []]);
			skipped += told.filter(({ outcome }) => outcome === 'skipped').length;
			doubtful += told.filter(({ outcome }) => outcome === 'unknown').length;

			// Who has looked on the dashboard when it was time sends what is not there.
			const missing = items.filter(({ reference }) => !accepted().includes(reference));
			if (missing.length > 0) {
				const last = await processWith(table, 25).run(buys('submitUnknownAgain', missing));
				expect([step, outcomesOf(last!)]).toEqual([step, missing.map(() => 'accepted')]);
			}
			expect([step, repeated(accepted())]).toEqual([step, []]);
			if (!killed) continue;
			expect(skipped).toBeGreaterThan(0);
			expect(doubtful).toBeGreaterThan(0);
			return;
		}
		throw new Error(`A run takes more than ${steps.length} steps`);
	},
);
