import { asText } from '../../../client/values';
import { accept, refuse, type Verdict } from '../../../client/refusal';

/** Shows the last four digits. Anything but an account number (a seed, a name) is hidden altogether. */
export function lastFour(value: unknown): string {
	const text = asText(value);
	const digits = text.replace(/[\s-]/g, '');
	return /^\d{5,}$/.test(digits) ? `••••${digits.slice(-4)}` : '••••';
}

type Rule = { when: RegExp; what: (digits: string) => string; next: (label: string) => string };

// In order: the first rule that matches speaks.
const rules: Rule[] = [
	{ when: /^$/, what: () => 'is empty', next: (label) => `Fill in ${label}, ten digits` },
	{
		when: /\D/,
		what: () => 'has characters other than digits',
		next: (label) => `Write ${label} as ten digits, with no spaces, dashes or letters`,
	},
	{
		when: /^(0\d{10}|234\d{10})$/,
		what: (digits) => `has ${digits.length} digits and looks like a phone number`,
		next: (label) => `Set ${label} to the ten digits of the bank account`,
	},
	{
		when: /^\d{1,9}$/,
		what: ({ length }) => `has ${length} ${length === 1 ? 'digit' : 'digits'}, not ten`,
		next: (label) =>
			`A spreadsheet usually drops leading zeros: format the column as text, and give ${label} with all ten digits`,
	},
	{
		when: /^\d{11,}$/,
		what: (digits) => `has ${digits.length} digits, not ten`,
		next: (label) => `Set ${label} to the ten digits of the bank account`,
	},
];

export function checkAccountNumber(value: unknown, label = "'Account Number'"): Verdict {
	const text = asText(value);
	const rule = rules.find(({ when }) => when.test(text));
	if (!rule) return accept;
	const shown = lastFour(text) === '••••' ? '' : ` ${lastFour(text)}`;
	return refuse(`${label}${shown} ${rule.what(text)}`, rule.next(label));
}
