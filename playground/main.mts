import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { startSandbox } from '../sandbox/server.mts';
import { megabytesIn, saysFull } from './disk.mts';
import { ensureN8n, NotInstalled } from './installN8n.mts';
import { installPackageInto } from './installPackage.mts';
import { hold } from './lock.mts';
import { startN8n } from './n8n.mts';
import { takenPorts } from './ports.mts';
import { showProgress } from './progress.mts';
import { owner, provision } from './provision.mts';
import { needQueueParts, NoQueue, startQueue } from './queue.mts';

const named = process.env.STABLECOIN_RAMP_STATE;
const state = resolve(named || join(import.meta.dirname, '..', '.state'));
const shown = named ? state : '.state';
const running = join(state, 'running');
/** Tells a folder of ours from one with other things in it, which --reset must not delete. */
const mark = join(state, 'playground');
const neededMegabytes = 100;

const usage = `npm start -- [--port 5678] [--sandbox-port 4010] [--reset] [--queue [--workers 2]]

  --port          where the editor is served
  --sandbox-port  where the sandbox is served; its OTC address is the port after it
  --reset         forget everything in .state and an install that was interrupted, and begin anew
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
		const port = portNumber('port', values.port);
		const sandboxPort = portNumber('sandbox-port', values['sandbox-port']);
		if (port === sandboxPort || port === sandboxPort + 1) {
			throw new Error(
				`--port ${port} is a port of the sandbox, which has ${sandboxPort} and the next`,
			);
		}
		return {
			...values,
			port,
			sandboxPort,
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

async function needPorts(port: number, sandboxPort: number) {
	const taken = await takenPorts([
		{ flag: '--port', port, whose: ['the editor'] },
		{
			flag: '--sandbox-port',
			port: sandboxPort,
			whose: ['the sandbox', 'the sandbox’s OTC address'],
		},
	]);
	if (taken) throw new CannotStart(taken);
}

async function needState(reset: boolean) {
	const isFile = (await stat(state).catch(() => undefined))?.isFile();
	if (isFile && reset && !named) await rm(state);
	else if (isFile) throw new CannotStart(`${shown} is a file, and a folder is needed. Delete it.`);
	await mkdir(state, { recursive: true });
	if (named && !existsSync(mark) && (await readdir(state)).length > 0) {
		throw new CannotStart(
			`${state}, which STABLECOIN_RAMP_STATE names, has other things in it.\n` +
				'Name a folder that is empty or does not exist yet.',
		);
	}
	await writeFile(mark, '');
}

async function needRoom() {
	const left = await megabytesIn(state);
	if (left >= neededMegabytes) return;
	throw new CannotStart(
		`There is not enough room on the disk: ${left} MB are left for ${state}, and n8n needs ${neededMegabytes} MB there.\n${makeRoom}`,
	);
}

const makeRoom =
	'Free some space, or name another folder in STABLECOIN_RAMP_STATE. Then run the same command again: it goes on where it stopped.';

async function forget() {
	const kept = [mark, `${running}.held`];
	for (const name of await readdir(state)) {
		const path = join(state, name);
		if (!kept.includes(path)) await rm(path, { recursive: true, force: true, maxRetries: 5 });
	}
}

async function main(signal: AbortSignal) {
	const { port, sandboxPort, reset, queue: inQueueMode, workers, help } = options();
	if (help) return console.log(usage);
	await needState(reset);
	if (!(await hold(running, { signal, onLost: lost }))) {
		throw new CannotStart(
			`A playground is running already, with its state in ${state}.\n` +
				'Use that one, or stop it first; for a second one, clone the repository again.',
		);
	}
	await needPorts(port, sandboxPort);
	if (inQueueMode) needQueueParts();
	if (reset) await forget();
	await needRoom();
	await ensureN8n({ signal, anew: reset });
	// an install takes minutes
	await needPorts(port, sandboxPort);
	await needRoom();

	const progress = showProgress('Starting n8n with the node', 'usually half a minute');
	await installPackageInto(state, signal);
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
		const log = `${shown}/worker-${index + 1}.log`;
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
  Rates     ${n8n.baseUrl}/webhook/rates
  The month ${n8n.baseUrl}/form/the-month
  Sandbox   ${sandbox.baseUrl}
${queue ? `  Queue     ${workers === 1 ? '1 worker' : `${workers} workers`} on Redis and PostgreSQL; their logs are ${shown}/worker-*.log\n` : ''}
  State is kept in ${shown} (n8n’s log is ${shown}/n8n.log). Ctrl-C stops everything.
`);
	const code = await n8n.ended;
	await queue?.stop();
	await sandbox.close();
	if (!signal.aborted) {
		throw new CannotStart(`n8n ended by itself (${code}). Its log: ${state}/n8n.log`);
	}
}

const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(name, () => {
		if (interrupted.signal.aborted) process.exit(1);
		interrupted.abort();
		console.log('\nStopping (once more to stop at once)');
	});
}

function lost() {
	console.error(`${running}.held was deleted or taken while this playground ran: it stops.`);
	interrupted.abort();
}

function inWords(reason: unknown): unknown {
	const foreseen = [CannotStart, NotInstalled, NoQueue].some((kind) => reason instanceof kind);
	if (foreseen) return (reason as Error).message;
	if (!saysFull(String(reason))) return reason;
	return `There is not enough room on the disk: n8n needs ${neededMegabytes} MB in ${state}, the node some in node_modules.\n${makeRoom}`;
}

try {
	await main(interrupted.signal);
	process.exit(0);
} catch (reason) {
	if (interrupted.signal.aborted && !(reason instanceof NotInstalled)) process.exit(0);
	console.error(inWords(reason));
	process.exit(1);
}
