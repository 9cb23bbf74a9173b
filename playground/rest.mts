import { setTimeout as sleep } from 'node:timers/promises';

import { freshFetch } from './freshFetch.mts';

/** n8n's own interface, as its editor uses it. */
export interface Rest {
	get<T>(path: string): Promise<T>;
	post<T>(path: string, body?: unknown): Promise<T>;
	patch<T>(path: string, body: unknown): Promise<T>;
	delete<T>(path: string): Promise<T>;
	login(email: string, password: string): Promise<void>;
	/** The session's cookie, for those who speak to n8n in another way (a browser, fetch). */
	cookie(): string;
}

export function restClient(baseUrl: string): Rest {
	let cookie = '';

	async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
		const send = async () =>
			await freshFetch(`${baseUrl}/rest${path}`, {
				method,
				headers: { cookie, 'content-type': 'application/json' },
				body: body === undefined ? undefined : JSON.stringify(body),
			});
		const response = await (canBeRepeated(method, path) ? patiently(send) : send());
		const renewed = response.headers.getSetCookie().find((one) => one.startsWith('n8n-auth='));
		if (renewed) cookie = renewed.split(';')[0] ?? '';
		const text = await response.text();
		const answer = parse(text);
		if (!response.ok) throw new Error(`${method} /rest${path}: ${response.status} ${text}`);
		return (isRecord(answer) && 'data' in answer ? answer.data : answer) as T;
	}

	return {
		get: (path) => request('GET', path),
		post: (path, body = {}) => request('POST', path, body),
		patch: (path, body) => request('PATCH', path, body),
		delete: (path) => request('DELETE', path),
		async login(email, password) {
			await request('POST', '/login', { emailOrLdapLoginId: email, password });
		},
		cookie: () => cookie,
	};
}

function canBeRepeated(method: string, path: string): boolean {
	return method === 'GET' || path === '/login' || path === '/owner/setup';
}

/** A busy n8n answers 503 when it could not look after its database for a while. */
async function patiently(send: () => Promise<Response>): Promise<Response> {
	for (let tries = 1; ; tries++) {
		const response = await send();
		if (response.status !== 503 || tries === 60) return response;
		await sleep(500);
	}
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}
