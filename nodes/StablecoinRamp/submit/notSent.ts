import type { IDataObject } from 'n8n-workflow';

import { inOneLine, refuse, sentence, type Refusal } from '../../../client/refusal';
import { receiptOf, idInWords } from '../resources/transaction/answer';
import type { Earlier } from './memory/claims';
import { isSetback, mayHaveMoved, type Done, type Result, type Setback } from './result';

// Before anything is sent

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

export const dryRun = (
	reference: string,
	request: { method: string; url: string; body: IDataObject },
	{ checks, refusals }: { checks: string; refusals: Refusal[] },
	because?: string,
): Done => ({
	outcome: 'dryRun',
	standing: 'dryRun',
	reference,
	receipt: {
		note: because ? `Nothing was sent: ${because}.` : 'Nothing was sent.',
		request,
		checks: {
			mode: checks,
			passed: refusals.length === 0,
			refusals: refusals.map(({ message, description }) => ({ message, description })),
		},
	},
});

export const otherValuesInRun = (reference: string, earlierIndex: number): Refusal =>
	refuse(
		`Reference ${reference} is also the reference of item ${earlierIndex}, with other values`,
		"One reference stands for one transaction: give each item its own 'Reference'",
	);

export const twiceInRun = (reference: string, earlierIndex: number): Refusal =>
	refuse(
		`Reference ${reference} is also the reference of item ${earlierIndex}`,
		"If it is the same payment, take this item out, or set 'If Already Submitted' in Options to Skip. Another payment needs a 'Reference' of its own",
	);

// The run did not come to it

/** After three requests that said nothing about their items. */
export const notStartedInOutage = (reference: string): Setback => ({
	...notStarted(reference),
	message: 'Not sent, because the service did not work for the three requests before it',
	description: 'It may be submitted again when the service works.',
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
	standing: 'notLookedUp',
	message: `Not sent, because the whole run was refused: ${message} [item ${itemIndex}]`,
	description,
});

/** The run could not start, and nobody could look. */
export const notOpened = (reference: string, refusal: Refusal): Setback => ({
	...refused([refusal], reference),
	standing: 'notLookedUp',
});

export const notLookedUp = (reference: string, thrown: { message: string }): Setback => ({
	...notStarted(reference),
	standing: 'notLookedUp',
	message: `Not sent. n8n's database could not say whether it was submitted before: ${thrown.message}`,
});

/** Maximum Total counts what will be sent, and nobody could say what that is. */
export const totalNotKnown = (reference: string, { message }: Error): Setback =>
	notOpened(
		reference,
		refuse(
			"n8n could not say what was submitted before, so whether this run stays within 'Maximum Total' is not known, and nothing was sent",
			`Submit it again when n8n's database and the register can be read. n8n says: ${message}`,
		),
	);

// It could not be written down

/** Refused, and to be seen to by a person who will not find it in the register. */
export const notEntered = (refusal: Setback, why: string): Setback => ({
	...refusal,
	description: `${refusal.description} It could not be entered in the register: ${why}`,
});

/** A claim may have been made by now. */
const whenUnknown =
	'Should this node say later that its outcome is unknown, take the steps that it names then.';

export const claimNotWritten = (reference: string, thrown: unknown): Setback => ({
	outcome: 'notSent',
	standing: 'notLookedUp',
	reference,
	message: "n8n's database could not record the reference, so nothing was sent",
	description: `Submit reference ${reference} again when the database answers. ${whenUnknown} n8n says: ${(thrown as Error).message}`,
});

export const registerNotRead = (reference: string, { message }: Error): Setback => ({
	outcome: 'notSent',
	standing: 'notLookedUp',
	reference,
	message: 'The register could not say whether it was accepted before, so nothing was sent',
	description: `Submit reference ${reference} again when the register can be read. n8n says: ${message}`,
});

export const registerNotWritten = (reference: string, { message }: Error): Setback => ({
	outcome: 'notSent',
	standing: 'new',
	reference,
	message: 'The register could not be written, so nothing was sent',
	description: `Submit reference ${reference} again when the register can be written. n8n says: ${message}`,
});

/** It may have been sent, and a later execution will know only that it was claimed. */
export const outcomeNotWritten = (result: Result): Result =>
	isSetback(result) && !mayHaveMoved(result)
		? {
				...result,
				description: `${sentence(result.description)} n8n's database did not confirm that. ${whenUnknown}`,
			}
		: { ...result, isUnsettled: true };

// It was submitted before

const otherReference =
	"A payment keeps its 'Reference': under another one it could be submitted twice.";

export interface EarlierWithAnswer extends Earlier {
	/** What the service answered when it accepted it, where that is known. */
	answer?: IDataObject;
	/** What it said otherwise than what was sent. */
	differs?: IDataObject[];
	/** Why a person has closed it, or what cannot be read. */
	because?: string;
}

const lookFromOf = ({ lookFrom }: { lookFrom?: number }) => lookFrom !== undefined && { lookFrom };

