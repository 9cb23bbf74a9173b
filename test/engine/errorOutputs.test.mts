import { WorkflowExecute } from 'n8n-core';
import type { IExecuteData, INodeExecutionData, Workflow } from 'n8n-workflow';

import type { Ran } from '../support/engine/engine.mts';
import { useSubmitting } from '../support/engine/submitting.mts';
import { operations } from '../support/transactions.mts';

const { sandbox, submit } = useSubmitting();

const hasTwoNames = ({ json }: INodeExecutionData) =>
	Boolean(json.error && json.message) && Object.keys(json).length === 2;

/** How an n8n knows that an item has failed, read in its n8n-core. */
const isFailed = {
	'up to 1.120': (item: INodeExecutionData) => {
		if (!item.error) return hasTwoNames(item);
		item.error = undefined;
		return true;
	},
	'1.121 to 2.35': (item: INodeExecutionData) => Boolean(item.error) || hasTwoNames(item),
	'2.36 on': undefined,
};

type Parting = (workflow: Workflow, run: IExecuteData, outputs: INodeExecutionData[][]) => void;

/** Lets the engine part failed items from others as an older n8n does. */
function partAsBefore(fails: (item: INodeExecutionData) => boolean) {
	const part: Parting = (_, { source, data }, outputs) => {
		const items = outputs[0]!;
		const failed = items.filter(fails);
		const withInput = (item: INodeExecutionData, index: number) => ({
			...item,
			json: { ...data.main![0]![index]!.json, ...item.json },
		});
		outputs[0] = items.filter((item) => !failed.includes(item));
		outputs[1] = source ? failed.map(withInput) : failed;
	};
	const engineOfN8n = WorkflowExecute.prototype as unknown as { handleNodeErrorOutput: Parting };
	jest.spyOn(engineOfN8n, 'handleNodeErrorOutput').mockImplementation(part);
}

const node = { onError: 'continueErrorOutput' } as const;
const reading = { resource: 'rate', operation: 'usdc' };
const words = { error: expect.any(String) as string, message: expect.any(String) as string };

afterEach(() => jest.restoreAllMocks());

describe.each(Object.entries(isFailed))('in n8n %s', (_, fails) => {
	beforeEach(() => fails && partAsBefore(fails));

	describe.each([
		['after a node', { items: [{ colour: 'blue' }], input: { colour: 'blue' } }],
		['with no node before it', { isAlone: true, input: {} }],
	])('%s', (_, { input, ...different }) => {
		it.each(operations)('a rejected %s leaves by the error output, whole', async (operation) => {
			sandbox.fault({ kind: 'badRequest', on: operation });
			const ran = await submit(operation, { reference: 'order-7' }, { node, ...different });
			const json = { ...input, ...words, outcome: 'rejected', reference: 'order-7' };
			expect(asKept(ran)).toEqual([
				[],
				[{ json: { ...json, httpCode: '400' }, pairedItem: { item: 0 } }],
			]);
		});

		it('a failed read leaves by the error output, with two names and the status in its words', async () => {
			sandbox.fault({ kind: 'unavailable' });
			const ran = await submit('buy', {}, { parameters: reading, node, ...different });
			const message = expect.stringMatching(/ \(HTTP 503\)$/) as string;
			expect(asKept(ran)).toEqual([
				[],
				[{ json: { ...input, ...words, message }, pairedItem: { item: 0 } }],
			]);
		});
	});
});

/** Both outputs as n8n stores them. */
const asKept = ({ items, errorItems }: Ran) => JSON.parse(JSON.stringify([items, errorItems]));

it('lets a later node give a failed item other json', async () => {
	sandbox.fault({ kind: 'badRequest', on: 'buy' });
	const ran = await submit('buy', { reference: 'order-7' }, { node, isAlone: true });
	const [item] = ran.errorItems;
	item!.json = { colour: 'blue' };
	expect(item).toEqual({ json: { colour: 'blue' }, pairedItem: { item: 0 } });
});
