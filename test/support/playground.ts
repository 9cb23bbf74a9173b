import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'flatted';
import { startN8n } from '../../playground/n8n.ts';
import type { N8n } from '../../playground/n8n.ts';
import { installPackageInto } from '../../playground/package-into.ts';
import { provision, signIn } from '../../playground/provision.ts';
import type { Rest } from '../../playground/rest.ts';
import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { until } from './waiting.ts';

export interface Item {
	json: Record<string, unknown>;
	binary?: Record<string, unknown>;
}

interface NodeRun {
	data?: { main: Array<Item[] | null> };
	error?: { message: string };
}

export interface NodeType {
	name: string;
	version: number | number[];
	iconUrl?: { light: string; dark: string };
}

export interface Execution {
	id: string;
	workflowId: string;
	status: string;
	data: {
		resultData: { runData: Record<string, NodeRun[]>; error?: { message: string } };
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
	}>;
	connections: object;
	settings: object;
}

// The first run on a machine installs n8n.
export const installing = 20 * 60_000;

/** A playground for the tests of a file. */
export function usePlayground(env: () => Record<string, string> = () => ({})): Playground {
	const playground = new Playground();
	jest.setTimeout(120_000);
	beforeAll(async () => await playground.start(env()), installing);
	afterAll(async () => await playground.close());
	return playground;
}

/** A real n8n with the packed node and the examples, and the sandbox it talks to. */
export class Playground {
	userFolder!: string;
	sandbox!: Sandbox;
	n8n!: N8n;

	async start(env: Record<string, string> = {}): Promise<void> {
		this.userFolder = await mkdtemp(join(tmpdir(), 'stablecoin-ramp-n8n-'));
		[this.sandbox] = await Promise.all([startSandbox(), installPackageInto(this.userFolder)]);
		this.n8n = await startN8n({ userFolder: this.userFolder, env });
		await provision(this.n8n, this.sandbox);
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
		const response = await fetch(`${this.n8n.baseUrl}/types/nodes.json`, {
			headers: { cookie: this.rest.cookie() },
		});
		return (await response.json()) as NodeType[];
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
		const { executionId } = await this.rest.post<{ executionId: string }>(
			`/workflows/${workflowId}/run`,
			{ triggerToStartFrom: { name: trigger, data } },
		);
		return await this.executionEnded(executionId);
	}

	/** The execution, when it has ended or waits for somebody. */
	async executionEnded(id: string): Promise<Execution> {
		return await until(async () => {
			const execution = await this.rest.get<Omit<Execution, 'data'> & { data: string }>(
				`/executions/${id}`,
			);
			if (['new', 'running'].includes(execution.status)) return undefined;
			return { ...execution, data: parse(execution.data) as Execution['data'] };
		});
	}

	/** The ids of a workflow's executions, newest first. */
	async executionsOf(workflowId: string): Promise<string[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const { results } = await this.rest.get<{ results: Array<{ id: string }> }>(
			`/executions?filter=${filter}`,
		);
		return results.map(({ id }) => id);
	}

	/** The rows of a data table, oldest first. */
	async rowsOf(table: string): Promise<Array<Record<string, unknown>>> {
		const filter = encodeURIComponent(JSON.stringify({ name: table }));
		const { data } = await this.rest.get<{
			data: Array<{ id: string; name: string; projectId: string }>;
		}>(`/data-tables-global?filter=${filter}`);
		const found = data.find(({ name }) => name === table);
		if (!found) return [];
		const rows = await this.rest.get<{ data: Array<Record<string, unknown>> }>(
			`/projects/${found.projectId}/data-tables/${found.id}/rows?sortBy=id:asc`,
		);
		return rows.data;
	}

	/** Starts n8n again on the same state, after stop() or kill(). */
	async restart(): Promise<void> {
		this.n8n = await startN8n({ userFolder: this.userFolder });
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

/** Fills in a page of an n8n form, in the order of its fields; gives the address of the next page. */
export async function submitForm(page: string, answers: string[]): Promise<string> {
	const form = new FormData();
	for (const [index, answer] of answers.entries()) form.append(`field-${index}`, answer);
	const response = await fetch(page, { method: 'POST', body: form });
	const answer = (await response.json()) as { formWaitingUrl?: string };
	return answer.formWaitingUrl ?? page;
}

/** The page that a submitted form leads to, without its scripts and styles, when n8n has it ready. */
export async function nextPage(page: string): Promise<string> {
	await until(async () => {
		const status = await fetch(page.replace('?', '/n8n-execution-status?'));
		return !['running', 'new', 'null'].includes(await status.text());
	});
	const html = await (await fetch(page)).text();
	return html.replace(/<(script|style)[\s\S]*?<\/\1>/g, '').replace(/\s+/g, ' ');
}
