import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'flatted';
import type { IDataObject } from 'n8n-workflow';

import { freshFetch } from '../../../playground/freshFetch.mts';
import { startN8n, type N8n, type N8nProcess } from '../../../playground/n8n.mts';
import { pointCredentialAt, signIn } from '../../../playground/provision.mts';
import type { Rest } from '../../../playground/rest.mts';
import { startQueue, type Queue } from '../../../playground/queue.mts';
import { chosenVersion, versions } from '../../../playground/versions.mts';
import { startSandbox, type Sandbox } from '../../../sandbox/server.mts';
import { outputsOf, type Execution } from '../n8n/playground.mts';
import { installClaimCallsInto } from '../claims/install.mts';
import { documented, follow, installAsDocumented } from '../documents.mts';
import { forEachReference } from '../n8n/lists.mts';
import { lazy, lean } from '../n8n/userFolder.mts';
import { until } from '../waiting.mts';
import { credentialsIn, inARow, publish, untilItListens, type Step } from '../workflows.mts';
import { openDoor, type Door } from './door.mts';

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
	/** Takes the package away from the workers, as documented; the main keeps it. */
	uninstallFromWorkers(): Promise<void>;
	/** Stops the main and all workers, and starts a main and two workers in their place, at the same address. */
	restart(env: Record<string, string>): Promise<void>;
	close(): Promise<void>;
}

export interface Runs {
	workflowId: string;
	/** Resolves when n8n listens for runs, which it does a moment after the workflow was published. */
	ready(): Promise<void>;
	/**
	 * Submits one run, and resolves with its answer when the run has ended. What was accepted before is skipped, unless
	 * the step is to do as asked.
	 */
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
	// The main and the workers are at home in different folders, as on machines of their own.
	const [atMain, atWorkers] = [join(folder, 'main'), join(folder, 'workers')];
	const install = async (home: string) => {
		await mkdir(home);
		await installAsDocumented(home);
		await installClaimCallsInto(home);
	};
	const [sandbox, queue] = await Promise.all([
		startSandbox(),
		startQueue(folder),
		install(atMain),
		install(atWorkers),
	]);
	const door = await openDoor(Number(new URL(sandbox.baseUrl).port));
	const shared = { env: { ...lean, ...lazy, ...env, ...queue.env } };
	const main = await startN8n({ ...shared, userFolder: atMain });
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
				userFolder: atWorkers,
				...options,
				env: { ...shared.env, ...own },
			});
			cluster.workers.push(...started);
			return started;
		},
		publishRuns: async (step) => {
			const path = randomUUID();
			const workflowId = await cluster.publish([...forEachReference(path), step]);
			const url = `${main.baseUrl}/webhook/${path}`;
			const ready = async () => await untilItListens(url);
			await ready();
			return {
				workflowId,
				ready,
				submit: async (references, ifAlreadySubmitted = 'skip') =>
					await post(main.rest, workflowId, url, { references, ifAlreadySubmitted }),
			};
		},
		publish: async (steps) => await publish(main.rest, inARow(steps, credentials)),
		uninstallFromWorkers: async () => await follow(documented.uninstall, { home: atWorkers }),
		restart: async (changed) => {
			const processes = [...cluster.workers.splice(0), cluster.main];
			await Promise.all(processes.map(async (one) => await one.stop()));
			Object.assign(shared.env, changed);
			// Still signed in.
			const again = await startN8n({ ...shared, userFolder: atMain, port: main.port });
			cluster.main = { ...again, rest: main.rest };
			await cluster.startWorkers(2);
		},
		close: async () => {
			await cluster.main.stop();
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

/** Whether it has ended every execution that it has begun. */
export function isIdle({ logs }: N8nProcess): boolean {
	const running = new Set<string>();
	const lines = logs().matchAll(/Worker (started|finished|errored while running) execution (\d+)/g);
	for (const [, what, execution] of lines) {
		if (what === 'started') running.add(execution!);
		else running.delete(execution!);
	}
	return running.size === 0;
}

const longest = 5 * 60_000;
const patience = 60_000;
const isNewest = chosenVersion() === versions.at(-1);

/** Starts a run by its webhook, and gives what that answers. */
async function post(rest: Rest, workflowId: string, url: string, body: object): Promise<Answer> {
	const call = randomUUID();
	let isAnswered = false;
	const answering = freshFetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ ...body, call }),
		signal: AbortSignal.timeout(longest),
	}).then(async (response) => {
		const { status } = response;
		const text = await response.text();
		const receipts = status === 200 ? (JSON.parse(text) as Answer['receipts']) : [];
		return { status, text, receipts };
	});
	const asking = async (): Promise<Answer> => {
		await sleep(patience, undefined, { ref: false });
		const found = await until(
			async () => isAnswered || (await answerOf(rest, workflowId, call).catch(() => undefined)),
			{ within: longest },
		);
		return found === true ? await answering : found;
	};
	const answer = isNewest ? answering : Promise.race([answering, asking()]);
	return await answer.finally(() => (isAnswered = true));
}

/**
 * What a run has said, where it has ended: an older n8n cannot be told to keep its jobs, and may then leave a call without
 * an answer (playground/queue.mts).
 */
async function answerOf(rest: Rest, workflowId: string, call: string): Promise<Answer | undefined> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ['success'] }));
	for (let next = ''; ;) {
		const { results, nextCursor } = await rest.get<{
			results: Array<{ id: string }>;
			nextCursor?: string | null;
		}>(`/executions?limit=50&filter=${filter}${next}`);
		for (const { id } of results) {
			const { data } = await rest.get<{ data: string }>(`/executions/${id}`);
			if (!data.includes(call)) continue;
			const execution = { data: parse(data) } as Execution;
			const { lastNodeExecuted = '' } = execution.data.resultData;
			const receipts = outputsOf(execution, lastNodeExecuted)[0] as IDataObject[];
			return { status: 200, text: JSON.stringify(receipts), receipts };
		}
		// An older n8n has no cursor.
		if (nextCursor === null || results.length < 50) return undefined;
		next = nextCursor ? `&cursor=${nextCursor}` : `&lastId=${results.at(-1)!.id}`;
	}
}
