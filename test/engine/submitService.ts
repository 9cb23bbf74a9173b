import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

interface Answer {
	status?: number;
	/** Text as it is, anything else as JSON. */
	body?: unknown;
}

export interface ScriptedService {
	credentials: ICredentialDataDecryptedObject;
	/** The bodies that came in, in order. */
	received: IDataObject[];
	/** How many requests were waiting for their answer at the same time, at most. */
	mostAtOnce(): number;
	close(): Promise<void>;
}

/** A service that says what the test wants it to say, for answers that the sandbox never gives. */
export async function startService(
	answer: (body: IDataObject, index: number) => Answer | Promise<Answer>,
): Promise<ScriptedService> {
	const received: IDataObject[] = [];
	let waiting = 0;
	let most = 0;
	const server = createServer(async (request, response) => {
		const body = (await json(request)) as IDataObject;
		most = Math.max(most, ++waiting);
		const index = received.push(body) - 1;
		const { status = 200, body: said = { status: 'success' } } = await answer(body, index);
		waiting--;
		const isText = typeof said === 'string';
		response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json' });
		response.end(isText ? said : JSON.stringify(said));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		credentials: {
			secretKey: 'scripted-secret-key',
			baseUrl: `http://127.0.0.1:${port}`,
			otcBaseUrl: '',
			businessId: 'BUSINESS-1',
			linkTag: 'business-one',
			headerName: 'svc-sec-key',
		},
		received,
		mostAtOnce: () => most,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
