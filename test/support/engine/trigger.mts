import { PollContext, TriggersAndPollers } from 'n8n-core';
import {
	Workflow,
	type IDataObject,
	type INodeParameters,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox/server.mts';
import { rampType } from '../workflows.mts';
import { credentialsFor, rampNode, type Engine } from './engine.mts';

interface Setting {
	mode?: 'trigger' | 'manual';
	/** Why n8n activates the workflow: somebody asks for it, n8n starts, or a new version is published. */
	activation?: 'activate' | 'init' | 'update';
	/** What n8n's database holds for the workflow, as text. */
	stored?: string;
	/** Where it has been polled before in this process; a new one is a process that knows nothing. */
	workflowId?: string;
	/** n8n stores what the node knows by this. */
	name?: string;
	credentials?: { baseUrl?: string; otcBaseUrl?: string };
}

let workflows = 0;

/** A workflow with the trigger, as n8n has it in memory while it is active. */
export const activateIn =
	(engine: Engine, sandbox: Sandbox) =>
	(
		parameters: INodeParameters,
		{
			mode = 'trigger',
			stored,
			activation = stored === undefined ? 'activate' : 'update',
			workflowId = `workflow-${++workflows}`,
			name = 'Trigger',
			credentials,
		}: Setting = {},
	) => {
		const node = { ...rampNode(parameters), name, type: `${rampType}Trigger` };
		const workflow = new Workflow({
			id: workflowId,
			nodes: [node],
			connections: {},
			active: true,
			nodeTypes: engine.nodeTypes,
			staticData: stored === undefined ? undefined : (JSON.parse(stored) as IDataObject),
		});
		const additionalData = {
			credentialsHelper: engine.credentialsHelper({ ...credentialsFor(sandbox), ...credentials }),
			variables: {},
		} as unknown as IWorkflowExecuteAdditionalData;
		const context = new PollContext(workflow, node, additionalData, mode, activation);
		const warnings: string[] = [];
		const warn = (message: string) => warnings.push(message);
		Object.defineProperty(context, 'logger', { value: { warn } });
		const pollers = new TriggersAndPollers();

		return {
			workflowId,
			async poll(): Promise<IDataObject[] | null> {
				const output = await workflow.expression.withIsolate(
					async () => await pollers.runPollFunction(workflow, node, context),
				);
				return output && output.flat().map(({ json }) => json);
			},
			stored: () => JSON.stringify(workflow.staticData),
			/** Whether n8n would write to its database. */
			isChanged: () => workflow.staticData.__dataChanged === true,
			/** What n8n's log has been told. */
			warnings,
		};
	};
