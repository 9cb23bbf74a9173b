import type { IDataObject } from 'n8n-workflow';

import { isObject } from './reply';

const noWords =
	'error|fail(?:ed|ure)?|declined|denied|rejected|refused|cancell?ed|aborted|reversed|expired|unsuccessful|unavailable';

const beginsWithNo =
	/^(fail|error|err\b|declin|denied|reject|refus|abort|revers|expired|invalid|insufficient|unsuccess|cancel(?!lation is possible)|false$|nok\b|no$|unavailable|time(d )?out|unauthori|forbidden|not (found|ok|success|accepted|approved|allowed|processed|completed)|bad\b)/i;

const denied = String.raw`(?<!\b(?:no|not|without|zero|0) )`;
const endsWithNo = new RegExp(String.raw`${denied}\b(?:${noWords})\W*$`, 'i');
const hasNo = new RegExp(
	String.raw`${denied}(?<!\b(?:if|be) )\b(?:${noWords})\b|\bnot (?:been |yet )?(?:found|successful|processed|completed|accepted|approved|allowed)\b|\b(?:invalid|insufficient|(?:could|did) not|(?:ca|was|is|has|did|could)n.t|can ?not|timed out|went wrong|unable to)\b`,
	'i',
);

/** A no at the end that tells of what may come: "if it is rejected", "approved or declined", "can no longer be cancelled". */
const endsWithMaybe = new RegExp(
	String.raw`\b(?:(?:can|could|cannot|may|might|longer|not) (?:be )?|(?<!\bnot )(?:approved|accepted) or |(?:if|unless) (?:it|this|that|(?:the|your) \w+) (?:is|gets) )(?:${noWords})\W*$`,
	'i',
);

/** notFound and TXN_REJECTED as not found and TXN REJECTED. */
export const inWords = (text: string) =>
	text
		.replace(/([a-z])(?=[A-Z])/g, '$1 ')
		.replace(/[_-]+/g, ' ')
		.trim();

const soundsLikeNo = (text: unknown): text is string =>
	typeof text === 'string' && (beginsWithNo.test(inWords(text)) || endsWithNo.test(inWords(text)));

/** Not where it only ends with what may come. */
const isMeantAsNo = (text: unknown): text is string =>
	soundsLikeNo(text) && (beginsWithNo.test(inWords(text)) || !endsWithMaybe.test(inWords(text)));

const hasANo = (text: unknown): text is string =>
	soundsLikeNo(text) || (typeof text === 'string' && hasNo.test(inWords(text)));

const isNo = (value: unknown) =>
	value === 0 || value === false || (typeof value === 'string' && /^(false|no?|0)$/i.test(value));

const isError = (value: unknown) =>
	value !== undefined && value !== null && value !== false && value !== '';

const isNothing = (value: unknown) =>
	/^(\[\]|\{\}|0+)$/.test(typeof value === 'object' ? JSON.stringify(value) : String(value));

const isNone = (value: unknown): boolean =>
	Array.isArray(value)
		? value.every(isNone)
		: !isError(value) || isNothing(value) || /^(none|no|null|false)$/i.test(String(value));

const isErrorStatus = (value: unknown) =>
	value === false || (typeof value !== 'object' && Number(value) >= 400);

/** In whatever case its names are written, and with whatever between their words. */
const byPlainName = (body: IDataObject): IDataObject =>
	Object.fromEntries(
		Object.entries(body).map(([name, value]) => [name.toLowerCase().replace(/[_-]/g, ''), value]),
	);

/** What in an answer says that it did not work, if anything: a status of 200 is no proof, docs/interface.md (11). */
export function whatFailed(body: IDataObject): string | undefined {
	const said = byPlainName(body);
	const { status, statuscode, result, ok } = said;
	// Larger ones are codes of something else.
	const code = Number(said.code) < 600 ? said.code : undefined;
	const successes = [said.success, said.successful, said.issuccess, said.issuccessful, ok];
	for (const word of [status, result, ...successes]) {
		if (soundsLikeNo(word)) return `says "${word}"`;
	}
	for (const number of [status, statuscode, code]) {
		if (isErrorStatus(number)) return `says status ${String(number)}`;
	}
	if (successes.some(isNo)) return 'says that it did not succeed';
	const { error, errors, errormessage, errorcode } = said;
	if (![error, errors, errormessage, errorcode].every(isNone)) return 'has an error in it';
	return isObject(status) ? whatFailed(status) : undefined;
}

/**
 * The same of an answer to a transaction. Money hangs on it, so what is perhaps no error counts too. Where it is not clear
 * that it names a transaction and has a status, its message is read as closely as that.
 */
export function whatSaysNo(body: IDataObject, isClear = true): string | undefined {
	const said = byPlainName(body);
	const { error, errors, status, state, outcome, result, message } = said;
	const failed = whatFailed(body);
	if (failed) return failed;
	if (isError(error) || (isError(errors) && !isNothing(errors))) return 'has an error in it';
	const states = [status, result, state, outcome, said.transactionstatus, said.transactionstate];
	const words = [message, said.msg, said.detail, said.reason, said.description].flat();
	const no = states.find(hasANo) ?? (isClear ? [message].find(isMeantAsNo) : words.find(hasANo));
	return no === undefined ? undefined : `says "${String(no)}"`;
}
