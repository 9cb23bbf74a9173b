import { rmSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { startSandbox } from '../sandbox/server.mts';
import { ensureN8n, NotInstalled } from './install.mts';
import { heldBy } from './lock.mts';
import { startN8n } from './n8n.mts';
import { installPackageInto } from './package-into.mts';
import { freePort } from './ports.mts';
import { showProgress } from './progress.mts';
import { owner, provision } from './provision.mts';
import { needQueueParts, NoQueue, startQueue } from './queue.mts';

const state = join(import.meta.dirname, '..', '.state');
const running = join(state, 'running');

const usage = `npm start -- [--port 5678] [--sandbox-port 4010] [--reset] [--queue [--workers 2]]

  --port          where the editor is served
  --sandbox-port  where the sandbox is served; its OTC address is the port after it
  --reset         forget everything in .state and begin anew
  --queue         run n8n in queue mode, on Redis and PostgreSQL
  --workers       how many workers it has then`;

class CannotStart extends Error {}

function options() {
	try {
		const { values } = parseArgs({
			options: {
				port: { type: 'string', default: '5678' },
				'sandbox-port': { type: 'string', default: '4010' },
				reset: { type: 'boolean', default: false },
				queue: { type: 'boolean', default: false },
				workers: { type: 'string' },
				help: { type: 'boolean', default: false },
			},
		});
		if (values.workers && !values.queue) throw new Error('--workers goes with --queue');
		return {
			...values,
			port: portNumber('port', values.port),
			sandboxPort: portNumber('sandbox-port', values['sandbox-port']),
			workers: workerCount(values.workers ?? '2'),
		};
	} catch (reason) {
		throw new CannotStart(`${(reason as Error).message}\n\n${usage}`);
	}
}

function portNumber(flag: string, value: string): number {
	const port = Number(value);
	if (Number.isInteger(port) && port > 0 && port < 65_535) return port;
	throw new Error(`--${flag} takes a port, a whole number from 1 to 65534, not "${value}"`);
}

function workerCount(value: string): number {
	if (/^[1-9]\d?$/.test(value)) return Number(value);
	throw new Error(`--workers takes a whole number from 1 to 99, not "${value}"`);
}

async function needPort(port: number, whose: string, flag: string) {
	if (await freePort(port)) return;
	throw new CannotStart(
		`Port ${port}, for ${whose}, is taken by another program (another npm start, perhaps).\n` +
			`Stop it, or choose another port: npm start -- ${flag} ${port + 10}`,
	);
}

async function forget(folder: string) {
	for (const name of await readdir(folder)) {
		if (join(folder, name) !== running) await rm(join(folder, name), { recursive: true });
	}
}

async function main(signal: AbortSignal) {
	const { port, sandboxPort, reset, queue: inQueueMode, workers, help } = options();
	if (help) return console.log(usage);
	await mkdir(state, { recursive: true });
	const holder = await heldBy(running);
	if (holder) {
		throw new CannotStart(
			`A playground is running in this folder already (process ${holder}).\n` +
				'Use that one, or stop it first; for a second one, clone the repository again.',
		);
	}
	process.once('exit', () => rmSync(running, { force: true }));
	await needPort(port, 'the editor', '--port');
	await needPort(sandboxPort, 'the sandbox', '--sandbox-port');
	await needPort(sandboxPort + 1, 'the sandbox’s OTC address', '--sandbox-port');
	if (inQueueMode) needQueueParts();
	if (reset) await forget(state);
	await ensureN8n();

	const progress = showProgress('Starting n8n with the node', 'usually half a minute');
	await installPackageInto(state);
	const sandbox = await startSandbox({ port: sandboxPort, otcPort: sandboxPort + 1, seed: 1 });
	const queue = inQueueMode ? await startQueue(state) : undefined;
	const shared = { userFolder: state, signal };
	const logFile = join(state, 'n8n.log');
	const n8n = await startN8n({ ...shared, port, logFile, env: queue?.env });
	const started = await queue?.startWorkers(workers, {
		...shared,
		logFile: join(state, 'worker.log'),
	});
	started?.forEach(({ ended }, index) => {
		const log = `.state/worker-${index + 1}.log`;
		void ended.then(() => signal.aborted || console.error(`A worker has ended. Its log: ${log}`));
	});
	const leftOut = await provision(n8n, sandbox);
	progress.done();
	for (const { id, lacks } of leftOut)
		console.log(`Left out: ${id}, which needs ${lacks.join(', ')}`);

	console.log(`
  Examples  ${n8n.baseUrl}/home/workflows
  Login     ${owner.email}   ${owner.password}
  Buy form  ${n8n.baseUrl}/form/buy-stablecoin
  Desk      ${n8n.baseUrl}/form/desk
  Sandbox   ${sandbox.baseUrl}
${queue ? `  Queue     ${workers === 1 ? '1 worker' : `${workers} workers`} on Redis and PostgreSQL; their logs are .state/worker-*.log\n` : ''}
  State is kept in .state (n8n’s log is .state/n8n.log). Ctrl-C stops everything.
`);
	const code = await n8n.ended;
	await queue?.stop();
	await sandbox.close();
	if (!signal.aborted) {
		throw new CannotStart(`n8n ended by itself (${code}). Its log: ${state}/n8n.log`);
	}
}

const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
	process.on(name, () => {
		if (interrupted.signal.aborted) process.exit(1);
		interrupted.abort();
		console.log('\nStopping (once more to stop at once)');
	});
}

try {
	await main(interrupted.signal);
	process.exit(0);
} catch (reason) {
	if (interrupted.signal.aborted && !(reason instanceof NotInstalled)) process.exit(0);
	const foreseen = [CannotStart, NotInstalled, NoQueue].some((kind) => reason instanceof kind);
	console.error(foreseen ? (reason as Error).message : reason);
	process.exit(1);
}
