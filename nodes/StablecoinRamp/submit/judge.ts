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
	type Difference,
} from '../resources/transaction/answer';
import { inWords } from './memory/lease';
import { isMade } from './reference';
import { isSetback, type ReplyOutcome, type Result, type Setback } from './result';

/** A service that answers like this has not taken the request up. Of any other status nobody can be sure: docs/interface.md (15). */
const rejections = new Set([400, 401, 403, 404, 405, 407, 413, 415, 422, 429]);

export function outcomeOf(reply: Reply, operation: TransactionOperation): ReplyOutcome {
	if (!isAnswer(reply)) return mayHaveLeft(reply) ? 'unknown' : 'notSent';
	const { statusCode, body } = reply;
	if (rejections.has(statusCode)) return 'rejected';
	return isSuccess(reply) && !doubtAbout(body, operation) ? 'accepted' : 'unknown';
}

/** Answers like these are about who asks, where and how often. */
const aboutTheCaller = new Set([401, 403, 404, 429]);

/** Whether a reply says anything about the item that was sent, be it yes or no. */
export const isAboutItem = (reply: Reply, operation: TransactionOperation): boolean => {
	const outcome = outcomeOf(reply, operation);
	if (outcome === 'accepted') return true;
	return outcome === 'rejected' && !aboutTheCaller.has((reply as Answer).statusCode);
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
	const came = whatCame(reply, operation);
	const setback =
		outcome === 'unknown'
			? unknownOutcome(operation, reference, came.message, lookFrom)
			: movedNothing[outcome](operation, reference, came, isLater);
	// The service may repeat the secret key and the account numbers in its own words.
	const hide = { ...hiddenAccounts(operation, body), ...hiddenKey(secretKey) };
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

const help =
	'https://github.com/n8n-nodes-stablecoin-ramp/n8n-nodes-stablecoin-ramp#an-unknown-outcome';

/**
 * What to do about outcomes that are unknown, in four steps. Every message about one has them from here, once for all
 * that it tells of.
 */
export function stepsFor(results: Result[], hasRegister: boolean): string[] {
	const unknown = results.filter(isUnknown);
	const references = [...new Set(unknown.map(({ reference }) => reference))];
	if (references.length === 0) return [];
	const which =
		references.length === 1
			? `reference ${references[0]}`
			: "each reference under 'Outcome unknown'";
	const from = Math.max(...unknown.map(({ lookFrom = 0 }) => lookFrom));
	const when = from > 0 ? ` at or after ${inWords(from)}: a look before that proves nothing` : '';
	const found = hasRegister
		? "in the register, set its 'outcome' to accepted and fill in 'transaction_id'; where it has no row, add one"
		: 'note its transaction id. There is nothing to submit again';
	const again = references.every(isMade)
		? 'submit that one item in a new execution, where it gets another reference'
		: "run that one reference in a new execution with 'If Already Submitted' in Options set to Submit Unknown Again, then set that back";
	return [
		`1. Look for ${which} on the service's dashboard${when}.`,
		`2. It is there: ${found}.`,
		`3. It is still not there after the time that the service may take: right after that look, ${again}. A retry of this execution does not send it.`,
		'4. Not sure: ask the service, with reference, amount and time.',
		`More: ${help}`,
	];
}

const isUnknown = (result: Result): result is Setback =>
	isSetback(result) && result.standing === 'unknown';

/** What to do next about one that did not work out. */
export const nextFor = (setback: Setback, hasRegister: boolean): string =>
	[setback.description, ...stepsFor([setback], hasRegister)].join('\n');

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

function whatCame(reply: Reply, operation: TransactionOperation): Words {
	if (!isSuccess(reply)) return plainWords(reply);
	const { statusCode, body } = reply;
	const named = isObject(body) && idInWords(body);
	const what = isObject(body) ? 'an object' : describeBody(body);
	return {
		message: `The service answered ${statusCode} with ${what}, ${doubtAbout(body, operation)}${named ? `, but names ${named}` : ''}`,
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
