import { ok, quote, refuse, type Read } from '../../../client/refusal';

const plain = /^-?\d+(\.\d+)?$/;

// A double keeps 15 significant digits of any decimal number; beyond that it would be a different
// amount that is sent. The number of decimals is not limited here, since no limit is shown.
const exactDigits = 15;

// "15.000" is fifteen thousand to half of the world.
const looksLikeThousands = /^-?[1-9]\d{0,2}\.\d{3}$/;

/** Kobo. The service does not say how many decimals it takes: docs/interface.md (5). */
const decimalsOfMoney = 2;

const writePlainly =
	"Write 'Amount' in digits, with a dot before any decimals, e.g. 15000 or 15000.50";

const whyNotPlain: Array<[RegExp, string]> = [
	[/^0[xob]/i, 'which is not in decimal notation'],
	[/^[-+]?[\d.]+e[-+]?\d+$/i, 'which is in scientific notation'],
	[/\d[,'’_\s]+\d/, 'which has a separator between its digits'],
	[/[₦$€£]|NGN|naira/i, 'which has a currency in it'],
	[/^[-+]?\.\d+$|^[-+]?\d+\.$/, 'which has a dot with no digits on one side'],
	[/^\+\d/, 'which has a plus sign'],
];

export function parseAmount(value: unknown): Read<number> {
	const given = value ?? '';
	if (typeof given !== 'string' && typeof given !== 'number') {
		return refuse(`'Amount' is ${quote(given)}, not a number`, writePlainly);
	}
	const text = String(given).trim();
	if (text === '') return refuse("'Amount' is empty", writePlainly);
	if (!plain.test(text)) {
		const why = whyNotPlain.find(([pattern]) => pattern.test(text))?.[1];
		return refuse(`'Amount' is ${quote(text)}, ${why ?? 'which is not a number'}`, writePlainly);
	}
	if (typeof value === 'string' && looksLikeThousands.test(text)) {
		return refuse(
			`'Amount' is ${quote(text)}, which can be read as thousands or as decimals`,
			writePlainly,
		);
	}
	if (significantDigits(text) > exactDigits) {
		return refuse(
			`'Amount' is ${quote(text)}, which has too many digits to be sent exactly`,
			`Set 'Amount' to a number of at most ${exactDigits} digits`,
		);
	}
	const amount = Number(text);
	if (amount <= 0) {
		return refuse(`'Amount' is ${quote(text)}, not above zero`, "Set 'Amount' to more than 0");
	}
	return ok(amount);
}

export function checkAmount(
	value: unknown,
	{
		minimum = 0,
		maximum = Infinity,
		asMoney,
	}: { minimum?: number; maximum?: number; asMoney?: boolean } = {},
): Read<number> {
	const parsed = parseAmount(value);
	if (!parsed.ok) return parsed;
	const [, decimals = ''] = String(value).trim().split('.');
	if (asMoney && decimals.replace(/0+$/, '').length > decimalsOfMoney) {
		return refuse(
			`'Amount' is ${quote(value)}, which has more than ${decimalsOfMoney} decimals`,
			`Round 'Amount' to ${decimalsOfMoney} decimals, e.g. with {{ $json.amount.round(2) }}`,
		);
	}
	if (parsed.value < minimum) {
		return refuse(
			`'Amount' is ${parsed.value}, below the minimum of ${minimum}`,
			`Set 'Amount' to ${minimum} or more`,
		);
	}
	if (parsed.value > maximum) {
		return refuse(
			`'Amount' is ${parsed.value}, above the 'Maximum Amount' of ${maximum}`,
			"Lower 'Amount', or raise 'Maximum Amount' in Options",
		);
	}
	return parsed;
}

function significantDigits(text: string): number {
	const [whole = '', decimals = ''] = text.replace('-', '').split('.');
	return (whole + decimals.replace(/0+$/, '')).replace(/^0+/, '').length;
}
