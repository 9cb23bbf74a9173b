import { isMade } from './reference';
import { isSetback, type Result, type Setback } from './result';

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
	const when =
		from > 0 ? ` at or after ${timeInWords(from)}: a look before that proves nothing` : '';
	const found = hasRegister
		? "in the register, which is under Data tables, set its 'outcome' to accepted and fill in 'transaction_id'; where it has no row, add one with these and its 'reference', 'operation' and 'amount'"
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

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });

const inLagos = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Africa/Lagos' });

/** 10:40 UTC on 16 November (11:40 in Lagos), where those who use naira are. */
export const timeInWords = (time: number): string =>
	`${new Date(time).toISOString().slice(11, 16)} UTC on ${day.format(time)} (${inLagos.format(time)} in Lagos)`;

const isUnknown = (result: Result): result is Setback =>
	isSetback(result) && result.standing === 'unknown';

/** What to do next about one that did not work out. */
export const nextFor = (setback: Setback, hasRegister: boolean): string =>
	[setback.description, ...stepsFor([setback], hasRegister)].join('\n');
