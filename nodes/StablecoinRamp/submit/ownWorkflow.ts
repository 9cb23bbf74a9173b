import type { IDataObject, IExecuteFunctions, INode, IWorkflowBase } from 'n8n-workflow';

export type OwnNode = Pick<INode, 'name' | 'type' | 'typeVersion' | 'parameters'> & Partial<INode>;

/**
 * Runs a small workflow that this node brings along, because only n8n's Data Table node has a way to data tables.
 * n8n runs it in the same process and under the id of the calling workflow, and keeps no execution of it. Gives what
 * the last node put out, or nothing where it does not wait for it.
 */
export async function runOwn(
	context: IExecuteFunctions,
	nodes: OwnNode[],
	items: IDataObject[] = [{}],
	options?: { doNotWaitToFinish: boolean },
): Promise<IDataObject[]> {
	const input = items.map((json) => ({ json }));
	const code = inARow(nodes);
	const { data } = await context.executeWorkflow({ code }, input, undefined, options);
	return (data[0] ?? []).map(({ json }) => json);
}

const start: OwnNode = {
	name: 'Start',
	type: 'n8n-nodes-base.executeWorkflowTrigger',
	typeVersion: 1.1,
	parameters: { inputSource: 'passthrough' },
};

function inARow(nodes: OwnNode[]): IWorkflowBase {
	const all = [start, ...nodes];
	const connections = nodes.map(({ name }, index) => [
		all[index]!.name,
		{ main: [[{ node: name, type: 'main', index: 0 }]] },
	]);
	return {
		name: 'Register of Stablecoin Ramp',
		nodes: all.map((node, index) => ({ id: node.name, ...node, position: [0, index] })),
		connections: Object.fromEntries(connections) as IWorkflowBase['connections'],
		// Of its own, so that it has neither the error workflow of the calling one nor an entry in the list of executions.
		settings: {
			executionOrder: 'v1',
			saveDataSuccessExecution: 'none',
			saveDataErrorExecution: 'none',
			saveExecutionProgress: false,
			executionTimeout: -1,
		},
	} as unknown as IWorkflowBase;
}
