import { ok, quote, refuse, type Read, type Refusal } from './refusal';
import { describeBody, isObject } from './reply';
import { saidNo, serviceSays } from './replyWords';
import { whatFailed } from './saysNo';

export type Rates = Record<string, number>;

/** The codes that are shown; others may come: docs/interface.md (13). */
const knownCurrencies = ['AED', 'CAD', 'CHF', 'CNY', 'EUR', 'GBP', 'KES', 'TRY', 'USD'];

export const currencyOptions = knownCurrencies.map((code) => ({ name: code, value: code }));

export interface RateList {
	rates: Rates;
	/** Names beside the rates that could be taken for one: a currency without a rate, a number without a currency. */
	leftOut: string[];
}

/** What an answer may say of itself, in capitals too. */
const notCodes = new Set(
	'CODE COUNT DATA DATE ERROR ERRORS HTTP ID MESSAGE OK STATUS STATUSCODE SUCCESS TIME TIMESTAMP TOTAL'.split(
		' ',
	),
);

/** USD and USDC, but not statusCode, and no number alone. */
const isCode = (name: string) => /^(?=.*[A-Z])[A-Z0-9]{2,10}$/.test(name) && !notCodes.has(name);

/** The rates in a body: a flat object of currency codes and numbers above 0. One that says that it failed has none. */
export function ratesIn(body: unknown): Read<RateList> {
	const no = isObject(body) && whatFailed(body);
	if (no) return saidNo('rates', no, body);
	const rates: Rates = {};
	const leftOut: string[] = [];
	for (const [name, value] of Object.entries(isObject(body) ? body : {})) {
		const isNumber = typeof value === 'number' && Number.isFinite(value);
		if (isNumber && value > 0 && isCode(name)) rates[name] = value;
		else if (isNumber || isCode(name)) leftOut.push(name);
	}
	if (Object.keys(rates).length > 0) return ok({ rates, leftOut });
	return refuse(
		'The service sent no rates',
		`It answered with ${describeBody(body)}. Open the credential and check the 'Base URL' and the 'OTC Base URL'.${serviceSays(body)}`,
	);
}

const mostNamed = 20;
const longestName = 24;

/** Names in a row, as many and as much of each as can be read. */
export function listed(names: string[]): string {
	const more = names.length - mostNamed;
	const named = names
		.slice(0, mostNamed)
		.map((name) => (name.length > longestName ? `${name.slice(0, longestName)}…` : name));
	return named.join(', ') + (more > 0 ? ` and ${more} more` : '');
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

/** Why a currency that was asked for cannot be had, if one cannot. */
export function noRateFor(
	codes: string[],
	{ rates, leftOut }: RateList,
	advice: string,
): Refusal | undefined {
	const missing = codes.filter((code) => !Object.hasOwn(rates, code));
	if (missing.length === 0) return undefined;
	const isNoRate = missing.filter((code) => leftOut.includes(code));
	const others = isNoRate.length > 0 ? `, and no number above 0 for ${listed(isNoRate)}` : '';
	return refuse(
		`The service sent no rate for ${listed(missing)}`,
		`It sent rates for ${listed(Object.keys(rates))}${others}. ${advice}`,
	);
}

/** What to do about 'Currencies', in the node and in the trigger. */
export const chooseOthers = "Change 'Currencies', or leave it empty for all.";

export function pickRates(list: RateList, codes: string[]): Read<Rates> {
	if (codes.length === 0) return ok(list.rates);
	const refusal = noRateFor(codes, list, chooseOthers);
	if (refusal) return refusal;
	return ok(Object.fromEntries(codes.map((code) => [code, list.rates[code] as number])));
}