/** Why a reference that was submitted before is not sent again. */
export function notSentAgain(
	reference: string,
	earlier: EarlierWithAnswer,
	isLookedFor = false,
): Setback {
	const { state, hasSameValues, lookFrom, answer, because } = earlier;
	if (state === 'accepted') {
		const knownAs = answer && idInWords(answer);
		return {
			outcome: hasSameValues ? 'skipped' : 'notSent',
			standing: 'acceptedBefore',
			reference,
			knownAs,
			message: hasSameValues
				? `Reference ${reference} was accepted before and is not sent again`
				: `Reference ${reference} was accepted before with other values, and stands for that transaction`,
			description: `${knownAs ? `It is ${knownAs}. ` : ''}${otherReference}`,
		};
	}
	if (state === 'closed') {
		return {
			outcome: 'notSent',
			standing: 'closed',
			reference,
			message: `Reference ${reference} was closed by a person and is not sent`,
			description: `${because ? `The register says: ${sentence(because)} ` : ''}If it is to be sent after all: look for it on the service's dashboard first. If it is not there, a person sets its 'outcome' in the register to unknown, and submits it in the workflow that it came from, which knows whether it was sent. ${otherReference}`,
		};
	}
	if (state === 'unreadable') {
		return {
			outcome: 'notSent',
			standing: 'unreadable',
			reference,
			message: `The register has a row of reference ${reference} that cannot be read, so nothing was sent`,
			description: `${because}. Correct it in the data table, then submit the reference again. An 'outcome' is sending, accepted, rejected, notSent, unknown or closed, an 'operation' buy or sell or empty, a 'service' an address or empty.`,
		};
	}
	const why = {
		claimedHere: 'another run is submitting it at this moment',
		claimed: lookFrom
			? 'another process is submitting it at this moment, or was stopped in the middle of it'
			: 'n8n was stopped in the middle of it, or could not take note of its end',
		unknown: 'it left n8n, and no answer said what became of it',
	}[state];
	return {
		outcome: 'unknown',
		standing: 'unknown',
		reference,
		...lookFromOf(earlier),
		message: `Reference ${reference} was submitted before${hasSameValues ? '' : ' with other values'}, and its outcome is unknown: ${why}`,
		description:
			isLookedFor && lookFrom !== undefined
				? `It is too early for Submit Unknown Again: begin with step 1, at the time that it names. ${otherReference}`
				: otherReference,
	};
}

/**
 * An attempt that moved nothing does not deny one before it that may have moved. It keeps its own outcome, with a word
 * about that one, or has the outcome of that one.
 */
export function besideEarlier(setback: Setback, earlier: Earlier, keepsOutcome: boolean): Setback {
	const { message, description, standing } = setback;
	if (keepsOutcome) {
		const wasAccepted = earlier.state === 'accepted';
		const before = wasAccepted ? 'was' : 'may have been';
		const known = wasAccepted
			? { standing: 'acceptedBefore' as const }
			: { standing: 'unknown' as const, ...lookFromOf(earlier) };
		return {
			...setback,
			...(standing !== 'rejected' && known),
			description: `${sentence(description)} That is this attempt alone: one before it, under reference ${setback.reference}, ${before} accepted.`,
		};
	}
	const before = notSentAgain(setback.reference!, earlier);
	return {
		...setback,
		outcome: 'unknown',
		standing: 'unknown',
		...lookFromOf(before),
		isOfEarlier: true,
		message: `${sentence(message)} ${before.message}`,
		// Where nothing could be written down, to submit it again is no advice: that is for who has looked.
		description:
			standing === 'notLookedUp'
				? before.description
				: `${sentence(description)} ${before.description}`,
	};
}

/** The run had stopped before it came to this, and says what it is. */
export const lookedUp = (reference: string, earlier: EarlierWithAnswer): Setback => ({
	...notSentAgain(reference, earlier),
	isLeftOver: true,
});

/** A tool without a Reference submits once in an execution: an assistant that is not content asks again in other words. */
export const toolSubmittedBefore = (operation: string, setback: Setback): Setback => ({
	...setback,
	message: `This tool has submitted a ${operation} in this execution already. ${setback.message}`,
	description: `${sentence(setback.description)} For a second ${operation}, start another conversation, or let a person give the tool a 'Reference'.`,
});

const passedOver = 'This reference was accepted before. Nothing was sent.';

/** With what the service answered then, where that is known. */
export const alreadyAccepted = (
	reference: string,
	{ answer, differs }: EarlierWithAnswer,
	simplify: boolean,
): Done => ({
	outcome: 'skipped',
	standing: 'acceptedBefore',
	reference,
	knownAs: answer && idInWords(answer),
	receipt: {
		...(answer && receiptOf(answer, reference, simplify)),
		...(differs && { differs }),
		note: passedOver,
	},
});

/** An item with the reference of an earlier one in the same run shares what became of that. */
export function sharedResult(earlier: Result, earlierIndex: number, reference: string): Result {
	// Sent once, so it counts once.
	const shared = { ...earlier, reference, amount: undefined };
	if (!isSetback(shared)) {
		const receipt = { ...shared.receipt, note: passedOver };
		return { ...shared, outcome: 'skipped', standing: 'acceptedBefore', receipt };
	}
	return shared.outcome === 'unknown'
		? shared
		: {
				...shared,
				outcome: 'notSent',
				message: `Not sent: it has the reference of item ${earlierIndex}. ${shared.message}`,
			};
}
