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

/**
 * Text where the editor takes it for HTML, and what is between backticks for code: the description of an error, and a
 * hint. Not the message of an error, and nothing in an item.
 */
export const asHtml = (text: string): string =>
	text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('`', '&#96;')
		.replace(/ (?= )/g, '&nbsp;');

/** What was thrown, on its way to the editor. It stays as it was itself: all items of a run may have the same. */
export function forTheEditor(node: INode, thrown: unknown, itemIndex?: number): unknown {
	if (!(thrown instanceof NodeApiError)) return thrown;
	const { message, description, httpCode } = thrown;
	const html = asHtml(description ?? '');
	return apiError(
		node,
		{ message, description: html },
		{ itemIndex, httpCode: httpCode ?? undefined },
	);
}

/** The value that was read, or an error in the words of the refusal. */
export function expectOk<T>(node: INode, read: Read<T>): T {
	if (read.ok) return read.value;
	throw apiError(node, read);
}
