import { NodeApiError, type INode, type JsonObject } from 'n8n-workflow';

import type { Read, Words } from './refusal';

/** Made of words alone: what n8n's request helper throws carries the request with its key. */
export function apiError(
	node: INode,
	{ message, description }: Words,
	{ itemIndex, httpCode }: { itemIndex?: number; httpCode?: string } = {},
): NodeApiError {
	const words: JsonObject = { message, description };
	return new NodeApiError(node, words, { message, description, itemIndex, httpCode });
}

/** The value that was read, or an error in the words of the refusal. */
export function expectOk<T>(node: INode, read: Read<T>): T {
	if (read.ok) return read.value;
	throw apiError(node, read);
}
