import type { IDataObject } from 'n8n-workflow';

import { isObject } from './reply';

const soundingNo =
	/^(fail|error|declin|denied|reject|refus|invalid|insufficient|unsuccess|cancel|false$|no$|unavailable|time(d )?out|unauthori|forbidden|not[ _]?(found|ok|success|accepted|approved|allowed|processed|completed)|bad\b)|(?<!\bno )(error|failed|failure|unavailable)\W*$/i;

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
		if (typeof word === 'string' && soundingNo.test(word.trim())) return `says "${word}"`;
	}
	for (const number of [status, statuscode, code]) {
		if (isErrorStatus(number)) return `says status ${String(number)}`;
	}
	if (successes.some(isNo)) return 'says that it did not succeed';
	const { error, errors, errormessage, errorcode } = said;
	if (![error, errors, errormessage, errorcode].every(isNone)) return 'has an error in it';
	return isObject(status) ? whatFailed(status) : undefined;
}

/** The same of an answer to a transaction. Money hangs on it, so an error that is perhaps none counts too. */
export function whatSaysNo(body: IDataObject): string | undefined {
	const { error, errors } = byPlainName(body);
	const hasError = isError(error) || (isError(errors) && !isNothing(errors));
	return whatFailed(body) ?? (hasError ? 'has an error in it' : undefined);
}
