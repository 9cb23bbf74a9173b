import type { IDataObject } from 'n8n-workflow';

import { checkAccountNumber } from '../checks/account';
import { checkAmount, parseAmount } from '../checks/amount';
import { networks } from '../checks/wallet/networks';
import { refuseSecret, secretIn } from '../checks/wallet/secret';
import { asLimit, asText, oneOf } from '../../../client/values';
import { hiddenKey, hideIn } from '../../../client/masking';
import { quote, refuse, type Read, type Refusal } from '../../../client/refusal';
import { checkWallet } from '../checks/wallet/wallet';
import { vendorFields, type Vendor } from '../../../client/vendors';
import type { TransactionOperation } from '../../../client/endpoints';
import { isObject } from '../../../client/reply';
import { label, sentName, transactions } from '../resources/transaction';
import { keyForm } from './memory/fingerprint';
import { choices, type Choice } from './policy';

/** The parameters of one item as a person or an expression gave them: anything is possible. */
export type RawItem = Record<string, unknown>;

/** One item, read and checked: what would be sent for it, but for a reference that is still to be made. */
export interface Draft extends Options {
	/** By the names of the service. */
	body: IDataObject;
	/** 0 where it was refused. */
	amount: number;
	ownReference: string;
	simplify: boolean;
	refusals: Refusal[];
}

interface Options {
	dryRun: boolean;
	checks: 'strict' | 'off';
	ifAlreadySubmitted: Choice;
}

/** What an item is drafted from. */
export interface Item {
	operation: TransactionOperation;
	raw: RawItem;
	credentials: IDataObject;
	/** Undefined where the vendor is entered by hand. */
	vendor?: Read<Vendor>;
}

interface Part<Value = IDataObject> {
	value: Value;
	refusals: Refusal[];
}

export function draft(item: Item): Draft {
	const { operation, raw } = item;
	const chosen = options(item);
	const own = reference(item);
	const amount = checkedAmount(item);
	const parts = [identity(item), amount, vendor(item), others(item), wallet(item)];
	const values = parts.map(({ value }) => value);
	const { alwaysSent } = transactions[operation];
	const body = Object.assign({}, alwaysSent, ...values) as IDataObject;
	for (const [name, value] of Object.entries(body)) if (value === '') delete body[name];
	return {
		...chosen.value,
		body,
		amount: amount.amount,
		ownReference: own.value,
		simplify: has('simplify', operation) && raw.simplify !== false && raw.simplify !== 'false',
		refusals: [chosen, own, ...parts].flatMap(({ refusals }) => refusals),
	};
}

const has = (field: string, operation: TransactionOperation) =>
	transactions[operation].fields.some(({ name }) => name === field);

const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

/** The person's own reference, empty where there is none. Two that look the same are the same, and are sent as one. */
function reference({ raw: { reference: given }, credentials }: Item): Part<string> {
	const typed = text('reference', given);
	const own = text('reference', keyForm(typed.value));
	const refusals = [...typed.refusals, ...own.refusals];
	if (refusals.length > 0) return { value: '', refusals };
	const refuseBecause = (message: string, description: string) => ({
		value: '',
		refusals: [refuse(message, description)],
	});
	if (typeof given === 'number' && !Number.isSafeInteger(given)) {
		return refuseBecause(
			`${label('reference')} is the number ${given}, which may not be the one that was meant`,
			`Give ${label('reference')} as a text from where it comes from: a number is sure only if it is whole and has no more than 15 digits`,
		);
	}
	const [character] = invisible.exec(typed.value) ?? [];
	if (character !== undefined) {
		const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
		return refuseBecause(
			`${label('reference')} has a character in it that nobody sees, U+${code}`,
			`Take it out of ${label('reference')}, e.g. by typing it anew: a look on the dashboard would not find it`,
		);
	}
	const [nothing] =
		/(?<![A-Za-z])(undefined|null|NaN)(?![A-Za-z])|\[object \w+\]/.exec(own.value) ?? [];
	if (nothing !== undefined) {
		return refuseBecause(
			`${label('reference')} has "${nothing}" in it, which an expression leaves where it finds nothing that it can use`,
			`Correct the expression in ${label('reference')}: it would be the same for every item. What a webhook received is in $json.body`,
		);
	}
	const secret = secretIn(own.value);
	// Hashes are used as references, and look like keys.
	if (secret && !secret.mayBeHash) {
		return refuseBecause(
			`${label('reference')} looks like ${secret.name}`,
			`Take it out of ${label('reference')}, which is shown to people, and kept. If this is a secret, whoever reads it can take the money: move the money to a new wallet`,
		);
	}
	if (hideIn(own.value, hiddenKey(credentials.secretKey)) !== own.value) {
		return refuseBecause(
			`${label('reference')} has the secret key of the credential in it`,
			`Take it out of ${label('reference')}: a reference is shown to people, and kept`,
		);
	}
	return own;
}

