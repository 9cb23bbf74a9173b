import { ok, quote, refuse, type Read } from './refusal';

/** A text, or a number as a spreadsheet column or an expression hands it over where digits were typed. */
export const asText = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** A number of 0 or more, or the plain digits of one; anything else, also an empty text, is NaN. */
export function asNumber(value: unknown): number {
	if (typeof value === 'number') return value >= 0 && value < Infinity ? value : NaN;
	const text = asText(value).trim();
	return /^\d+(\.\d+)?(e[-+]?\d+)?$/i.test(text) ? written(text) : NaN;
}

/** Too large a number would be Infinity, and too small a one 0, which is no limit at all. */
function written(text: string): number {
	const number = Number(text);
	const isZero = /^[0.]*(e|$)/i.test(text);
	return number < Infinity && (number > 0 || isZero) ? number : NaN;
}

/** A limit that is set in Options. 0 means none, and so does leaving it out: it is Infinity then. */
export function asLimit(label: string, value: unknown = 0): Read<number> {
	const limit = asNumber(value);
	if (!Number.isNaN(limit)) return ok(limit === 0 ? Infinity : limit);
	return refuse(
		`${label} is ${quote(value)}, not a number`,
		`Set ${label} in Options to a number, or take it out`,
	);
}

/** The longest that Node can wait: with more it would not wait at all. */
const longestWait = 2 ** 31 - 1;

/** The Timeout of n8n's Request Options. 0 means the usual one, and so does leaving it out. */
export function asTimeout(
	value: unknown,
	usual: number,
	longest = longestWait,
	why = '',
): Read<number> {
	const given = value === undefined ? 0 : asNumber(value);
	const milliseconds = given === 0 ? usual : given;
	if (milliseconds >= 1 && milliseconds <= longest) return ok(milliseconds);
	return refuse(
		`'Timeout' in Request Options is ${quote(value)}`,
		`Set 'Timeout' under Request Options in Settings to a number of milliseconds, e.g. 60000, or take it out. At most ${longest}${why}`,
	);
}

/** A choice from a list, which an expression may have made. */
export function oneOf<T extends string>(
	label: string,
	value: unknown,
	allowed: readonly T[],
): Read<T> {
	const found = allowed.find((one) => one === value);
	if (found !== undefined) return ok(found);
	const choices = allowed.join(', ');
	return refuse(
		`${label} is ${quote(value)}, which is none of ${choices}`,
		`Set ${label} to one of ${choices}`,
	);
}
