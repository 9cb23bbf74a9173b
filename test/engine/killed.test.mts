import fc from 'fast-check';

import { startProcess } from '../support/engine/processes.mts';
import { repeated, watch } from '../support/watch.mts';
import { someOf, times } from '../support/quick.mts';
import { onErrors, useSubmitting } from '../support/engine/submitting.mts';
import { toldBy } from '../support/told.mts';
import { referencesTo } from '../support/transactions.mts';

const { engine, sandbox, optionsFor, accepted } = useSubmitting();

const items = referencesTo(100);
const leastChunk = 5;

interface Kill {
	/** The last one that the service accepts. */
	at: number;
	/** So many steps out of the process later it is gone. */
	later: number;
	choice: 'stop' | 'skip';
	onError: (typeof onErrors)[number];
	parallelRequests: number;
}

async function killAndRunAgain({ at, later, choice, onError, parallelRequests }: Kill) {
	sandbox.reset();
	engine.processedData.clear();
	const chosen = { options: { ifAlreadySubmitted: choice, parallelRequests } };
	const options = optionsFor('buy', chosen, { items, node: { onError } });
	const dying = startProcess(engine);
	let left = later;
	dying.dieWhen(() => sandbox.transactions().length >= at && left-- <= 0);
	const killed = await dying.run(options);
	const there = new Set(accepted());
	const broken = watch(sandbox);
	const told = toldBy((await startProcess(engine).run(options))!);
	return { killed, there, told, broken: broken(told) };
}

const kills: fc.Arbitrary<Kill> = fc.record({
	at: fc.integer({ min: 1, max: 100 }),
	later: fc.nat(12),
	choice: fc.constantFrom('stop', 'skip'),
	onError: fc.constantFrom(...onErrors),
	parallelRequests: fc.constantFrom(1, 1, 10),
});

const some: Kill[] = [
	{ at: 61, later: 0, choice: 'stop', onError: 'stopWorkflow', parallelRequests: 1 },
	{ at: 60, later: 0, choice: 'skip', onError: 'stopWorkflow', parallelRequests: 1 },
	{ at: 99, later: 3, choice: 'skip', onError: 'continueErrorOutput', parallelRequests: 1 },
	{ at: 1, later: 0, choice: 'stop', onError: 'continueRegularOutput', parallelRequests: 10 },
];

it('tells the truth of every item after a kill at any of 100', async () => {
	await fc.assert(
		fc.asyncProperty(kills, async (kill) => {
			const { killed, there, told, broken } = await killAndRunAgain(kill);
			const referencesTold = (...outcomes: string[]) =>
				told.flatMap(({ outcome, reference }) => (outcomes.includes(outcome) ? [reference] : []));
			const isStopped = kill.onError === 'stopWorkflow';
			const chunk = Math.max(leastChunk, kill.parallelRequests);
			const unknown = referencesTold('unknown');

			expect(broken).toEqual([]);
			expect(told.map(({ reference }) => reference)).toEqual(
				items.map(({ reference }) => reference),
			);
			// A run that was done before it could be killed leaves nothing in doubt.
			expect(unknown.length).toBeLessThanOrEqual(killed ? 0 : 3 * chunk);
			// What was accepted is known as that, but for those in doubt; what is not there is neither.
			expect(referencesTold('skipped').filter((reference) => !there.has(reference!))).toEqual([]);
			expect(
				[...there].filter((reference) => !referencesTold('skipped', 'unknown').includes(reference)),
			).toEqual([]);
			// What is told as new is not there, and is sent where nothing stops the run.
			expect(referencesTold('accepted', 'notSent').filter((one) => there.has(one!))).toEqual([]);
			if (!isStopped) expect(referencesTold('notSent')).toEqual([]);
			expect(repeated(accepted())).toEqual([]);
		}),
		{ numRuns: times(12), examples: someOf(some).map((one): [Kill] => [one]) },
	);
});
