import { once } from 'node:events';
import { connect } from 'node:net';

import { findTool, missingTools } from '../scripts/tools.mts';
import { startWorker, type N8nOptions, type N8nProcess } from './n8n.mts';
import { ownPostgres, ownRedis, type Server } from './queueServers.mts';

/** What n8n's queue mode stands on, beside one main and its workers. */
export interface Queue {
	/** For the main and for every worker. */
	env: Record<string, string>;
	/** Our own servers; one that was given by URL is not ours to stop. */
	servers: Partial<Record<Part, Server>>;
	startWorkers(count: number, options: WorkerOptions): Promise<N8nProcess[]>;
	stop(): Promise<void>;
	/** Stops and forgets everything. */
	remove(): Promise<void>;
}

/** `logFile` is one for each worker: `worker.log` becomes `worker-1.log`, `worker-2.log`. */
type WorkerOptions = Omit<N8nOptions, 'port'> & { concurrency?: number };

export class NoQueue extends Error {}

type Part = 'redis' | 'postgres';

const parts = {
	redis: {
		variable: 'STABLECOIN_RAMP_REDIS_URL',
		port: '6379',
		own: ownRedis,
		settings: redisSettings,
	},
	postgres: {
		variable: 'STABLECOIN_RAMP_POSTGRES_URL',
		port: '5432',
		own: ownPostgres,
		settings: postgresSettings,
	},
};

const names = Object.keys(parts) as Part[];

/**
 * Otherwise n8n forgets a job as soon as it has ended. If the main was busy at that moment, it never answers the webhook
 * that began the job.
 */
const keepJobs = {
	N8N_EXECUTIONS_QUEUE_KEEP_LAST_COMPLETED: '1000',
	N8N_EXECUTIONS_QUEUE_KEEP_LAST_FAILED: '1000',
};

/** Refuses, with the way out, where Redis or PostgreSQL is neither given nor found. */
export function needQueueParts(): void {
	const missing = names.filter((name) => !urlOf(name) && !findTool(name));
	if (missing.length === 0) return;
	const ways = missing.map((name) => parts[name].variable).join(' and ');
	throw new NoQueue(`${missingTools(missing).join('\n')}\nOr give running ones in ${ways}.`);
}

/** Redis and PostgreSQL, given by URL in the environment or started here with their data in the folder. */
export async function startQueue(folder: string): Promise<Queue> {
	needQueueParts();
	const servers: Queue['servers'] = {};
	const env: Queue['env'] = {
		EXECUTIONS_MODE: 'queue',
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		...keepJobs,
	};
	const workers: N8nProcess[] = [];
	const stop = async () => {
		await Promise.all(workers.map((worker) => worker.stop()));
		await Promise.all(Object.values(servers).map((server) => server.stop()));
	};
	try {
		for (const name of names) {
			const given = urlOf(name);
			if (given) await needAnswer(name, new URL(given));
			else {
				const server = await parts[name].own(findTool(name) ?? '', folder);
				await server.start();
				servers[name] = server;
			}
			Object.assign(env, parts[name].settings(new URL(given ?? servers[name]?.url ?? '')));
		}
	} catch (reason) {
		await stop();
		throw reason;
	}

	return {
		env,
		servers,
		startWorkers: async (count, options) => {
			const started = await Promise.all(
				Array.from({ length: count }, async (_, index) => {
					const logFile = options.logFile?.replace(/(\.\w+)?$/, `-${index + 1}$1`);
					return await startWorker({ ...options, logFile, env: { ...options.env, ...env } });
				}),
			);
			workers.push(...started);
			return started;
		},
		stop,
		remove: async () => {
			await stop();
			await Promise.all(Object.values(servers).map((server) => server.remove()));
		},
	};
}

function urlOf(name: Part): string | undefined {
	const { variable } = parts[name];
	const url = process.env[variable] || undefined;
	if (url === undefined || (URL.canParse(url) && new URL(url).hostname !== '')) return url;
	throw new NoQueue(`${variable} is not a URL. Write it in full, e.g. ${name}://user:secret@host`);
}

/** n8n itself tries for half a minute, and then does not say what to do. */
async function needAnswer(name: Part, { hostname, port }: URL): Promise<void> {
	const { variable, port: usual } = parts[name];
	const socket = connect(Number(port || usual), hostname);
	try {
		await once(socket, 'connect', { signal: AbortSignal.timeout(3000) });
	} catch {
		throw new NoQueue(
			`Nothing answers at ${hostname}:${port || usual}, which ${variable} names. Start it, or correct ${variable}.`,
		);
	} finally {
		socket.destroy();
	}
}

function redisSettings(url: URL): Record<string, string> {
	return {
		QUEUE_BULL_REDIS_HOST: url.hostname,
		QUEUE_BULL_REDIS_PORT: url.port || parts.redis.port,
		QUEUE_BULL_REDIS_USERNAME: decodeURIComponent(url.username),
		QUEUE_BULL_REDIS_PASSWORD: decodeURIComponent(url.password),
		QUEUE_BULL_REDIS_DB: url.pathname.slice(1) || '0',
		QUEUE_BULL_REDIS_TLS: String(url.protocol === 'rediss:'),
	};
}

function postgresSettings(url: URL): Record<string, string> {
	return {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: url.hostname,
		DB_POSTGRESDB_PORT: url.port || parts.postgres.port,
		DB_POSTGRESDB_USER: decodeURIComponent(url.username),
		DB_POSTGRESDB_PASSWORD: decodeURIComponent(url.password),
		DB_POSTGRESDB_DATABASE: url.pathname.slice(1) || 'n8n',
		DB_POSTGRESDB_SSL_ENABLED: String(
			/^(require|verify)/.test(url.searchParams.get('sslmode') ?? ''),
		),
	};
}
