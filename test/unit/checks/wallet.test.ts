import fc from 'fast-check';
import { networks } from '../../../nodes/StablecoinRamp/checks/networks';
import { checkWallet, detectNetworks } from '../../../nodes/StablecoinRamp/checks/wallet';
import { times } from '../../support/quick.ts';
import {
	evmAddress,
	privateKey,
	solanaAddress,
	solanaSecretKey,
	stellarAccount,
	stellarSeed,
	strKey,
} from './arbitraries';
import vectors from './vectors.json';

const [account = ''] = vectors.stellar.account;
const [evm = ''] = vectors.evm.valid;

const messageOf = (network: unknown, address: unknown): string => {
	const verdict = checkWallet(network, address);
	return verdict.ok ? 'accepted' : verdict.message;
};

const everyWordOf = (network: unknown, address: unknown): string =>
	JSON.stringify(checkWallet(network, address));

describe('published vectors', () => {
	const valid = [
		...vectors.stellar.account.map((address) => ['Stellar', address]),
		...vectors.evm.valid.flatMap((address) => [
			['Polygon', address],
			['Avalanche', address],
		]),
		...vectors.solana.valid.map((address) => ['Solana', address]),
	];
	it.each(valid)('%s accepts %s', (network, address) => {
		expect(checkWallet(network, address)).toEqual({ ok: true });
	});

	const invalid = [
		...vectors.stellar.invalid.map((address) => ['Stellar', address]),
		...vectors.evm.invalid.map(({ value }) => ['Polygon', value]),
		...vectors.solana.invalid.map(({ value }) => ['Solana', value]),
	];
	it.each(invalid)('%s refuses %s, and so do the other networks', (network, address) => {
		expect(checkWallet(network, address).ok).toBe(false);
		expect(detectNetworks(address ?? '')).toEqual([]);
	});

	it.each([
		['a Stellar muxed address', vectors.stellar.muxed],
		['a Stellar contract address', vectors.stellar.contract],
		['a Stellar signed payload', vectors.stellar.signedPayload],
		['a Stellar liquidity pool', vectors.stellar.liquidityPool],
		['a Stellar claimable balance', vectors.stellar.claimableBalance],
	])('%s is refused by that name', (name, addresses) => {
		for (const address of addresses) expect(messageOf('Stellar', address)).toContain(name);
	});

	it.each(vectors.solana.invalid)('the number of bytes is told: $why', ({ value, why }) => {
		expect(messageOf('Solana', value)).toContain(why.split(':')[0]);
	});
});

describe('what is wrong is said', () => {
	it.each([
		['Stellar', '', 'is empty'],
		['Stellar', account.toLowerCase(), 'small letters'],
		['Stellar', account.slice(0, 55), 'has 55 characters'],
		['Stellar', account.replace('7', '8'), 'only A to Z and 2 to 7'],
		['Stellar', account.replace('QY', 'YQ'), 'checksum'],
		['Stellar', 'pat*example.com', 'federation name'],
		['Polygon', evm.replace('0x', ''), 'lacks 0x'],
		['Polygon', evm.replace('0x', '0X'), 'begins with 0X'],
		['Polygon', evm.slice(0, 41), 'has 39 hexadecimal digits'],
		['Polygon', `${evm}0`, 'has 41 hexadecimal digits'],
		['Polygon', evm.replace('A', 'G'), 'not a hexadecimal digit'],
		['Polygon', `0x${'0'.repeat(40)}`, 'zero address'],
		['Polygon', 'example.eth', 'is a name'],
		['Avalanche', 'X-avax1tzdcgj4ehsvhhgpl7zylwpw0gl2rxcg4r5afk5', 'Avalanche X-Chain'],
		['Avalanche', 'P-avax1tzdcgj4ehsvhhgpl7zylwpw0gl2rxcg4r5afk5', 'Avalanche P-Chain'],
		['Avalanche', 'C-avax1tzdcgj4ehsvhhgpl7zylwpw0gl2rxcg4r5afk5', 'avax1 form'],
		['Avalanche', 'avax1tzdcgj4ehsvhhgpl7zylwpw0gl2rxcg4r5afk5', 'avax1 form'],
		['Solana', 'O0Il', '0, O, I, l'],
		['Solana', 'example.sol', 'is a name'],
		['Stellar', 'G'.repeat(201), 'has 201 characters'],
		['Stellar', undefined, 'is empty, not a text'],
		['Solana', 12345, 'is a number, not a text'],
		['Tron', evm, `'Network' is "Tron", which is none of Stellar, Polygon, Solana, Avalanche`],
		['stellar', account, `'Network' is "stellar"`],
		['toString', account, `'Network' is "toString"`],
		['', account, `'Network' is ""`],
		[undefined, account, `'Network' is empty`],
	])('%s, %s: %s', (network, address, words) => {
		expect(messageOf(network, address)).toContain(words);
	});

	it.each([
		[' ', 'a space'],
		['\n', 'a line break'],
		['\t', 'a tab'],
		['\u00a0', 'a no-break space'],
		['\u200b', 'a zero-width space'],
		['\ufeff', 'a byte order mark'],
		['\u202e', 'an invisible character in it (U+202E)'],
		['\u0410', 'a character of another alphabet in it (U+0410)'],
	])('an address with %j in it names it as %s', (character, name) => {
		for (const network of networks) {
			expect(messageOf(network, evm.slice(0, 9) + character + evm.slice(9))).toContain(name);
		}
	});

	it.each([
		['Polygon', account, 'Stellar'],
		['Stellar', evm, 'Polygon or Avalanche'],
		['Solana', evm, 'Polygon or Avalanche'],
		['Avalanche', 'So11111111111111111111111111111111111111112', 'Solana'],
	])('an address of another network says which: %s, %s', (network, address, other) => {
		expect(checkWallet(network, address)).toMatchObject({
			ok: false,
			message: `'Wallet Address' is an address of ${other}, and 'Network' is ${network}`,
			description: expect.stringContaining(`Choose ${other} in 'Network'`),
		});
	});
});

