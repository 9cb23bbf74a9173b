import type { IDataObject } from 'n8n-workflow';

import { isObject } from './reply';

const sayingNo =
	/^(fail(ed|ure)?|error|declined|denied|rejected|refused|invalid|unsuccessful|cancell?ed|false)\W*$/i;

const isNo = (value: unknown) =>
	value === 0 || value === false || (typeof value === 'string' && /^(false|no)$/i.test(value));

const isError = (value: unknown) =>
	value !== undefined && value !== null && value !== false && value !== '';

const isNothing = (value: unknown) =>
	['[]', '{}', '0'].includes(typeof value === 'object' ? JSON.stringify(value) : String(value));

const isErrorStatus = (value: unknown) =>
	value === false || (typeof value !== 'object' && Number(value) >= 400);

/** What in an answer to a transaction says that it was not taken, if anything: a status of 200 is no proof, docs/interface.md (11). */
export function whatSaysNo({
	status,
	statusCode,
	success,
	ok,
	error,
	errors,
}: IDataObject): string | undefined {
	if (typeof status === 'string' && sayingNo.test(status.trim())) return `says "${status}"`;
	for (const code of [status, statusCode]) {
		if (isErrorStatus(code)) return `says status ${String(code)}`;
	}
	if (isNo(success) || isNo(ok)) return 'says that it did not succeed';
	return isError(error) || (isError(errors) && !isNothing(errors))
		? 'has an error in it'
		: undefined;
}

const soundingNo =
	/^(fail|error|declin|denied|reject|refus|invalid|unsuccess|cancel|false$|no$|unavailable|time(d )?out|unauthori|forbidden|not[ _]found|bad\b)|(?<!\bno )(error|failed|failure|unavailable)\W*$/i;

const isNone = (value: unknown): boolean =>
	Array.isArray(value)
		? value.every(isNone)
		: !isError(value) || isNothing(value) || /^(none|no|null|false)$/i.test(String(value));

/**
 * The same of an answer to a read, in whatever case its names are written. Nothing was moved, so less is enough to
 * refuse it, and an error that is none is not held against it.
 */
export function whatFailed(body: IDataObject): string | undefined {
	const { status, statuscode, code, success, ok, error, errors } = Object.fromEntries(
		Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]),
	);
	for (const word of [status, success, ok]) {
		if (typeof word === 'string' && soundingNo.test(word.trim())) return `says "${word}"`;
	}
	for (const number of [status, statuscode, code]) {
		if (isErrorStatus(number)) return `says status ${String(number)}`;
	}
	if (isNo(success) || isNo(ok)) return 'says that it did not succeed';
	if (!isNone(error) || !isNone(errors)) return 'has an error in it';
	return isObject(status) ? whatFailed(status) : undefined;
}