/** Business ID and Link Tag: the node's own, or those of the credential. */
export function identity({ operation, raw, credentials }: Item): Part {
	const chosen = optionsIn(raw);
	const one = (name: 'businessId' | 'linkTag'): Part<string> => {
		const own = text(name, chosen[name]);
		const shared = asText(credentials[name]).trim();
		if (own.value !== '' || shared !== '' || own.refusals.length > 0) {
			return { ...own, value: own.value || shared };
		}
		const refusal = refuse(
			`${label(name)} is empty, in the node and in the credential`,
			`Fill in ${label(name)} once in the credential, from the business dashboard, or add it in Options`,
		);
		return { value: '', refusals: [refusal] };
	};
	const businessId = one('businessId');
	const linkTag = one('linkTag');
	return {
		value: {
			[sentName(operation, 'businessId')]: businessId.value,
			[sentName(operation, 'linkTag')]: linkTag.value,
		},
		refusals: [...businessId.refusals, ...linkTag.refusals],
	};
}

export function checkedAmount({ operation, raw }: Item): Part & { amount: number } {
	const maximum = asLimit(label('maximumAmount'), optionsIn(raw).maximumAmount);
	const checked = checkAmount(raw.amount, {
		minimum: transactions[operation].minimum,
		maximum: maximum.ok ? maximum.value : undefined,
		asMoney: isStrict(raw),
	});
	// One that is refused, e.g. for its size, is told and entered as it was asked for.
	const asked = parseAmount(raw.amount);
	return {
		value: asked.ok ? { [sentName(operation, 'amount')]: asked.value } : {},
		amount: checked.ok ? checked.value : 0,
		refusals: [checked, maximum].filter((one) => !one.ok),
	};
}

const byHand = new Set<string>(vendorFields);

export function vendor(item: Item): Part {
	const { operation, raw, vendor: listed } = item;
	if (!has('vendor', operation)) return just({});
	if (listed && !listed.ok) {
		const number = text('vendor', raw.vendor);
		return { value: { [sentName(operation, 'vendorNumber')]: number.value }, refusals: [listed] };
	}
	if (listed) {
		return just(
			Object.fromEntries(
				vendorFields.map((name) => [sentName(operation, name), listed.value[name]]),
			),
		);
	}
	return withAccount(
		texts((name) => byHand.has(name), item),
		'vendorNumber',
		item,
	);
}

/** Fields with a part of their own. */
const apart = new Set<string>([...vendorFields, 'amount', 'network', 'reference', 'walletAddress']);

/** Whatever else is sent, as it was typed: the bank account that the payment came from (buy) or goes to (sell). */
export const others = (item: Item): Part =>
	withAccount(
		texts((name) => !apart.has(name), item),
		'accountNumber',
		item,
	);

export function wallet({ operation, raw }: Item): Part {
	const address = text('walletAddress', raw.walletAddress);
	const typed = text('network', raw.network);
	const network =
		networks.find((known) => known.toLowerCase() === typed.value.toLowerCase()) ?? typed.value;
	const refusals = [...address.refusals, ...typed.refusals];
	// A secret is refused whatever the checks are set to, and is not passed on: a dry run would show it.
	const secret = refuseSecret(address.value);
	const withoutWallet = { [sentName(operation, 'network')]: network };
	if (secret) return { value: withoutWallet, refusals: [...refusals, secret] };
	const value = { ...withoutWallet, [sentName(operation, 'walletAddress')]: address.value };
	if (!isStrict(raw) || refusals.length > 0) return { value, refusals };
	const verdict = checkWallet(network, address.value);
	return { value, refusals: verdict.ok ? [] : [verdict] };
}

