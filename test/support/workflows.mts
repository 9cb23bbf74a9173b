import type { IConnections, INode, INodeParameters, IWorkflowSettings } from 'n8n-workflow';

import { freshFetch } from '../../playground/freshFetch.mts';
import { activate } from '../../playground/provision.mts';
import type { Rest } from '../../playground/rest.mts';
import { until } from './waiting.mts';

/** A node, with what every node has filled in. */
export type Step = Partial<Omit<INode, 'parameters'>> & {
	name: string;
	parameters?: INodeParameters;
};

export const rampType = 'n8n-nodes-stablecoin-ramp.stablecoinRamp';

interface WorkflowParts {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings: IWorkflowSettings;
	/** n8n 1 does not take one without it. */
	active: false;
}

/** A workflow of these steps, one after the other. Ours have the credentials; a step without a type is one of them. */
export function inARow(steps: Step[], credentials?: INode['credentials']): WorkflowParts {
	const nodes = steps.map(({ type = rampType, ...step }, index): INode => ({
		id: step.name,
		typeVersion: 1,
		position: [index * 220, 0],
		parameters: {},
		...(type.startsWith(rampType) && { credentials }),
		type,
		...step,
	}));
	const connections = nodes
		.slice(1)
		.map(({ name }, index) => [
			nodes[index]!.name,
			{ main: [[{ node: name, type: 'main', index: 0 }]] },
		]);
	return {
		name: nodes.map(({ name }) => name).join(', '),
		nodes,
		connections: Object.fromEntries(connections) as IConnections,
		settings: { executionOrder: 'v1' },
		active: false,
	};
}

/** The credential of a playground, as nodes refer to it, not one that a test has made. */
export async function credentialsIn(rest: Rest): Promise<INode['credentials']> {
	const all = await rest.get<Array<{ id: string; name: string }>>('/credentials');
	return { stablecoinRampApi: all.find(({ name }) => name === 'Stablecoin Ramp account')! };
}

/** Saves a workflow and lets it start by itself; gives its id. */
export async function publish(rest: Rest, workflow: WorkflowParts): Promise<string> {
	const { id } = await rest.post<{ id: string }>('/workflows', workflow);
	await activate(rest, id);
	return id;
}

/**
 * Waits until n8n listens at the address of a webhook, which it does a moment after it has published the workflow, or
 * started. To a GET it then says that it would take a POST.
 */
export async function untilItListens(url: string): Promise<void> {
	await until(async () => (await (await freshFetch(url)).text()).includes('Did you mean'));
}
