import type { IDataObject } from 'n8n-workflow';

import type { TransactionOperation } from '../../../client/endpoints';
import { hiddenKey, hideIn, hideKey, type Hide } from '../../../client/masking';
import type { Words } from '../../../client/refusal';
import {
	describeBody,
	isAnswer,
	isObject,
	isSuccess,
	mayHaveLeft,
	type Answer,
	type Reply,
} from '../../../client/reply';
import { evidence, plainWords } from '../../../client/replyWords';
import { lastFour } from '../checks/account';
import { sentName } from '../resources/transaction';
import {
	differencesIn,
	doubtAbout,
	idIn,
	receiptOf,
	idInWords,
	whatIsThere,
	type Difference,
} from '../resources/transaction/answer';
import type { ReplyOutcome, Result, Setback } from './result';

/** A service that answers like this has not taken the request up. Of any other status nobody can be sure: docs/interface.md (15). */
const rejections = new Set([400, 401, 403, 404, 405, 407, 413, 415, 422, 429]);

export function outcomeOf(reply: Reply, operation: TransactionOperation): ReplyOutcome {
	if (!isAnswer(reply)) return mayHaveLeft(reply) ? 'unknown' : 'notSent';
	const { statusCode, body } = reply;
	if (rejections.has(statusCode)) return whyNotRejected(reply) ? 'unknown' : 'rejected';
	return isSuccess(reply) && !doubtAbout(body, operation) ? 'accepted' : 'unknown';
}

/** Answers like these are about who asks, where and how often. */
const aboutTheCaller = new Set([401, 403, 404, 429]);

/** What in a refusal says that the service has the transaction all the same, if anything. */
const whyNotRejected = ({ statusCode, body }: Answer) =>
	rejections.has(statusCode) ? whatIsThere(body, aboutTheCaller.has(statusCode)) : undefined;

/** Whether a reply says anything about the item that was sent, be it yes or no. */
export const isAboutItem = (reply: Reply, operation: TransactionOperation): boolean => {
	if (!isAnswer(reply)) return false;
	const { statusCode } = reply;
	if (rejections.has(statusCode)) return !aboutTheCaller.has(statusCode);
	return outcomeOf(reply, operation) === 'accepted';
};

/** What was sent, and how its answer is put out. */
interface Sent {
	reference: string;
	body: IDataObject;
	simplify: boolean;
	/** From when on to look for it, should its outcome be unknown. */
	lookFrom?: number;
	/** There is an attempt before it that may have moved. */
	isLater?: boolean;
}

/** What a reply of the service makes of what was sent. */
export function judge(
	reply: Reply,
	operation: TransactionOperation,
	{ reference, body, simplify, lookFrom, isLater = false }: Sent,
	secretKey: unknown,
): Result {
	const outcome = outcomeOf(reply, operation);
	if (outcome === 'accepted') {
		const answer = hideKey((reply as { body: unknown }).body, secretKey) as IDataObject;
		const differs = differencesIn(answer, hideKey(body, secretKey) as IDataObject);
		return {
			outcome,
			standing: 'accepted',
			reference,
			knownAs: idInWords(answer) ?? answerWithout(hiddenAccounts(operation, body, differs), answer),
			id: idIn(answer),
			response: JSON.stringify(answer),
			receipt: {
				...receiptOf(answer, reference, simplify),
				...(differs.length > 0 && { differs }),
			},
			...(differs.length > 0 && { differs }),
		};
	}
	// The service may repeat the secret key and the account numbers in its own words.
	const hide = { ...hiddenAccounts(operation, body), ...hiddenKey(secretKey) };
	const came = whatCame(reply, operation, hide);
	const setback =
		outcome === 'unknown'
			? unknownOutcome(operation, reference, came.message, lookFrom)
			: movedNothing[outcome](operation, reference, came, isLater);
	const answered = isAnswer(reply) && reply.body !== undefined;
	return {
		...setback,
		...(answered && {
			response: JSON.stringify(hideKey(reply.body, secretKey)).slice(0, longestShown),
		}),
		description: `${setback.description}${evidence(reply, hide)}`,
		...(isAnswer(reply) && { httpCode: String(reply.statusCode) }),
	};
}

const unknownOutcome = (
	operation: string,
	reference: string,
	why: string,
	from?: number,
): Setback => ({
	outcome: 'unknown',
	standing: 'unknown',
	reference,
	...(from !== undefined && { lookFrom: from }),
	message: `It is not known whether the ${operation} was accepted. ${why}`,
	description: 'It may have been accepted, so this node does not send it again by itself.',
});

/** Stands for a request that is on its way, in case nothing more is heard of it. */
export const awaitingAnswer = (operation: string, reference: string, from: number): Setback =>
	unknownOutcome(operation, reference, 'The run ended before the service answered', from);

/** Something went wrong here after it had left, perhaps. */
export const notUnderstood = (
	operation: string,
	reference: string,
	from: number,
	{ message }: Error,
): Setback =>
	unknownOutcome(operation, reference, `Its answer could not be read: ${message}`, from);

type MakeSetback = (
	operation: TransactionOperation,
	reference: string,
	words: Words,
	isLater: boolean,
) => Setback;

const movedNothing: Record<'rejected' | 'notSent', MakeSetback> = {
	rejected: (operation, reference, { message, description }, isLater) => ({
		outcome: 'rejected',
		standing: 'rejected',
		reference,
		message: `The ${operation} was rejected. ${message}`,
		description: isLater
			? description
			: `${description} Reference ${reference} was not accepted and may be submitted again.`,
	}),
	notSent: (operation, reference, { message, description }, isLater) => ({
		outcome: 'notSent',
		standing: 'new',
		reference,
		message: `The ${operation} was not sent. ${message}`,
		description: isLater
			? description
			: `${description} Nothing was submitted for reference ${reference}; it may be submitted again.`,
	}),
};

function whatCame(reply: Reply, operation: TransactionOperation, hide: Hide): Words {
	const shown = (text = '') => hideIn(text, hide).slice(0, longestShown);
	const plain = plainWords(reply);
	const isThere = isAnswer(reply) && whyNotRejected(reply);
	if (isThere) return { ...plain, message: `${plain.message}, but ${shown(isThere)}` };
	if (!isSuccess(reply)) return plain;
	const { statusCode, body } = reply;
	const named = isObject(body) && idInWords(body);
	const what = isObject(body) ? 'an object' : describeBody(body);
	return {
		message: `The service answered ${statusCode} with ${what}, ${shown(doubtAbout(body, operation))}${named ? `, but names ${shown(named)}` : ''}`,
		description: '',
	};
}

const longestShown = 1000;

const answerWithout = (hide: Hide, answer: IDataObject): string =>
	`answer ${hideIn(JSON.stringify(answer), hide).slice(0, longestShown)}`;

/** The account numbers that were sent, and those that were answered in their place. */
const hiddenAccounts = (
	operation: TransactionOperation,
	sent: IDataObject,
	differs: Difference[] = [],
): Hide =>
	Object.fromEntries(
		[
			...['accountNumber', 'vendorNumber'].map((name) =>
				String(sent[sentName(operation, name)] ?? ''),
			),
			...differs.flatMap(({ field, answered }) => (field === 'account_number' ? [answered] : [])),
		]
			.flatMap((number) => [number, number.replace(/^0+/, '')])
			.map((number) => [number, lastFour(number)]),
	);
