// Makes a fresh clone ready: dependencies as locked, and Node 24 for every npm script.
// Runs on whatever Node the machine has (20 or later), so it is plain JavaScript with no imports of ours.
import { spawn } from 'node:child_process';
// As a whole, because an old Node lacks some of it, and is to be told that it is old.
import fs from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'node_modules', '.installed');
const locked = createHash('sha256')
	.update(fs.readFileSync(join(root, 'package-lock.json')))
	.digest('hex');

const goesOn = 'Then run the same command again: it goes on where it stopped.';
const full = /ENOSPC|no space left/i;
const unreachable =
	/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|SOCKET_TIMEOUT/;
const neededMegabytes = 1300;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const reasons = [
	[
		full,
		`There is not enough room on the disk: node_modules takes ${neededMegabytes} MB in ${root}, and npm keeps half as much in its own cache (npm config get cache).`,
		'Free some space, or clone to another disk.',
	],
	[
		unreachable,
		'The npm registry could not be reached (npm config get registry).',
		'Check the connection and npm’s proxy settings.',
	],
	[
		/EACCES|EPERM|EROFS/,
		`npm may not write to ${root}, or to its own cache (npm config get cache).`,
		'Make them writable.',
	],
];

const [major] = process.versions.node.split('.');
if (Number(major) < 20) {
	stop(
		`Node ${process.versions.node} is too old for npm to install what this needs: Node 20 or later does.`,
		'Install one from https://nodejs.org, or with your version manager. Then run the same command again.',
	);
}

if (!fs.existsSync(stamp) || fs.readFileSync(stamp, 'utf8') !== locked) {
	console.log('Preparing (once, two minutes or so)');
	const isNew = !fs.existsSync(join(root, 'node_modules'));
	if (isNew && megabytesLeft() < neededMegabytes) explain('', 'ENOSPC');
	// Without a network npm tries for minutes; what it has in its cache may be enough.
	const ping = await npm('ping', '--fetch-retries=0', '--fetch-timeout=15000');
	const offline = unreachable.test(ping.said) ? ['--prefer-offline', '--fetch-retries=0'] : [];
	// npm 10, which Node 20 and 22 bring, refuses a lock file of npm 11; one of npm 10 suits both. So change it with
	// npx npm@10.9.4 install --package-lock-only
	await need('ci', '--no-audit', '--no-fund', ...offline);
	await need('rebuild', 'node', '--ignore-scripts=false', ...offline);
	try {
		fs.writeFileSync(stamp, locked);
	} catch (reason) {
		explain('The last step', String(reason));
	}
}

async function need(...args) {
	const { code, said } = await npm(...args);
	if (code !== 0 || full.test(said)) explain(`npm ${args.join(' ')}`, said);
}

function megabytesLeft() {
	const { bavail, bsize, blocks } = fs.statfsSync(root);
	// Some file systems do not tell.
	return blocks === 0 ? Infinity : (bavail * bsize) / 1024 ** 2;
}

async function npm(...args) {
	const child = spawn('npm', [...args, '--loglevel=warn'], {
		cwd: root,
		stdio: ['ignore', 'pipe', 'pipe'],
		shell: process.platform === 'win32',
		detached: process.platform !== 'win32',
	});
	let said = '';
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
	// It is a group of its own, so that what it has started ends with it.
	const end = () => {
		try {
			process.kill(-child.pid, 'SIGKILL');
		} catch {
			child.kill();
		}
	};
	const interrupt = () => {
		end();
		stop('Interrupted.', 'Run the same command again: it goes on where it stopped.');
	};
	for (const name of signals) process.on(name, interrupt);
	// On a full disk npm goes on for minutes with files that are empty, and only warns in the end.
	const looking = setInterval(() => {
		if (megabytesLeft() >= 1) return;
		said += 'ENOSPC';
		end();
	}, 1000);
	const code = await new Promise((resolve) => {
		child.once('error', (reason) => resolve((said += reason)));
		child.once('close', resolve);
	});
	clearInterval(looking);
	for (const name of signals) process.off(name, interrupt);
	return { code, said };
}

function explain(step, said) {
	const known = reasons.find(([pattern]) => pattern.test(said));
	if (known) stop(known[1], `${known[2]} ${goesOn}`);
	stop(`${step} did not succeed:\n${said.slice(-4000)}`, `Look at what it said. ${goesOn}`);
}

function stop(what, next) {
	console.error(`${what}\n${next}`);
	process.exit(1);
}
