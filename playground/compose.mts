// n8n and the sandbox of compose.yaml, with the packed node, a credential and the examples: npm run compose.
// With --check, as in CI, it also buys there: once, and not a second time.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { execa } from 'execa';

import { freshFetch } from './freshFetch.mts';
import { usual } from '../sandbox/server.mts';
import { owner, pointCredentialAt, provision } from './provision.mts';
import { restClient } from './rest.mts';

const baseUrl = 'http://127.0.0.1:5678';
const sandbox = {
	...usual,
	baseUrl: 'http://127.0.0.1:4010',
	otcBaseUrl: 'http://127.0.0.1:4011',
};
const packageName = 'n8n-nodes-stablecoin-ramp';
const rest = restClient(baseUrl);

async function main() {
	const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
	await start();
	const leftOut = await provision({ baseUrl, rest }, sandbox);
	for (const { id, lacks } of leftOut)
		console.log(`Left out: ${id}, which needs ${lacks.join(', ')}`);
	console.log(`
  Examples  ${baseUrl}/home/workflows
  Login     ${owner.email}   ${owner.password}
  Sandbox   ${sandbox.baseUrl}
`);
	const lacking = leftOut.flatMap(({ lacks }) => lacks).filter((one) => one.includes(packageName));
	if (lacking.length > 0) throw new Error(`n8n does not have ${lacking.join(', ')}.`);
	if (values.check) await check();
}

async function start() {
	const folder = await mkdtemp(join(tmpdir(), 'stablecoin-ramp-compose-'));
	try {
		const pack = ['pack', '--json', '--pack-destination', folder];
		const { stdout } = await execa('npm', pack, { stderr: 'inherit' });
		const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
		await compose('up', '--wait');
		// It is not interrupted while it makes its database.
		await n8nAnswers();
		await compose('cp', join(folder, filename), 'n8n:/tmp/ramp.tgz');
		const install = 'npm install --prefix ~/.n8n/nodes --legacy-peer-deps /tmp/ramp.tgz';
		await compose('exec', '-T', 'n8n', 'sh', '-c', install);
		await compose('restart', 'n8n');
		await n8nAnswers();
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

async function compose(...args: string[]) {
	const file = join(import.meta.dirname, 'compose.yaml');
	await execa('docker', ['compose', '-f', file, ...args], { stdio: 'inherit' });
}

async function n8nAnswers() {
	for (const began = Date.now(); Date.now() - began < 300_000; await sleep(1000)) {
		const answer = await freshFetch(`${baseUrl}/rest/settings`).catch(() => undefined);
		if (answer?.headers.get('content-type')?.includes('json') && answer.ok) return;
	}
	throw new Error(`n8n does not answer at ${baseUrl}.`);
}

/** A buy with a Reference and a Register, executed twice: the sandbox has it once. */
async function check() {
	const reference = `compose-${Date.now()}`;
	const { id } = await rest.post<{ id: string }>('/workflows', {
		name: reference,
		active: false,
		settings: { executionOrder: 'v1' },
		nodes: [
			{
				id: 'start',
				name: 'Start',
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			{
				id: 'buy',
				name: 'Buy',
				type: `${packageName}.stablecoinRamp`,
				typeVersion: 1,
				position: [220, 0],
				credentials: {
					stablecoinRampApi: {
						id: await pointCredentialAt(rest, sandbox),
						name: 'Stablecoin Ramp account',
					},
				},
				parameters: {
					resource: 'transaction',
					operation: 'buy',
					amount: 15000,
					vendorSource: 'live',
					vendor: { __rl: true, mode: 'id', value: '0011223344' },
					bankName: 'Demo Payer Bank',
					accountNumber: '0123456789',
					accountName: 'Ada Example',
					reference,
					options: { register: 'Register of the check' },
				},
			},
		],
		connections: { Start: { main: [[{ node: 'Buy', type: 'main', index: 0 }]] } },
	});
	const ended = [await run(id), await run(id)];
	const answer = await freshFetch(`${sandbox.baseUrl}/_sandbox/transactions`);
	const accepted = ((await answer.json()) as Array<{ reference: string }>).filter(
		(one) => one.reference === reference,
	);
	const found = `executions: ${ended.join(', ')}; accepted by the sandbox: ${accepted.length}`;
	if (found !== 'executions: success, error; accepted by the sandbox: 1') throw new Error(found);
	console.log(`A buy was accepted once, and refused the second time (${found}).`);
}

/** How the execution has ended. */
async function run(workflowId: string): Promise<string> {
	const { executionId } = await rest.post<{ executionId: string }>(`/workflows/${workflowId}/run`, {
		triggerToStartFrom: { name: 'Start' },
		workflowData: await rest.get(`/workflows/${workflowId}`),
	});
	for (const began = Date.now(); Date.now() - began < 60_000; await sleep(500)) {
		const { status } = await rest.get<{ status: string }>(`/executions/${executionId}`);
		if (!['new', 'running'].includes(status)) return status;
	}
	return 'without an end';
}

try {
	await main();
} catch (reason) {
	console.error(reason instanceof Error ? reason.message : reason);
	process.exitCode = 1;
}
