import { ok, refuse, type Read } from './refusal';

export type ServiceAddress = 'baseUrl' | 'otcBaseUrl';

export const addressLabels: Record<ServiceAddress, string> = {
	baseUrl: 'Base URL',
	otcBaseUrl: 'OTC Base URL',
};

interface Address {
	url: string;
	origin: string;
}

/** This machine, and the name by which a container knows it: nothing travels over a network there. */
const hostsOfThisMachine = ['localhost', '127.0.0.1', '[::1]', 'host.docker.internal'];

export const isThisMachine = (url: string) => hostsOfThisMachine.includes(new URL(url).hostname);

export function readAddress(value: unknown, name: ServiceAddress): Read<Address> {
	const label = `'${addressLabels[name]}'`;
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') {
		return refuse(
			`The credential has no ${label}`,
			`Open the credential and fill in ${label} with the address from the service's dashboard.`,
		);
	}

	const parsed = URL.canParse(text) ? new URL(text) : undefined;
	if (!parsed || !['http:', 'https:'].includes(parsed.protocol)) {
		return refuse(
			`The ${label} in the credential is not a web address`,
			`Open the credential and enter ${label} in full, e.g. https://api.example.com.`,
		);
	}
	if (parsed.protocol === 'http:' && !hostsOfThisMachine.includes(parsed.hostname)) {
		return refuse(
			`The ${label} in the credential does not start with https`,
			`The secret key would travel unencrypted. Open the credential and change ${label} to https. Plain http is accepted only for ${hostsOfThisMachine.slice(0, -1).join(', ')} and ${hostsOfThisMachine.at(-1)}.`,
		);
	}
	if (parsed.username || parsed.password || parsed.search || parsed.hash) {
		return refuse(
			`The ${label} in the credential has more than an address in it`,
			`Open the credential and leave only the scheme, the host and the path in ${label}, e.g. https://api.example.com.`,
		);
	}
	const url = `${parsed.origin}${parsed.pathname}`.replace(/\/+$/, '');
	return ok({ url, origin: parsed.origin });
}

// As axios sees it: //host goes to that host, whatever the base.
const standsAlone = /^([a-z][a-z\d+.-]*:)?\/\//i;

/** The full address a request would go to, whichever of n8n's request shapes it comes in. */
export function requestTarget(request: {
	url?: unknown;
	uri?: unknown;
	baseURL?: unknown;
}): string {
	const path = String(request.url ?? request.uri ?? '');
	if (standsAlone.test(path) || typeof request.baseURL !== 'string') return path;
	return `${request.baseURL.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
}
