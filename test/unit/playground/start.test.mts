import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { execa, execaSync, type ResultPromise } from 'execa';

import { freePort } from '../../../playground/ports.mts';
import { until } from '../../support/waiting.mts';
import { useFakeNpm } from './npm.mts';

const npm = useFakeNpm();
const main = join(__dirname, '..', '..', '..', 'playground', 'main.mts');
const ci = 'ci --ignore-scripts';
const fetchNode = 'rebuild node';
const build = 'rebuild sqlite3';

let state = '';
let cache = '';
let ports: string[] = [];
const running: ResultPromise[] = [];

beforeEach(async () => {
	const folder = mkdtempSync(join(npm.folder, 'run-'));
	[state, cache] = [join(folder, 'state'), join(folder, 'cache')];
	ports = ['--port', String(await freePort()), '--sandbox-port', String(await freePort())];
	npm.calls();
});
afterEach(async () => {
	for (const child of running.splice(0)) {
		child.kill('SIGKILL');
		await child;
	}
});

/** The playground, up to where n8n would be installed. */
function start(args: string[] = [], env: Record<string, string> = {}) {
	const child = execa('node', [main, ...ports, ...args], {
		env: {
			...npm.env,
			STABLECOIN_RAMP_STATE: state,
			STABLECOIN_RAMP_CACHE: cache,
			NPM_HANGS_AT: ci,
			...env,
		},
		extendEnv: true,
		all: true,
		reject: false,
	});
	running.push(child);
	let said = '';
	child.all.on('data', (chunk: Buffer) => (said += chunk.toString()));
	const says = async (words: string) => await until(() => said.includes(words));
	return { child, says, said: () => said };
}

/** What it says when it ends by itself. */
async function ended(args: string[] = [], env: Record<string, string> = {}) {
	const { all, exitCode } = await start(args, env).child;
	expect(exitCode).toBe(1);
	return all;
}

const installs = async (args: string[] = [], env: Record<string, string> = {}) => {
	const one = start(args, env);
	await one.says('Installing n8n');
	return one;
};

/** What npm has been asked for, once it was asked for so much. */
const calls = async (count: number) => {
	const seen: string[] = [];
	await until(() => seen.push(...npm.calls()) >= count);
	return seen;
};

const kill = async ({ child }: ReturnType<typeof start>) => {
	child.kill('SIGKILL');
	await child;
};

const killedLongAgo = () => {
	const locks = [
		...readdirSync(state).map((name) => join(state, name)),
		...readdirSync(cache).map((name) => join(cache, name)),
	].filter((path) => path.endsWith('.held'));
	for (const lock of locks) utimesSync(lock, 1, 1);
	return locks.length;
};

const isAlive = (pid: number) => {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
};

describe('ports', () => {
	const taken: Server[] = [];
	const take = async (port: number) => {
		const server = createServer().listen(port, '127.0.0.1');
		await once(server, 'listening');
		taken.push(server);
	};
	afterEach(() => taken.splice(0).forEach((server) => server.close()));

	it('that are taken are all named, with one command that works', async () => {
		const [, editor, , sandbox] = ports.map(Number) as [number, number, number, number];
		await take(editor);
		await take(sandbox);
		await take(sandbox + 1);
		const said = await ended();
		expect(said).toMatch(
			new RegExp(
				`^Port ${editor}, for the editor. Port ${sandbox}, for the sandbox. Port ${sandbox + 1}, for the sandbox’s OTC address: taken by another program \\(another npm start, perhaps\\).\n` +
					'Stop it, or choose other ports: npm start -- --port \\d+ --sandbox-port \\d+$',
			),
		);
		await installs(said!.split('npm start -- ')[1]!.split(' '));
	});

	it('are named alone where one is taken, the one of the OTC address too', async () => {
		const [, editor, , sandbox] = ports.map(Number) as [number, number, number, number];
		await take(sandbox + 1);
		expect(await ended()).toMatch(
			new RegExp(
				`^Port ${sandbox + 1}, for the sandbox’s OTC address: taken .*\nStop it, or choose other ports: npm start -- --port ${editor} --sandbox-port \\d+$`,
			),
		);
	});

	it('of the editor and of the sandbox are not the same', async () => {
		expect(await ended(['--port', '4011', '--sandbox-port', '4010'])).toContain(
			'--port 4011 is a port of the sandbox, which has 4010 and the next',
		);
	});
});

