import {
	createServer,
	request as forward,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import type { Certificate } from './certificate.ts';

export interface Seen {
	method: string;
	url: string;
	headers: IncomingHttpHeaders;
}

export interface Answer {
	status?: number;
	headers?: Record<string, string>;
	/** Text as it is, anything else as JSON. */
	body?: unknown;
}

export interface OtherServer {
	url: string;
	seen: Seen[];
	close(): Promise<void>;
}

const servers = new Set<OtherServer>();

/** Stops every server that a test has started and left running. */
export async function closeServers(): Promise<void> {
	await Promise.all([...servers].map(async (server) => await server.close()));
}

/** A server that answers as it is told, for what the sandbox rightly never says. */
export const startServer = async (
	answer: (seen: Seen) => Answer,
	certificate?: Certificate,
): Promise<OtherServer> =>
	await listen((request, response, seen) => {
		const { status = 200, headers = {}, body = '' } = answer(seen);
		const isText = typeof body === 'string';
		const type = isText ? 'text/html' : 'application/json';
		request.resume();
		response.writeHead(status, { 'content-type': type, ...headers });
		response.end(isText ? body : JSON.stringify(body));
	}, certificate);

/** Takes every request and never answers. */
export const startSilentServer = async (): Promise<OtherServer> =>
	await listen((request) => request.resume());

/** Forwards plain http to where it was meant to go. */
export const startProxy = async (): Promise<OtherServer> =>
	await listen((request, response, { method, url, headers }) => {
		const onward = forward(url, { method, headers }, (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		request.pipe(onward);
	});

type Handle = (request: IncomingMessage, response: ServerResponse, seen: Seen) => void;

async function listen(handle: Handle, certificate?: Certificate): Promise<OtherServer> {
	const seen: Seen[] = [];
	const see = (request: IncomingMessage, response: ServerResponse) => {
		const { method = '', url = '', headers } = request;
		seen.push({ method, url, headers });
		handle(request, response, { method, url, headers });
	};
	const server = certificate ? createTlsServer(certificate, see) : createServer(see);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const started: OtherServer = {
		url: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`,
		seen,
		close: async () => {
			servers.delete(started);
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	servers.add(started);
	return started;
}
