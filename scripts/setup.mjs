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

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== locked) {
	console.log('Preparing (once, two minutes or so)');
	npm('ci', '--no-audit', '--no-fund', '--loglevel=error');
	npm('rebuild', 'node', '--ignore-scripts=false', '--loglevel=error');
	writeFileSync(stamp, locked);
}

function npm(...args) {
	const { status, stdout, stderr, error } = spawnSync('npm', args, {
		cwd: root,
		encoding: 'utf8',
		shell: process.platform === 'win32',
	});
	if (status === 0) return;
	console.error(
		`npm ${args.join(' ')} did not succeed:\n${error ?? ''}${stdout ?? ''}${stderr ?? ''}`,
	);
	console.error('Check that the npm registry can be reached, then run the same command again.');
	process.exit(1);
}
