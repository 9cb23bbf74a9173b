import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Asked {
	messages: Array<{ role: string; content: string }>;
	tools: Array<{ function: { name: string; parameters: { properties?: object } } }>;
}

export interface Model {
	baseUrl: string;
	close(): void;
}

/**
 * Stands for a chat model that somebody else runs, behind the interface most of them share. It calls
 * one tool with the given arguments, then answers with what the tool returned.
 */
export async function startModel(tool: string, args: object): Promise<Model> {
	const server = createServer((request, response) => {
		void text(request).then((body) => {
			const { messages, tools } = JSON.parse(body) as Asked;
			const last = messages.at(-1);
			const called = tools.find(({ function: { name } }) => name === tool)?.function;
			// n8n's human review wraps the arguments of the tool behind it
			const isReviewed = 'toolParameters' in (called?.parameters.properties ?? {});
			const given = JSON.stringify(
				isReviewed ? { toolParameters: args, hitlParameters: {} } : args,
			);
			const message =
				last?.role === 'tool'
					? { content: last.content }
					: {
							tool_calls: [
								{ id: 'call', type: 'function', function: { name: tool, arguments: given } },
							],
						};
			response.setHeader('content-type', 'application/json');
			response.end(
				JSON.stringify({
					id: 'completion',
					object: 'chat.completion',
					created: 0,
					model: 'stand-in',
					choices: [
						{
							index: 0,
							message: { role: 'assistant', content: null, ...message },
							finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop',
						},
					],
					usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
				}),
			);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}/v1`,
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}
