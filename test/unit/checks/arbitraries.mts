import { keccak_256 } from '@noble/hashes/sha3.js';
import { base32nopad, base58 } from '@scure/base';
import fc from 'fast-check';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

// CRC16-XModem as its definition has it: the remainder of a long division. Slow, and so independent
// of the code under test.
function remainder(data: Uint8Array): number {
	const hex = Buffer.from(data).toString('hex');
	let dividend = BigInt(`0x${hex}0000`);
	const top = data.length * 8 + 15;
	for (let bit = top; bit >= 16; bit--) {
		if ((dividend >> BigInt(bit)) & 1n) dividend ^= 0x11021n << BigInt(bit - 16);
	}
	return Number(dividend);
}

export function strKey(version: number, payload: Uint8Array): string {
	const body = Uint8Array.from([version, ...payload]);
	const crc = remainder(body);
	return base32nopad.encode(Uint8Array.from([...body, crc & 0xff, crc >> 8]));
}

export const stellarAccount = bytes(32).map((key) => strKey(6 << 3, key));
export const stellarSeed = bytes(32).map((key) => strKey(18 << 3, key));
export const solanaAddress = bytes(32).map((key) => base58.encode(key));
export const solanaSecretKey = bytes(64).map((key) => base58.encode(key));
export const privateKey = bytes(32).map((key) => Buffer.from(key).toString('hex'));

export const evmAddress = bytes(20)
	.filter((key) => key.some((byte) => byte > 0))
	.map((key) => {
		const digits = Buffer.from(key).toString('hex');
		const hash = Buffer.from(keccak_256(Buffer.from(digits))).toString('hex');
		return `0x${digits.replace(/./g, (digit, index: number) =>
			parseInt(hash.charAt(index), 16) >= 8 ? digit.toUpperCase() : digit,
		)}`;
	});
