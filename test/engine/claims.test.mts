import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IExecuteFunctions, INodeType } from 'n8n-workflow';

import { rampNode } from '../support/engine/engine.mts';
import { startProcess } from '../support/engine/processes.mts';
import { ClaimCalls } from '../support/claims/ClaimCalls.node.mts';
import type { Said } from '../support/claims/rounds.mts';
import { claimsSuite } from '../support/claims/suite.mts';
import { useSubmitting } from '../support/engine/submitting.mts';
import { outcomesOf, toldBy } from '../support/told.mts';
import { referencesTo } from '../support/transactions.mts';

const { engine, sandbox, optionsFor } = useSubmitting();

const buys = (many: number) => optionsFor('buy', {}, { items: referencesTo(many) });

describe("in n8n's table", () => {
	const claimCalls = new ClaimCalls() as unknown as INodeType;
	claimsSuite(() => ({
		take: async (rounds) => {
			const { json, error } = await engine.run({
				parameters: { resource: 'claims', operation: 'call', rounds: JSON.stringify(rounds) },
				credentials: {},
				node: { credentials: undefined },
				nodeTypes: {
					...engine.nodeTypes,
					getByNameAndVersion: (type) =>
						type.endsWith('stablecoinRamp') ? claimCalls : engine.nodeTypeOf(type),
				},
			});
			if (error) throw error;
			return json[0]!.said as unknown as Said[][];
		},
		read: async () => engine.processedData.asText(),
	}));
});

it.each<[string, (context: IExecuteFunctions) => void]>([
	[
		// As it would be if n8n read the id of the node a moment later.
		'keeps all rows in one',
		({ helpers }) => {
			for (const name of ['checkProcessedAndRecord', 'getProcessedDataCount'] as const) {
				const helper = helpers[name] as (...args: unknown[]) => Promise<unknown>;
				const late = async (...args: unknown[]) => await nextTurn().then(() => helper(...args));
				Object.assign(helpers, { [name]: late });
			}
		},
	],
	[
		'gives the node no other id',
		(context) => {
			Object.assign(context, { node: Object.freeze({ ...context.getNode() }) });
		},
	],
])('sends nothing on an n8n that %s', async (_, change) => {
	const other = startProcess(engine, change);
	for (let time = 0; time < 2; time++) {
		const ran = (await other.run(buys(2)))!;
		expect(outcomesOf(ran)).toEqual(['notSent', 'notSent']);
		expect(ran.error?.message).toContain('keeps records in a way that this version of the node');
		expect(ran.error?.description).toContain('Update the node, or go back to the n8n');
	}
	expect(sandbox.requests()).toEqual([]);
});

it('shows nobody the node under the name of a row', async () => {
	const seen = new Set<string>();
	let isOver = false;
	const process = startProcess(engine, (context) => {
		void (async () => {
			while (!isOver) {
				seen.add(context.getNode().id);
				await nextTurn();
			}
		})();
	});
	const ran = (await process.run(buys(20)))!;
	isOver = true;
	expect(ran.items).toHaveLength(20);
	expect([...seen]).toEqual([rampNode({}).id]);
});

/** A process whose database goes away when the first request leaves. */
const losingItsDatabase = () =>
	startProcess(engine, ({ helpers }) => {
		const send = helpers.httpRequestWithAuthentication as (...args: unknown[]) => Promise<unknown>;
		const andThenNoDatabase = async function (this: unknown, ...args: unknown[]) {
			engine.processedData.outage = new Error('away');
			return await send.apply(this, args);
		};
		Object.assign(helpers, { httpRequestWithAuthentication: andThenNoDatabase });
	});

it('says which outcome could not be recorded, and knows it as unknown afterwards', async () => {
	const ran = (await losingItsDatabase().run(buys(1)))!;
	expect(toldBy(ran)).toMatchObject([{ outcome: 'accepted', reference: 'order-0' }]);
	expect(ran.hints).toContainEqual(
		expect.stringContaining('database did not take note of what became of order-0'),
	);
	engine.processedData.outage = undefined;
	const again = (await startProcess(engine).run(buys(1)))!;
	expect(toldBy(again)).toMatchObject([{ outcome: 'unknown', reference: 'order-0' }]);
	expect(sandbox.transactions()).toHaveLength(1);
});

it('says so also where that stops the run', async () => {
	const { error } = (await losingItsDatabase().run(buys(12)))!;
	expect(error?.description).toContain(
		"n8n's database did not take note of what became of order-0, order-1, order-2, order-3, order-4. Where no register has it, later executions will say that the outcome is unknown.",
	);
});

it('does not advise to send again what may have moved, where its outcome could not be recorded', async () => {
	sandbox.fault({ kind: 'serverError', on: 'buy' });
	const { error } = (await losingItsDatabase().run(buys(1)))!;
	expect(error?.description).toContain("on the service's dashboard");
	expect(error?.description).not.toContain('did not confirm');
});
