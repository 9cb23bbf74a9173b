import { NodeApiError, type INode, type JsonObject } from 'n8n-workflow';

import type { Refusal, Words } from './refusal';

/** Made of words alone: what n8n's request helper throws carries the request with its key. */
export function apiError(
	node: INode,
	{ message, description }: Words,
	{ itemIndex, httpCode }: { itemIndex?: number; httpCode?: string } = {},
): NodeApiError {
	const words: JsonObject = { message, description };
	return new NodeApiError(node, words, { message, description, itemIndex, httpCode });
}

export function expectOk<T extends { ok: true }>(node: INode, read: T | Refusal): T {
	if (read.ok) return read;
	throw apiError(node, read);
}
