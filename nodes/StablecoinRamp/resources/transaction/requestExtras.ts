import type { IExecuteFunctions } from 'n8n-workflow';

import type { RequestExtras } from '../../ask';
import { asNumber } from '../../checks/number';
import { quote, refuse, type Refusal } from '../../checks/verdict';
import { readCollection } from './readItem';

const oneMinute = 60_000;

// Beyond this a timer of Node fires at once.
const longestTimeout = 2 ** 31 - 1;

/** n8n adds Request Options to every declarative node; its own engine is what reads them, so here they are read again. */
export function requestExtras(
	context: IExecuteFunctions,
): { ok: true; extras: RequestExtras; batching: boolean } | Refusal {
	const options = readCollection(context, 'requestOptions');
	if (!options.ok) return options;
	const { timeout, proxy, allowUnauthorizedCerts, batching } = options.values;
	const milliseconds = asNumber(timeout || oneMinute);
	if (!(milliseconds >= 1 && milliseconds <= longestTimeout)) {
		return refuse(
			`Timeout in Request Options is ${quote(timeout)}`,
			'Set Timeout to a number of milliseconds, e.g. 60000, or take it out',
		);
	}
	const extras: RequestExtras = {
		timeout: milliseconds,
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
