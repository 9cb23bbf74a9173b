import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa, type ResultPromise } from 'execa';

import { freePort } from './ports.mts';

/** A server of our own. Its port and its data stay the same when it is started again. */
export interface Server {
	url: string;
	start(): Promise<void>;
	stop(): Promise<void>;
	/** SIGKILL. */
	kill(): Promise<void>;
	/** Stops it and forgets its data. */
	remove(): Promise<void>;
}

interface Account {
	uid?: number;
	gid?: number;
}

/** `program` is redis-server. Each write is on disk within a second, so that jobs outlive a kill. */
export async function ownRedis(program: string, folder: string): Promise<Server> {
	const data = join(folder, 'redis');
	await mkdir(data, { recursive: true });
	const port = await freePort();
	return server({
		url: `redis://127.0.0.1:${port}`,
		data,
		command: [
			program,
			'--port',
			String(port),
			'--bind',
			'127.0.0.1',
			'--dir',
			data,
			'--appendonly',
			'yes',
			'--save',
			'',
		],
		readyWhen: 'Ready to accept connections',
		stopSignal: 'SIGTERM',
	});
}

/** `program` is postgres; initdb lies beside it. Like the editor it serves, it is open to this machine alone. */
export async function ownPostgres(program: string, folder: string): Promise<Server> {
	const account = process.getuid?.() === 0 ? await postgresAccount() : {};
	const data = await postgresFolder(folder, account);
	if (!existsSync(join(data, 'PG_VERSION'))) {
		const initdb = join(dirname(program), 'initdb');
		const options = ['--username=n8n', '--auth=trust', '--no-locale', '--encoding=UTF8'];
		await execa(initdb, ['--pgdata', data, ...options], { cwd: data, ...account });
	}
	const port = await freePort();
	return server({
		url: `postgres://n8n@127.0.0.1:${port}/postgres`,
		data,
		command: [
			program,
			'-D',
			data,
			'-p',
			String(port),
			'-c',
			'listen_addresses=127.0.0.1',
			'-c',
			'unix_socket_directories=',
			'-c',
			'max_connections=200',
		],
		account,
		readyWhen: 'ready to accept connections',
		// "fast": does not wait for clients to leave
		stopSignal: 'SIGINT',
	});
}

/** PostgreSQL does not run as root: root lends it the account that its package has made. */
async function postgresAccount(): Promise<Required<Account>> {
	const id = async (flag: string) => Number((await execa('id', [flag, 'postgres'])).stdout);
	return { uid: await id('-u'), gid: await id('-g') };
}

/** The other account cannot reach into root's folders, so there the data lies in the temp folder and is linked. */
async function postgresFolder(folder: string, { uid, gid }: Account): Promise<string> {
	const place = join(folder, 'postgres');
	const known = await realpath(place).catch(() => undefined);
	if (known) return known;
	if (uid === undefined || gid === undefined) {
		await mkdir(place, { recursive: true, mode: 0o700 });
		return place;
	}
	const data = await mkdtemp(join(tmpdir(), 'stablecoin-ramp-postgres-'));
	await chown(data, uid, gid);
	await rm(place, { force: true });
	await symlink(data, place);
	return data;
}

interface ServerOptions {
	url: string;
	data: string;
	command: string[];
	account?: Account;
	readyWhen: string;
	stopSignal: NodeJS.Signals;
}

function server({ url, data, command, account, readyWhen, stopSignal }: ServerOptions): Server {
	let child: ResultPromise | undefined;

	async function start() {
		const [program = '', ...args] = command;
		const started = execa(program, args, {
			cwd: data,
			// a process group of its own: Ctrl-C reaches it through stop(), after n8n
			detached: process.platform !== 'win32',
			stdin: 'ignore',
			all: true,
			buffer: false,
			reject: false,
			forceKillAfterDelay: false,
			...account,
		});
		child = started;
		// what is detached outlives this process unless it is told to end
		const stopAtExit = () => started.kill(stopSignal);
		process.once('exit', stopAtExit);
		const ended = started.then(() => process.off('exit', stopAtExit));
		let said = '';
		await new Promise<void>((resolve, reject) => {
			started.all.on('data', (chunk: Buffer) => {
				said = (said + chunk.toString()).slice(-4000);
				if (said.includes(readyWhen)) resolve();
			});
			void ended.then(() => reject(new Error(`${program} did not start. It last said:\n${said}`)));
		});
	}

	async function end(name: NodeJS.Signals) {
		child?.kill(name);
		await child;
	}

	return {
		url,
		start,
		stop: async () => await end(stopSignal),
		kill: async () => await end('SIGKILL'),
		remove: async () => {
			await end(stopSignal);
			await rm(data, { recursive: true, force: true });
		},
	};
}
