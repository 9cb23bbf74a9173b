import { base58 } from '@scure/base';
import fc from 'fast-check';

import { networks } from '../../../nodes/StablecoinRamp/checks/wallet/networks';
import { refuseSecret } from '../../../nodes/StablecoinRamp/checks/wallet/secret';
import { checkWallet, detectNetworks } from '../../../nodes/StablecoinRamp/checks/wallet/wallet';
import { someOf, times } from '../../support/quick.mts';
import {
	evmAddress,
	privateKey,
	solanaAddress,
	solanaSecretKey,
	stellarAccount,
	stellarSeed,
	strKey,
} from './arbitraries.mts';
import vectors from './vectors.json';

const [account = ''] = vectors.stellar.account;
const [evm = ''] = vectors.evm.valid;
const avax = 'avax1tzdcgj4ehsvhhgpl7zylwpw0gl2rxcg4r5afk5';

/** As a buy or sell asks: a secret is refused first, whatever the network. */
const verdictOn = (network: string, address: string) =>
	refuseSecret(address) ?? checkWallet(network, address);

const messageOf = (network: string, address: string): string => {
	const verdict = verdictOn(network, address);
	return verdict.ok ? 'accepted' : verdict.message;
};

const everyWordOf = (network: string, address: string): string =>
	JSON.stringify(verdictOn(network, address));

describe('published vectors', () => {
	const { stellar, evm: ethereum, solana } = vectors;
	const on = (network: string, addresses: string[]) =>
		addresses.map((address): [string, string] => [network, address]);
	const values = (all: Array<{ value: string }>) => all.map(({ value }) => value);

	it.each([
		...on('Stellar', stellar.account),
		...on('Polygon', ethereum.valid),
		...on('Avalanche', ethereum.valid),
		...on('Solana', solana.valid),
	])('%s accepts %s', (network, address) => {
		expect(checkWallet(network, address)).toEqual({ ok: true });
	});

	it.each([
		...on('Stellar', stellar.invalid),
		...on('Polygon', values(ethereum.invalid)),
		...on('Solana', values(solana.invalid)),
	])('%s refuses %s, and so do the other networks', (network, address) => {
		expect(checkWallet(network, address).ok).toBe(false);
		expect(detectNetworks(address)).toEqual([]);
	});

	it.each([
		['a Stellar muxed address', stellar.muxed],
		['a Stellar contract address', stellar.contract],
		['a Stellar signed payload', stellar.signedPayload],
		['a Stellar liquidity pool', stellar.liquidityPool],
		['a Stellar claimable balance', stellar.claimableBalance],
	])('%s is refused by that name', (name, addresses) => {
		for (const address of addresses) expect(messageOf('Stellar', address)).toContain(name);
	});

	it.each([
		['M', 68, 68, 'a Stellar muxed address (M…)'],
		['C', 55, 55, 'a Stellar contract address (C…)'],
		['T', 55, 55, 'the hash of a Stellar transaction (T…)'],
		['X', 55, 55, 'a Stellar hash signer (X…)'],
		['P', 68, 164, 'a Stellar signed payload (P…)'],
		['L', 55, 55, 'a Stellar liquidity pool (L…)'],
		['B', 57, 57, 'a Stellar claimable balance (B…)'],
	])('%s and %d to %d more is %s, and nothing else is', (letter, least, most, name) => {
		const named = `'Wallet Address' is ${name}, and the service is not known to accept one`;
		for (const digits of ['A'.repeat(least), '2'.repeat(least), 'Z7'.repeat(most).slice(0, most)]) {
			expect(messageOf('Stellar', letter + digits)).toBe(named);
		}
		const good = letter + 'A'.repeat(least);
		const others = [good.slice(1), `A${good}`, `${good}1`, letter + '1'.repeat(least)];
		for (const other of [...others, good.slice(0, -1), letter + 'A'.repeat(most + 1)]) {
			expect(messageOf('Stellar', other)).not.toBe(named);
		}
	});

	it.each(['*example.com', 'pat*example', 'pat*.com', 'pat*example.', 'pat*a*b.com', 'a*b.c*d'])(
		'%s is no federation name',
		(address) => expect(messageOf('Stellar', address)).toContain('is not a Stellar address'),
	);

	it('both may be left out', () => {
		expect(checkWallet('', '')).toEqual({ ok: true });
	});

	it.each(solana.invalid)('the number of bytes is told: $why', ({ value, why }) => {
		expect(messageOf('Solana', value)).toContain(why.split(':')[0]);
	});
});

