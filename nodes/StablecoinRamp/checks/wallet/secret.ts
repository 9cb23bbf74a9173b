import { base58 } from '@scure/base';

import { isStellarSeed } from './stellar';
import { refuse, type Refusal } from '../../../../client/refusal';

interface Secret {
	name: string;
	found: (text: string) => boolean;
	/** It may as well be the hash of a transaction, which is no secret. */
	mayBeHash?: true;
}

// Wide on purpose: a seed with a slip in it, in lower case, in groups or in a sentence is still a seed.
const secrets: Secret[] = [
	{
		name: 'a recovery phrase',
		found: (text) => /(?<![a-z])([a-z]{3,8}[\s,]+){11,}[a-z]{3,8}(?![a-z])/i.test(text),
	},
	{
		name: 'a Stellar secret seed',
		found: (text) => {
			const joined = text.replace(/[^a-z0-9]/gi, '');
			return (
				/(?<![a-z0-9])s[a-z0-9]{50,60}(?![a-z0-9])/i.test(text) ||
				isStellarSeed(joined.toUpperCase()) ||
				// With a slip in it: one seed in 6,000 has fewer than two digits, and is not found. A long name has hardly any.
				/^(?=(.*\d){2})s[a-z0-9]{50,60}$/i.test(joined)
			);
		},
	},
	{
		name: 'a private key or a transaction hash (64 hexadecimal digits)',
		found: (text) => /(?<![a-z0-9])(0x)?[0-9a-f]{64}(?![a-z0-9])/i.test(text),
		mayBeHash: true,
	},
	{
		name: 'a Solana secret key',
		found: (text) => /^\[(\s*\d{1,3}\s*,){63}\s*\d{1,3}\s*,?\]$/.test(text),
	},
	{
		name: 'a Solana secret key or a transaction signature (64 bytes)',
		found: (text) => hasBase58Key(text),
		mayBeHash: true,
	},
	{
		name: 'an Avalanche private key',
		found: (text) => /PrivateKey-/i.test(text),
	},
	{
		name: 'an extended private key',
		found: (text) => /[a-z]prv[1-9a-z]{80,}/i.test(text),
	},
];

export const secretIn = (text: string): Secret | undefined =>
	secrets.find(({ found }) => found(text));

/** Says that a secret was given, and never which. */
export function refuseSecret(text: string): Refusal | undefined {
	const secret = secretIn(text);
	return (
		secret && {
			...refuse(
				`'Wallet Address' looks like ${secret.name}, not an address`,
				"Put the public address into 'Wallet Address'. If this is a secret, whoever reads it can take the money: n8n may have stored it with this workflow or execution, so move the money to a new wallet",
			),
			secret: true,
		}
	);
}

function hasBase58Key(text: string): boolean {
	const words = text.match(/[1-9A-HJ-NP-Za-km-z]{64,90}/g) ?? [];
	return words.some((word) => base58.decode(word).length === 64);
}
