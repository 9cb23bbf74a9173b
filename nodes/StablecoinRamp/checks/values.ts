/** A text, or a number as a spreadsheet column or an expression hands it over where digits were typed. */
export const asText = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** A number as typed or as an expression gave it; anything else, also an empty text, is NaN. */
export function asNumber(value: unknown): number {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN;
}
