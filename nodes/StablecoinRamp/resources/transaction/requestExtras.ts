import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { RequestExtras } from '../../ask';
import { refuse, type Refusal } from '../../checks/verdict';

const oneMinute = 60_000;

/** n8n adds Request Options to every declarative node; its own engine is what reads them, so here they are read again. */
export function requestExtras(
	context: IExecuteFunctions,
): { ok: true; extras: RequestExtras; batching: boolean } | Refusal {
	const { timeout, proxy, allowUnauthorizedCerts, batching } = context.getNodeParameter(
		'requestOptions',
		0,
		{},
	) as IDataObject;
	const extras: RequestExtras = {
		timeout: Number(timeout) || oneMinute,
		skipSslCertificateValidation: allowUnauthorizedCerts === true,
	};
	if (typeof proxy === 'string' && proxy.trim() !== '') {
		const url = URL.canParse(proxy.trim()) ? new URL(proxy.trim()) : undefined;
		if (!url?.hostname) {
			return refuse(
				'The Proxy in Request Options is not a web address',
				'Write Proxy in full, e.g. http://myproxy:3128',
			);
		}
		const protocol = url.protocol.replace(/:$/, '');
		extras.proxy = {
			host: url.hostname,
			port: Number(url.port) || (protocol === 'https' ? 443 : 80),
			protocol,
			...(url.username && {
				auth: {
					username: decodeURIComponent(url.username),
					password: decodeURIComponent(url.password),
				},
			}),
		};
	}
	return { ok: true, extras, batching: batching !== undefined };
}
