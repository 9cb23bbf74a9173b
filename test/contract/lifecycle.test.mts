import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { execa, type Subprocess } from 'execa';

import { randomWalk } from '../../sandbox/walk.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { until } from '../support/waiting.mts';
import { http, json, send, withSandbox } from './client.mts';

const main = join(__dirname, '../../sandbox/main.mts');

const started = new Set<Subprocess>();
afterAll(() => {
	for (const child of started) child.kill();
});

/** Starts the command; `says` resolves once its output has this. */
function command(nodeOptions: string[], ...args: string[]) {
	const child = execa(process.execPath, [...nodeOptions, main, ...args], {
		all: true,
		reject: false,
	});
	started.add(child);
	let output = '';
	child.all.on('data', (data) => (output += String(data)));
	const says = (wanted: RegExp) =>
		new Promise<string>((resolve, reject) => {
			const look = () => wanted.test(output) && resolve(output);
			child.all.on('data', look);
			void child.then(() => (wanted.test(output) ? resolve(output) : reject(Error(output))));
			look();
		});
	return { child, says };
}

const freePorts = ['--port', '0', '--otc-port', '0'];

describe('the command', () => {
	it('is ready before Node itself could have started forty times', async () => {
		// Not by the clock: other work on the machine is not the sandbox's slowness.
		const report = 'process.on("exit", () => console.log("cpu", process.cpuUsage()))';
		const used = (output: string) => {
			const [, user, system] = /cpu { user: (\d+), system: (\d+) }/.exec(output) ?? [];
			return Number(user) + Number(system);
		};
		const { child, says } = command(['--import', `data:text/javascript,${report}`], ...freePorts);
		await says(/Stop with/);
		child.kill('SIGTERM');
		const ready = used(await says(/cpu .+}/));
		const alone = used((await execa(process.execPath, ['-e', report])).stdout);
		expect(ready).toBeLessThan(40 * alone);
	});

	it('says a line for each request, and stops when told', async () => {
		const { child, says } = command([], ...freePorts);
		const otc = /^OTC Base URL: +(.+)$/m.exec(await says(/Stop with/))?.[1];
		await http.get(`${otc}/otc/buy`);
		await says(/^otc GET \/otc\/buy: 401, \d+ ms$/m);
		child.kill('SIGTERM');
		expect(await child).toMatchObject({ exitCode: 0 });
	});

	it('names the way out when a port is taken', async () => {
		const taken = createServer().listen(0, '127.0.0.1');
		await once(taken, 'listening');
		const port = String((taken.address() as AddressInfo).port);
		const { child, says } = command([], '--port', '0', '--otc-port', port);
		expect(await says(/--otc-port/)).toContain('Something else listens on one of the two ports.');
		expect(await child).toMatchObject({ exitCode: 1 });
		taken.close();
	});

	it.each([
		['127.0.0.1', '127.0.0.1'],
		['::1', '[::1]'],
	])('listens on %s and has no warning for it', async (host, inUrl) => {
		const { child, says } = command([], ...freePorts, '--host', host);
		const said = await says(/Stop with/);
		const base = /^Base URL: +(.+)$/m.exec(said)?.[1] ?? '';
		expect(base).toContain(`http://${inUrl}:`);
		expect((await fetch(`${base}/_sandbox/health`)).status).toBe(200);
		expect(said).not.toMatch(/Docker|network/);
		child.kill();
	});

	it('listens beyond this machine when told, with a warning and the addresses for Docker', async () => {
		const outside = Object.values(networkInterfaces())
			.flat()
			.find((one) => one?.family === 'IPv4' && !one.internal)?.address;
		const { child, says } = command([], ...freePorts, '--host', '0.0.0.0');
		const said = await says(/Stop with/);
		const port = (label: string) =>
			new RegExp(`^${label}: +http://127\\.0\\.0\\.1:(\\d+)$`, 'm').exec(said)?.[1];
		expect(said).toContain(
			`Base URL http://host.docker.internal:${port('Base URL')}, OTC Base URL http://host.docker.internal:${port('OTC Base URL')}\n`,
		);
		expect(said).toMatch(/^Everybody in your network can reach this sandbox/m);
		for (const address of ['127.0.0.1', ...(outside ? [outside] : [])]) {
			const health = await fetch(`http://${address}:${port('Base URL')}/_sandbox/health`);
			expect([address, health.status]).toEqual([address, 200]);
		}
		child.kill();
	});

	it.each([['--port', 'x'], ['--seed=-1'], ['--nonsense']])(
		'explains itself to %s %s',
		async (...args) => {
			const { says } = command([], ...args);
			expect(await says(/npm run sandbox/)).toContain('--seed <number>');
		},
	);
});

describe('the library', () => {
	it('listens on this machine alone, on two free ports', () =>
		withSandbox({}, async ({ baseUrl, otcBaseUrl }) => {
			const [base, otc] = [new URL(baseUrl), new URL(otcBaseUrl)];
			expect([base.hostname, otc.hostname]).toEqual(['127.0.0.1', '127.0.0.1']);
			expect(base.port).not.toBe(otc.port);
		}));

	it('drops open connections at once when it is closed', () =>
		withSandbox({}, async (sandbox) => {
			// Far longer than a test may take: what is not dropped keeps the sandbox from closing.
			sandbox.fault({ kind: 'delay', delayMs: 3_600_000 });
			const waiting = send(sandbox, 'buy');
			const page = await http.get<Readable>(`${sandbox.baseUrl}/_sandbox/events`, {
				responseType: 'stream',
			});
			await until(() => sandbox.transactions().length);
			const dropped = expect(waiting).rejects.toThrow('socket hang up');
			const ended = expect(text(page.data)).rejects.toThrow('aborted');
			await sandbox.close();
			await Promise.all([dropped, ended]);
			await expect(http.get(sandbox.baseUrl)).rejects.toThrow('ECONNREFUSED');
		}));

	it('refuses to start when a port is taken', () =>
		withSandbox({}, async ({ otcBaseUrl }) => {
			const otcPort = Number(new URL(otcBaseUrl).port);
			await expect(startSandbox({ otcPort })).rejects.toMatchObject({ code: 'EADDRINUSE' });
		}));

	it('moves the rates when it has a seed', () =>
		withSandbox({ seed: 7, walkIntervalMs: 5 }, async (sandbox) => {
			const usd = async () => (await json<{ USD: number }>(send(sandbox, 'otcRates'))).USD;
			const before = await usd();
			const now = await until(async () => {
				const rate = await usd();
				return rate !== before && rate;
			});
			expect(Math.abs(now / before - 1)).toBeLessThan(0.1);
		}));
});

describe('the random walk', () => {
	const steps = (seed: number) => {
		const walk = randomWalk(seed);
		const path = [{ USD: 1500, KES: 11.5 } as Record<string, number>];
		for (let n = 0; n < 50; n++) path.push(walk(path.at(-1) ?? {}));
		return path;
	};

	it('takes the same steps for the same seed, and others for another', () => {
		expect(steps(7)).toEqual(steps(7));
		expect(steps(7)).not.toEqual(steps(8));
	});

	it('moves a rate by at most half a percent and the rounding', () => {
		const path = steps(1);
		path.slice(1).forEach((rates, index) => {
			const before = path[index]?.USD ?? 0;
			expect(Math.abs((rates.USD ?? 0) - before)).toBeLessThanOrEqual(before * 0.005 + 0.005);
		});
	});
});
