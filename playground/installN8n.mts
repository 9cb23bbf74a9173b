import { createHash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';

import { megabytesIn, saysFull } from './disk.mts';
import { withLock } from './lock.mts';
import { showProgress } from './progress.mts';
import { chosenVersion, type Version } from './versions.mts';

export interface InstalledN8n {
	dir: string;
	/** The Node that n8n was installed for; n8n's native modules are built against it. */
	node: string;
	/** n8n's command line, to be run with that Node. */
	bin: string;
}

export class NotInstalled extends Error {}

interface Step {
	what: string;
	usually: string;
	npm: string[];
	env?: NodeJS.ProcessEnv;
}

export interface InstallOptions {
	version?: Version;
	/** Ends the install at once; the next one goes on. */
	signal?: AbortSignal;
	/** Forgets an install that was interrupted. */
	anew?: boolean;
}

const neededMegabytes = 4096;

// Before npm 11, which Node 20 and 22 do not bring, npm takes the lock file for incomplete.
const isOldNpm = /^npm\/([1-9]|10)\./.test(process.env.npm_config_user_agent ?? '');
const ci = isOldNpm ? ['exec', '--yes', '--package=npm@11.19.1', '--', 'npm', 'ci'] : ['ci'];

// Scripts of packages stay off but for those named here: "node" fetches its binary, and native modules have to fit it.
const steps = ({ node, build, lock }: Version, dir: string): Step[] => [
	{
		what: 'fetching 2,200 packages (2.8 GB on disk)',
		usually: 'three to five minutes',
		npm: [...(lock ? ci : ['install']), '--ignore-scripts', '--prefer-offline'],
	},
	{
		what: `fetching Node ${node}`,
		usually: 'half a minute',
		npm: ['rebuild', 'node', '--ignore-scripts=false'],
	},
	{
		what: `building ${build.join(' and ')}`,
		usually: 'two minutes, or seconds where a ready-made one can be fetched',
		npm: ['rebuild', ...build, '--ignore-scripts=false'],
		env: { JOBS: 'max', npm_config_nodedir: nodeHeaders(dir) },
	},
];

/** Makes sure that the chosen n8n lies in the cache folder, and says where. */
export async function ensureN8n(options: InstallOptions = {}): Promise<InstalledN8n> {
	const { version = chosenVersion() } = options;
	const files = await manifest(version);
	const key = createHash('sha256').update(Object.values(files).at(-1)!).digest('hex').slice(0, 12);
	const dir = join(cacheFolder(), `n8n-${key}-${process.platform}-${process.arch}`);
	const installed = {
		dir,
		node: join(dir, 'node_modules', 'node', 'bin', executable('node')),
		bin: join(dir, 'node_modules', 'n8n', 'bin', 'n8n'),
	};
	// Somebody may have tidied up in it.
	const isThere = () => existsSync(installed.node) && existsSync(installed.bin);
	if (!isThere()) await installOnce({ ...options, version }, files, dir, isThere);
	return installed;
}

/** What npm is given; the last file tells one install from another. */
async function manifest(version: Version): Promise<Record<string, string>> {
	const { n8n, node, overrides, lock } = version;
	const asked = { name: 'playground', private: true, dependencies: { n8n, node }, overrides };
	return {
		'package.json': JSON.stringify(asked, undefined, 2),
		...(lock && { 'package-lock.json': await readFile(lock, 'utf8') }),
	};
}

function cacheFolder() {
	const { STABLECOIN_RAMP_CACHE, XDG_CACHE_HOME } = process.env;
	return (
		STABLECOIN_RAMP_CACHE ??
		join(XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'n8n-nodes-stablecoin-ramp')
	);
}

type Install = InstallOptions & { version: Version };

async function installOnce(
	install: Install,
	files: Record<string, string>,
	dir: string,
	isThere: () => boolean,
) {
	const { version, signal, anew } = install;
	const partial = `${dir}.partial`;
	const who = `another process, which installs n8n ${version.n8n}`;
	try {
		await mkdir(cacheFolder(), { recursive: true });
		await withLock(dir, { who, signal }, async () => {
			if (isThere()) return;
			await rm(dir, { recursive: true, force: true, maxRetries: 5 });
			if (anew) await rm(partial, { recursive: true, force: true, maxRetries: 5 });
			await takeSteps(install, files, partial);
			await rename(partial, dir);
		});
	} catch (reason) {
		if (reason instanceof NotInstalled || signal?.aborted) throw reason;
		throw explain(String(reason), partial);
	}
}

// The folder gets its name only when it is complete. Until then its finished steps are
// remembered, and what npm has fetched is in npm's own cache, so an interrupted install goes on.
async function takeSteps(
	{ version, signal }: Install,
	files: Record<string, string>,
	partial: string,
) {
	await mkdir(partial, { recursive: true });
	const isBegun = existsSync(join(partial, 'node_modules'));
	if (!isBegun && (await megabytesIn(partial)) < neededMegabytes) throw explain('ENOSPC', partial);
	for (const [name, content] of Object.entries(files)) {
		await writeFile(join(partial, name), content);
	}
	const todo = steps(version, partial);
	// Without a network npm tries for minutes; what it has in its cache may be enough.
	const env = (await isOffline(partial))
		? { npm_config_prefer_offline: 'true', npm_config_fetch_retries: '0' }
		: {};
	for (const [index, step] of todo.entries()) {
		const done = join(partial, `.step-${index + 1}-done`);
		if (existsSync(done)) continue;
		const title = `Installing n8n ${version.n8n}, once (${index + 1} of ${todo.length}): ${step.what}`;
		const progress = showProgress(title, `usually ${step.usually}`);
		await npm(partial, { ...step, env: { ...step.env, ...env } }, signal).catch(
			(reason: unknown) => {
				progress.stopped();
				throw reason;
			},
		);
		await writeFile(done, '');
		progress.done();
	}
}

async function isOffline(cwd: string): Promise<boolean> {
	const args = ['ping', '--fetch-retries=0', '--fetch-timeout=15000'];
	const { failed, stderr, timedOut } = await execa('npm', args, {
		cwd,
		reject: false,
		timeout: 20_000,
	});
	return timedOut || (failed && unreachable.test(stderr));
}

// However this process ends, its end of npm's input closes then: npm and all it has started are to end too, or they
// would get in the way of the next install. They are a group of their own for that.
const endWithUs = `data:text/javascript,${encodeURIComponent(
	`process.env.NODE_OPTIONS = ${JSON.stringify(process.env.NODE_OPTIONS ?? '')};
	process.stdin.resume().once('close', () => {
		try { process.kill(-process.pid, 'SIGKILL') } catch { process.exit(1) }
	}).unref()`,
)}`;

async function npm(dir: string, { npm: args, env }: Step, signal?: AbortSignal) {
	signal?.throwIfAborted();
	const log = join(dir, 'install.log');
	const child = execa('npm', [...args, '--no-audit', '--no-fund'], {
		cwd: dir,
		env: { ...env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${endWithUs}` },
		preferLocal: true,
		localDir: dir,
		killDescendants: true,
		killSignal: 'SIGKILL',
		cancelSignal: signal,
		stdin: 'pipe',
		all: true,
		reject: false,
	});
	child.all.pipe(createWriteStream(log, { flags: 'a' }).on('error', () => {}));
	// On a full disk npm goes on for minutes with files that are empty, and only warns in the end.
	let isFull = false;
	const looking = setInterval(async () => {
		isFull ||= (await megabytesIn(dir)) < 1;
		if (isFull) child.kill();
	}, 1000);
	const { failed, all = '' } = await child;
	clearInterval(looking);
	if (signal?.aborted) throw new NotInstalled(`Interrupted. ${goesOn}`);
	if (isFull || saysFull(all)) throw explain('ENOSPC', log);
	if (failed) throw explain(all, log);
}

/** The headers that came with the installed Node, so that nothing needs to be fetched to build. */
function nodeHeaders(dir: string) {
	const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
	const platform = process.platform === 'win32' ? 'win' : process.platform;
	const name = `${prefix}-${platform}-${process.arch}`;
	return join(dir, 'node_modules', 'node', 'node_modules', name);
}

function executable(name: string) {
	return process.platform === 'win32' ? `${name}.exe` : name;
}

const compilers: Partial<Record<NodeJS.Platform, string>> = {
	darwin: 'xcode-select --install',
	win32: 'winget install Microsoft.VisualStudio.2022.BuildTools Python.Python.3.12',
};

const goesOn = 'Run the same command again: it goes on where it stopped.';

const unreachable =
	/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED/;

const reasons: Array<[says: (said: string) => boolean, what: string, next: string]> = [
	[
		saysFull,
		'There is not enough room on the disk: n8n takes about 3 GB, and npm as much while it works.',
		'Free some space, or name another folder in STABLECOIN_RAMP_CACHE',
	],
	[
		(said) => /EACCES|EPERM|EROFS/.test(said),
		'The cache folder cannot be written.',
		'Make it writable, or name another folder in STABLECOIN_RAMP_CACHE',
	],
	[
		(said) => /gyp ERR!|not found: make|Could not find any Python/.test(said),
		'Native modules could not be built: a C++ compiler, make and Python 3 are needed.',
		`Install them (${compilers[process.platform] ?? 'e.g. apt install python3 make g++'})`,
	],
	[
		(said) => /EINTEGRITY|E404|ETARGET/.test(said),
		'The npm registry does not serve the packages as they are locked.',
		'Check which registry npm is set to use (npm config get registry)',
	],
	[
		(said) => unreachable.test(said) || /network|E5\d\d/.test(said),
		'The npm registry could not be reached.',
		'Check the connection and npm’s proxy settings',
	],
];

function explain(said: string, where: string) {
	const [, what, next] = reasons.find(([says]) => says(said)) ?? [
		,
		`npm did not finish. It last said:\n${said.trimEnd().split('\n').slice(-8).join('\n')}`,
		'Look at what it said',
	];
	return new NotInstalled(`${what}\n${next}. ${goesOn} (${where})`);
}
