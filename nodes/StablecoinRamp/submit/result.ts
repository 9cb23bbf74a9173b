import { NodeOperationError, type IDataObject, type INode, type NodeApiError } from 'n8n-workflow';

import type { Words } from '../checks/verdict';
import type { TransactionOperation } from '../service/endpoints';
import { type Hide, hiddenKey, hideKey } from '../service/masking';
import { apiError, setbackJson } from '../service/n8nErrors';
import { type Reply, isAnswer, isObject } from '../service/reply';
import { evidence, plainWords } from '../service/replyWords';
import { lastFour } from '../checks/account';
import type { Refusal } from '../checks/verdict';
import type { Entry } from './check';
import type { Draft } from './draft';
import { outcomeOf, type Outcome } from './outcome';

export interface Setback extends Words {
	outcome: Exclude<Outcome, 'accepted'>;
	reference?: string;
	httpCode?: string;
	/** Not started, because of another item. */
	leftOver?: true;
	/** An earlier try of this execution has sent it. */
	sentBefore?: true;
	/** The input has a secret in it that must not be carried on. */
	hasSecret?: true;
}

/** What became of one item. */
export type Result =
	| { outcome: 'accepted'; reference: string; receipt: IDataObject }
	| { outcome: 'skipped' | 'dryRun'; receipt: IDataObject }
	| Setback;

export const isSetback = (result: Result): result is Setback => !('receipt' in result);

const lookItUp = (reference: string) =>
	`Look for reference ${reference} on the service's dashboard before anything else.`;

const isUnknown = (operation: TransactionOperation, reference: string, why: string): Words => ({
	message: `It is not known whether the ${operation} was accepted. ${why}`,
	description: `${lookItUp(reference)} It may have been accepted, so this node does not send it again by itself.`,
});

type OutcomeWords = (operation: TransactionOperation, reference: string, words: Words) => Words;

const wordsByOutcome: Record<Setback['outcome'], OutcomeWords> = {
	rejected: (operation, reference, { message, description }) => ({
		message: `The ${operation} was rejected. ${message}`,
		description: `${description} Reference ${reference} was not accepted and may be submitted again.`,
	}),
	notSent: (operation, reference, { message, description }) => ({
		message: `The ${operation} was not sent. ${message}`,
		description: `${description} Nothing was submitted for reference ${reference}; it may be submitted again.`,
	}),
	unknown: (operation, reference, { message }) => isUnknown(operation, reference, message),
};

/** What a reply of the service makes of an entry. */
export function resultOf(
	reply: Reply,
	operation: TransactionOperation,
	{ reference, body, draft }: Entry,
	secretKey: unknown,
): Result {
	const outcome = outcomeOf(reply);
	if (outcome === 'accepted') {
		const answer = isAnswer(reply) ? reply.body : undefined;
		const receipt = receiptOf(hideKey(answer, secretKey), reference, draft.simplify);
		return { outcome, reference, receipt };
	}
	const hide = hiddenIn(secretKey, body);
	const words = wordsByOutcome[outcome](operation, reference, plainWords(reply));
	return {
		outcome,
		reference,
		message: words.message,
		description: [words.description, evidence(reply, hide)].filter(Boolean).join(' '),
		...(isAnswer(reply) && { httpCode: String(reply.statusCode) }),
	};
}

/** Stands for a request that is on its way, in case nothing more is heard of it. */
export const awaitingAnswer = (operation: TransactionOperation, reference: string): Setback => ({
	outcome: 'unknown',
	reference,
	...isUnknown(operation, reference, 'The run ended before the service answered'),
});

export const refused = (refusals: Refusal[], reference?: string): Setback => ({
	outcome: 'notSent',
	reference,
	...(refusals.some(({ secret }) => secret) && { hasSecret: true }),
	message: refusals[0]?.message ?? '',
	description: [
		refusals[0]?.description,
		...refusals.slice(1).map(({ message, description }) => `${message}. ${description}`),
	]
		.map((text) => sentence(text ?? ''))
		.join(' '),
});

