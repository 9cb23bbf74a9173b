import type { IDataObject } from 'n8n-workflow';

import { asNumber } from '../checks/values';
import type { TransactionOperation } from '../service/endpoints';
import { checkAccountNumber } from '../checks/account';
import { checkAmount } from '../checks/amount';
import { isNetwork, networks, refuseNetwork } from '../checks/networks';
import { refuseSecret } from '../checks/secret';
import { quote, refuse, type Refusal } from '../checks/verdict';
import { checkWallet } from '../checks/wallet';
import type { Vendor } from '../resources/vendor/vendors';
import { labels, type Parameter, type RawItem } from './readItem';

/** One item, read and checked: what would be sent for it, but for a reference that is still to be made. */
export interface Draft {
	body: IDataObject;
	ownReference: string;
	simplify: boolean;
	dryRun: boolean;
	checks: 'strict' | 'off';
	ifAlreadySubmitted: 'fail' | 'skip' | 'submitAgain';
	refusals: Refusal[];
}

export interface DraftSources {
	credentials: IDataObject;
	/** Undefined where the vendor is entered by hand. */
	vendor?: Vendor | Refusal;
}

const minimumBuy = 15000;

const longestText = 500;

/** No n8n in here: raw values in, a request body and what is to be said against it out. */
export function draft(operation: TransactionOperation, raw: RawItem, sources: DraftSources): Draft {
	const refusals: Refusal[] = [];
	const options = collection();
	const { checks, ifAlreadySubmitted } = options;
	const strict = choose('Checks', checks, ['strict', 'off']) === 'strict';

	const body: IDataObject = {
		business_id: identity('businessId'),
		link_tag: identity('linkTag'),
		type: operation === 'buy' ? 'buy_ramp' : required('type'),
		amount: amount(),
		...(operation === 'buy' && vendor()),
		bank_name: bankField('bankName'),
		account_number: accountNumber('accountNumber', bankField('accountNumber')),
		account_name: bankField('accountName'),
		...wallet(),
	};
	for (const [name, value] of Object.entries(body)) if (value === '') delete body[name];

	return {
		body,
		ownReference: text('reference'),
		simplify: operation === 'buy' && raw.simplify !== false,
		dryRun: dryRun(),
		checks: strict ? 'strict' : 'off',
		ifAlreadySubmitted: choose('If Already Submitted', ifAlreadySubmitted, [
			'fail',
			'skip',
			'submitAgain',
		]),
		refusals,
	};

	function collection(): Record<string, unknown> {
		const given = raw.options ?? '';
		if (typeof given === 'object') return given as Record<string, unknown>;
		if (given !== '') {
			refusals.push(
				refuse(
					`Options is ${quote(given)}, not a list of options`,
					'Choose the options in Options',
				),
			);
		}
		return {};
	}

	function text(name: Parameter): string {
		const value = raw[name] ?? '';
		if (typeof value === 'number' && Number.isFinite(value)) return String(value);
		if (typeof value !== 'string') {
			refusals.push(
				refuse(`${labels[name]} is ${quote(value)}, not a text`, `Set ${labels[name]} to a text`),
			);
			return '';
		}
		if (value.length > longestText) {
			refusals.push(
				refuse(
					`${labels[name]} has ${value.length} characters`,
					`Shorten ${labels[name]} to at most ${longestText} characters`,
				),
			);
			return '';
		}
		return value.trim();
	}

	function required(name: Parameter): string {
		const before = refusals.length;
		const value = text(name);
		if (value === '' && refusals.length === before) {
			refusals.push(refuse(`${labels[name]} is empty`, `Fill in ${labels[name]}`));
		}
		return value;
	}

	function identity(name: 'businessId' | 'linkTag'): string {
		const own = text(name);
		if (own !== '') return own;
		const given = sources.credentials[name];
		const shared = typeof given === 'string' || typeof given === 'number' ? `${given}`.trim() : '';
		if (shared === '') {
			refusals.push(
				refuse(
					`${labels[name]} is empty, in the node and in the credential`,
					`Fill in ${labels[name]} once in the credential, from the business dashboard, or here in the node`,
				),
			);
		}
		return shared;
	}

	function amount(): number | string {
		// A limit that an expression left empty is not the same as no limit.
		const maximum = 'maximumAmount' in options ? asNumber(options.maximumAmount) : 0;
		if (!Number.isFinite(maximum) || maximum < 0) {
			refusals.push(
				refuse(
					`Maximum Amount is ${quote(options.maximumAmount)}, not a number`,
					'Set Maximum Amount in Options to a number, or take it out',
				),
			);
		}
		const checked = checkAmount(raw.amount, {
			minimum: operation === 'buy' ? minimumBuy : undefined,
			maximum: maximum > 0 ? maximum : undefined,
		});
		if (checked.ok) return checked.amount;
		refusals.push(checked);
		return '';
	}

	function vendor(): IDataObject {
		const listed = sources.vendor;
		if (listed && 'ok' in listed) refusals.push(listed);
		else if (listed) {
			return {
				vendor_name: listed.vendorName,
				vendor_bank: listed.vendorBank,
				vendor_number: listed.vendorNumber,
			};
		} else {
			return {
				vendor_name: required('vendorName'),
				vendor_bank: required('vendorBank'),
				vendor_number: accountNumber('vendorNumber', required('vendorNumber')),
			};
		}
		return {};
	}

	// Which fields of a sell are required is not documented: in strict checks, those without which nobody can be paid.
	function bankField(name: Parameter): string {
		return operation === 'buy' || strict ? required(name) : text(name);
	}

	function accountNumber(name: 'accountNumber' | 'vendorNumber', value: string): string {
		const verdict = checkAccountNumber(value, labels[name]);
		if (strict && value !== '' && !verdict.ok) refusals.push(verdict);
		return value;
	}

	// A secret is refused whatever the checks are set to, and is not passed on: a dry run would show it.
	function wallet(): IDataObject {
		const address = text('walletAddress');
		const typed = text('network');
		const network = networks.find((known) => known.toLowerCase() === typed.toLowerCase()) ?? typed;
		const secret = refuseSecret(address);
		if (secret) {
			refusals.push(secret);
			return { network };
		}
		if (strict && address !== '' && network === '') {
			refusals.push(
				refuse(
					'Wallet Address is filled and Network is not',
					`Choose the network of the wallet in Network, one of ${networks.join(', ')}`,
				),
			);
		} else if (strict && address !== '') {
			const verdict = checkWallet(network, address);
			if (!verdict.ok) refusals.push(verdict);
		} else if (strict && network !== '' && !isNetwork(network)) {
			refusals.push(refuseNetwork(network));
		}
		return { network, wallet_address: address };
	}

	function dryRun(): boolean {
		const { dryRun: given } = options;
		if (given === true || given === 'true') return true;
		if (given && given !== 'false') {
			refusals.push(
				refuse(
					`Dry Run is ${quote(given)}, neither true nor false`,
					'Set Dry Run in Options to true or false',
				),
			);
		}
		return false;
	}

	function choose<T extends string>(
		label: string,
		value: unknown,
		allowed: readonly [T, ...T[]],
	): T {
		if (value === undefined || value === '') return allowed[0];
		const chosen = allowed.find((option) => option === value);
		if (chosen === undefined) {
			refusals.push(
				refuse(
					`${label} is ${quote(value)}, which is none of ${allowed.join(', ')}`,
					`Set ${label} in Options to one of ${allowed.join(', ')}`,
				),
			);
		}
		return chosen ?? allowed[0];
	}
}
