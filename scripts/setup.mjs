// Makes a fresh clone ready: dependencies as locked, and Node 24 for every npm script.
// Runs on whatever Node the machine has (20 or later), so it is plain JavaScript with no imports of ours.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'node_modules', '.installed');
const locked = createHash('sha256')
	.update(readFileSync(join(root, 'package-lock.json')))
	.digest('hex');

const goesOn = 'Then run the same command again: it goes on where it stopped.';
const reasons = [
	[
		/ENOSPC|no space left/i,
		() =>
			`There is not enough room on the disk: node_modules takes about 1 GB in ${root}, and npm keeps as much in its own cache (npm config get cache).`,
		'Free some space.',
	],
	[
		/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/,
		() => `The npm registry could not be reached: ${ask('config', 'get', 'registry')}`,
		'Check the connection and npm’s proxy settings.',
	],
	[
		/EACCES|EPERM|EROFS/,
		() => `npm may not write to ${root}, or to its own cache (npm config get cache).`,
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

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== locked) {
	console.log('Preparing (once, two minutes or so)');
	npm('ci', '--no-audit', '--no-fund', '--loglevel=error');
	npm('rebuild', 'node', '--ignore-scripts=false', '--loglevel=error');
	try {
		writeFileSync(stamp, locked);
	} catch (reason) {
		explain('The last step', String(reason));
	}
}

function npm(...args) {
	const { status, stdout, stderr, error } = run(args);
	if (status !== 0)
		explain(`npm ${args.join(' ')}`, `${error ?? ''}${stdout ?? ''}${stderr ?? ''}`);
}

function ask(...args) {
	return (run(args).stdout ?? '').trim();
}

function run(args) {
	const shell = process.platform === 'win32';
	return spawnSync('npm', args, { cwd: root, encoding: 'utf8', shell });
}

function explain(step, said) {
	const known = reasons.find(([pattern]) => pattern.test(said));
	if (known) stop(known[1](), `${known[2]} ${goesOn}`);
	stop(`${step} did not succeed:\n${said}`, `Look at what it said. ${goesOn}`);
}

function stop(what, next) {
	console.error(`${what}\n${next}`);
	process.exit(1);
}
