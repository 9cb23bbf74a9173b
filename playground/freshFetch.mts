export interface FreshInit extends RequestInit {
	headers?: Record<string, string>;
}

/** Over a connection of its own: a busy n8n closes a kept one just when it is used again. */
export const freshFetch = async (
	url: string,
	{ headers, ...init }: FreshInit = {},
): Promise<Response> =>
	// eslint-disable-next-line no-restricted-globals
	await fetch(url, { ...init, headers: { ...headers, connection: 'close' } });