describe('the state', () => {
	it('belongs to one playground: a second one says so and deletes nothing, with --reset too', async () => {
		await installs();
		writeFileSync(join(state, 'n8n.log'), 'mine');
		for (const args of [[], ['--reset']]) {
			expect(await ended(args)).toBe(
				`A playground is running already, with its state in ${state}.\n` +
					'Use that one, or stop it first; for a second one, clone the repository again.',
			);
		}
		expect(readFileSync(join(state, 'n8n.log'), 'utf8')).toBe('mine');
	});

	it('is taken over where a killed one, or one of an earlier version, has left its lock', async () => {
		mkdirSync(join(state, 'running.held'), { recursive: true });
		utimesSync(join(state, 'running.held'), 1, 1);
		writeFileSync(join(state, 'playground'), '');
		writeFileSync(join(state, 'running'), '1');
		await installs();
	});

	it('that is somebody else’s folder is left alone, with --reset too', async () => {
		mkdirSync(state);
		writeFileSync(join(state, 'thesis'), 'years');
		expect(await ended(['--reset'])).toBe(
			`${state}, which STABLECOIN_RAMP_STATE names, has other things in it.\n` +
				'Name a folder that is empty or does not exist yet.',
		);
		expect(readdirSync(state)).toEqual(['thesis']);
	});
});

describe('an install', () => {
	it('that another process has in hand is waited for, and Ctrl-C ends the waiting', async () => {
		await installs();
		state += '-2';
		ports = ['--port', String(await freePort()), '--sandbox-port', String(await freePort())];
		const second = start();
		await second.says('Waiting for another process, which installs n8n');
		second.child.kill('SIGINT');
		expect((await second.child).exitCode).toBe(0);
		expect(await calls(1)).toEqual([ci]);
	});

	it.each([
		[ci, [ci]],
		[fetchNode, [ci, fetchNode]],
		[build, [ci, fetchNode, build]],
	])('that was killed at "npm %s" goes on there', async (step, before) => {
		const first = await installs([], { NPM_HANGS_AT: step });
		expect(await calls(before.length)).toEqual(before);
		await kill(first);
		// npm itself ends too, and does not get in the way of the next
		await until(() => !npm.pids().some(isAlive));
		expect(killedLongAgo()).toBe(2);
		const second = await installs([], { NPM_HANGS_AT: step });
		expect(await calls(1)).toEqual([step]);
		second.child.kill('SIGINT');
		expect((await second.child).all).toContain(
			'Interrupted. Run the same command again: it goes on where it stopped.',
		);
	});

	it('begins anew with --reset, which forgets everything else too', async () => {
		const first = await installs([], { NPM_HANGS_AT: fetchNode });
		expect(await calls(2)).toEqual([ci, fetchNode]);
		await kill(first);
		killedLongAgo();
		mkdirSync(join(state, '.n8n'));
		writeFileSync(join(state, 'running'), '');
		await installs(['--reset']);
		expect(await calls(1)).toEqual([ci]);
		expect(readdirSync(state).toSorted()).toEqual(['playground', 'running.held']);
	});

	it.each([
		[
			'npm error code ENOTFOUND',
			'The npm registry could not be reached.\nCheck the connection and npm’s proxy settings.',
		],
		[
			'npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device, write',
			'There is not enough room on the disk: n8n takes about 3 GB, and npm as much while it works.\n' +
				'Free some space, or name another folder in STABLECOIN_RAMP_CACHE.',
		],
	])('that says "%s" ends with what to do, and is not taken for done', async (words, told) => {
		expect(await ended([], { NPM_SAYS: words })).toContain(
			`${told} Run the same command again: it goes on where it stopped.`,
		);
		await installs();
		expect(await calls(2)).toEqual([ci, ci]);
	});
});

describe('a full disk', () => {
	const disk = join(npm.folder, 'disk');
	let isMounted = false;
	beforeAll(() => {
		mkdirSync(disk);
		const { exitCode } = execaSync('mount', ['-t', 'tmpfs', '-o', 'size=20m', 'tmpfs', disk], {
			reject: false,
		});
		isMounted = exitCode === 0;
		if (!isMounted) console.warn('A full disk is not tested: only root may mount a small one.');
	});
	afterAll(() => isMounted && execaSync('umount', [disk]));
	afterEach(() =>
		readdirSync(disk).forEach((name) => rmSync(join(disk, name), { recursive: true })),
	);

	const goesOn = 'un the same command again: it goes on where it stopped.';

	it('of the state is said before n8n is installed', async () => {
		if (!isMounted) return;
		state = join(disk, 'state');
		expect(await ended()).toBe(
			`There is not enough room on the disk: 20 MB are left for ${state}, and n8n needs 100 MB there.\n` +
				`Free some space, or name another folder in STABLECOIN_RAMP_STATE. Then r${goesOn}`,
		);
	});

	it('without a byte left is said too', async () => {
		if (!isMounted) return;
		execaSync('dd', ['if=/dev/zero', `of=${join(disk, 'much')}`, 'bs=1M'], { reject: false });
		state = join(disk, 'state');
		expect(await ended()).toContain('There is not enough room on the disk: ');
		rmSync(join(disk, 'much'));
		cache = join(disk, 'cache');
		state = join(npm.folder, 'roomy');
		expect(await ended()).toContain(
			'There is not enough room on the disk: n8n takes about 3 GB, and npm as much while it works.\n' +
				`Free some space, or name another folder in STABLECOIN_RAMP_CACHE. R${goesOn}`,
		);
	});
});