describe('what is wrong is said', () => {
	const each = (network: string, addresses: string[], words: string) =>
		addresses.map((address): [string, string, string] => [network, address, words]);
	const noOx = 'does not begin with 0x';

	it.each([
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
		['Polygon', evm.replace('A', 'a'), 'its own checksum (its capital letters)'],
		...each('Avalanche', [`X-${avax}`, 'X-fuji1abc', 'x-avax1abc'], 'Avalanche X-Chain'),
		...each('Avalanche', [`P-${avax}`, 'P-abc'], 'Avalanche P-Chain'),
		...each('Avalanche', [avax, `C-${avax}`, 'c-abc', 'fuji1abc'], 'avax1 form'),
		...each('Avalanche', ['AVAX1ABC', 'avax1x-b'], 'avax1 form'),
		...each('Avalanche', ['xavax1abc', 'xX-abc', 'X', 'avax', 'x0X1'], noOx),
		...each('Avalanche', [`${evm.slice(2)}0`, `x${evm.slice(2)}`], noOx),
		...each('Polygon', ['example.eth', 'pay.example.eth', 'a.b.c.eth', 'a.io'], 'is a name'),
		...each('Polygon', ['EXAMPLE.ETH'], 'is a name'),
		...each('Polygon', ['example.e', '.eth', '.a.eth', 'a..eth', 'a.eth1', 'a.', 'a.1'], noOx),
		['Polygon', '0x', 'has 0 hexadecimal digits'],
		...each('Solana', ['example.sol', 'a.b.sol', 'EXAMPLE.SOL', 'a.io'], 'is a name'),
		...each('Solana', ['O0Il', 'a.s', 'a.sol1', '.', 'a-b'], '0, O, I, l'),
		['Stellar', 'G'.repeat(201), 'has 201 characters, more than any address'],
		['Stellar', 'G'.repeat(200), 'has 200 characters, and a Stellar address has 56'],
		['Stellar', `x${account}`, 'is not a Stellar address'],
		['Stellar', strKey((6 << 3) + 1, new Uint8Array(32)), 'checksum'],
		['Tron', evm, `'Network' is "Tron", which is none of Stellar, Polygon, Solana, Avalanche`],
		['stellar', account, `'Network' is "stellar"`],
		['toString', account, `'Network' is "toString"`],
		['', account, "'Wallet Address' is filled and 'Network' is not"],
		['Stellar', '', "'Network' is chosen and 'Wallet Address' is empty"],
	])('%s, %s: %s', (network, address, words) => {
		expect(messageOf(network, address)).toContain(words);
	});

	const copyAgain = "Copy the address again from the wallet into 'Wallet Address'";
	const useAnAccount = "Set 'Wallet Address' to the account address, which begins with G";
	it.each([
		['Stellar', '', "Fill in 'Wallet Address', or set 'Network' to None"],
		[
			'',
			account,
			"Choose the network of the wallet in 'Network', one of Stellar, Polygon, Solana, Avalanche",
		],
		['Stellar', 'G'.repeat(201), "Set 'Wallet Address' to the address alone"],
		['Stellar', `${account} `, "Take it out, or type 'Wallet Address' without it"],
		['Stellar', 'pat*example.com', useAnAccount],
		['Stellar', 'x', useAnAccount],
		['Stellar', account.toLowerCase(), copyAgain],
		['Stellar', account.replace('7', '8'), copyAgain],
		['Stellar', account.slice(0, 55), copyAgain],
		['Stellar', account.replace('QY', 'YQ'), copyAgain],
		['Avalanche', avax, "Set 'Wallet Address' to the C-Chain address in its 0x form"],
		['Polygon', 'a.eth', "Set 'Wallet Address' to the 0x address that the name stands for"],
		[
			'Polygon',
			evm.replace('0x', '0X'),
			"Write the beginning of 'Wallet Address' as 0x, with a small x",
		],
		['Polygon', evm.replace('0x', ''), "Copy the address with its 0x into 'Wallet Address'"],
		['Polygon', 'x', "Set 'Wallet Address' to 0x followed by 40 hexadecimal digits"],
		['Polygon', `0x${'0'.repeat(40)}`, "Set 'Wallet Address' to the address of a wallet"],
		['Polygon', evm.slice(0, 41), copyAgain],
		['Solana', 'a.sol', "Set 'Wallet Address' to the Solana address that the name stands for"],
		['Solana', 'O0Il', copyAgain],
		['Solana', '1111', copyAgain],
		['Tron', evm, "Choose one of Stellar, Polygon, Solana, Avalanche in 'Network'"],
	])('%s, %s, with what to do next: %s', (network, address, description) => {
		expect(checkWallet(network, address)).toMatchObject({ description });
	});

	it.each([
		[' ', 'a space'],
		['\n', 'a line break'],
		['\r', 'a line break'],
		['\u00ad', 'a soft hyphen'],
		['\u200c', 'a zero-width non-joiner'],
		['\u200d', 'a zero-width joiner'],
		['\u2060', 'a word joiner'],
		['\u2028', 'an invisible character in it (U+2028)'],
		['\u007f', 'an invisible character in it (U+007F)'],
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
			description: `Choose ${other} in 'Network', or set 'Wallet Address' to an address of ${network}`,
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

	it.each([`0x${'0'.repeat(39)}1`, `0x1${'0'.repeat(39)}`])(
		'%s is not the zero address',
		(address) => expect(checkWallet('Polygon', address)).toEqual({ ok: true }),
	);

	it('in one case throughout are accepted on the EVM networks', () => {
		fc.assert(
			fc.property(evmAddress, (address) => {
				expect(checkWallet('Polygon', address.toLowerCase()).ok).toBe(true);
				expect(checkWallet('Avalanche', `0x${address.slice(2).toUpperCase()}`).ok).toBe(true);
			}),
		);
	});

	it('of Stellar are refused after any change of one character', () => {
		const any = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567');
		fc.assert(
			fc.property(stellarAccount, fc.nat(55), any, (address, at, character) => {
				fc.pre(address[at] !== character);
				const changed = address.slice(0, at) + character + address.slice(at + 1);
				expect(checkWallet('Stellar', changed).ok).toBe(false);
			}),
			{ numRuns: times(500) },
		);
	});

	it('of Stellar are refused after two neighbours changed places', () => {
		fc.assert(
			fc.property(stellarAccount, fc.nat(54), (address, at) => {
				const [one, other] = address.slice(at);
				const swapped = address.slice(0, at) + other + one + address.slice(at + 2);
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
			const changes = Array.from({ length: 40 }, (_, index) => index + 2).flatMap((at) =>
				[...'0123456789abcdefABCDEF'].map(
					(character) => address.slice(0, at) + character + address.slice(at + 1),
				),
			);
			for (const changed of someOf(changes.filter((one) => one !== address))) {
				expect([changed, checkWallet('Polygon', changed).ok]).toEqual([changed, false]);
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

	it('a Stellar seed that has a single digit is named in groups of four too', () => {
		const seed = strKey(18 << 3, new Uint8Array(32));
		expect(seed).toMatch(/^S\D+\d$/);
		expect(messageOf('Stellar', seed.replace(/(.{4})(?=.)/g, '$1-'))).toBe(seedMessage);
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

	const words = (count: number, word = 'abcde') => Array<string>(count).fill(word);
	const numbers = (count: number, number = '1') => words(count, number);
	const hex = 'ab1'.repeat(22).slice(0, 64);
	const base58Of = (length: number) => base58.encode(new Uint8Array(length).fill(255));

	it.each<[name: string, secrets: string[], others: string[]]>([
		[
			'a recovery phrase',
			[
				words(12).join(' '),
				words(12).join(','),
				words(12).join(', '),
				words(13).join('\n').toUpperCase(),
				words(12, 'abc').join(' '),
				words(12, 'abcdefgh').join(' '),
				`1${words(12).join(' ')}1`,
			],
			[
				words(11).join(' '),
				words(12, 'ab').join(' '),
				words(12, 'abcdefghi').join(' '),
				words(12).join('-'),
				['abcdefghi', ...words(11)].join(' '),
				[...words(11), 'abcdefghi'].join(' '),
			],
		],
		[
			'a Stellar secret seed',
			[
				`s${'a'.repeat(50)}`,
				`S${'7'.repeat(60)}`,
				`"s${'a'.repeat(50)}"`,
				`s-${'a'.repeat(48)}22`,
				`S-7${'A'.repeat(58)}7`,
			],
			[
				`s ${'a'.repeat(55)}`,
				'Sunrise International Trading and Logistics Company Nigeria Limited',
				'Saint Peters Anglican Church Building Fund Phase 2 Ikeja Lagos',
				`s${'a'.repeat(49)}`,
				`s${'a'.repeat(61)}`,
				`s-22${'a'.repeat(47)}`,
				`s-22${'a'.repeat(59)}`,
				`xs${'a'.repeat(55)}`,
				`1s${'a'.repeat(55)}`,
				`x-s-22${'a'.repeat(53)}`,
			],
		],
		[
			'a private key or a transaction hash (64 hexadecimal digits)',
			[hex, hex.toUpperCase(), `0x${hex}`, `key: ${hex}.`, `(0x${hex})`],
			[hex.slice(1), `${hex}a`, `g${hex}`, `${hex}g`, `0x${hex}1`, `${hex.slice(1)}g`],
		],
		[
			'a Solana secret key',
			[
				`[${numbers(64).join()}]`,
				`[${numbers(64, ' 255 ').join()}]`,
				`[${numbers(64, '  25  ').join()},]`,
			],
			[
				`[${numbers(63).join()}]`,
				`[${numbers(65).join()}]`,
				`[${numbers(64, '1000').join()}]`,
				`[${numbers(64, 'a').join()}]`,
				`x[${numbers(64).join()}]`,
				`[${numbers(64).join()}]x`,
			],
		],
		[
			'a Solana secret key or a transaction signature (64 bytes)',
			[base58Of(64), `key ${base58Of(64)}.`, `${'1'.repeat(63)}M`],
			[base58Of(63), base58Of(65)],
		],
		['an Avalanche private key', ['PrivateKey-x', 'my privatekey-x'], ['PrivateKey', 'Private-']],
		[
			'an extended private key',
			[`xprv${'9'.repeat(80)}`, `key ZPRV${'Z'.repeat(90)}`],
			[`xprv${'9'.repeat(79)}`, `prv${'9'.repeat(80)}`, `xprv0${'9'.repeat(79)}`],
		],
	])('%s is told from what only resembles it', (name, secrets, others) => {
		const message = `'Wallet Address' looks like ${name}, not an address`;
		for (const secret of secrets) {
			expect(verdictOn('Polygon', secret)).toEqual({
				ok: false,
				secret: true,
				message,
				description:
					"Put the public address into 'Wallet Address'. If this is a secret, whoever reads it can take the money: n8n may have stored it with this workflow or execution, so move the money to a new wallet",
			});
		}
		for (const other of others) expect(messageOf('Polygon', other)).not.toBe(message);
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
		fc.string(),
		fc.string({ unit: 'binary', maxLength: 300 }),
		fc.constantFrom('__proto__', 'constructor', '0x', 'X-', '*', '.', '\ud800'),
	);
	const noWords = /error|fail|problem|verified|undefined|\[object/i;
	fc.assert(
		fc.property(fc.oneof(fc.constantFrom(...networks), hostile), hostile, (network, address) => {
			// The network is repeated, and chance may have spelled one of them.
			fc.pre(!noWords.test(network));
			const verdict = checkWallet(network, address);
			if (verdict.ok) return;
			expect(verdict.message).toMatch(/^'(Wallet Address|Network)' /);
			expect(verdict.description).toMatch(/'(Wallet Address|Network)'/);
			expect(`${verdict.message} ${verdict.description}`).not.toMatch(noWords);
		}),
		{ numRuns: times(1000) },
	);
});
