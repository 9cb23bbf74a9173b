import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'flatted';

import { startN8n, type N8n } from '../../../playground/n8n.mts';
import { installPackageInto } from '../../../playground/installPackage.mts';
import {
	nodeTypes,
	pointCredentialAt,
	provision,
	signIn,
	type LeftOut,
	type NodeType,
	type Workflow as Example,
} from '../../../playground/provision.mts';
import type { Rest } from '../../../playground/rest.mts';
import { chosenVersion } from '../../../playground/versions.mts';
import { startSandbox, type Sandbox } from '../../../sandbox/server.mts';
import { installAsDocumented } from '../documents.mts';
import { rowsOf, type Row } from './dataTables.mts';
import { makeFolder, makeUserFolder, lazy, lean } from './userFolder.mts';
import { until } from '../waiting.mts';

export interface Item {
	json: Record<string, unknown>;
	binary?: Record<string, unknown>;
}

interface NodeRun {
	data?: { main: Array<Item[] | null> };
	error?: { message: string };
}

export interface Execution {
	id: string;
	workflowId: string;
	status: string;
	data: {
		resultData: {
			runData: Record<string, NodeRun[]>;
			lastNodeExecuted?: string;
			error?: { message: string };
		};
		/** Lets somebody speak to an execution that waits. */
		resumeToken?: string;
	};
}

export interface Workflow {
	nodes: Array<{
		name: string;
		type: string;
		typeVersion: number;
		parameters: Record<string, unknown>;
		credentials?: object;
		disabled?: boolean;
	}>;
	connections: object;
	settings: object;
	versionId: string;
}

// The first run on a machine installs n8n.
export const installing = 20 * 60_000;

interface PlaygroundOptions {
	env?: Record<string, string>;
	/** With n8n's editor, and the examples in it. Takes longer. */
	editor?: boolean;
	/** As a person has it: installed as documented, from an empty folder, with all that n8n is made of. Takes longer still. */
	isNew?: boolean;
	/** What else is put into its folder before it starts. */
	also?: (userFolder: string) => Promise<void>;
}

/** A playground for the tests of a file. */
export function usePlayground(options: () => PlaygroundOptions = () => ({})): Playground {
	const playground = new Playground();
	beforeAll(async () => await playground.start(options()), installing);
	afterAll(async () => await playground.close());
	return playground;
}

/** What time it is must not decide how a test ends: no example is started by its schedule. */
function withoutClock(example: Example): Example {
	// 29 February: n8n takes no schedule that never comes.
	const interval = [{ field: 'cronExpression', expression: '0 0 29 2 *' }];
	const nodes = example.nodes.map((node) =>
		node.type === 'n8n-nodes-base.scheduleTrigger'
			? { ...node, parameters: { rule: { interval } } }
			: node,
	);
	return { ...example, nodes };
}

/** A real n8n with the packed node, and the sandbox it talks to. */
export class Playground {
	userFolder!: string;
	sandbox!: Sandbox;
	n8n!: N8n;
	private env: Record<string, string> = {};
	/** The examples that this n8n cannot run. */
	leftOut!: LeftOut[];

	async start(options: PlaygroundOptions = {}): Promise<void> {
		const { env = {}, editor = false, isNew = false, also } = options;
		// The editor, and forms that ask for n8n's own user, need every module of n8n.
		const withEditor = { ...chosenVersion().env, N8N_DISABLE_UI: 'false' };
		this.env = isNew ? env : { ...lean, ...lazy, ...env, ...(editor && withEditor) };
		this.userFolder = isNew ? await makeFolder('n8n') : await makeUserFolder('n8n');
		const install = isNew ? installAsDocumented : installPackageInto;
		[this.sandbox] = await Promise.all([startSandbox(), install(this.userFolder)]);
		const { userFolder } = this;
		await also?.(userFolder);
		this.n8n = await startN8n({ userFolder, env: this.env });
		if (editor) {
			this.leftOut = await provision(this.n8n, this.sandbox, withoutClock);
			return;
		}
		await signIn(this.rest);
		await pointCredentialAt(this.rest, this.sandbox);
	}

	get rest(): Rest {
		return this.n8n.rest;
	}

