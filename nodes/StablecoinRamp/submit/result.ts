import type { IDataObject } from 'n8n-workflow';

import { lastFour } from '../checks/account';
import { inOneLine, refuse, type Refusal, type Words } from '../../../client/refusal';
import type { TransactionOperation } from '../../../client/endpoints';
import { hiddenKey, hideIn, hideKey, type Hide } from '../../../client/masking';
import { describeBody, isAnswer, isObject, isSuccess, type Reply } from '../../../client/reply';
import { evidence, plainWords } from '../../../client/replyWords';
import type { Draft } from './draft';
import { inWords, oldFromNow } from './memory/lease';
import { doubtAbout, outcomeOf, type Outcome } from './outcome';
import type { Known } from './memory/claims';

/** Where a transaction stands, for the list in the message of a run that stops. */
export type Standing =
	'accepted' | 'acceptedBefore' | 'unknown' | 'rejected' | 'refused' | 'notLookedUp' | 'new';

interface Became {
	standing: Standing;
	/** A refused item may have none yet. */
	reference?: string;
	/** By which the service's dashboard knows it: its id, or the answer that has just come where that has none. */
	knownAs?: string;
	id?: string;
	/** The answer of the service as text, without the secret key. */
	response?: string;
	/** It may have moved, and n8n's database did not take note of that. */
	isUnrecorded?: true;
	/** The register did not take note of what became of it. */
	isNotInRegister?: true;
}

export interface Done extends Became {
	outcome: 'accepted' | 'skipped' | 'dryRun';
	/** What is put out for the item, besides outcome and reference. */
	receipt: IDataObject;
}

export interface Setback extends Became, Words {
	outcome: Exclude<Outcome, 'accepted'> | 'skipped';
	httpCode?: string;
	/** From when on to look for it, where a look before that proves nothing. */
	lookFrom?: number;
	/** The run had stopped before it came to this, so it is not what stopped it. */
	isLeftOver?: true;
	/** The input has a secret in it that must not be carried on. */
	hasSecret?: true;
}

/** What became of one item. */
export type Result = Done | Setback;

export const isSetback = (result: Result): result is Setback => !('receipt' in result);

/** Whether the service may have the transaction: it is then never sent again by itself. */
export const mayHaveMoved = ({ outcome }: Result) =>
	outcome === 'accepted' || outcome === 'unknown';

/** Refused or new: no try of this execution has sent it. */
export const neverSent = ({ standing }: Result) => standing === 'refused' || standing === 'new';

const help =
	'https://github.com/n8n-nodes-stablecoin-ramp/n8n-nodes-stablecoin-ramp#an-unknown-outcome';

const lookItUp = (reference: string, from?: number) =>
	from === undefined
		? `Look for reference ${reference} on the service's dashboard before anything else. Step by step: ${help}.`
		: `Look for reference ${reference} on the service's dashboard at or after ${inWords(from)}: a look before that proves nothing. Step by step: ${help}.`;

const isUnknown = (
	operation: TransactionOperation,
	reference: string,
	why: string,
	from?: number,
): Setback => ({
	outcome: 'unknown',
	standing: 'unknown',
	reference,
	...(from !== undefined && { lookFrom: from }),
	message: `It is not known whether the ${operation} was accepted. ${why}`,
	description: `${lookItUp(reference, from)} It may have been accepted, so this node does not send it again by itself.`,
});

