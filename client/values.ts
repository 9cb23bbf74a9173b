import { ok, quote, refuse, type Read } from './refusal';

/** A text, or a number as a spreadsheet column or an expression hands it over where digits were typed. */
export const asText = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** A number, or the plain digits of one; anything else, also an empty text, is NaN. */
export function asNumber(value: unknown): number {
	const text = asText(value).trim();
	return /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
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
