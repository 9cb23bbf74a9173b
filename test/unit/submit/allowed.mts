import { checkWallet } from '../../../nodes/StablecoinRamp/checks/wallet/wallet.ts';

type Body = Record<string, unknown>;

const inBoth = [
	'business_id',
	'link_tag',
	'type',
	'amount',
	'bank_name',
	'account_number',
	'account_name',
];
const ofVendor = ['vendor_name', 'vendor_bank', 'vendor_number'];
const optional = ['network', 'wallet_address', 'reference'];

/** What is wrong with a request that leaves, said again from the interface and the design, not from the code. */
export function faultsIn(
	operation: 'buy' | 'sell',
	body: Body,
	{ strict, maximum }: { strict: boolean; maximum?: number },
): string[] {
	const required = operation === 'buy' ? [...inBoth, ...ofVendor] : inBoth;
	const isRequired = (name: string) =>
		operation === 'buy' || strict || ['business_id', 'link_tag', 'type', 'amount'].includes(name);
	const { amount, account_number, vendor_number, network, wallet_address, type } = body;
	const hasTenDigits = (value: unknown) => /^\d{10}$/.test(String(value));
	const rules: Array<[string, boolean]> = [
		['unknown field', Object.keys(body).every((name) => [...required, ...optional].includes(name))],
		['missing field', required.filter(isRequired).every((name) => name in body)],
		[
			'text',
			Object.entries(body).every(
				([name, value]) =>
					name === 'amount' ||
					(typeof value === 'string' &&
						value !== '' &&
						value.trim() === value &&
						value.length <= 500),
			),
		],
		['amount', typeof amount === 'number' && Number.isFinite(amount) && amount > 0],
		['kobo', !strict || Number.isInteger(Number((Number(amount) * 100).toPrecision(15)))],
		['minimum', operation === 'sell' || Number(amount) >= 15000],
		['maximum', !maximum || Number(amount) <= maximum],
		['type', operation === 'sell' || type === 'buy_ramp'],
		['account number', !strict || hasTenDigits(account_number)],
		['vendor number', !strict || operation === 'sell' || hasTenDigits(vendor_number)],
		['network and wallet together', !strict || 'network' in body === 'wallet_address' in body],
		[
			'wallet',
			!strict || !wallet_address || checkWallet(String(network), String(wallet_address)).ok,
		],
		['secret', !/^S[A-Z2-7]{55}$/.test(String(wallet_address))],
	];
	return rules.filter(([, isKept]) => !isKept).map(([name]) => name);
}
