import type { IExecuteFunctions } from 'n8n-workflow';

import { asTimeout } from '../../../client/values';
import type { RequestOptions } from '../../../client/sendRequest';
import { ok, refuse, type Read } from '../../../client/refusal';
import { longestRequest } from './memory/lease';
import { readCollection } from './readItem';

const oneMinute = 60_000;

interface Given {
	requestOptions: RequestOptions;
	/** Whether Batching is set. */
	batching: boolean;
}

/** n8n adds Request Options to every declarative node. Its engine reads them; for buys and sells it is done here. */
export function readRequestOptions(context: IExecuteFunctions): Read<Given> {
	const given = readCollection(context, 'requestOptions');
	if (!given.ok) return given;
	const { timeout, proxy, allowUnauthorizedCerts, batching } = given.value;
	const milliseconds = asTimeout(
		timeout,
		oneMinute,
		longestRequest,
		' (four minutes): after that another run may take the transaction over',
	);
	if (!milliseconds.ok) return milliseconds;
	const options: RequestOptions = {
		timeout: milliseconds.value,
		skipSslCertificateValidation: allowUnauthorizedCerts === true,
	};
	if (isFilled(proxy)) {
		options.proxy = proxyAt(proxy);
		if (!options.proxy) {
			return refuse(
				"'Proxy' in Request Options is not an http or https address",
				"Write 'Proxy' under Request Options in Settings in full, e.g. http://myproxy:3128, and a % in its name or password as %25",
			);
		}
	}
	return ok({ requestOptions: options, batching: batching !== undefined });
}

const isFilled = (value: unknown) =>
	typeof value === 'string' ? value.trim() !== '' : value !== undefined && value !== null;

const usualPorts = new Map([
	['http', 80],
	['https', 443],
]);

function proxyAt(address: unknown): RequestOptions['proxy'] {
	if (typeof address !== 'string' || !URL.canParse(address.trim())) return undefined;
	const url = new URL(address.trim());
	const protocol = url.protocol.replace(/:$/, '');
	const usualPort = usualPorts.get(protocol);
	if (!usualPort) return undefined;
	try {
		const username = decodeURIComponent(url.username);
		const password = decodeURIComponent(url.password);
		return {
			host: url.hostname,
			port: Number(url.port) || usualPort,
			protocol,
			...(username && { auth: { username, password } }),
		};
	} catch {
		return undefined;
	}
}
