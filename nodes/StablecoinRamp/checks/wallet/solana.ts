import { base58 } from '@scure/base';

import { copyAgain } from './networks';
import { accept, refuse, type Verdict } from '../../../../client/refusal';

export function checkSolana(address: string): Verdict {
	if (/\.[a-z]{2,}$/i.test(address)) {
		return refuse(
			"'Wallet Address' is a name, not an address",
			"Set 'Wallet Address' to the Solana address that the name stands for",
		);
	}
	if (/[^1-9A-HJ-NP-Za-km-z]/.test(address)) {
		return refuse(
			"'Wallet Address' has a character that no Solana address has: 0, O, I, l and signs do not occur",
			copyAgain,
		);
	}
	const { length } = base58.decode(address);
	return length === 32
		? accept
		: refuse(`'Wallet Address' decodes to ${length} bytes, and a Solana address has 32`, copyAgain);
}