describe('generated addresses', () => {
	it('are accepted by their own networks and by no others', () => {
		const of: Array<[fc.Arbitrary<string>, string[]]> = [
			[stellarAccount, ['Stellar']],
			[evmAddress, ['Polygon', 'Avalanche']],
			[solanaAddress, ['Solana']],
		];
		for (const [addresses, expected] of of) {
			fc.assert(
				fc.property(addresses, (address) => {
					expect(detectNetworks(address)).toEqual(expected);
					for (const network of networks) {
						expect(checkWallet(network, address).ok).toBe(expected.includes(network));
					}
				}),
			);
		}
	});

	it('in one case throughout are accepted on the EVM networks', () => {
		fc.assert(
			fc.property(evmAddress, (address) => {
				expect(checkWallet('Polygon', address.toLowerCase()).ok).toBe(true);
				expect(checkWallet('Avalanche', `0x${address.slice(2).toUpperCase()}`).ok).toBe(true);
			}),
		);
	});

	it('of Stellar are refused after any change of one character', () => {
		const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
		fc.assert(
			fc.property(
				stellarAccount,
				fc.nat(55),
				fc.constantFrom(...alphabet),
				(address, at, character) => {
					fc.pre(address[at] !== character);
					const changed = address.slice(0, at) + character + address.slice(at + 1);
					expect(checkWallet('Stellar', changed).ok).toBe(false);
				},
			),
			{ numRuns: times(500) },
		);
	});

	it('of Stellar are refused after two neighbours changed places', () => {
		fc.assert(
			fc.property(stellarAccount, fc.nat(54), (address, at) => {
				const swapped =
					address.slice(0, at) +
					address.charAt(at + 1) +
					address.charAt(at) +
					address.slice(at + 2);
				fc.pre(swapped !== address);
				expect(checkWallet('Stellar', swapped).ok).toBe(false);
			}),
		);
	});

	// A changed digit goes unseen once in some ten thousand times: EIP-55 is a checksum by capitals only.
	// These four are of its own examples, and each of their single changes is seen.
	it.each(vectors.evm.valid.slice(0, 4))(
		'%s is refused after any change of one character',
		(address) => {
			for (let at = 2; at < address.length; at++) {
				for (const character of '0123456789abcdefABCDEF') {
					if (character === address[at]) continue;
					const changed = address.slice(0, at) + character + address.slice(at + 1);
					expect([changed, checkWallet('Polygon', changed).ok]).toEqual([changed, false]);
				}
			}
		},
	);
});

