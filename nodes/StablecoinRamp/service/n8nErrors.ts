import { NodeApiError, type IDataObject, type INode, type JsonObject } from 'n8n-workflow';

import type { Words } from '../checks/verdict';

/** Made of words alone: what n8n's request helper throws carries the request with its key. */
export function apiError(
	node: INode,
	{ message, description }: Words,
	{ itemIndex, httpCode }: { itemIndex?: number; httpCode?: string } = {},
): NodeApiError {
	const words: JsonObject = { message, description };
	return new NodeApiError(node, words, { message, description, itemIndex, httpCode });
}

/**
 * What stands in an item that did not work out and did not stop the run. n8n sends an item to the error output by
 * these three keys alone; an item with an `error` of its own would lose everything in it but the message.
 */
export const setbackJson = (
	{ message, description }: { message: string; description?: string | null },
	details: IDataObject,
): IDataObject => ({ error: message, message: description ?? '', details });
