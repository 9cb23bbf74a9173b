import type { INode } from 'n8n-workflow';

import { freshFetch } from '../../../playground/freshFetch.mts';
import type { Execution, Playground } from './playground.mts';
import { submitting } from '../transactions.mts';
import { until } from '../waiting.mts';
import { credentialsIn, inARow, publish, type Step } from '../workflows.mts';

const path = (name: string) => name.toLowerCase().replaceAll(' ', '-');

/** Publishes a workflow that buys what is posted to its address: a list of items. */
export async function publishBuys(
	playground: Playground,
	name: string,
	parameters: Parameters<typeof submitting>[1],
	{
		node = {},
		settings = {},
		then = [],
	}: { node?: Partial<INode>; settings?: object; then?: Step[] } = {},
) {
	const steps = [
		{
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			webhookId: path(name),
			parameters: { path: path(name), httpMethod: 'POST', responseMode: 'onReceived' },
		},
		{
			name: 'Items',
			type: 'n8n-nodes-base.splitOut',
			parameters: { fieldToSplitOut: 'body' },
		},
		{ name: 'Buy', parameters: submitting('buy', parameters), ...node },
		...then,
	];
	const credentials = await credentialsIn(playground.rest);
	const workflow = inARow(steps, credentials);
	const id = await publish(playground.rest, {
		...workflow,
		name,
		settings: { ...workflow.settings, ...settings },
	});
	const start = async (items: object[]) => await post(playground, id, name, items);
	return { id, post: start, run: async (items: object[]) => await (await start(items)).ended() };
}

async function post(
	playground: Playground,
	workflowId: string,
	name: string,
	items: object[],
): Promise<{ id: string; ended: () => Promise<Execution> }> {
	const before = await playground.executionsOf(workflowId);
	// n8n registers the address a moment after it has published the workflow, or started.
	await until(async () => {
		const { ok } = await freshFetch(`${playground.n8n.baseUrl}/webhook/${path(name)}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(items),
		});
		return ok;
	});
	const id = await nextAfter(playground, before, workflowId);
	return { id, ended: async () => await playground.executionEnded(id) };
}

/** As n8n's Retry button does, with the workflow as it was or as it is saved now. */
export const retry = async (
	playground: Playground,
	{ id, workflowId }: Execution,
	{ loadWorkflow = false } = {},
) => {
	const before = await playground.executionsOf(workflowId);
	await playground.rest.post(`/executions/${id}/retry`, { loadWorkflow });
	return await playground.executionEnded(await nextAfter(playground, before, workflowId));
};

/** A workflow that the node has under way is listed until it ends. */
const isOfItsOwn = (mode: string) => mode !== 'integrated';

async function nextAfter(
	playground: Playground,
	before: string[],
	workflowId: string,
): Promise<string> {
	return await until(async () =>
		(await playground.executionsOf(workflowId, isOfItsOwn)).find((one) => !before.includes(one)),
	);
}

/** What stopped the buys, as the person reads it. */
export const stoppedBy = (execution: Execution) => {
	const [run] = execution.data.resultData.runData.Buy ?? [];
	const { message = '', description = '' } = (run?.error ?? {}) as Record<string, string>;
	return `${message}\n${description}`;
};
