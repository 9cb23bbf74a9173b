import { join } from 'node:path';
import {
	DataDeduplicationService,
	ExecutionLifecycleHooks,
	PackageDirectoryLoader,
	WorkflowExecute,
} from 'n8n-core';
import {
	ICredentialsHelper,
	Workflow,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type INodeTypes,
	type IRun,
	type IRunExecutionData,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
	type NodeParameterValueType,
} from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox/server.mts';
import { ProcessedData } from './processedData.mts';
import { useSandbox } from '../sandbox.mts';
import { shown } from '../shown.mts';
import { expectNoSecret } from './secrets.mts';
import { closeServers } from '../servers.mts';
import { inARow, rampType } from '../workflows.mts';

const packageName = 'n8n-nodes-stablecoin-ramp';
const itemsNodeType = 'test.items';

export interface RunOptions {
	parameters: Record<string, NodeParameterValueType>;
	credentials: ICredentialDataDecryptedObject;
	/** What an expression in the credential makes of it for each item. */
	credentialsOf?: (itemIndex: number) => ICredentialDataDecryptedObject;
	/** One empty item when left out. */
	items?: IDataObject[];
	/** With no node before it, as when somebody executes a step that stands alone: one empty item. */
	isAlone?: boolean;
	/** Settings of the node: onError, retryOnFail, executeOnce … */
	node?: Partial<INode>;
	/** Whether the same node stands behind it once more, as Again. */
	isThereTwice?: boolean;
	executionId?: string;
	/** The data of an execution that stopped, as n8n's Retry hands it over. */
	retryOf?: IRun;
	/** Cancels the execution when it resolves. */
	cancelWhen?: Promise<unknown>;
	workflowId?: string;
	mode?: 'manual' | 'trigger' | 'evaluation';
	/** Those of a process of its own, see `processes.mts`. */
	nodeTypes?: INodeTypes;
}

export interface Ran {
	/** The node's output; with an error output, the first of the two. */
	items: INodeExecutionData[];
	errorItems: INodeExecutionData[];
	json: IDataObject[];
	/** Its description is as the editor shows it. */
	error?: Error & { description?: string; httpCode?: string; context?: IDataObject };
	/** The description as n8n has it. */
	html: string;
	hints: string[];
	/** How many items the node was given. */
	given: number;
	run: IRun;
}

/** What n8n knows of itself. */
export const addresses = {
	restApiUrl: 'http://127.0.0.1',
	instanceBaseUrl: 'http://127.0.0.1/',
	formWaitingBaseUrl: 'http://127.0.0.1/form-waiting',
	webhookWaitingBaseUrl: 'http://127.0.0.1/webhook-waiting',
	variables: {},
};

/** The engine and a sandbox for the tests of a file, as new before each of them. Neither has anything in it before the first test begins. */
export function useEngine() {
	const engine = {} as Engine;
	const sandbox = useSandbox();
	beforeAll(async () => void Object.assign(engine, await loadEngine()));
	beforeEach(() => engine.processedData.clear());
	afterEach(closeServers);

	/** Runs with the credentials of the sandbox, or others; whatever comes of it, the key is not in it. */
	const run = async (
		parameters: RunOptions['parameters'],
		extra: Partial<RunOptions> = {},
	): Promise<Ran> => {
		const credentials = extra.credentials ?? credentialsFor(sandbox);
		const ran = await engine.run({ parameters, ...extra, credentials });
		expectNoSecret(ran, credentials.secretKey);
		return ran;
	};
	return { engine, sandbox, run };
}