	/** Where the workflows keep their files. */
	file(name: string): string {
		return join(this.n8n.files, name);
	}

	/** Everything the editor offers. */
	async nodeTypes(): Promise<NodeType[]> {
		return await nodeTypes(this.n8n);
	}

	async workflow(id: string): Promise<Workflow> {
		return await this.rest.get(`/workflows/${id}`);
	}

	/**
	 * Runs a workflow as "Execute workflow" in the editor does, and waits for its end. What the
	 * trigger would put out can be given, for one that waits for somebody.
	 */
	async run(
		workflowId: string,
		trigger: string,
		triggered?: Record<string, unknown>,
	): Promise<Execution> {
		const data = triggered && {
			data: { main: [[{ json: triggered }]] },
			startTime: Date.now(),
			executionTime: 0,
			executionIndex: 0,
			source: [],
		};
		return await this.execute(workflowId, { triggerToStartFrom: { name: trigger, data } });
	}

	/** Runs a node that stands alone as "Execute step" in the editor does, and waits for its end. */
	async runStep(workflowId: string, nodeName: string): Promise<Execution> {
		return await this.execute(workflowId, { destinationNode: { nodeName, mode: 'inclusive' } });
	}

	private async execute(workflowId: string, how: object): Promise<Execution> {
		const { executionId } = await this.rest.post<{ executionId: string }>(
			`/workflows/${workflowId}/run`,
			// n8n 1 does not look it up
			{ ...how, workflowData: await this.workflow(workflowId) },
		);
		return await this.executionEnded(executionId);
	}

	/** The execution, when it has ended or waits for somebody. */
	async executionEnded(id: string): Promise<Execution> {
		return await until(async () => await this.ended(id));
	}

	/** The execution, if it has ended or waits for somebody. */
	async ended(id: string): Promise<Execution | undefined> {
		// Some n8n cannot show an execution that is running.
		const execution = await this.rest
			.get<Omit<Execution, 'data'> & { data?: string }>(`/executions/${id}`)
			.catch(() => undefined);
		// n8n tells of the end before it has stored what came out.
		if (!execution?.data || ['new', 'running'].includes(execution.status)) return undefined;
		const data = parse(execution.data) as Execution['data'] | undefined;
		const { lastNodeExecuted, error } = data?.resultData ?? {};
		return data && (lastNodeExecuted ?? error) ? { ...execution, data } : undefined;
	}

	/** The ids of a workflow's executions, newest first; what its own nodes have under way may be among them. */
	async executionsOf(workflowId: string, isWanted = (_mode: string) => true): Promise<string[]> {
		return (await this.listed({ workflowId }))
			.filter(({ mode }) => isWanted(mode))
			.map(({ id }) => id)
			.sort((one, other) => Number(other) - Number(one));
	}

	/** What a person sees in the list of executions. */
	async listed(filter: object = {}) {
		const query = encodeURIComponent(JSON.stringify(filter));
		const { results } = await this.rest.get<{
			results: Array<{ id: string; mode: string; status: string; workflowId: string }>;
		}>(`/executions?limit=100&filter=${query}`);
		return results;
	}

	async rowsOf(table: string): Promise<Row[]> {
		return await rowsOf(this.rest, table);
	}

	/** Starts n8n again on the same state, after stop() or kill(). */
	async restart(env: Record<string, string> = {}): Promise<void> {
		this.n8n = await startN8n({ userFolder: this.userFolder, env: { ...this.env, ...env } });
		await signIn(this.rest);
	}

	async close(): Promise<void> {
		await this.n8n?.stop();
		await this.sandbox?.close();
		if (this.userFolder) await rm(this.userFolder, { recursive: true, force: true });
	}
}

/** What a node put out, over all its runs: one list of items for each output. */
export function outputsOf(execution: Execution, node: string): Array<Array<Item['json']>> {
	const outputs: Array<Array<Item['json']>> = [];
	for (const { data } of execution.data.resultData.runData[node] ?? []) {
		for (const [index, items] of (data?.main ?? []).entries()) {
			(outputs[index] ??= []).push(...(items ?? []).map(({ json }) => json));
		}
	}
	return outputs;
}
