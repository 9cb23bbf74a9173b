import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a server on this machine that can be shut, while the server lives on with all it knows. */
export interface Door {
	url: string;
	/** Breaks off every connection and takes no more, as a service that is gone. */
	shut(): Promise<void>;
	open(): Promise<void>;
}

export async function openDoor(port: number): Promise<Door> {
	const passing = new Set<Socket>();
	const server = createServer((outside) => {
		const inside = connect(port, '127.0.0.1');
		for (const [from, to] of [
			[outside, inside],
			[inside, outside],
		] as const) {
			passing.add(from);
			from.pipe(to);
			from.on('error', () => to.destroy()).on('close', () => passing.delete(from));
		}
	});
	const listen = async (on: number) => {
		server.listen(on, '127.0.0.1');
		await once(server, 'listening');
	};
	await listen(0);
	const own = (server.address() as AddressInfo).port;
	return {
		url: `http://127.0.0.1:${own}`,
		shut: async () => {
			const closed = once(server, 'close');
			server.close();
			for (const socket of passing) socket.resetAndDestroy();
			await closed;
		},
		open: async () => await listen(own),
	};
}
