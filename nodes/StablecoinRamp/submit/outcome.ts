import type { TransactionOperation } from '../../../client/endpoints';
import { isAnswer, isObject, isSuccess, type Reply } from '../../../client/reply';
import { certificateCodes } from '../../../client/replyWords';
import { rules } from './rules';

/**
 * What is known of a transaction after it was to be sent:
 * - accepted: the service took it
 * - rejected: the service refused it
 * - notSent: the request did not leave
 * - unknown: the request left, and nobody here can say what became of it
 */
export type Outcome = 'accepted' | 'rejected' | 'notSent' | 'unknown';

/** A service that answers like this has not taken the request up. Of any other status nobody can be sure. */
const rejections = new Set([400, 401, 403, 404, 405, 407, 413, 415, 422, 429]);

// Nothing of the request has left when the name is not found, the connection is not made or its certificate is refused.
const neverLeft = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	...certificateCodes,
]);

export function outcomeOf(reply: Reply, operation: TransactionOperation): Outcome {
	if (!isAnswer(reply)) return hasLeft(reply) ? 'unknown' : 'notSent';
	const { statusCode, body } = reply;
	if (rejections.has(statusCode)) return 'rejected';
	return isSuccess(reply) && !doubtAbout(body, operation) ? 'accepted' : 'unknown';
}

// A host can also get lost to a connection that is in use: then the request is on its way.
const hasLeft = ({ code = '', syscall = '' }: { code?: string; syscall?: string }) =>
	!neverLeft.has(code) || ['read', 'write'].includes(syscall);

const sayingNo =
	/^(fail(ed|ure)?|error|declined|denied|rejected|refused|invalid|unsuccessful|cancell?ed|false)$/i;

/** Why the body of a success does not say that the transaction was accepted, if it does not. */
export function doubtAbout(body: unknown, operation: TransactionOperation): string | undefined {
	if (!isObject(body)) return 'which is not a JSON object';
	const transaction = isObject(body.transaction) ? body.transaction : {};
	for (const { status, success, error } of [body, transaction, body.data].filter(isObject)) {
		if (typeof status === 'string' && sayingNo.test(status.trim())) return `which says "${status}"`;
		if (status === false || Number(status) >= 400) return `which says status ${String(status)}`;
		if (success === false || success === 'false') return 'which says that it did not succeed';
		if (error !== undefined && error !== null && error !== false && error !== '') {
			return 'which has an error in it';
		}
	}
	const isEmpty = Object.keys(transaction).length === 0;
	return rules[operation].answersWithTransaction && isEmpty
		? 'which has no transaction in it'
		: undefined;
}
