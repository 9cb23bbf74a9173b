import { freshFetch } from '../../playground/freshFetch.mts';

/** The memory that a Node process has in use after a garbage collection, asked over its inspector. */
export async function heapUsed(inspectorPort: number): Promise<number> {
	const [target] = (await (
		await freshFetch(`http://127.0.0.1:${inspectorPort}/json`)
	).json()) as Array<{
		webSocketDebuggerUrl: string;
	}>;
	const socket = new WebSocket(target!.webSocketDebuggerUrl);
	await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
	let last = 0;

	async function call(method: string, params: object = {}): Promise<unknown> {
		const id = ++last;
		const answer = new Promise<unknown>((resolve) => {
			const listen = ({ data }: MessageEvent) => {
				const message = JSON.parse(String(data)) as { id?: number; result?: unknown };
				if (message.id !== id) return;
				socket.removeEventListener('message', listen);
				resolve(message.result);
			};
			socket.addEventListener('message', listen);
		});
		socket.send(JSON.stringify({ id, method, params }));
		return await answer;
	}

	await call('HeapProfiler.enable');
	for (let round = 0; round < 3; round++) await call('HeapProfiler.collectGarbage');
	const { result } = (await call('Runtime.evaluate', {
		expression: 'process.memoryUsage().heapUsed',
	})) as { result: { value: number } };
	socket.close();
	return result.value;
}
