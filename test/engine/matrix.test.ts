import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { faultKinds, startSandbox, type FaultRule, type Sandbox } from '../../sandbox/server.ts';
import { credentialsFor, useEngine } from '../support/engine.ts';
import { brokenPromises, personSees, type Broken } from '../support/promise.ts';
import {
	fromItem,
	operations,
	referencesTo,
	submitting,
	type Operation,
} from '../support/transactions.ts';

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

const onErrors = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

const sizes = [
	{ name: 'one item', count: 1, struck: 0, parallelRequests: 1 },
	{ name: 'several items, the first struck', count: 3, struck: 0, parallelRequests: 1 },
	{ name: 'several items, the second struck', count: 3, struck: 1, parallelRequests: 1 },
	{ name: 'several in parallel', count: 3, struck: 1, parallelRequests: 2 },
];

interface Combination {
	name: string;
	trouble: Trouble;
	onError: (typeof onErrors)[number];
	retryOnFail: boolean;
	size: (typeof sizes)[number];
	operation: Operation;
	ownReferences: boolean;
}

const combinations: Combination[] = troubles.flatMap((trouble) =>
	onErrors.flatMap((onError) =>
		[false, true].flatMap((retryOnFail) =>
			sizes.flatMap((size) =>
				operations.flatMap((operation) =>
					[false, true].map((ownReferences) => ({
						name: [
							trouble.name,
							onError,
							retryOnFail ? 'Retry On Fail' : 'one try',
							size.name,
							operation,
							ownReferences ? 'own references' : 'made references',
						].join(' × '),
						trouble,
						onError,
						retryOnFail,
						size,
						operation,
						ownReferences,
					})),
				),
			),
		),
	),
);

const { engine } = useEngine();
let sandboxes: Sandbox[];

beforeAll(async () => {
	sandboxes = await Promise.all(Array.from({ length: 8 }, async () => await startSandbox()));
});
afterAll(async () => await Promise.all(sandboxes.map(async (sandbox) => await sandbox.close())));

/** One run in trouble, and what people do next: run it again, or press Retry. */
async function play(combination: Combination, sandbox: Sandbox): Promise<Broken> {
	const { name, trouble, onError, retryOnFail, size, operation, ownReferences } = combination;
	sandbox.reset();
	if (trouble.rule) sandbox.fault({ ...trouble.rule, on: operation, skip: size.struck });
	const run = {
		parameters: submitting(operation, {
			...(ownReferences && fromItem('reference')),
			options: { parallelRequests: size.parallelRequests },
			requestOptions: { timeout: trouble.timeout ?? 0 },
		}),
		items: referencesTo(size.count),
		node: { id: name, onError, retryOnFail, maxTries: 2 },
	};
	const credentials = credentialsFor(sandbox);
	const first = await engine.run({
		...run,
		credentials: { ...credentials, ...(trouble.baseUrl && { baseUrl: trouble.baseUrl }) },
	});
	const again = ownReferences ? {} : first.error && { retryOf: first.run };
	const second = again && (await engine.run({ ...run, ...again, credentials }));
	const seen = [first, second].map((ran) => (ran ? personSees(ran) : '')).join('\n');
	return brokenPromises(sandbox, seen, trouble.timeout !== undefined);
}

it('submits at most once and loses no receipt, whatever the service does', async () => {
	const todo = [...combinations];
	const duplicates: string[] = [];
	const lost: string[] = [];
	let accepted = 0;
	await Promise.all(
		sandboxes.map(async (sandbox) => {
			for (let one = todo.pop(); one; one = todo.pop()) {
				const { name } = one;
				const broken = await play(one, sandbox);
				duplicates.push(...broken.duplicates.map((reference) => `${name}: ${reference}`));
				lost.push(...broken.lost.map((reference) => `${name}: ${reference}`));
				accepted += sandbox.transactions().length;
			}
		}),
	);
	tell(
		`Fault matrix: ${combinations.length} combinations, ${accepted} transactions accepted, ${duplicates.length} duplicates, ${lost.length} lost receipts`,
	);
	expect(duplicates).toEqual([]);
	expect(lost).toEqual([]);
	expect(accepted).toBeGreaterThan(combinations.length);
}, 180_000);

function tell(line: string): void {
	const folder = join(__dirname, '..', '.output', 'figures');
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'code.txt'), `${line}\n`);
}
