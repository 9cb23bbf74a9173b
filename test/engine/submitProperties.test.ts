import fc from 'fast-check';
import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { faultKinds } from '../../sandbox/server.ts';
import { faultsIn } from '../unit/transaction/allowed.ts';
import { parameters } from '../unit/transaction/arbitraries.ts';
import { credentialsFor, useEngine } from '../support/engine.ts';
import { withContext } from '../support/otherContext.ts';
import { brokenPromises, personSees } from '../support/promise.ts';
import { fromItem, operations, submitting } from '../support/transactions.ts';

const { engine, sandbox } = useEngine();

function startAfresh(): void {
	sandbox.reset();
	engine.records.clear();
}

const onError = fc.constantFrom(
	'stopWorkflow' as const,
	'continueRegularOutput' as const,
	'continueErrorOutput' as const,
);

const names = {
	buy: ['vendorName', 'vendorBank', 'vendorNumber'],
	sell: ['type'],
	both: ['amount', 'bankName', 'accountNumber', 'accountName', 'network', 'walletAddress'],
	own: ['businessId', 'linkTag'],
};

it('lets no item leave that breaks a check, and says everything in words, whatever the items hold', async () => {
	const anyJson = fc.oneof(
		fc.jsonValue(),
		fc.constantFrom({ toString: null, valueOf: null }, { constructor: 1 }, '={{ 1 }}', '__proto__'),
	);
	let left = 0;
	const items = fc.array(parameters(anyJson), { minLength: 1, maxLength: 4 });
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom(...operations),
			items,
			onError,
			async (operation, given, how) => {
				startAfresh();
				const filled = [...names.both, ...names[operation]];
				const ran = await engine.run({
					parameters: submitting(operation, {
						...Object.fromEntries(
							filled.map((name) => [name, `={{ $json.${name} ?? ${JSON.stringify(good[name])} }}`]),
						),
						...fromItem(...names.own),
						reference: '={{ String($itemIndex) }}',
						options: {
							checks: '={{ $json.options?.checks ?? "strict" }}',
							dryRun: '={{ $json.options?.dryRun ?? false }}',
							maximumAmount: '={{ $json.options?.maximumAmount ?? 0 }}',
						},
					}),
					credentials: credentialsFor(sandbox),
					items: given as IDataObject[],
					node: { onError: how },
				});
				for (const { body } of sandbox.requests()) {
					const { reference, ...sent } = body as IDataObject;
					const { options } = given[Number(reference)] as { options?: IDataObject };
					const strict = options?.checks !== 'off';
					const maximum = Number(options?.maximumAmount ?? 0);
					expect(faultsIn(operation, sent, { strict, maximum })).toEqual([]);
					left++;
				}
				expect(ran.error?.name ?? 'NodeOperationError').toMatch(/^Node(Operation|Api)Error$/);
				expect(personSees(ran)).not.toMatch(
					/TypeError|is not a function|Cannot (read|convert)|does not expect|\[object/,
				);
				expect(brokenPromises(sandbox, personSees(ran))).toEqual({ duplicates: [], lost: [] });
			},
		),
		{ numRuns: 150 },
	);
	expect(left).toBeGreaterThan(10);
}, 120_000);

const good: Record<string, string | number> = submitting('buy', submitting('sell')) as never;

type DatabaseTrouble = 'none' | 'claimLost' | 'recordedThenLost' | 'releaseLost';

/** Breaks n8n's records in the middle of a run. */
const trouble: Record<DatabaseTrouble, (context: IExecuteFunctions) => void> = {
	none: () => {},
	claimLost: ({ helpers }) => {
		helpers.checkProcessedAndRecord = async () => await lost();
	},
	recordedThenLost: ({ helpers }) => {
		const record = helpers.checkProcessedAndRecord;
		helpers.checkProcessedAndRecord = async (...call) => {
			await record(...call);
			return await lost();
		};
	},
	releaseLost: ({ helpers }) => {
		helpers.removeProcessed = async () => await lost();
	},
};

const lost = async (): Promise<never> => await Promise.reject(new Error('the database is gone'));

it('keeps both promises through any sequence of runs, faults, tries, retries and lost databases', async () => {
	const fault = fc.option(
		fc
			.constantFrom(...faultKinds.filter(({ delayMs }) => delayMs === 0))
			.chain(({ kind, accepts, choosable }) =>
				fc.record({
					kind: fc.constant(kind),
					accept: choosable ? fc.boolean() : fc.constant(accepts),
				}),
			),
		{ nil: undefined, freq: 2 },
	);
	const oneRun = fc.record({
		references: fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1, maxLength: 6 }),
		faults: fc.array(fault, { maxLength: 8 }),
		onError,
		retryOnFail: fc.boolean(),
		pressRetry: fc.boolean(),
		options: fc.record({
			parallelRequests: fc.constantFrom(1, 1, 3),
			ifAlreadySubmitted: fc.constantFrom('fail', 'skip'),
		}),
		database: fc.constantFrom<DatabaseTrouble>(
			'none',
			'none',
			'none',
			'claimLost',
			'recordedThenLost',
			'releaseLost',
		),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(oneRun, { minLength: 1, maxLength: 5 }), async (runs) => {
			startAfresh();
			let seen = '';
			for (const {
				references,
				faults,
				retryOnFail,
				pressRetry,
				options,
				database,
				...one
			} of runs) {
				faults.forEach((rule, skip) => rule && sandbox.fault({ ...rule, on: 'sell', skip }));
				const parameters: INodeParameters = submitting('sell', {
					...fromItem('reference'),
					options,
				});
				const run = {
					parameters,
					credentials: credentialsFor(sandbox),
					items: references.map((reference) => ({ reference })),
					node: { onError: one.onError, retryOnFail, maxTries: 3 },
				};
				const ran = await withContext(engine, trouble[database], async () => await engine.run(run));
				seen += `\n${personSees(ran)}`;
				if (pressRetry && ran.error) {
					seen += `\n${personSees(await engine.run({ ...run, retryOf: ran.run }))}`;
				}
				expect(brokenPromises(sandbox, seen)).toEqual({ duplicates: [], lost: [] });
			}
		}),
		{ numRuns: 100 },
	);
}, 120_000);