/** What a reply of the service makes of an entry. */
export function resultOf(
	reply: Reply,
	operation: TransactionOperation,
	asked: { reference: string; body: IDataObject; draft: Draft; lookFrom?: number },
	secretKey: unknown,
): Result {
	const { reference, body, draft, lookFrom } = asked;
	const outcome = outcomeOf(reply, operation);
	if (outcome === 'accepted') {
		const answer = hideKey((reply as { body: unknown }).body, secretKey) as IDataObject;
		return {
			outcome,
			standing: 'accepted',
			reference,
			knownAs: transactionIn(answer) ?? answerWithout(hiddenAccounts(body), answer),
			id: idIn(answer),
			response: JSON.stringify(answer),
			receipt: receiptOf(answer, reference, draft.simplify),
		};
	}
	const setback = setbackBy[outcome](operation, reference, whatCame(reply, operation), lookFrom);
	// The service may repeat the secret key and the account numbers in its own words.
	const hide = { ...hiddenAccounts(body), ...hiddenKey(secretKey) };
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

type MakeSetback = (
	operation: TransactionOperation,
	reference: string,
	words: Words,
	lookFrom?: number,
) => Setback;

const setbackBy: Record<Exclude<Outcome, 'accepted'>, MakeSetback> = {
	rejected: (operation, reference, { message, description }) => ({
		outcome: 'rejected',
		standing: 'rejected',
		reference,
		message: `The ${operation} was rejected. ${message}`,
		description: `${description} Reference ${reference} was not accepted and may be submitted again.`,
	}),
	notSent: (operation, reference, { message, description }) => ({
		outcome: 'notSent',
		standing: 'new',
		reference,
		message: `The ${operation} was not sent. ${message}`,
		description: `${description} Nothing was submitted for reference ${reference}; it may be submitted again.`,
	}),
	unknown: (operation, reference, { message }, lookFrom) =>
		isUnknown(operation, reference, message, lookFrom),
};

function whatCame(reply: Reply, operation: TransactionOperation): Words {
	if (!isSuccess(reply)) return plainWords(reply);
	const { statusCode, body } = reply;
	const what = isObject(body) ? 'an object' : describeBody(body);
	return {
		message: `The service answered ${statusCode} with ${what}, ${doubtAbout(body, operation)}`,
		description: '',
	};
}

/** Stands for a request that is on its way, in case nothing more is heard of it. */
export const awaitingAnswer = (
	operation: TransactionOperation,
	reference: string,
	from: number,
): Setback => isUnknown(operation, reference, 'The run ended before the service answered', from);

/** An answer that names no id is not made any shorter: it is all there is to find the transaction by. */
const receiptOf = (answer: IDataObject, reference: string, simplify: boolean): IDataObject =>
	simplify && idIn(answer) !== undefined ? simplified(answer) : whole(answer, reference);

/** The fields that people use, flat; whatever else the service told is there without Simplify. */
function simplified(answer: IDataObject): IDataObject {
	const transaction = isObject(answer.transaction) ? answer.transaction : {};
	const business = isObject(transaction.business) ? transaction.business : {};
	const fields: IDataObject = {
		transaction_id: idIn(answer),
		business_id: business.business_id,
		type: transaction.type,
		amount: transaction.amount,
		link_account_number: transaction.link_account_number,
		network: transaction.network,
		wallet_address: transaction.wallet_address,
		date_created: transaction.date_created,
	};
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The answer as it came. Where its `outcome` or `reference` differs from ours, ours is put out, and theirs is kept under `response`. */
function whole(answer: IDataObject, reference: string): IDataObject {
	const { outcome = 'accepted', reference: theirs = reference } = answer;
	return outcome === 'accepted' && theirs === reference ? answer : { ...answer, response: answer };
}

/** The transaction's id: inside of the transaction or beside it. */
export function idIn(answer: IDataObject): string | undefined {
	const places = [answer.transaction, answer, answer.data].filter(isObject);
	const ids = places.flatMap((place) => [place.transaction_id, place.transactionId, place.id]);
	const id = ids.find((one) => typeof one === 'number' || (typeof one === 'string' && one !== ''));
	return id === undefined ? undefined : String(id);
}

const longestShown = 1000;

function transactionIn(answer: IDataObject): string | undefined {
	const id = idIn(answer);
	return id === undefined ? undefined : `transaction ${id}`;
}

const answerWithout = (hide: Hide, answer: IDataObject): string =>
	`answer ${hideIn(JSON.stringify(answer), hide).slice(0, longestShown)}`;

const hiddenAccounts = (sent: IDataObject): Hide =>
	Object.fromEntries(
		[sent.account_number, sent.vendor_number]
			.map((number) => String(number ?? ''))
			.flatMap((number) => [number, number.replace(/^0+/, '')])
			.map((number) => [number, lastFour(number)]),
	);

export const refused = (refusals: Refusal[], reference?: string): Setback => ({
	outcome: 'notSent',
	standing: 'refused',
	reference,
	...(refusals.some(({ secret }) => secret) && { hasSecret: true }),
	message: refusals[0]?.message ?? '',
	description: [refusals[0]?.description, ...refusals.slice(1).map(inOneLine)]
		.map((text) => sentence(text ?? ''))
		.join(' '),
});

/** The run could not start. Nothing was sent, so each item still counts as new. */
export const notOpened = (reference: string, refusal: Refusal): Setback => ({
	...refused([refusal], reference),
	standing: 'new',
});

export const notStarted = (reference?: string): Setback => ({
	outcome: 'notSent',
	standing: 'new',
	isLeftOver: true,
	reference,
	message: 'Not sent, because the run was stopped before it',
	description: 'It may be submitted again.',
});

/** What one item has keeps the whole run from starting. */
export const notStartedFor = ({ message, description }: Refusal, itemIndex: number): Setback => ({
	...notStarted(),
	message: `Not sent, because the whole run was refused: ${message} [item ${itemIndex}]`,
	description,
});

export const notLookedUp = (reference: string, thrown: { message: string }): Setback => ({
	...notStarted(reference),
	standing: 'notLookedUp',
	message: `Not sent. n8n's database could not say whether it was submitted before: ${thrown.message}`,
});

/** What to do where this node will say later that an outcome is unknown, because of a claim that was made by now. */
const ifNotThere = (reference: string, now: number) =>
	`look for reference ${reference} on the service's dashboard at or after ${inWords(oldFromNow(now))}, and if it is not there then, set 'If Already Submitted' in Options to Submit Unknown Again.`;

export const notRecorded = (reference: string, thrown: unknown, now = Date.now()): Setback => ({
	outcome: 'notSent',
	standing: 'new',
	reference,
	message: "n8n's database could not record the reference, so nothing was sent",
	description: `Submit reference ${reference} again when the database answers. Should this node then say that its outcome is unknown, ${ifNotThere(reference, now)} n8n says: ${(thrown as Error).message}`,
});

export const notEntered = (reference: string, { message }: Error): Setback => ({
	outcome: 'notSent',
	standing: 'new',
	reference,
	message: 'The register could not take it down, so nothing was sent',
	description: `Submit reference ${reference} again when the register can be written. n8n says: ${message}`,
});

/** Its outcome could not be written: a later execution will know only that it was claimed. */
export const unrecorded = (result: Result, now = Date.now()): Result =>
	isSetback(result) && !mayHaveMoved(result)
		? {
				...result,
				description: `${sentence(result.description)} n8n's database did not confirm that, so this node may say later that its outcome is unknown. Then ${ifNotThere(result.reference!, now)}`,
			}
		: { ...result, isUnrecorded: true };

/** What to say of those that were not written down: by n8n's database, which has them as claimed, or by the register. */
export function unrecordedIn(results: Result[]): string[] {
	const notInRecord = results.flatMap((one) => (one.isUnrecorded ? [one.reference] : []));
	const notInRegister = results.filter(
		({ isNotInRegister, outcome }) => isNotInRegister && outcome !== 'notSent',
	);
	return [
		...(notInRecord.length > 0
			? [
					`n8n's database did not take note of what became of ${notInRecord.join(', ')}. Where no register has it, later executions will say that the outcome is unknown.`,
				]
			: []),
		...(notInRegister.length > 0
			? [
					`The register could not be completed, and lacks this or still says 'sending': ${notInRegister.map(becameOf).join('; ')}. Write it there by hand.`,
				]
			: []),
	];
}

const becameOf = ({ reference, outcome, knownAs }: Result) =>
	outcome === 'unknown'
		? `the outcome of reference ${reference} is unknown`
		: `reference ${reference} was ${outcome}${knownAs ? ` as ${knownAs}` : ''}`;

const otherReference = "For a different transaction, use another 'Reference'.";

export interface KnownBefore extends Known {
	/** What the service answered when it accepted it, where that is known. */
	answer?: IDataObject;
}

/** Why a reference that was submitted before is not sent again. */
export function notSentAgain(reference: string, known: KnownBefore): Setback {
	if (known.state === 'accepted') {
		const knownAs = known.answer && transactionIn(known.answer);
		return {
			outcome: known.hasSameValues ? 'skipped' : 'notSent',
			standing: 'acceptedBefore',
			reference,
			knownAs,
			message: known.hasSameValues
				? `Reference ${reference} was accepted before and is not sent again`
				: `Reference ${reference} was accepted before with other values, and stands for that transaction`,
			description: `${knownAs ? `It is ${knownAs}. ` : ''}${otherReference}`,
		};
	}
	const why = {
		sending: 'another run is submitting it at this moment',
		claimed: known.lookFrom
			? 'another process is submitting it at this moment, or was stopped in the middle of it'
			: 'n8n was stopped in the middle of it, or could not take note of its end',
		unknown: 'it left n8n, and no answer said what became of it',
	}[known.state];
	return {
		outcome: known.hasSameValues ? 'unknown' : 'notSent',
		standing: 'unknown',
		reference,
		...(known.lookFrom !== undefined && { lookFrom: known.lookFrom }),
		message: `Reference ${reference} was submitted before${known.hasSameValues ? '' : ' with other values'}, and its outcome is unknown: ${why}`,
		description: `${lookItUp(reference, known.lookFrom)} If it is not there${known.lookFrom ? ' then' : ''}, set 'If Already Submitted' in Options to Submit Unknown Again. ${otherReference}`,
	};
}

export const lookedUp = (reference: string, known: KnownBefore): Setback => ({
	...notSentAgain(reference, known),
	isLeftOver: true,
});

const passedOver = 'This reference was accepted before. Nothing was sent.';

/** With what the service answered then, where that is known. */
export const alreadyAccepted = (
	reference: string,
	answer?: IDataObject,
	simplify = false,
): Done => ({
	outcome: 'skipped',
	standing: 'acceptedBefore',
	reference,
	receipt: { ...(answer && receiptOf(answer, reference, simplify)), note: passedOver },
});

export const otherValuesInRun = (reference: string, earlierIndex: number): Refusal =>
	refuse(
		`Reference ${reference} is also the reference of item ${earlierIndex}, with other values`,
		"One reference stands for one transaction: give each item its own 'Reference'",
	);

export const twiceInRun = (reference: string, earlierIndex: number): Refusal =>
	refuse(
		`Reference ${reference} is also the reference of item ${earlierIndex}`,
		"Give each item its own 'Reference', or set 'If Already Submitted' in Options to Skip",
	);

/** An item with the reference of an earlier one in the same run shares what became of that. */
export function sharedResult(earlier: Result, earlierIndex: number): Result {
	if (!isSetback(earlier)) {
		const receipt = { ...earlier.receipt, note: passedOver };
		return { ...earlier, outcome: 'skipped', standing: 'acceptedBefore', receipt };
	}
	return earlier.outcome === 'unknown'
		? earlier
		: {
				...earlier,
				outcome: 'notSent',
				message: `Not sent: it has the reference of item ${earlierIndex}, which was not accepted`,
			};
}

/** A tool without a Reference submits once in an execution: an assistant that is not content asks again in other words. */
export const toolSubmittedBefore = (operation: string, setback: Setback): Setback => ({
	...setback,
	message: `This tool has submitted a ${operation} in this execution already. ${setback.message}`,
	description: `${sentence(setback.description)} For a second ${operation}, start another conversation, or let a person give the tool a 'Reference'.`,
});

export const dryRun = (
	reference: string,
	request: { method: string; url: string; body: IDataObject },
	{ checks, refusals }: Draft,
	asTool: boolean,
): Done => ({
	outcome: 'dryRun',
	standing: 'new',
	reference,
	receipt: {
		note: asTool
			? "Nothing was sent: a person has to switch on 'Allow Submitting' in this tool first."
			: 'Nothing was sent.',
		request,
		checks: {
			mode: checks,
			passed: refusals.length === 0,
			refusals: refusals.map(({ message, description }) => ({ message, description })),
		},
	},
});

/** What is put out for an item, on whichever output. */
export const itemOf = (result: Result): IDataObject => {
	const { outcome, reference = null } = result;
	if (!isSetback(result))
		return { ...{ outcome, reference }, ...result.receipt, ...{ outcome, reference } };
	const { message, description, httpCode = null } = result;
	return { outcome, reference, error: message, message: description, httpCode };
};

export const sentence = (text: string) => (/[.!?…)]$/.test(text) ? text : `${text}.`);
