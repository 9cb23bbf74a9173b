import { checkEvm } from './evm';
import { networks, type Network } from './networks';
import { checkSolana } from './solana';
import { checkStellar } from './stellar';
import { accept, quote, refuse, type Verdict } from '../../../../client/refusal';

// Polygon and the Avalanche C-Chain share the address form of Ethereum.
const checkOf: Record<Network, (address: string) => Verdict> = {
	Stellar: checkStellar,
	Polygon: checkEvm,
	Solana: checkSolana,
	Avalanche: checkEvm,
};

const longestAddress = 200;

const invisible: Record<string, string> = {
	' ': 'a space',
	'\t': 'a tab',
	'\n': 'a line break',
	'\r': 'a line break',
	'\u00a0': 'a no-break space',
	'\u00ad': 'a soft hyphen',
	'\u200b': 'a zero-width space',
	'\u200c': 'a zero-width non-joiner',
	'\u200d': 'a zero-width joiner',
	'\u2060': 'a word joiner',
	'\ufeff': 'a byte order mark',
};

/**
 * Whether the two fit together. No message repeats the address: what is typed here by mistake can be a secret.
 * The caller trims; white space that is left is inside the address.
 */
export function checkWallet(given: string, address: string): Verdict {
	if (given === '' && address === '') return accept;
	const choices = networks.join(', ');
	if (given === '') {
		return refuse(
			"'Wallet Address' is filled and 'Network' is not",
			`Choose the network of the wallet in 'Network', one of ${choices}`,
		);
	}
	const network = networks.find((one) => one === given);
	if (!network) {
		return refuse(
			`'Network' is ${quote(given)}, which is none of ${choices}`,
			`Choose one of ${choices} in 'Network'`,
		);
	}
	if (address === '') {
		return refuse(
			"'Network' is chosen and 'Wallet Address' is empty",
			"Fill in 'Wallet Address', or set 'Network' to None",
		);
	}
	const unreadable = checkCharacters(address);
	if (unreadable) return unreadable;

	const verdict = checkOf[network](address);
	if (verdict.ok) return verdict;
	const others = detectNetworks(address);
	return others.length === 0
		? verdict
		: refuse(
				`'Wallet Address' is an address of ${others.join(' or ')}, and 'Network' is ${network}`,
				`Choose ${others.join(' or ')} in 'Network', or set 'Wallet Address' to an address of ${network}`,
			);
}

/** The networks on which this is a valid address. */
export function detectNetworks(address: string): Network[] {
	return networks.filter((network) => checkOf[network](address).ok);
}

function checkCharacters(address: string): Verdict | undefined {
	if (address.length > longestAddress) {
		return refuse(
			`'Wallet Address' has ${address.length} characters, more than any address`,
			"Set 'Wallet Address' to the address alone",
		);
	}
	const odd = /[^\x21-\x7e]/u.exec(address)?.[0];
	if (odd === undefined) return undefined;
	const code = `U+${(odd.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
	const name =
		invisible[odd] ??
		(/[\p{Z}\p{C}]/u.test(odd) ? 'an invisible character' : 'a character of another alphabet');
	return refuse(
		`'Wallet Address' has ${name} in it (${code})`,
		"Take it out, or type 'Wallet Address' without it",
	);
}
