import type { IDataObject } from 'n8n-workflow';

export interface Answer {
	statusCode: number;
	body: unknown;
	/** For how long the service asks to wait before the next request, in milliseconds. */
	retryAfter?: number;
}

/** What the service answered, or why there was no answer. */
export type Reply = Answer | { code?: string; syscall?: string; detail: string };

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

/** Retry-After of a reply: a number of seconds, or a date. */
export function readRetryAfter(header: unknown, now = Date.now()): number | undefined {
	if (typeof header !== 'string' || header.trim() === '') return undefined;
	const wait = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
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
		return JSON.parse(body, exact) as unknown;
	} catch {
		return body;
	}
}

/** Node tells what was written from version 21 on. */
const exact = (_: string, value: unknown, { source = '' }: { source?: string } = {}) =>
	typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) && source
		? source
		: value;
