import { type Reply, isAnswer } from '../service/reply';
import { certificateCodes } from '../service/replyWords';

/**
 * What is known of a transaction after it was to be sent:
 * - accepted: the service took it, whatever it wrote in its answer
 * - rejected: the service refused it
 * - notSent: the request did not leave
 * - unknown: the request left, and nobody here can say what became of it
 */
export type Outcome = 'accepted' | 'rejected' | 'notSent' | 'unknown';

const byStatus: Array<[from: number, to: number, outcome: Outcome]> = [
	[200, 299, 'accepted'],
	[400, 499, 'rejected'],
];

// Nothing of the request has left when the name is not found, the connection is not made or its certificate is refused.
const neverLeft = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	...certificateCodes,
]);

export function outcomeOf(reply: Reply): Outcome {
	if (!isAnswer(reply)) return hasLeft(reply) ? 'unknown' : 'notSent';
	return (
		byStatus.find(([from, to]) => reply.statusCode >= from && reply.statusCode <= to)?.[2] ??
		'unknown'
	);
}

// A host can also get lost to a connection that is in use: then the request is on its way.
const hasLeft = ({ code = '', syscall = '' }: { code?: string; syscall?: string }) =>
	!neverLeft.has(code) || ['read', 'write'].includes(syscall);

/** Whether the service may have the transaction: its reference is then never sent again by itself. */
export const mayHaveMoved = (outcome: string | undefined) =>
	outcome === 'accepted' || outcome === 'unknown';