export const leftOver = (reference: string): Setback => ({
	outcome: 'notSent',
	reference,
	message: 'Not sent, because the run was stopped before it',
	description: 'It may be submitted again.',
	leftOver: true,
});

export const notRecorded = (reference: string, thrown: unknown): Setback => ({
	outcome: 'notSent',
	reference,
	message: "n8n's database could not record the reference, so nothing was sent",
	description: `Reference ${reference} may be submitted again when the database answers. Should this node then say that it was submitted before, look for it on the service's dashboard, and if it is not there set If Already Submitted in Options to Submit Again. n8n says: ${(thrown as Error).message}`,
});

/** What is released and yet looks claimed, because n8n's database did not answer. */
export const stillClaimed = (setback: Setback): Setback => ({
	...setback,
	description: `${sentence(setback.description)} n8n's database did not take note of that, so this node will say that the reference was submitted before. Then give it another Reference, or set If Already Submitted in Options to Submit Again.`,
});

/** What became of the earlier submission is not known here, which makes it a case for the dashboard. */
export const submittedBefore = (reference: string): Setback => ({
	outcome: 'unknown',
	reference,
	message: `Reference ${reference} was submitted before and is not sent again`,
	description: `${lookItUp(reference)} To submit another transaction, give it another Reference. To send this one all the same, set If Already Submitted in Options to Submit Again.`,
});

export const submittedWithOtherValues = (reference: string): Setback => ({
	outcome: 'notSent',
	reference,
	message: `Reference ${reference} was submitted before with other values`,
	description: `One reference stands for one transaction. ${lookItUp(reference)} For a different transaction, give it another Reference.`,
});

export const submittedInThisExecution = (before: Result, reference: string): Setback => ({
	outcome: 'notSent',
	reference,
	sentBefore: true,
	message: 'This item was submitted before in this execution, with other values',
	description: `${'receipt' in before ? `It was accepted: ${transactionId(before.receipt)}, reference ${reference}.` : lookItUp(reference)} To submit the new values as well, start a new execution.`,
});

export const twiceInOneRun = (reference: string, earlierIndex: number): Setback => ({
	outcome: 'notSent',
	reference,
	message: `Reference ${reference} is also the reference of item ${earlierIndex}`,
	description: 'Give each item its own Reference, or set If Already Submitted in Options to Skip.',
});

export const skipped = (reference: string): Result => ({
	outcome: 'skipped',
	receipt: {
		outcome: 'skipped',
		reference,
		note: 'This reference was submitted before. Nothing was sent.',
	},
});

export const dryRun = (
	request: { method: string; url: string; body: IDataObject },
	{ checks, refusals }: Draft,
	asTool: boolean,
): Result => ({
	outcome: 'dryRun',
	receipt: {
		outcome: 'dryRun',
		note: asTool
			? 'Nothing was sent: a person has to switch on Allow Submitting in this tool first.'
			: 'Nothing was sent.',
		request,
		checks: {
			mode: checks,
			passed: refusals.length === 0,
			refusals: refusals.map(({ message, description }) => ({ message, description })),
		},
	},
});

/** What is returned for an accepted transaction, whatever the service wrote in its answer. */
function receiptOf(body: unknown, reference: string, simplify: boolean): IDataObject {
	if (!isObject(body)) {
		return {
			outcome: 'accepted',
			reference,
			note: `The service accepted the transaction, but its answer could not be read. ${lookItUp(reference)}`,
			response: typeof body === 'string' ? body.slice(0, 1000) : ((body as IDataObject[]) ?? null),
		};
	}
	if (!simplify) return namesIt(body, reference) ? body : { reference, ...body };
	return isObject(body.transaction) ? { reference, ...body.transaction } : { reference, ...body };
}

/** Whether a person can find the transaction by what the service answered. */
const namesIt = (body: IDataObject, reference: string) =>
	toldId(body) !== undefined || JSON.stringify(body).includes(reference);

