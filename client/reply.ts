import type { IDataObject } from 'n8n-workflow';

export interface Answer {
	statusCode: number;
	body: unknown;
	/** For how long the service asks to wait before the next request, in milliseconds. */
	retryAfter?: number;
}

interface NoAnswer {
	/** The first that Node, axios or n8n gave, and what was being done. */
	code?: string;
	syscall?: string;
	/** Name and message of what was thrown, and of all that caused it. */
	causes?: string[];
	detail: string;
}

/** What the service answered, or why there was no answer. */
export type Reply = Answer | NoAnswer;

export const isAnswer = (reply: Reply): reply is Answer => 'statusCode' in reply;

export const isSuccess = (reply: Reply): reply is Answer =>
	isAnswer(reply) && reply.statusCode >= 200 && reply.statusCode <= 299;

/** A connection was made, and no request went over it. */
export const certificateCodes = [
	'CERT_HAS_EXPIRED',
	'CERT_NOT_YET_VALID',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'ERR_TLS_CERT_ALTNAME_INVALID',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

const neverConnected = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	...certificateCodes,
]);

/** n8n itself does not let a request out to such an address. */
const blockedByN8n = /^SsrfBlocked(Ip|Hostname)Error:/;

/** What Node says while the handshake goes on. After it, the same faults have other names. */
const inHandshake = new Map([
	['ECONNRESET', /before secure TLS connection was established/],
	[
		'EPROTO',
		/alert handshake failure|alert protocol version|:tls_validate_record_header:wrong version number/,
	],
]);

/** Whether something of the request may have left. */
export function mayHaveLeft({ code = '', syscall = '', causes = [] }: NoAnswer): boolean {
	const isHandshake = causes.some((cause) => inHandshake.get(code)?.test(cause));
	if (isHandshake || causes.some((cause) => blockedByN8n.test(cause))) return false;
	// A host can also get lost to a connection that is in use: then the request is on its way.
	return !neverConnected.has(code) || ['read', 'write'].includes(syscall);
}

/** Retry-After of a reply: a number of seconds, or a date. */
export function readRetryAfter(header: unknown, now = Date.now()): number | undefined {
	if (typeof header !== 'string' || header.trim() === '') return undefined;
	if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
	// Anything else would be taken for some date too: -1 for the year 2001.
	const wait = /^[A-Z][a-z]{2}, .* GMT$/.test(header.trim()) ? Date.parse(header) - now : NaN;
	return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

export const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

export const isHtml = (text: string) => /^\s*<(!doctype|html|head|body)/i.test(text);

/** What a body that could not be used was, in a few words. */
export function describeBody(body: unknown): string {
	if (body === undefined || body === null) return 'null';
	if (typeof body === 'string') {
		if (body.trim() === '') return 'an empty body';
		return isHtml(body) ? 'an HTML page' : 'text that is not JSON';
	}
	if (Array.isArray(body)) return 'a list';
	return typeof body === 'object' ? 'an object of another shape' : `a ${typeof body}`;
}

/** The JSON in an answer, or its text where it is none. A number with more digits than JavaScript keeps stays a text. */
export function parseBody(body: unknown): unknown {
	if (typeof body !== 'string') return body;
	try {
		JSON.parse(body);
	} catch {
		return body;
	}
	return withoutDepths(JSON.parse(withLongNumbersQuoted(body)));
}

/**
 * Of valid JSON. A function given to JSON.parse could do it too, but a body that is nested deeply ends that one, sooner on
 * some machines than on others.
 */
function withLongNumbersQuoted(json: string): string {
	let isInText = false;
	return json.replace(/\\.|"|-?\d[\d.eE+-]*/g, (found) => {
		if (found === '"') isInText = !isInText;
		return !isInText && isTooLong(Number(found)) ? `"${found}"` : found;
	});
}

const isTooLong = (value: number) => Number.isInteger(value) && !Number.isSafeInteger(value);

/** No answer goes as deep. n8n walks through an item to keep it, and what goes much deeper ends the execution. */
const deepest = 100;

function withoutDepths<T>(value: T, left = deepest): T {
	if (typeof value !== 'object' || value === null) return value;
	for (const [name, one] of Object.entries(value)) {
		const isTooDeep = left === 0 && typeof one === 'object' && one !== null;
		if (isTooDeep) Object.assign(value, { [name]: '…' });
		else withoutDepths(one, left - 1);
	}
	return value;
}
