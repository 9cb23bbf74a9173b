import { keccak_256 } from '@noble/hashes/sha3.js';

import { copyAgain } from './networks';
import { accept, refuse, type Verdict } from '../../../../client/refusal';

type Rule = {
	when: (address: string) => boolean;
	what: (address: string) => string;
	next?: string;
};

// In order: the first rule that matches speaks.
const rules: Rule[] = [
	{
		when: (address) => /^(avax|fuji)1/i.test(address) || /^[XPC]-/i.test(address),
		what: (address) => `'Wallet Address' is an ${avalancheName(address)}`,
		next: "Set 'Wallet Address' to the C-Chain address in its 0x form",
	},
	{
		when: (address) => /^[^.\s]+(\.[^.\s]+)*\.[a-z]{2,}$/i.test(address),
		what: () => "'Wallet Address' is a name, not an address",
		next: "Set 'Wallet Address' to the 0x address that the name stands for",
	},
	{
		when: (address) => /^0X/.test(address),
		what: () => "'Wallet Address' begins with 0X",
		next: "Write the beginning of 'Wallet Address' as 0x, with a small x",
	},
	{
		when: (address) => /^[0-9a-f]{40}$/i.test(address),
		what: () => "'Wallet Address' lacks 0x at its beginning",
		next: "Copy the address with its 0x into 'Wallet Address'",
	},
	{
		when: (address) => !address.startsWith('0x'),
		what: () => "'Wallet Address' does not begin with 0x",
		next: "Set 'Wallet Address' to 0x followed by 40 hexadecimal digits",
	},
	{
		when: (address) => /[^0-9a-f]/i.test(address.slice(2)),
		what: () => "'Wallet Address' has a character that is not a hexadecimal digit",
	},
	{
		when: (address) => address.length !== 42,
		what: ({ length }) =>
			`'Wallet Address' has ${length - 2} hexadecimal digits after 0x, and an address has 40`,
	},
	{
		when: (address) => /^0x0+$/.test(address),
		what: () => "'Wallet Address' is the zero address, from which nothing can be recovered",
		next: "Set 'Wallet Address' to the address of a wallet",
	},
	{
		when: (address) => isMixedCase(address) && address !== withChecksum(address),
		what: () =>
			"'Wallet Address' does not match its own checksum (its capital letters), so at least one character is mistyped",
	},
];

export function checkEvm(address: string): Verdict {
	const rule = rules.find(({ when }) => when(address));
	return rule ? refuse(rule.what(address), rule.next ?? copyAgain) : accept;
}

function avalancheName(address: string): string {
	const chain = /^([XPC])-/i.exec(address)?.[1]?.toUpperCase();
	return chain && chain !== 'C'
		? `Avalanche ${chain}-Chain address, and the service is not known to send there`
		: 'Avalanche address in its avax1 form, and the service is not known to send there';
}

const isMixedCase = (address: string): boolean => /[a-f]/.test(address) && /[A-F]/.test(address);

/** EIP-55: a letter is a capital where the hash of the address has a digit of 8 or more. */
function withChecksum(address: string): string {
	const digits = address.slice(2).toLowerCase();
	const hash = keccak_256(Uint8Array.from(digits, (digit) => digit.charCodeAt(0)));
	const nibble = (index: number) => ((hash[index >> 1] ?? 0) >> (index % 2 ? 0 : 4)) & 0xf;
	return `0x${Array.from(digits, (digit, index) =>
		nibble(index) >= 8 ? digit.toUpperCase() : digit,
	).join('')}`;
}
