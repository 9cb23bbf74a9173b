// What Node really says where a connection is not made or does not last, and what is told of it.
import { createServer as createPlain, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTls, TLSSocket, type TlsOptions } from 'node:tls';
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
async function sellTo(server: Server, protocol = 'https') {
	const sockets = new Set<Socket>();
	server.on('connection', (socket: Socket) => void sockets.add(socket.on('error', () => {})));
	server.on('tlsClientError', () => {});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	opened.add(server);
	const baseUrl = `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const ran = await submit(
		'sell',
		{ requestOptions: { allowUnauthorizedCerts: true, timeout: 3000 } },
		{ credentials: { ...credentialsFor(sandbox), baseUrl }, node: goingOn },
	);
	for (const socket of sockets) socket.destroy();
	return { outcome: toldBy(ran)[0]!.outcome, message: ran.json[0]!.error };
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
	expect(await sellTo(server())).toMatchObject({ outcome: 'notSent' });
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
	expect(await sellTo(server())).toMatchObject({ outcome: 'unknown' });
});

const notRead = {
	outcome: 'unknown',
	message:
		'It is not known whether the sell was accepted. The answer of the service could not be read',
};
const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

it.each([
	['two lengths', `${head}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`],
	['a header without an end', `${head}x: ${'a'.repeat(100_000)}\r\ncontent-length: 2\r\n\r\n{}`],
	['no header', '{"status":"success"}'],
	['no status', 'HTTP/1.1 abc\r\n\r\n'],
])('an answer with %s is said to have come', async (_, answer) => {
	const server = createPlain((socket) => socket.once('data', () => socket.end(answer)));
	expect(await sellTo(server, 'http')).toEqual(notRead);
});

it.each(['TLSv1.2', 'TLSv1.3'] as const)(
	'an answer that leaves %s is said to have come',
	async (maxVersion) => {
		const server = createPlain((raw) => {
			const options = { ...own, isServer: true, maxVersion };
			const socket = new TLSSocket(raw, options).on('error', () => {});
			socket.once('data', () => raw.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
		});
		expect(await sellTo(server)).toEqual(notRead);
	},
);
