import axios, { type AxiosResponse } from 'axios';

import { operations, type OperationName } from '../../sandbox/contract.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.mts';
import { buyBody, sellBody } from '../support/transactions.mts';

/** Gives a sandbox of its own to one test, and closes it whatever happens. */
export async function withSandbox(
	options: SandboxOptions,
	use: (sandbox: Sandbox) => Promise<void>,
): Promise<void> {
	const sandbox = await startSandbox(options);
	try {
		await use(sandbox);
	} finally {
		await sandbox.close();
	}
}

const bodies: Partial<Record<OperationName, object>> = { buy: buyBody, sell: sellBody };

export function operationNamed(name: OperationName) {
	const found = operations.find((operation) => operation.name === name);
	if (!found) throw new Error(`The contract has no operation ${name}.`);
	return found;
}

export interface Sent {
	/** Instead of a body that the sandbox accepts. */
	body?: unknown;
	/** Instead of the right key; null sends none. */
	key?: string | null;
	signal?: AbortSignal;
}

/** Takes every answer as it is: no status is an exception, no redirect is followed. */
export const http = axios.create({ validateStatus: null, maxRedirects: 0, proxy: false });

/** A request that the sandbox accepts, but for what is said. */
export function send(
	sandbox: Sandbox,
	name: OperationName,
	sent: Sent = {},
): Promise<AxiosResponse> {
	const { method, path, host } = operationNamed(name);
	const { body = bodies[name], key = sandbox.secretKey, signal } = sent;
	return http.request({
		method,
		url: path,
		baseURL: host === 'otc' ? sandbox.otcBaseUrl : sandbox.baseUrl,
		signal,
		headers: {
			accept: 'application/json',
			'content-type': 'application/json',
			...(key !== null && { [sandbox.headerName]: key }),
		},
		data: typeof body === 'string' ? body : JSON.stringify(body),
	});
}

/** The body of an answer, in the shape that the test goes on to check. */
export const json = async <Shape,>(answer: Promise<AxiosResponse>) => (await answer).data as Shape;

export const admin = (sandbox: Sandbox, method: string, path: string, body?: unknown) =>
	http.request({
		method,
		url: `${sandbox.baseUrl}/_sandbox/${path}`,
		data: body,
		// Where there is no body, axios would call it a form.
		headers: { 'content-type': body !== undefined && 'application/json' },
	});
