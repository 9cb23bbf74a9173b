import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** The port that is free now: the one asked for, or any when 0 is asked for. */
export async function freePort(port = 0): Promise<number | undefined> {
	const server = createServer();
	return await new Promise((resolve) => {
		server.once('error', () => resolve(undefined));
		server.listen(port, '127.0.0.1', () => {
			const { port: taken } = server.address() as AddressInfo;
			server.close(() => resolve(taken));
		});
	});
}
