import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';

import { ensureN8n } from './installN8n.mts';
import { freePort } from './ports.mts';
import { restClient, type Rest } from './rest.mts';
import { chosenVersion } from './versions.mts';

export interface N8nOptions {
	/** n8n keeps its database and its community packages in `.n8n` in this folder. */
	userFolder: string;
	/** Any free port when left out. */
	port?: number;
	/** Added to n8n's environment; wins over what is set here. */
	env?: Record<string, string>;
	/** Everything n8n says is appended to this file. */
	logFile?: string;
	/** Stops n8n when it is aborted, also while it is still starting. */
	signal?: AbortSignal;
}

export interface N8nProcess {
	pid: number;
	/** Everything it has said so far. */
	logs(): string;
	/** Resolves with the exit code when the process is gone, however that came about. */
	ended: Promise<number | null>;
	/** Lets running executions finish, as a restart of the machine would. */
	stop(): Promise<void>;
	/** SIGKILL; its task runner notices within two seconds and ends too. */
	kill(): Promise<void>;
}

export interface N8n extends N8nProcess {
	baseUrl: string;
	port: number;
	rest: Rest;
	/** The folder whose files workflows may read and write. */
	files: string;
}

// Where n8n allows files by default, and n8n runs in the user folder, as in its Docker image: a
// workflow that says `.n8n-files/rates.csv` means the same file there and here.
const filesFolder = (userFolder: string) => join(userFolder, '.n8n-files');

const callsHomeOff = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_AI_ASSISTANT_BASE_URL: '',
	// the list of verified community packages is fetched from n8n
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	EXTERNAL_FRONTEND_HOOKS_URLS: '',
};

const settings = {
	// As in n8n's own image. Without it the browser may not keep the files that the editor is made of, and every form is
	// compiled each time it is shown.
	NODE_ENV: 'production',
	N8N_ENCRYPTION_KEY: 'stablecoin-ramp-playground',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_SECURE_COOKIE: 'false',
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_HOST: 'localhost',
	N8N_PYTHON_ENABLED: 'false',
	GENERIC_TIMEZONE: 'Africa/Lagos',
	NO_COLOR: '1',
};

// n8n reads its settings from the environment: one meant for another n8n must not reach ours.
const inherited = [
	'PATH',
	'HOME',
	'USER',
	'LANG',
	'TMPDIR',
	'TEMP',
	'TMP',
	'SystemRoot',
	'APPDATA',
];

// What n8n has compiled once it only loads, which saves seconds of every start.
const compiled = join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled');

export async function startN8n(options: N8nOptions): Promise<N8n> {
	const port = options.port ?? (await freePort()) ?? 5678;
	const baseUrl = `http://localhost:${port}`;
	const started = await run('start', 'Editor is now accessible via', options, {
		N8N_PORT: String(port),
		WEBHOOK_URL: `${baseUrl}/`,
		N8N_EDITOR_BASE_URL: baseUrl,
	});
	return {
		...started,
		baseUrl,
		port,
		rest: restClient(baseUrl),
		files: filesFolder(options.userFolder),
	};
}

/** A worker of n8n's queue mode; both it and its main need the queue's settings in `env`. */
export async function startWorker({
	concurrency = 10,
	...options
}: Omit<N8nOptions, 'port'> & { concurrency?: number }): Promise<N8nProcess> {
	return await run(`worker --concurrency=${concurrency}`, 'n8n worker is now ready', options, {});
}

async function run(
	command: string,
	readyWhen: string,
	{ userFolder, env, logFile, signal }: N8nOptions,
	own: Record<string, string>,
): Promise<N8nProcess> {
	const installed = await ensureN8n();
	await mkdir(filesFolder(userFolder), { recursive: true });
	signal?.throwIfAborted();
	const child = execa(installed.node, [installed.bin, ...command.split(' ')], {
		cwd: userFolder,
		stdin: 'ignore',
		all: true,
		buffer: false,
		reject: false,
		forceKillAfterDelay: false,
		cleanup: false,
		extendEnv: false,
		env: {
			...Object.fromEntries(inherited.map((name) => [name, process.env[name]])),
			// n8n starts its task runner with the "node" it finds
			PATH: [dirname(installed.node), process.env.PATH].join(delimiter),
			NODE_COMPILE_CACHE: compiled,
			...settings,
			...callsHomeOff,
			...chosenVersion().env,
			N8N_USER_FOLDER: userFolder,
			N8N_RESTRICT_FILE_ACCESS_TO: filesFolder(userFolder),
			N8N_RUNNERS_BROKER_PORT: String(await freePort()),
			...own,
			...env,
		},
	});

	let said = '';
	// Where the disk is full, the log ends and n8n goes on.
	if (logFile) child.all.pipe(createWriteStream(logFile, { flags: 'a' }).on('error', () => {}));
	const stop = () => child.kill('SIGTERM');
	const kill = () => child.kill('SIGKILL');
	signal?.addEventListener('abort', stop);
	process.once('exit', kill);
	const ended = child.then(({ exitCode }) => {
		signal?.removeEventListener('abort', stop);
		process.off('exit', kill);
		return exitCode ?? null;
	});

	await new Promise<void>((resolve, reject) => {
		child.all.on('data', (chunk: Buffer) => {
			said += chunk.toString();
			if (said.includes(readyWhen)) resolve();
		});
		void ended.then((code) => {
			const last = said.trimEnd().split('\n').slice(-15).join('\n');
			reject(
				new Error(`n8n ${command} ended with ${code} before it was ready. It last said:\n${last}`),
			);
		});
	});

	return {
		pid: child.pid ?? 0,
		logs: () => said,
		ended,
		async stop() {
			stop();
			await ended;
		},
		async kill() {
			kill();
			await ended;
		},
	};
}
