import {
	CredentialTestContext,
	ExecuteContext,
	LoadOptionsContext,
	RoutingNode,
	type ExecutionLifecycleHooks,
} from 'n8n-core';
import {
	createRunExecutionData,
	Workflow,
	type ICredentialDataDecryptedObject,
	type ICredentialTestFunctions,
	type IDataObject,
	type IExecuteData,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type INodeCredentialTestResult,
	type INodeExecutionData,
	type INodeListSearchResult,
	type INodeParameters,
	type IRequestOptions,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { addresses, rampNode, type Engine } from './engine.mts';

/** Where n8n meets the package outside of a run: the editor, the credential dialog, other nodes, tools. */
export function contextsOf(engine: Engine, credentials: ICredentialDataDecryptedObject) {
	const nodeType = engine.nodeTypeOf('stablecoinRamp');

	function parts(parameters: INodeParameters) {
		const node = rampNode(parameters);
		const workflow = new Workflow({
			id: 'workflow',
			nodes: [node],
			connections: {},
			active: false,
			nodeTypes: engine.nodeTypes,
		});
		const additionalData = {
			credentialsHelper: engine.credentialsHelper(credentials),
			currentNodeParameters: parameters,
			hooks: { runHook: async () => {} } as unknown as ExecutionLifecycleHooks,
			...addresses,
		} as unknown as IWorkflowExecuteAdditionalData;
		return { node, workflow, additionalData };
	}

	function executeContext(parameters: INodeParameters, items: IDataObject[] = [{}]) {
		const { node, workflow, additionalData } = parts(parameters);
		const input: INodeExecutionData[] = items.map((json) => ({ json }));
		const inputData = { main: [input] };
		const executeData: IExecuteData = { data: inputData, node, source: null };
		return new ExecuteContext(
			workflow,
			node,
			additionalData,
			'trigger',
			createRunExecutionData(),
			0,
			input,
			inputData,
			executeData,
			[],
		);
	}

	return {
		/** As the vendor picker in the editor does. */
		async searchVendors(
			parameters: INodeParameters,
			filter?: string,
		): Promise<INodeListSearchResult> {
			const { node, workflow, additionalData } = parts(parameters);
			const context = new LoadOptionsContext(workflow, node, additionalData, 'parameters.vendor');
			const search = nodeType.methods?.listSearch?.searchVendors;
			return await search!.call(context as ILoadOptionsFunctions, filter);
		},

		/** As the credential dialog does. */
		async testCredential(): Promise<INodeCredentialTestResult> {
			const context = new CredentialTestContext(parts({}).additionalData);
			const test = nodeType.methods?.credentialTest?.testCredential;
			return await test!.call(context as ICredentialTestFunctions, {
				id: '1',
				name: 'Sandbox',
				type: 'stablecoinRampApi',
				data: credentials,
			});
		},

		/** As the HTTP Request node sends with a credential of this type. */
		async httpRequestNode(request: IRequestOptions): Promise<unknown> {
			const context = executeContext({});
			const { requestWithAuthentication } = context.helpers;
			return await requestWithAuthentication.call(context, 'stablecoinRampApi', {
				followRedirect: true,
				followAllRedirects: true,
				resolveWithFullResponse: true,
				simple: false,
				json: true,
				...request,
			});
		},

		/** As another node that knows this credential would. */
		async otherNode(request: IHttpRequestOptions): Promise<unknown> {
			const context = executeContext({});
			const { httpRequestWithAuthentication } = context.helpers;
			return await httpRequestWithAuthentication.call(context, 'stablecoinRampApi', request);
		},

		/** As a tool that n8n calls in process does: the routing engine, past `customOperations`. */
		async routingEngine(
			parameters: INodeParameters,
			items?: IDataObject[],
		): Promise<INodeExecutionData[][] | null | undefined> {
			return await new RoutingNode(executeContext(parameters, items), nodeType).runNode();
		},
	};
}