const yesOrNo = new Map<unknown, boolean>([
	[true, true],
	['true', true],
	[false, false],
	['false', false],
	[undefined, false],
]);

export function options({ raw }: Item): Part<Options> {
	const chosen = optionsIn(raw);
	const checks = choice('checks', chosen.checks, ['strict', 'off']);
	const again = choice('ifAlreadySubmitted', chosen.ifAlreadySubmitted, choices);
	const dryRun = yesOrNo.get(chosen.dryRun);
	const refusals = [...checks.refusals, ...again.refusals];
	if (raw.options !== '' && raw.options !== undefined && !isObject(raw.options)) {
		refusals.push(
			refuse(
				`'Options' is ${quote(raw.options)}, not a list of options`,
				"Choose the options in 'Options'",
			),
		);
	}
	if (dryRun === undefined) {
		refusals.push(
			refuse(
				`'Dry Run' is ${quote(chosen.dryRun)}, neither true nor false`,
				"Set 'Dry Run' in Options to true or false",
			),
		);
	}
	return {
		value: { checks: checks.value, ifAlreadySubmitted: again.value, dryRun: dryRun ?? false },
		refusals,
	};
}

const optionsIn = ({ options: given }: RawItem): Record<string, unknown> =>
	isObject(given) ? given : {};

const isStrict = (raw: RawItem) => optionsIn(raw).checks !== 'off';

const just = <Value>(value: Value): Part<Value> => ({ value, refusals: [] });

const longestText = 500;

function text(name: string, given: unknown): Part<string> {
	const value = given ?? '';
	if (typeof value === 'number' && Number.isFinite(value)) return just(String(value));
	if (typeof value !== 'string') {
		const refusal = refuse(
			`${label(name)} is ${quote(value)}, not a text`,
			`Set ${label(name)} to a text`,
		);
		return { value: '', refusals: [refusal] };
	}
	if (value.length > longestText) {
		const refusal = refuse(
			`${label(name)} has ${value.length} characters, which are more than ${longestText}`,
			`Shorten ${label(name)} to at most ${longestText} characters`,
		);
		return { value: '', refusals: [refusal] };
	}
	return just(value.trim());
}

/** Fields of the operation, by the names of the service. In a sell only strict checks ask for what is required, but for its type. */
function texts(isWanted: (name: string) => boolean, { operation, raw }: Item): Part {
	const { fields, requiresAll } = transactions[operation];
	const read = fields.flatMap(({ name, routing, required }) => {
		if (!routing || !isWanted(name)) return [];
		const { value, refusals } = text(name, raw[name]);
		const isAsked = required && (requiresAll || isStrict(raw) || name === 'type');
		const isMissing = isAsked && value === '' && refusals.length === 0;
		const missing = refuse(`${label(name)} is empty`, `Fill in ${label(name)}`);
		return [{ name, value, refusals: isMissing ? [missing] : refusals }];
	});
	return {
		value: Object.fromEntries(read.map(({ name, value }) => [sentName(operation, name), value])),
		refusals: read.flatMap(({ refusals }) => refusals),
	};
}

function withAccount(part: Part, name: string, { operation, raw }: Item): Part {
	const number = String(part.value[sentName(operation, name)]);
	const verdict = checkAccountNumber(number, label(name));
	const isRefused = isStrict(raw) && number !== '' && !verdict.ok;
	return isRefused ? { ...part, refusals: [...part.refusals, verdict] } : part;
}

function choice<T extends string>(name: string, value: unknown, allowed: readonly T[]): Part<T> {
	const [usual] = allowed as readonly [T, ...T[]];
	const chosen = oneOf(label(name), value === undefined || value === '' ? usual : value, allowed);
	return chosen.ok ? just(chosen.value) : { value: usual, refusals: [chosen] };
}
