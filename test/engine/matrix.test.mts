import { faultKinds, startSandbox, type FaultRule, type Sandbox } from '../../sandbox/server.mts';
import { credentialsFor, useEngine } from '../support/engine/engine.mts';
import { tell } from '../support/figures.mts';
import { product } from '../support/engine/combinations.mts';
import { repeated, watch } from '../support/watch.mts';
import { someOf } from '../support/quick.mts';
import { onErrors } from '../support/engine/submitting.mts';
import { toldBy } from '../support/told.mts';
import { fromItem, operations, referencesTo, submitting } from '../support/transactions.mts';

const patience = 500;

// A label that is too long for a name server to be asked about it.
const unknownHost = `https://${'ramp'.repeat(16)}.invalid`;

type Trouble = { name: string; rule?: FaultRule; timeout?: number; baseUrl?: string };

const troubles: Trouble[] = [
	...faultKinds.flatMap(({ kind, accepts, choosable, delayMs }) =>
		(choosable ? [true, false] : [accepts]).map((accept) => ({
			name: `${kind}, ${accept ? 'accepted' : 'not accepted'}`,
			rule: { kind, accept, ...(delayMs > 0 && { delayMs: 2 * patience }) },
			...(delayMs > 0 && { timeout: patience }),
		})),
	),
	{ name: 'refused connection', baseUrl: 'http://127.0.0.1:1' },
	{ name: 'unknown host', baseUrl: unknownHost },
];

const sizes = [
	{ name: 'one item', count: 1, struck: 0, parallelRequests: 1 },
	{ name: 'several items, the first struck', count: 3, struck: 0, parallelRequests: 1 },
	{ name: 'several items, the second struck', count: 3, struck: 1, parallelRequests: 1 },
	{ name: 'several in parallel', count: 3, struck: 1, parallelRequests: 2 },
];

const kinds = product({ operation: operations, ownReferences: [false, true] });

/** Every trouble in every setting and size, with a buy or a sell and the one or the other references by turns. */
const combinations = someOf(
	product({
		trouble: troubles,
		onError: onErrors,
		retryOnFail: [false, true],
		size: sizes,
	}).map((one, index) => ({
		...one,
		...kinds[(index + Math.floor(index / sizes.length)) % kinds.length]!,
	})),
);

type Combination = (typeof combinations)[number];

const nameOf = ({ trouble, onError, retryOnFail, size, operation, ownReferences }: Combination) =>
	[
		trouble.name,
		onError,
		retryOnFail ? 'Retry On Fail' : 'one try',
		size.name,
		operation,
		ownReferences ? 'own references' : 'made references',
	].join(' × ');

const { engine } = useEngine();
let sandboxes: Sandbox[];

beforeAll(async () => {
	sandboxes = await Promise.all(Array.from({ length: 8 }, async () => await startSandbox()));
});
afterAll(async () => await Promise.all(sandboxes.map(async (sandbox) => await sandbox.close())));

/** One run in trouble, and what people do next: run it again, or press Retry. Gives the promises that were broken. */
async function play(combination: Combination, sandbox: Sandbox): Promise<string[]> {
	const { trouble, onError, retryOnFail, size, operation, ownReferences } = combination;
	sandbox.reset();
	if (trouble.rule) sandbox.fault({ ...trouble.rule, on: operation, skip: size.struck });
	const run = {
		parameters: submitting(operation, {
			...(ownReferences && fromItem('reference')),
			options: { parallelRequests: size.parallelRequests },
			requestOptions: { timeout: trouble.timeout ?? 0 },
		}),
		items: referencesTo(size.count),
		node: { onError, retryOnFail, maxTries: 2 },
		workflowId: nameOf(combination),
	};
	const credentials = credentialsFor(sandbox);
	const allowed = { givesUp: trouble.timeout !== undefined };
	const broken = watch(sandbox);
	const first = await engine.run({
		...run,
		credentials: { ...credentials, ...(trouble.baseUrl && { baseUrl: trouble.baseUrl }) },
	});
	const brokenByFirst = broken(toldBy(first), allowed);
	const again = ownReferences ? {} : first.error && { retryOf: first.run };
	if (!again) return brokenByFirst;
	const brokenAgain = watch(sandbox);
	const second = await engine.run({ ...run, ...again, credentials });
	return [...brokenByFirst, ...brokenAgain(toldBy(second), allowed)];
}

it('submits at most once and tells the truth of every item, whatever the service does', async () => {
	const todo = [...combinations];
	const broken: string[] = [];
	let duplicates = 0;
	let accepted = 0;
	await Promise.all(
		sandboxes.map(async (sandbox) => {
			for (let one = todo.pop(); one; one = todo.pop()) {
				const name = nameOf(one);
				broken.push(...(await play(one, sandbox)).map((promise) => `${name}: ${promise}`));
				const references = sandbox.transactions().map(({ reference }) => reference);
				duplicates += repeated(references).length;
				accepted += references.length;
			}
		}),
	);
	tell(
		'code',
		`Fault matrix: ${combinations.length} combinations, ${accepted} transactions accepted, ${duplicates} duplicates, ${broken.length - duplicates} lost receipts`,
	);
	expect(broken).toEqual([]);
	expect(duplicates).toBe(0);
	expect(accepted).toBeGreaterThan(combinations.length);
});
