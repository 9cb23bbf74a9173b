import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';

export interface TurnedAway {
	status: number;
	words: string;
}

const thisMachine = ['localhost', '127.0.0.1', '[::1]'];
/** Names that no site can have: containers call their machine so. */
const privateEndings = ['.internal', '.localhost'];

/**
 * A page of another site can have its own name point at this machine, and can post to any address. Neither may read or
 * change what is here. Programs (n8n, curl) send no Origin, and use a name of ours.
 */
export function turnedAway(
	{ method = 'GET', headers }: { method?: string; headers: IncomingHttpHeaders },
	listensAt: string,
): TurnedAway | undefined {
	const { origin, 'sec-fetch-site': from } = headers;
	const host = headers.host?.toLowerCase();
	if (host !== undefined && !isOurs(host.replace(/:\d*$/, ''), listensAt)) {
		return {
			status: 421,
			words: `The sandbox does not answer for the host ${host}. Use http://127.0.0.1 with its port or, where it was started with --host, the address of its machine.`,
		};
	}
	if (method === 'GET' || method === 'HEAD') return undefined;
	// What a browser says of itself no page can change; an older one says only where it comes from.
	const isFromElsewhere =
		from === undefined
			? origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host)
			: from !== 'same-origin' && from !== 'none';
	if (!isFromElsewhere) return undefined;
	return {
		status: 403,
		words: `The sandbox takes nothing from pages of other sites (${origin ?? from}). Use its own page at http://${host}/, or a program that sends no Origin.`,
	};
}

function isOurs(name: string, listensAt: string): boolean {
	const listening = bracketed(listensAt.toLowerCase());
	if ([...thisMachine, listening].includes(name)) return true;
	if (privateEndings.some((ending) => name.endsWith(ending))) return true;
	// Whoever gave another --host opened it to others, who may call this machine by any address and by a short name.
	const isOpened = !thisMachine.includes(listening);
	const isNearby =
		!name.includes('.') || name.endsWith('.local') || name === hostname().toLowerCase();
	return isOpened && (isAddress(name) || isNearby);
}

function bracketed(address: string): string {
	return isIP(address) === 6 ? `[${address}]` : address;
}

function isAddress(name: string): boolean {
	return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
}
