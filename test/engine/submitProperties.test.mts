import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { faultsIn } from '../unit/submit/allowed.mts';
import { parameters } from '../unit/submit/arbitraries.mts';
import { credentialsFor, useEngine } from '../support/engine/engine.mts';
import { personSees, watch } from '../support/watch.mts';
import { times } from '../support/quick.mts';
import { onErrors } from '../support/engine/submitting.mts';
import { toldBy } from '../support/told.mts';
import { operations, submitting, wallet } from '../support/transactions.mts';

const { engine, sandbox } = useEngine();

const names = {
	buy: ['vendorName', 'vendorBank', 'vendorNumber'],
	sell: ['type'],
	both: ['amount', 'bankName', 'accountNumber', 'accountName', 'network', 'walletAddress'],
};

it('lets no item leave that breaks a check, and says everything in words, whatever the items hold', async () => {
	const anyJson = fc.oneof(
		fc.jsonValue(),
		fc.constantFrom({ toString: null, valueOf: null }, { constructor: 1 }, '={{ 1 }}', '__proto__'),
	);
	let left = 0;
	const items = fc.array(fc.oneof(fc.constant({}), parameters(anyJson)), {
		minLength: 1,
		maxLength: 4,
	});
	const operation = fc.constantFrom(...operations);
	const onError = fc.constantFrom(...onErrors);
	await fc.assert(
		fc.asyncProperty(operation, items, onError, async (name, given, how) => {
			sandbox.reset();
			engine.processedData.clear();
			const broken = watch(sandbox);
			const filled = [...names.both, ...names[name]];
			const ran = await engine.run({
				parameters: submitting(name, {
					...Object.fromEntries(
						filled.map((field) => [
							field,
							`={{ $json.${field} ?? ${JSON.stringify(good[field])} }}`,
						]),
					),
					reference: '={{ String($itemIndex) }}',
					options: {
						checks: '={{ $json.options?.checks ?? "strict" }}',
						dryRun: '={{ $json.options?.dryRun ?? false }}',
						maximumAmount: '={{ $json.options?.maximumAmount ?? 0 }}',
						businessId: '={{ $json.businessId ?? "OWN-BUSINESS" }}',
						linkTag: '={{ $json.linkTag ?? "own-tag" }}',
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
				expect(faultsIn(name, sent, { strict, maximum })).toEqual([]);
				left++;
			}
			expect(ran.error?.name ?? 'NodeOperationError').toMatch(/^Node(Operation|Api)Error$/);
			expect(personSees(ran)).not.toMatch(
				/TypeError|is not a function|Cannot (read|convert)|does not expect|\[object/,
			);
			expect(broken(toldBy(ran))).toEqual([]);
		}),
		// The first ones leave, however chance will have it.
		{ numRuns: times(150), examples: operations.map((name) => [name, [{}], 'stopWorkflow']) },
	);
	expect(left).toBeGreaterThanOrEqual(operations.length);
});

const good: Record<string, string | number> = {
	...submitting('buy', submitting('sell')),
	...wallet,
} as never;
