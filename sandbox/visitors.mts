import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';

export interface TurnedAway {
	status: number;
	words: string;
}

const thisMachine = ['localhost', '127.0.0.1', '[::1]'];
/** What nobody can register: containers and neighbours are called so. */
const privateEndings = ['.internal', '.local', '.localhost'];

/**
 * A page of another site can have its own name point at this machine, and can post to any address. Neither may read or
 * change what is here. Programs (n8n, curl) send no Origin, and use a name of ours.
 */
export function turnedAway(
	{ method = 'GET', headers }: { method?: string; headers: IncomingHttpHeaders },
	listensAt: string,
): TurnedAway | undefined {
	const { host, origin, 'sec-fetch-site': from } = headers;
	if (host !== undefined && !isOurs(nameIn(host), listensAt)) {
		return {
			status: 421,
			words: `The sandbox does not answer for the host ${host}. Use http://127.0.0.1 with its port, or the address that it was given with --host.`,
		};
	}
	if (method === 'GET' || method === 'HEAD') return undefined;
	const isFromElsewhere =
		(origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host)) ||
		(from !== undefined && from !== 'same-origin' && from !== 'none');
	if (!isFromElsewhere) return undefined;
	return {
		status: 403,
		words: `The sandbox takes nothing from pages of other sites (${origin ?? from}). Use its own page at http://${host}/, or a program that sends no Origin.`,
	};
}

function isOurs(name: string, listensAt: string): boolean {
	const own = [...thisMachine, bracketed(listensAt.toLowerCase())];
	if (own.includes(name) || privateEndings.some((ending) => name.endsWith(ending))) return true;
	// Whoever gave another --host opened it to others, who may call this machine by any address and by a short name.
	const isOpened = !thisMachine.includes(bracketed(listensAt));
	return isOpened && (isAddress(name) || !name.includes('.') || name === hostname().toLowerCase());
}

function nameIn(host: string): string {
	return host.toLowerCase().replace(/:\d*$/, '');
}

function bracketed(address: string): string {
	return isIP(address) === 6 ? `[${address}]` : address;
}

function isAddress(name: string): boolean {
	return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
}