describe('secrets', () => {
	const anyNetwork = fc.oneof(fc.constantFrom(...networks), fc.string());
	const seedMessage = "'Wallet Address' looks like a Stellar secret seed, not an address";

	const disguises: Array<[string, (seed: string, at: number) => string]> = [
		['as it is', (seed) => seed],
		['in small letters', (seed) => seed.toLowerCase()],
		['with a wrong character', (seed, at) => `${seed.slice(0, at)}0${seed.slice(at + 1)}`],
		['with a character left out', (seed, at) => seed.slice(0, at) + seed.slice(at + 1)],
		['with a space in it', (seed, at) => `${seed.slice(0, at)} ${seed.slice(at)}`],
		['with an invisible character', (seed, at) => `${seed.slice(0, at)}\u200b${seed.slice(at)}`],
		['in groups of four', (seed) => seed.replace(/(.{4})(?=.)/g, '$1-')],
		['between white space', (seed) => `\n ${seed}\t`],
		['in a sentence', (seed) => `my key is "${seed}", keep it`],
		['in JSON', (seed) => JSON.stringify({ secret: seed })],
	];

	it.each(disguises)('a Stellar seed %s is named and never repeated', (_, disguise) => {
		fc.assert(
			fc.property(stellarSeed, fc.integer({ min: 1, max: 55 }), anyNetwork, (seed, at, network) => {
				const typed = disguise(seed, at);
				expect(messageOf(network, typed)).toBe(seedMessage);
				expectNoPartOf(typed, everyWordOf(network, typed));
			}),
		);
	});

	it('a seed in the field Network is never repeated', () => {
		fc.assert(fc.property(stellarSeed, (seed) => expectNoPartOf(seed, everyWordOf(seed, account))));
	});

	const phrase = fc
		.tuple(
			fc.constantFrom(12, 15, 18, 21, 24),
			fc.infiniteStream(fc.stringMatching(/^[a-z]{3,8}$/)),
		)
		.map(([count, words]) => [...words.take(count)].join(' '));

	it.each([
		['a private key', privateKey],
		['a private key', privateKey.map((key) => `0x${key}`)],
		['a Solana secret key', solanaSecretKey],
		[
			'a Solana secret key',
			fc
				.array(fc.nat(255), { minLength: 64, maxLength: 64 })
				.map((numbers) => JSON.stringify(numbers)),
		],
		['an Avalanche private key', solanaAddress.map((key) => `PrivateKey-${key}`)],
		['a recovery phrase', phrase],
	])('%s is named and never repeated (case %#)', (name, secrets) => {
		fc.assert(
			fc.property(secrets, anyNetwork, (secret, network) => {
				expect(messageOf(network, secret)).toContain(`looks like ${name}`);
				expectNoPartOf(secret, everyWordOf(network, secret));
			}),
		);
	});

	it('anything else that is refused is not repeated either', () => {
		const long = fc.string({ minLength: 21, maxLength: 300 }).filter((text) => /\S{9}/.test(text));
		fc.assert(
			fc.property(anyNetwork, long, (network, typed) => {
				expectNoPartOf(typed, everyWordOf(network, typed));
			}),
		);
	});

	it('a public address is not taken for a secret', () => {
		fc.assert(
			fc.property(fc.oneof(stellarAccount, evmAddress, solanaAddress), (address) => {
				expect(everyWordOf('Stellar', address)).not.toContain('looks like');
			}),
		);
		expect(everyWordOf('Stellar', strKey(12 << 3, new Uint8Array(40)))).toContain('muxed');
	});

	/** Eight characters in a row would be too much of a secret. */
	function expectNoPartOf(secret: string, words: string): void {
		const parts = (secret.match(/[A-Za-z0-9]{8,}/g) ?? []).flatMap((word) =>
			Array.from({ length: word.length - 7 }, (_, at) => word.slice(at, at + 8)),
		);
		expect(parts.filter((part) => words.includes(part))).toEqual([]);
	}
});

it('whatever is given, there is a verdict in words and no exception', () => {
	const hostile = fc.oneof(
		fc.anything(),
		fc.string({ unit: 'binary', maxLength: 300 }),
		fc.constantFrom('__proto__', 'constructor', '0x', 'X-', '*', '.', '\ud800'),
	);
	fc.assert(
		fc.property(fc.oneof(fc.constantFrom(...networks), hostile), hostile, (network, address) => {
			const verdict = checkWallet(network, address);
			if (verdict.ok) return;
			expect(verdict.message).toMatch(/^'(Wallet Address|Network)' /);
			expect(verdict.description).toMatch(/'(Wallet Address|Network)'/);
			expect(`${verdict.message} ${verdict.description}`).not.toMatch(
				/error|fail|problem|verified|undefined|\[object/i,
			);
		}),
		{ numRuns: times(1000) },
	);
});
