import { rm } from 'node:fs/promises';
import { parse } from 'flatted';

import { startN8n } from '../../playground/n8n.mts';
import { installPackageInto } from '../../playground/installPackage.mts';
import { freePort } from '../../playground/ports.mts';
import { pointCredentialAt, signIn } from '../../playground/provision.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { makeUserFolder, lean } from '../support/n8n/userFolder.mts';
import { heapUsed } from '../support/heapUsed.mts';
import { addRows, rowsOf } from '../support/n8n/dataTables.mts';
import { until } from '../support/waiting.mts';
import { credentialsIn, inARow, type Step } from '../support/workflows.mts';
import { installPeersInto } from './peers.mts';
import { scenarios, type ScenarioName } from './scenarios.mts';

export interface Measured {
	workflowId: string;
	/** The node's own time, as n8n records it. */
	milliseconds: number;
	requests: number;
	items: number;
	outputBytes: number;
}

interface NodeRun {
	executionTime: number;
	data?: { main: Array<Array<{ json: unknown }> | null> };
	error?: { message: string; description?: string };
}

/** The real n8n with our package and its peers, and the sandbox on loopback. */
export async function startStand() {
	const userFolder = await makeUserFolder('bench');
	const sandbox = await startSandbox();
	await installPackageInto(userFolder);
	await installPeersInto(userFolder);
	const inspectorPort = (await freePort()) ?? 9229;
	const n8n = await startN8n({
		userFolder,
		env: {
			...lean,
			NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}`,
			N8N_DATA_TABLES_MAX_SIZE_BYTES: String(200_000_000),
		},
	});
	await signIn(n8n.rest);
	await pointCredentialAt(n8n.rest, sandbox);
	const credentials = await credentialsIn(n8n.rest);
	const all = scenarios(sandbox);

	/** In a workflow of its own, or in one that has remembered what it did before. */
	async function measure(
		name: ScenarioName,
		items: number,
		workflowId?: string,
	): Promise<Measured> {
		const { latency, ...node } = all[name] as (typeof all)[ScenarioName] & { latency?: number };
		sandbox.reset();
		if (latency) {
			sandbox.fault({ kind: 'delay', on: 'buy', times: items, delayMs: latency });
		}
		const workflow = { ...workflowOf({ ...node, credentials }, items), name: `${name} ${items}` };
		const { id } = workflowId
			? await n8n.rest.patch<{ id: string }>(`/workflows/${workflowId}`, workflow)
			: await n8n.rest.post<{ id: string }>('/workflows', workflow);
		const run = await runOf(id);
		if (run.error) throw new Error(`${name}: ${run.error.message} ${run.error.description ?? ''}`);
		const output = run.data?.main[0] ?? [];
		const bought = sandbox.transactions().length;
		if (/buys/i.test(name) && (output.length !== items || bought !== items)) {
			throw new Error(`${name}: ${bought} bought and ${output.length} returned, of ${items}`);
		}
		return {
			workflowId: id,
			milliseconds: run.executionTime,
			requests: sandbox.requests().length,
			items: output.length,
			outputBytes: JSON.stringify(output).length,
		};
	}

	async function runOf(workflowId: string): Promise<NodeRun> {
		const { executionId } = await n8n.rest.post<{ executionId: string }>(
			`/workflows/${workflowId}/run`,
			{ triggerToStartFrom: { name: 'Start' } },
		);
		return await until(
			async () => {
				const { status, data } = await n8n.rest.get<{ status: string; data: string }>(
					`/executions/${executionId}`,
				);
				return ['new', 'running'].includes(status) ? undefined : measuredRun(data);
			},
			{ within: 10 * 60_000 },
		);
	}

	/** A register with so many rows of earlier transactions. */
	async function fillRegister(table: string, count: number): Promise<void> {
		const [row] = await rowsOf(n8n.rest, table);
		const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...like } = row!;
		const rows = Array.from({ length: count }, (_, at) => ({
			...like,
			reference: `earlier-${at}`,
		}));
		await addRows(n8n.rest, table, rows);
	}

	return {
		sandbox,
		measure,
		fillRegister,
		heapUsed: async () => await heapUsed(inspectorPort),
		close: async () => {
			await n8n.stop();
			await sandbox.close();
			await rm(userFolder, { recursive: true, force: true });
		},
	};
}

function measuredRun(data: string): NodeRun {
	const { resultData } = parse(data) as {
		resultData: { runData: Record<string, NodeRun[]>; error?: { message: string } };
	};
	const [run] = resultData.runData.Measured ?? [];
	if (!run) throw new Error(`The workflow ended before the node ran: ${resultData.error?.message}`);
	return run;
}

export type Stand = Awaited<ReturnType<typeof startStand>>;

function workflowOf(node: Partial<Step>, items: number) {
	const list = `Array.from({ length: ${items} }, (_, i) => ({ amount: 15000 + (i % 1000), reference: $execution.id + '-' + i }))`;
	return inARow([
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
		{
			name: 'List',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: `={{ ({ list: ${list} }) }}` },
		},
		{
			name: 'Items',
			type: 'n8n-nodes-base.splitOut',
			parameters: { fieldToSplitOut: 'list' },
		},
		{ ...node, name: 'Measured' },
	]);
}
