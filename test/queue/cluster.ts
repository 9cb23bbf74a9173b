import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { startN8n } from '../../playground/n8n.ts';
import type { N8n, N8nProcess } from '../../playground/n8n.ts';
import { installPackageInto } from '../../playground/package-into.ts';
import { pointCredentialAt, signIn } from '../../playground/provision.ts';
import { startQueue } from '../../playground/queue.ts';
import type { Queue } from '../../playground/queue.ts';
import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { installRecordCallsInto } from '../support/recordCalls/install.ts';
import { fromItem, submitting } from '../support/transactions.ts';
import { until } from '../support/waiting.ts';
import { credentialsIn, inARow, publish, type Step } from '../support/workflows.ts';
import { openDoor } from './door.ts';
import type { Door } from './door.ts';

/** n8n in queue mode with real parts: a main, workers, Redis, PostgreSQL, and the sandbox behind a door. */
export interface Cluster {
	main: N8n;
	workers: N8nProcess[];
	queue: Queue;
	sandbox: Sandbox;
	door: Door;
	startWorker(env?: Record<string, string>): Promise<N8nProcess>;
	/** Publishes a workflow that does a step for each reference it is sent; gives the function that sends. */
	publishRuns(step: Step): Promise<Runs>;
	/** Publishes a workflow of these steps, in a row. */
	publish(steps: Step[]): Promise<string>;
	close(): Promise<void>;
}

export interface Runs {
	workflowId: string;
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
		workers: await queue.startWorkers(workers, shared),
		queue,
		sandbox,
		door,
		startWorker: async (own = {}) => {
			const [worker] = await queue.startWorkers(1, { ...shared, env: { ...env, ...own } });
			cluster.workers.push(worker!);
			return worker!;
		},
		publishRuns: async (step) => {
			const path = randomUUID();
			const workflowId = await cluster.publish([...forEachReference(path), step]);
			const url = `${main.baseUrl}/webhook/${path}`;
			await until(async () => (await (await fetch(url)).text()).includes('Did you mean'));
			return {
				workflowId,
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
	return cluster;
}

/** How many executions a worker has begun, by its own log. */
export const begunBy = ({ logs }: N8nProcess): number =>
	logs().match(/Worker started execution/g)?.length ?? 0;

export const buy = (register = ''): Step => ({
	name: 'Buy',
	parameters: submitting('buy', {
		...fromItem('reference'),
		options: {
			ifAlreadySubmitted: '={{ $("Webhook").first().json.body.ifAlreadySubmitted }}',
			...(register && { register }),
		},
	}),
	onError: 'continueRegularOutput',
});

export const nothing: Step = { name: 'Nothing', type: 'n8n-nodes-base.noOp' };

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
