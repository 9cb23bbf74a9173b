import {
	createServer,
	request as forward,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { generate } from 'selfsigned';

export interface Seen {
	method: string;
	url: string;
	headers: IncomingHttpHeaders;
	/** What came as JSON. */
	body?: unknown;
}

export interface Answer {
	status?: number;
	headers?: Record<string, string>;
	/** Text and bytes as they are, anything else as JSON. */
	body?: unknown;
}

export interface Server {
	url: string;
	/** The requests that came in, in order. */
	seen: Seen[];
	/** How many of them waited for their answer at the same time, at most. */
	mostAtOnce(): number;
	close(): Promise<void>;
}

type Respond<Asked extends unknown[]> = (...asked: Asked) => Answer | Promise<Answer>;

const servers = new Set<Server>();

/** Stops every server that a test has started and left running. */
export async function closeServers(): Promise<void> {
	await Promise.all([...servers].map(async (server) => await server.close()));
}

/** A server that answers as it is told, for what the sandbox rightly never says. */
export const startServer = async (respond: Respond<[Seen]>): Promise<Server> =>
	await listen(answering(respond));

/** The same with a certificate that nobody has reason to trust: it is signed with its own key, made a moment ago. */
export async function startTlsServer(respond: Respond<[Seen]>): Promise<Server> {
	const name = [{ name: 'commonName', value: '127.0.0.1' }];
	const { private: key, cert } = await generate(name, { keyType: 'ec' });
	return await listen(answering(respond), { key, cert });
}

/** Takes every request and never answers. */
export const startSilentServer = async (): Promise<Server> =>
	await startServer(async () => await new Promise<never>(() => {}));

/** Begins to answer and never ends: a letter every few milliseconds, so that no pause is ever long. */
export const startTricklingServer = async (): Promise<Server> =>
	await listen((_, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		const trickle = setInterval(() => response.write(' '), 5);
		response.on('close', () => clearInterval(trickle));
	});

/** Sends everybody elsewhere, to a server that sees whether they have followed. */
export async function startRedirect(status: number): Promise<Server & { elsewhere: Server }> {
	const elsewhere = await startServer(() => ({}));
	const headers = { location: `${elsewhere.url}/stolen` };
	return { ...(await startServer(() => ({ status, headers }))), elsewhere };
}

/** Forwards plain http to where it was meant to go. */
export const startProxy = async (): Promise<Server> =>
	await listen((request, response, { method, url, headers }) => {
		const onward = forward(url, { method, headers }, (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		request.pipe(onward);
	});

export interface ScriptedService extends Server {
	credentials: ICredentialDataDecryptedObject;
	/** The bodies that came in, in order. */
	received: IDataObject[];
}

/** A service that says to each transaction what the test wants it to say, and the credentials for it. */
export async function startService(
	respond: Respond<[body: IDataObject, index: number]>,
): Promise<ScriptedService> {
	const received: IDataObject[] = [];
	const server = await startServer(async ({ body }) => {
		const index = received.push(body as IDataObject) - 1;
		return { body: { status: 'success' }, ...(await respond(received[index]!, index)) };
	});
	const credentials = {
		secretKey: 'scripted-secret-key',
		baseUrl: server.url,
		otcBaseUrl: '',
		businessId: 'BUSINESS-1',
		linkTag: 'business-one',
		headerName: 'svc-sec-key',
	};
	return { ...server, credentials, received };
}

type Handle = (
	request: IncomingMessage,
	response: ServerResponse,
	seen: Seen,
) => void | Promise<void>;

const answering =
	(respond: Respond<[Seen]>): Handle =>
	async (request, response, seen) => {
		const sent = await text(request);
		if (/json/.test(request.headers['content-type'] ?? '') && sent) seen.body = JSON.parse(sent);
		const { status = 200, headers = {}, body = '' } = await respond(seen);
		const isText = typeof body === 'string' || Buffer.isBuffer(body);
		const type = isText ? 'text/html' : 'application/json';
		response.writeHead(status, { 'content-type': type, ...headers });
		response.end(isText ? body : JSON.stringify(body));
	};

async function listen(
	handle: Handle,
	certificate?: { key: string; cert: string },
): Promise<Server> {
	const seen: Seen[] = [];
	let waiting = 0;
	let most = 0;
	const see = async (request: IncomingMessage, response: ServerResponse) => {
		const { method = '', url = '', headers } = request;
		const one: Seen = { method, url, headers };
		seen.push(one);
		most = Math.max(most, ++waiting);
		try {
			await handle(request, response, one);
		} catch {
			response.destroy();
		} finally {
			waiting--;
		}
	};
	const server = certificate ? createTlsServer(certificate, see) : createServer(see);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const started: Server = {
		url: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`,
		seen,
		mostAtOnce: () => most,
		close: async () => {
			servers.delete(started);
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	servers.add(started);
	return started;
}