/** The secret key and the account numbers, which the service may repeat in its own words. */
const hiddenIn = (secretKey: unknown, body: IDataObject): Hide => ({
	...Object.fromEntries(
		[body.account_number, body.vendor_number]
			.map((number) => String(number ?? ''))
			.flatMap((number) => [number, number.replace(/^0+/, '')])
			.map((number) => [number, lastFour(number)]),
	),
	...hiddenKey(secretKey),
});

/** An item that did not work out, in a run that goes on. */
export const setbackItem = ({ outcome, reference, httpCode, ...words }: Setback): IDataObject =>
	setbackJson(words, { outcome, reference: reference ?? null, httpCode: httpCode ?? null });

/** Says what stopped a run, then what became of every item: whatever was accepted is named here. */
export function stopError(node: INode, results: Result[]): NodeApiError | NodeOperationError {
	const setbacks = [...results.entries()].filter((row): row is [number, Setback] =>
		isSetback(row[1]),
	);
	const [itemIndex, cause] = setbacks.find(([, setback]) => !setback.leftOver) ?? setbacks[0]!;
	const nothingSent = results.every(
		(result) => result.outcome === 'notSent' && !('sentBefore' in result),
	);

	const message = `${mark(itemIndex, results)}${cause.message}`;
	const description = [
		`${sentence(cause.description)}${nothingSent ? ' Nothing was sent.' : ''}`,
		...(nothingSent ? otherRefusals(results, itemIndex) : overview(results, itemIndex)),
	].join('\n');
	const error =
		nothingSent && cause.httpCode === undefined
			? new NodeOperationError(withoutWallet(node), message, { description, itemIndex })
			: apiError(
					withoutWallet(node),
					{ message, description },
					{ itemIndex, httpCode: cause.httpCode },
				);
	// n8n puts its own words in place of a message with a system code in it: a reference may well contain "eexist".
	error.message = message;
	return error;
}

/** n8n stores the node with what it threw, and a secret may have been typed there. */
const withoutWallet = (node: INode): INode => {
	const { walletAddress: _, ...parameters } = node.parameters;
	return { ...node, parameters };
};

const otherRefusals = (results: Result[], causeIndex: number): string[] =>
	[...results.entries()].flatMap(([index, result]) =>
		isSetback(result) && !result.leftOver && index !== causeIndex
			? [`${mark(index, results)}${wordsOf(result)}`]
			: [],
	);

const titles: Array<[Result['outcome'], string]> = [
	['accepted', 'Accepted'],
	['unknown', 'Outcome unknown'],
	['rejected', 'Rejected'],
	['notSent', 'Not sent'],
];

function overview(results: Result[], causeIndex: number): string[] {
	if (results.length === 1) return [];
	return titles.flatMap(([outcome, title]) => {
		const rows = [...results.entries()]
			.filter(([, result]) => result.outcome === outcome)
			.map(([index, result]) => `${mark(index, results)}${row(result, index === causeIndex)}`);
		return rows.length === 0 ? [] : [`${title} (${rows.length}):`, ...rows];
	});
}

function row(result: Result, isCause: boolean): string {
	const id = 'receipt' in result ? `${transactionId(result.receipt)}, ` : '';
	const reference = 'reference' in result ? `reference ${result.reference ?? 'not made yet'}` : '';
	const why = isSetback(result) && !isCause && !result.leftOver ? `: ${wordsOf(result)}` : '';
	return `${id}${reference}${why}`;
}

const wordsOf = ({ message, description }: Words) =>
	`${sentence(message)} ${sentence(description)}`;

const mark = (itemIndex: number, results: Result[]) =>
	results.length > 1 ? `[Item ${itemIndex}] ` : '';

const sentence = (text: string) => (/[.!?…)]$/.test(text) ? text : `${text}.`);

function transactionId(receipt: IDataObject): string {
	const id = toldId(receipt);
	return id === undefined ? 'no transaction id told' : `transaction ${id}`;
}

function toldId(receipt: IDataObject): string | undefined {
	const { transaction_id: id } = isObject(receipt.transaction) ? receipt.transaction : receipt;
	return typeof id === 'number' || (typeof id === 'string' && id !== '') ? String(id) : undefined;
}
