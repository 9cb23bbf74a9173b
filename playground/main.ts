import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startSandbox } from '../sandbox/server.ts';
import { ensureN8n, NotInstalled } from './install.ts';
import { startN8n } from './n8n.ts';
import { installPackageInto } from './package-into.ts';
import { freePort } from './ports.ts';
import { showProgress } from './progress.ts';
import { owner, provision } from './provision.ts';

const state = join(import.meta.dirname, '..', '.state');

const usage = `npm start -- [--port 5678] [--sandbox-port 4010] [--reset]

  --port          where the editor is served
  --sandbox-port  where the sandbox is served; its OTC address is the port after it
  --reset         forget everything in .state and begin anew`;

class CannotStart extends Error {}

function options() {
	try {
		const { values } = parseArgs({
			options: {
				port: { type: 'string', default: '5678' },
				'sandbox-port': { type: 'string', default: '4010' },
				reset: { type: 'boolean', default: false },
				help: { type: 'boolean', default: false },
			},
		});
		return { ...values, port: Number(values.port), sandboxPort: Number(values['sandbox-port']) };
	} catch (reason) {
		throw new CannotStart(`${(reason as Error).message}\n\n${usage}`);
	}
}

async function needPort(port: number, whose: string, flag: string) {
	if (await freePort(port)) return;
	throw new CannotStart(
		`Port ${port}, for ${whose}, is taken by another program (another npm start, perhaps).\n` +
			`Stop it, or choose another port: npm start -- ${flag} ${port + 10}`,
	);
}

async function main() {
	const { port, sandboxPort, reset, help } = options();
	if (help) return console.log(usage);
	await needPort(port, 'the editor', '--port');
	await needPort(sandboxPort, 'the sandbox', '--sandbox-port');
	await needPort(sandboxPort + 1, 'the sandbox’s OTC address', '--sandbox-port');
	if (reset) await rm(state, { recursive: true, force: true });
	await mkdir(state, { recursive: true });
	await ensureN8n();

	const progress = showProgress('Starting n8n with the node', 'usually half a minute');
	await installPackageInto(state);
	const sandbox = await startSandbox({ port: sandboxPort, otcPort: sandboxPort + 1, seed: 1 });
	const n8n = await startN8n({ userFolder: state, port, logFile: join(state, 'n8n.log') });
	let stopping = false;
	const stop = async () => {
		if (stopping) return;
		stopping = true;
		console.log('\nStopping n8n and the sandbox');
		await n8n.stop();
		await sandbox.close();
		process.exit(0);
	};
	process.on('SIGINT', () => void stop());
	process.on('SIGTERM', () => void stop());
	await provision(n8n, sandbox);
	progress.done();

	console.log(`
  Editor    ${n8n.baseUrl}
  Login     ${owner.email}   ${owner.password}
  Buy form  ${n8n.baseUrl}/form/buy-stablecoin
  Sandbox   ${sandbox.baseUrl}

  State is kept in .state (n8n’s log is .state/n8n.log). Ctrl-C stops everything.
`);
	const code = await n8n.ended;
	if (!stopping) throw new CannotStart(`n8n ended by itself (${code}). Its log: ${state}/n8n.log`);
}

try {
	await main();
} catch (reason) {
	const foreseen = reason instanceof CannotStart || reason instanceof NotInstalled;
	console.error(foreseen ? reason.message : reason);
	process.exit(1);
}
