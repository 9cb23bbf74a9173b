import { base32nopad } from '@scure/base';

import { copyAgain } from './networks';
import { accept, refuse, type Verdict } from '../../../../client/refusal';

// StrKey, SEP-0023: version byte, payload and CRC16 in base32 without padding.
const versions = { account: 6 << 3, seed: 18 << 3 };
const length = 56;

const otherKinds: Array<[RegExp, string]> = [
	[/^M[A-Z2-7]{68}$/, 'a Stellar muxed address (M…)'],
	[/^C[A-Z2-7]{55}$/, 'a Stellar contract address (C…)'],
	[/^T[A-Z2-7]{55}$/, 'the hash of a Stellar transaction (T…)'],
	[/^X[A-Z2-7]{55}$/, 'a Stellar hash signer (X…)'],
	[/^P[A-Z2-7]{68,164}$/, 'a Stellar signed payload (P…)'],
	[/^L[A-Z2-7]{55}$/, 'a Stellar liquidity pool (L…)'],
	[/^B[A-Z2-7]{57}$/, 'a Stellar claimable balance (B…)'],
	[/^[^*\s]+\*[^*\s]+\.[^*\s]+$/, 'a Stellar federation name'],
];

const useAnAccount = "Set 'Wallet Address' to the account address, which begins with G";

export function checkStellar(address: string): Verdict {
	const other = otherKinds.find(([pattern]) => pattern.test(address));
	if (other)
		return refuse(
			`'Wallet Address' is ${other[1]}, and the service is not known to accept one`,
			useAnAccount,
		);
	if (/^G/i.test(address) && /[a-z]/.test(address)) {
		return refuse(
			"'Wallet Address' has small letters, and a Stellar address is written in capitals",
			copyAgain,
		);
	}
	if (!address.startsWith('G')) {
		return refuse("'Wallet Address' is not a Stellar address", useAnAccount);
	}
	if (/[^A-Z2-7]/.test(address)) {
		return refuse(
			"'Wallet Address' has a character that no Stellar address has: only A to Z and 2 to 7 occur",
			copyAgain,
		);
	}
	if (address.length !== length) {
		return refuse(
			`'Wallet Address' has ${address.length} characters, and a Stellar address has ${length}`,
			copyAgain,
		);
	}
	return isIntact(address, versions.account)
		? accept
		: refuse(
				"'Wallet Address' does not match its own checksum, so at least one character is mistyped",
				copyAgain,
			);
}

export const isStellarSeed = (text: string): boolean =>
	/^S[A-Z2-7]{55}$/.test(text) && isIntact(text, versions.seed);

function isIntact(strKey: string, version: number): boolean {
	// 56 characters are exactly 35 bytes, so there are no trailing bits that could vary.
	const bytes = base32nopad.decode(strKey);
	const [low, high] = bytes.subarray(-2);
	return bytes[0] === version && crc16(bytes.subarray(0, -2)) === (low ?? 0) + ((high ?? 0) << 8);
}

/** CRC16-XModem: polynomial 0x1021, starting from zero. */
function crc16(bytes: Uint8Array): number {
	let crc = 0;
	for (const byte of bytes) {
		crc ^= byte << 8;
		for (let bit = 0; bit < 8; bit++) {
			crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
		}
	}
	return crc;
}
