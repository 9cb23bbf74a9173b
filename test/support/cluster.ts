import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startN8n } from '../../playground/n8n.ts';
import type { N8n, N8nProcess } from '../../playground/n8n.ts';
import { installPackageInto } from '../../playground/package-into.ts';
import { pointCredentialAt, signIn } from '../../playground/provision.ts';
import { startQueue } from '../../playground/queue.ts';
import type { Queue } from '../../playground/queue.ts';
import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { installRecordCallsInto } from './recordCalls/install.ts';
import { fromItem, submitting, type Operation } from './transactions.ts';
import { until } from './waiting.ts';
import { credentialsIn, inARow, publish, type Step } from './workflows.ts';
import { openDoor } from './door.ts';
import type { Door } from './door.ts';

/** n8n in queue mode with real parts: a main, workers, Redis, PostgreSQL, and the sandbox behind a door. */
export interface Cluster {
	main: N8n;
	workers: N8nProcess[];
	queue: Queue;
	sandbox: Sandbox;
	door: Door;
	startWorkers(
		count: number,
		options?: { env?: Record<string, string>; concurrency?: number },
	): Promise<N8nProcess[]>;
	/** Publishes a workflow that does a step for each reference it is sent; gives the function that sends. */
	publishRuns(step: Step): Promise<Runs>;
	/** Publishes a workflow of these steps, in a row. */
	publish(steps: Step[]): Promise<string>;
	close(): Promise<void>;
}

export interface Runs {
	workflowId: string;
	/** Resolves when n8n listens for runs, which it does a moment after the workflow was published. */
	ready(): Promise<void>;
	/** Submits one run, and resolves with its answer when the run has ended. What was accepted before is skipped. */
	submit(references: string[], ifAlreadySubmitted?: string): Promise<Answer>;
}

export interface Answer {
	status: number;
	/** One for each reference, where the run was a success. */
	receipts: IDataObject[];
	/** What n8n answered. */
	text: string;
}

/** `env` is for the main and every worker. */
export async function startCluster(workers: number, env: Record<string, string> = {}) {
	const folder = await mkdtemp(join(tmpdir(), 'stablecoin-ramp-queue-'));
	const [sandbox, queue] = await Promise.all([
		startSandbox(),
		startQueue(folder),
		installPackageInto(folder).then(async () => await installRecordCallsInto(folder)),
	]);
	const door = await openDoor(Number(new URL(sandbox.baseUrl).port));
	const shared = { userFolder: folder, env: { ...env, ...queue.env } };
	const main = await startN8n(shared);
	await signIn(main.rest);
	await pointCredentialAt(main.rest, { ...sandbox, baseUrl: door.url });
	const credentials = await credentialsIn(main.rest);

	const cluster: Cluster = {
		main,
		workers: [],
		queue,
		sandbox,
		door,
		startWorkers: async (count, { env: own, ...options } = {}) => {
			const started = await queue.startWorkers(count, {
				...shared,
				...options,
				env: { ...env, ...own },
			});
			cluster.workers.push(...started);
			return started;
		},
		publishRuns: async (step) => {
			const path = randomUUID();
			const workflowId = await cluster.publish([...forEachReference(path), step]);
			const url = `${main.baseUrl}/webhook/${path}`;
			const ready = async () =>
				void (await until(async () => (await (await fetch(url)).text()).includes('Did you mean')));
			await ready();
			return {
				workflowId,
				ready,
				submit: async (references, ifAlreadySubmitted = 'skip') =>
					await post(url, { references, ifAlreadySubmitted }),
			};
		},
		publish: async (steps) => await publish(main.rest, inARow(steps, credentials)),
		close: async () => {
			await main.stop();
			await queue.remove();
			await door.shut();
			await sandbox.close();
			await rm(folder, { recursive: true, force: true });
		},
	};
	await cluster.startWorkers(workers);
	return cluster;
}

/** How many executions a worker has begun, by its own log. */
export const begunBy = ({ logs }: N8nProcess): number =>
	logs().match(/Worker started execution/g)?.length ?? 0;

export const submit = (
	operation: Operation,
	options: INodeParameters = {},
	node: Partial<Step> = { onError: 'continueRegularOutput' },
): Step => ({
	name: 'Submit',
	parameters: submitting(operation, {
		...fromItem('reference'),
		options: {
			ifAlreadySubmitted: '={{ $("Webhook").first().json.body.ifAlreadySubmitted }}',
			...options,
		},
	}),
	...node,
});

export const waitASecond: Step = {
	name: 'Wait',
	type: 'n8n-nodes-base.wait',
	typeVersion: 1.1,
	parameters: { resume: 'timeInterval', amount: 1, unit: 'seconds' },
};

const forEachReference = (path: string): Step[] => [
	{
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		webhookId: path,
		parameters: {
			httpMethod: 'POST',
			path,
			responseMode: 'lastNode',
			responseData: 'allEntries',
			options: {},
		},
	},
	{
		name: 'References',
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		parameters: {
			fieldToSplitOut: 'body.references',
			options: { destinationFieldName: 'reference' },
		},
	},
];

const longest = 5 * 60_000;

async function post(url: string, body: unknown): Promise<Answer> {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
		signal: AbortSignal.timeout(longest),
	});
	const { status } = response;
	const text = await response.text();
	return { status, text, receipts: status === 200 ? (JSON.parse(text) as Answer['receipts']) : [] };
}
