import { startServer } from '../support/servers.mts';

interface Asked {
	messages: Array<{ role: string; content: string }>;
	tools: Array<{ function: { name: string; parameters: { properties?: object } } }>;
}

export interface Model {
	baseUrl: string;
	close(): Promise<void>;
}

/**
 * Stands for a chat model that somebody else runs, behind the interface most of them share. It calls
 * one tool with the given arguments, then answers with what the tool returned.
 */
export async function startModel(tool: string, args: object): Promise<Model> {
	const server = await startServer(({ body }) => {
		const { messages, tools } = body as Asked;
		const last = messages.at(-1);
		const called = tools.find(({ function: { name } }) => name === tool)?.function;
		// n8n's human review wraps the arguments of the tool behind it
		const isReviewed = 'toolParameters' in (called?.parameters.properties ?? {});
		const given = isReviewed ? { toolParameters: args, hitlParameters: {} } : args;
		const call = { name: tool, arguments: JSON.stringify(given) };
		const message =
			last?.role === 'tool'
				? { content: last.content }
				: { tool_calls: [{ id: 'call', type: 'function', function: call }] };
		const choice = {
			index: 0,
			message: { role: 'assistant', content: null, ...message },
			finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop',
		};
		return {
			body: {
				id: 'completion',
				object: 'chat.completion',
				created: 0,
				model: 'stand-in',
				choices: [choice],
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			},
		};
	});
	return { baseUrl: `${server.url}/v1`, close: server.close };
}
