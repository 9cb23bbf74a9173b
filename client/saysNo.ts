import type { IDataObject } from 'n8n-workflow';

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

/** What in an object says that the service did not do what it was asked, if anything: a status of 200 is no proof. */
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
