import type { IDataObject } from 'n8n-workflow';

import { isObject } from './reply';

const noWords =
	'error|fail(?:ed|ure)?|declined|denied|rejected|refused|cancell?ed|aborted|reversed|expired|unsuccessful|unavailable';

const beginsWithNo =
	/^(fail|error|err\b|declin|denied|reject|refus|abort|revers|expired|invalid|insufficient|unsuccess|cancel(?!lation (is|may|can|will)\b)|false$|nok\b|no$|unavailable|time(d )?out|unauthori|forbidden|not (found|ok|success|accepted|approved|allowed|processed|completed)|bad\b)/i;
/** Behind these a no does not count: it has not happened, or may still happen. */
const unsaid = [
	String.raw`(?<!\b(?:no|not|without|zero|0|if) )`,
	String.raw`(?<!\b(?:can|could|cannot|may|might|will|would|longer|not) (?:be )?)`,
	String.raw`(?<!\b(?:approved|accepted|successful|completed|confirmed) or )`,
	String.raw`(?<!\b(?:if|when|unless|until) (?:it|this|that|(?:the|your) \w+) (?:is|are|gets) )`,
].join('');

/** The word first: what stands before it is looked at only where there is one. */
const saying = (words: string, end: string) =>
	new RegExp(String.raw`\b(?=(?:${words})${end})${unsaid}(?:${words})${end}`, 'i');

const endsWithNo = saying(noWords, String.raw`\W*$`);
const hasNo = saying(noWords, String.raw`\b`);

/** Read closely, these say no too. */
const hasMoreNo =
	/\b(not (found|successful|processed|completed|accepted|approved|allowed)|invalid|insufficient|can ?not(?! be (reversed|cancell?ed|undone))|couldn.t|(could|did) not|timed out|went wrong|unable to)\b/i;

/** notFound and TXN_REJECTED as not found and TXN REJECTED. */
export const inWords = (text: string) =>
	text
		.replace(/([a-z])(?=[A-Z])/g, '$1 ')
		.replace(/[_-]+/g, ' ')
		.trim();

const soundsLikeNo = (text: unknown): text is string =>
	typeof text === 'string' && (beginsWithNo.test(inWords(text)) || endsWithNo.test(inWords(text)));

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
 * The same of an answer to a transaction. Money hangs on it, so what is perhaps no error counts too, and its message is
 * read more closely where nothing else in it says that it worked.
 */
export function whatSaysNo(body: IDataObject, isReadClosely = false): string | undefined {
	const said = byPlainName(body);
	const { error, errors, status, state, outcome, result, message } = said;
	const failed = whatFailed(body);
	if (failed) return failed;
	if (isError(error) || (isError(errors) && !isNothing(errors))) return 'has an error in it';
	const states = [status, result, state, outcome, said.transactionstatus, said.transactionstate];
	const words = [message, said.msg, said.detail, said.reason, said.description].flat();
	const no =
		states.find(hasANo) ??
		[message].find(soundsLikeNo) ??
		(isReadClosely
			? words.find((text) => hasANo(text) || hasMoreNo.test(String(text)))
			: undefined);
	return no === undefined ? undefined : `says "${String(no)}"`;
}
