import { ok, quote, refuse, type Read } from './refusal';
import { describeBody, isObject } from './reply';

export type Rates = Record<string, number>;

/** The codes that the interface shows; others may come. */
const knownCurrencies = ['AED', 'CAD', 'CHF', 'CNY', 'EUR', 'GBP', 'KES', 'TRY', 'USD'];

export const currencyOptions = knownCurrencies.map((code) => ({ name: code, value: code }));

/** The rates in a body: a flat object of currency codes and numbers. Whatever is not a number is no rate. */
export function ratesIn(body: unknown): Read<Rates> {
	const entries = isObject(body) ? Object.entries(body) : [];
	const isRate = (entry: [string, unknown]): entry is [string, number] => Number.isFinite(entry[1]);
	const rates = Object.fromEntries(entries.filter(isRate));
	if (Object.keys(rates).length > 0) return ok(rates);
	return refuse(
		'The service sent no rates',
		`It answered with ${describeBody(body)}. Open the credential and check the 'Base URL' and the 'OTC Base URL'.`,
	);
}

/** Currency codes as a person or an expression may give them: a list, or a text with commas. */
export function currencyCodes(value: unknown): string[] {
	const codes: unknown[] =
		typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value ?? ''];
	return [...new Set(codes.map(asCode).filter(Boolean))];
}

const longestCode = 20;

// What is no code is named among those that the service did not send.
const asCode = (value: unknown) =>
	typeof value === 'string' && value.length <= longestCode
		? value.trim().toUpperCase()
		: quote(value);

export function pickRates(rates: Rates, codes: string[]): Read<Rates> {
	if (codes.length === 0) return ok(rates);
	const missing = codes.filter((code) => !Object.hasOwn(rates, code));
	if (missing.length > 0) {
		return refuse(
			`The service sent no rate for ${missing.join(', ')}`,
			`It sent rates for ${Object.keys(rates).join(', ')}. Change 'Currencies', or leave it empty for all.`,
		);
	}
	return ok(Object.fromEntries(codes.map((code) => [code, rates[code] as number])));
}
