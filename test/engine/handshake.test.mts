// What Node really says where a connection is not made or does not last, and what is told of it.
import { createServer as createPlain, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTls, type TlsOptions } from 'node:tls';
import { generate } from 'selfsigned';

import { credentialsFor } from '../support/engine/engine.mts';
import { goingOn, useSubmitting } from '../support/engine/submitting.mts';
import { toldBy } from '../support/told.mts';

const { sandbox, submit } = useSubmitting();

const opened = new Set<Server>();
afterEach(() => {
	for (const server of opened) server.close();
	opened.clear();
});

/** Sells to a server that takes part in a handshake, or not. */
async function sellTo(server: Server) {
	const sockets = new Set<Socket>();
	server.on('connection', (socket: Socket) => void sockets.add(socket.on('error', () => {})));
	server.on('tlsClientError', () => {});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	opened.add(server);
	const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const ran = await submit(
		'sell',
		{ requestOptions: { allowUnauthorizedCerts: true, timeout: 3000 } },
		{ credentials: { ...credentialsFor(sandbox), baseUrl }, node: goingOn },
	);
	for (const socket of sockets) socket.destroy();
	return toldBy(ran)[0]!.outcome;
}

let own: { key: string; cert: string };
beforeAll(async () => {
	const name = [{ name: 'commonName', value: '127.0.0.1' }];
	const { private: key, cert } = await generate(name, { keySize: 2048 });
	own = { key, cert };
});
const tls = (different: TlsOptions, onConnection: (socket: Socket) => void = () => {}) =>
	createTls({ ...own, ...different }, (socket) => onConnection(socket.on('error', () => {})));

it.each<[string, () => Server]>([
	[
		'speaks no TLS',
		() =>
			createPlain((socket) =>
				socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
			),
	],
	[
		'hangs up in the handshake',
		() => createPlain((socket) => socket.once('data', () => socket.end())),
	],
	[
		'speaks an old TLS alone',
		() => tls({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' }),
	],
	[
		'has no cipher in common',
		() => tls({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' }),
	],
])('nothing has left for a service that %s', async (_, server) => {
	expect(await sellTo(server())).toBe('notSent');
});

it.each<[string, () => Server]>([
	['hangs up after the handshake', () => tls({}, (socket) => socket.destroy())],
	[
		'hangs up when it has the request',
		() => tls({}, (socket) => socket.once('data', () => socket.destroy())),
	],
	[
		'asks for a certificate after the handshake',
		() => tls({ requestCert: true, rejectUnauthorized: true }),
	],
	['never answers', () => tls({})],
])('something may have left for a service that %s', async (_, server) => {
	expect(await sellTo(server())).toBe('unknown');
});
