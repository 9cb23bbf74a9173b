import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Ports that systems do not hand out by themselves: n8n takes seconds to open one, and it must still be free then. */
const lowest = 10_000;
const highest = 32_000;

/** The port that is free now: the one asked for, or any when 0 is asked for. */
export async function freePort(port = 0): Promise<number | undefined> {
	if (port !== 0) return (await isFree(port)) ? port : undefined;
	for (let tries = 0; tries < 100; tries++) {
		const any = randomInt(lowest, highest);
		if (await isFree(any)) return any;
	}
	return undefined;
}

async function isFree(port: number): Promise<boolean> {
	const server = createServer();
	return await new Promise((resolve) => {
		server.once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}