/** The built package in n8n's own engine. What n8n's command line adds to it (a database) is in `processedData.mts`. */
async function loadEngine() {
	const loader = new PackageDirectoryLoader(join(import.meta.dirname, '..', '..', '..'));
	await loader.loadAll();
	const processedData = await ProcessedData.install(DataDeduplicationService);
	let executions = 0;

	const ownNodeTypes: INodeTypes = {
		getByName: (type) => nodeTypeOf(type),
		getByNameAndVersion: (type) => nodeTypeOf(type),
		getKnownTypes: () => ({}),
	};

	function nodeTypeOf(type: string): INodeType {
		if (type === itemsNodeType) return givenItems;
		const name = type.replace(`${packageName}.`, '').replace(/Tool$/, '');
		const nodeType = loader.getNode(name).type as INodeType;
		return type.endsWith('Tool') ? asTool(nodeType) : nodeType;
	}

	async function run(options: RunOptions): Promise<Ran> {
		const { parameters, credentials, items = [{}], mode = 'trigger' } = options;
		const { nodeTypes = ownNodeTypes } = options;
		const executionId = options.executionId ?? String(++executions);
		const workflow = new Workflow({
			id: options.workflowId ?? 'workflow',
			nodeTypes,
			...inARow([
				{ name: 'Start', type: itemsNodeType, parameters: { items: JSON.stringify(items) } },
				{ ...rampNode(parameters), waitBetweenTries: 1, ...options.node, parameters },
				...(options.isThereTwice
					? [{ ...rampNode(parameters), id: 'again', name: 'Again', parameters }]
					: []),
			]),
		});
		const startNode = workflow.getNode(options.isAlone ? 'Ramp' : 'Start')!;
		const additionalData = {
			credentialsHelper: new GivenCredentials(credentials, loader, options.credentialsOf),
			executionId,
			currentNodeExecutionIndex: 0,
			hooks: new ExecutionLifecycleHooks(mode, executionId, workflow as unknown as IWorkflowBase),
			...addresses,
		} as unknown as IWorkflowExecuteAdditionalData;

		const execution = options.retryOf
			? new WorkflowExecute(
					additionalData,
					mode,
					retryData(options.retryOf),
				).processRunExecutionData(workflow)
			: new WorkflowExecute(additionalData, mode).run({ workflow, startNode });
		void options.cancelWhen?.then(() => execution.cancel());
		const finished = await execution;

		const { runData, error } = finished.data.resultData;
		const html = error?.description ?? '';
		if (html) error!.description = shown(html);
		const task = runData.Ramp?.at(-1);
		const [output = [], errorItems = []] = task?.data?.main ?? [];
		return {
			items: output ?? [],
			errorItems: errorItems ?? [],
			json: (output ?? []).map(({ json }) => json),
			error: error as Ran['error'],
			html,
			hints: (task?.hints ?? []).map(({ message }) => message),
			given: runData.Start?.at(-1)?.data?.main?.[0]?.length ?? 0,
			run: finished,
		};
	}

	const credentialsHelper = (credentials: ICredentialDataDecryptedObject) =>
		new GivenCredentials(credentials, loader);

	return {
		run,
		processedData,
		loader,
		nodeTypes: ownNodeTypes,
		nodeTypeOf,
		credentialsHelper,
	};
}

export type Engine = Awaited<ReturnType<typeof loadEngine>>;

/** What n8n does with the data of a failed execution before it runs it again: the failed node's last run is taken out. */
function retryData(stopped: IRun): IRunExecutionData {
	const data = JSON.parse(JSON.stringify(stopped.data)) as IRunExecutionData;
	const { resultData } = data;
	delete resultData.error;
	const failed = resultData.lastNodeExecuted;
	if (failed) {
		resultData.runData[failed]?.pop();
		if (resultData.runData[failed]?.length === 0) delete resultData.runData[failed];
	}
	return data;
}

export const rampNode = (parameters: INodeParameters): INode => ({
	id: 'ramp',
	name: 'Ramp',
	type: rampType,
	typeVersion: 1,
	position: [0, 0],
	credentials: { stablecoinRampApi: { id: '1', name: 'Sandbox' } },
	parameters,
});

/** n8n makes a type of its own for assistants out of a node; the name is what the node can tell it by. */
const asTool = (nodeType: INodeType): INodeType =>
	Object.create(nodeType, {
		description: {
			value: { ...nodeType.description, name: `${nodeType.description.name}Tool` },
		},
	}) as INodeType;

export const credentialsFor = (sandbox: Sandbox): ICredentialDataDecryptedObject => ({
	secretKey: sandbox.secretKey,
	baseUrl: sandbox.baseUrl,
	otcBaseUrl: sandbox.otcBaseUrl,
	businessId: sandbox.businessId,
	linkTag: sandbox.linkTag,
	headerName: sandbox.headerName,
});

const givenItems: INodeType = {
	description: {
		displayName: 'Items',
		name: 'items',
		group: ['transform'],
		version: 1,
		description: 'Hands over the items of the test',
		defaults: { name: 'Items' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [{ displayName: 'Items', name: 'items', type: 'json', default: '[]' }],
	},
	async execute(this: IExecuteFunctions) {
		const items = JSON.parse(this.getNodeParameter('items', 0) as string) as IDataObject[];
		return [items.map((json) => ({ json }))];
	},
};

class GivenCredentials extends ICredentialsHelper {
	private readonly data: ICredentialDataDecryptedObject;
	private readonly loader: PackageDirectoryLoader;
	private readonly ofItem: RunOptions['credentialsOf'];

	constructor(
		data: ICredentialDataDecryptedObject,
		loader: PackageDirectoryLoader,
		ofItem?: RunOptions['credentialsOf'],
	) {
		super();
		this.data = data;
		this.loader = loader;
		this.ofItem = ofItem;
	}

	getParentTypes = () => [];
	isCredentialUsableByNode = () => true;
	getDecrypted: ICredentialsHelper['getDecrypted'] = async (...asked) =>
		this.ofItem?.(asked[6]?.itemIndex ?? 0) ?? this.data;
	preAuthentication = async () => undefined;
	runPreAuthentication = async () => undefined;
	getCredentialsProperties = (type: string) => this.loader.getCredential(type).type.properties;

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		type: string,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.loader.getCredential(type).type;
		if (typeof authenticate !== 'function') throw new Error('authenticate is not a function');
		return await authenticate(credentials, request);
	}

	getCredentials = () => this.unused();
	updateCredentials = () => this.unused();
	updateCredentialsOauthTokenData = () => this.unused();

	private unused(): never {
		throw new Error('The engine asked for something that these tests do not provide');
	}
}
