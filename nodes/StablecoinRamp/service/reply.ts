import type { IDataObject } from 'n8n-workflow';

export type Answer = { statusCode: number; body: unknown };

/** What the service answered, or why there was no answer. */
export type Reply = Answer | { code?: string; syscall?: string; detail: string };

export const isAnswer = (reply: Reply): reply is Answer => 'statusCode' in reply;

export const isSuccess = (reply: Reply): reply is Answer =>
	isAnswer(reply) && reply.statusCode >= 200 && reply.statusCode <= 299;

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
