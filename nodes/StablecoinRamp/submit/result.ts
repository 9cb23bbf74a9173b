import type { IDataObject } from 'n8n-workflow';

import type { Words } from '../../../client/refusal';
import type { Difference } from '../resources/transaction/answer';

/**
 * What a reply makes of a transaction:
 * - accepted: the service took it
 * - rejected: the service said no
 * - notSent: the request did not leave
 * - unknown: the request left, and nobody here can say what became of it
 */
export type ReplyOutcome = 'accepted' | 'rejected' | 'notSent' | 'unknown';

/** Where a transaction stands, for the list in the message of a run that stops. */
export type Standing =
	| 'accepted'
	| 'acceptedBefore'
	| 'unknown'
	| 'rejected'
	| 'refused'
	| 'closed'
	| 'unreadable'
	| 'notLookedUp'
	| 'new'
	| 'dryRun';

interface Became {
	standing: Standing;
	/** A refused item may have none yet. */
	reference?: string;
	/** What to look for on the service's dashboard: its id, or the answer that has just come where that has none. */
	knownAs?: string;
	id?: string;
	/** The answer of the service as text, without the secret key. */
	response?: string;
	/** What the answer says otherwise than what was sent. */
	differs?: Difference[];
	/** Of what was sent: a later try of the execution compares with it. */
	valuesFingerprint?: string;
	/** What was sent, which counts for Maximum Total in a later try. */
	amount?: number;
	/** It may have moved, and n8n's database did not take note of that. */
	isUnsettled?: true;
	/** The register did not take note of what became of it. */
	isNotInRegister?: true;
}

export interface Done extends Became {
	outcome: 'accepted' | 'skipped' | 'dryRun';
	/** What is put out for the item, besides outcome and reference. */
	receipt: IDataObject;
}

export interface Setback extends Became, Words {
	outcome: Exclude<ReplyOutcome, 'accepted'> | 'skipped';
	httpCode?: string;
	/** This attempt moved nothing, and an earlier one under the same reference may have: that one is told. */
	isOfEarlier?: true;
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

/** Whether the service may have the transaction: then it is sent again only where a person asks for that. */
export const mayHaveMoved = ({ outcome }: Result) =>
	outcome === 'accepted' || outcome === 'unknown';

const notSentByAnyTry = new Set<Standing>([
	'refused',
	'closed',
	'unreadable',
	'new',
	'notLookedUp',
	'dryRun',
]);

/** No try of this execution has sent it. */
export const neverSent = ({ standing }: Result) => notSentByAnyTry.has(standing);

/** Whether a later try of this execution leaves it as it is: it may have moved, or shares what became of one that has. */
export const isKept = (result: Result) => mayHaveMoved(result) || result.outcome === 'skipped';
