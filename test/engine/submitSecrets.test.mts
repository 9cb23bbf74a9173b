import fc from 'fast-check';
import { LoggerProxy, type INodeParameters } from 'n8n-workflow';

import { faultKinds } from '../../sandbox/server.mts';
import { privateKey, solanaSecretKey, stellarSeed } from '../unit/checks/arbitraries.mts';
import { credentialsFor, useEngine, type Ran, type RunOptions } from '../support/engine/engine.mts';
import { expectNoSecret } from '../support/engine/secrets.mts';
import { someOf } from '../support/quick.mts';
import { startService } from '../support/servers.mts';
import { onErrors } from '../support/engine/submitting.mts';
import { personSees } from '../support/watch.mts';
import { fromItem, operations, submitting, wallet } from '../support/transactions.mts';

const { engine, sandbox } = useEngine();
let logged: unknown[];

beforeAll(async () => {
	const log = (...line: unknown[]) => logged.push(line);
	LoggerProxy.init({ error: log, warn: log, info: log, debug: log });
});
beforeEach(() => {
	logged = [];
});

const run = async (parameters: INodeParameters, different: Partial<RunOptions> = {}) =>
	await engine.run({ parameters, credentials: credentialsFor(sandbox), ...different });

/** Whatever n8n shows or stores of this node; the nodes before it are not ours to clean. */
const leftBehind = ({ items, errorItems, error, hints, run: { data } }: Ran) => [
	items,
	errorItems,
	error,
	hints,
	data.resultData.runData.Ramp,
	data.resultData.error,
	data.executionData?.contextData,
	logged,
];

describe.each(operations)('the secret key, in a %s', (operation) => {
	it.each(someOf(faultKinds.filter(({ delayMs }) => delayMs === 0).map(({ kind }) => kind)))(
		'is nowhere to be found after %s',
		async (kind) => {
			for (const onError of onErrors) {
				sandbox.fault({ kind, on: operation });
				const ran = await run(submitting(operation), { node: { onError, retryOnFail: true } });
				expectNoSecret(leftBehind(ran), sandbox.secretKey);
			}
			expect(logged).not.toEqual([]);
		},
	);

	it('is nowhere to be found when nothing can be reached', async () => {
		const credentials = { ...credentialsFor(sandbox), baseUrl: 'http://127.0.0.1:1' };
		expectNoSecret(
			leftBehind(await run(submitting(operation), { credentials })),
			sandbox.secretKey,
		);
	});

	it.each([200, 400, 500])(
		'is hidden where the service repeats it, with status %i',
		async (status) => {
			for (const shape of [
				(key: string) => ({ message: `Key ${key} is noted`, headers: { key, nested: [key] } }),
				(key: string) => `Key ${key} is noted`,
			]) {
				const service = await startService(() => ({ status, body: shape('scripted-secret-key') }));
				const credentials = { ...service.credentials, secretKey: ' scripted-secret-key\n' };
				for (const simplify of [true, false]) {
					const ran = await run(submitting(operation, { simplify }), { credentials });
					expect(personSees(ran)).toContain('Key *** is noted');
					expectNoSecret(leftBehind(ran), credentials.secretKey);
				}
			}
		},
	);

	it.each([
		[200, { message: 'Invalid key scripted-secret-key' }],
		[200, { status: 'Error: key scripted-secret-key is disabled' }],
		[400, { transaction_id: 'scripted-secret-key' }],
	])('is hidden where a %i says no with it: %j', async (status, body) => {
		const service = await startService(() => ({ status, body }));
		const credentials = { ...service.credentials, secretKey: 'scripted-secret-key' };
		for (const onError of onErrors) {
			const ran = await run(submitting(operation), { credentials, node: { onError } });
			expect(personSees(ran)).toContain('***');
			expectNoSecret(leftBehind(ran), credentials.secretKey);
		}
	});

	it.each(['1500', '15000'])('does not cost a receipt when it is in a number: %s', async (key) => {
		const transaction = { transaction_id: 'T-1', amount: 15000 };
		const service = await startService(() => ({ body: { ...transaction, transaction } }));
		const credentials = { ...service.credentials, secretKey: key };
		const { json } = await run(submitting(operation), { credentials });
		expect(json).toMatchObject([transaction]);
	});

	it('is hidden in a receipt also when it is made of digits, and an equal amount stays', async () => {
		const secretKey = '15000000';
		const transaction = { transaction_id: `T-${secretKey}`, amount: 15000000 };
		const service = await startService(() => ({ body: { ...transaction, transaction } }));
		const credentials = { ...service.credentials, secretKey };
		const { json } = await run(submitting(operation), { credentials });
		expect(json).toMatchObject([{ transaction_id: 'T-***', amount: 15000000 }]);
	});
});

const one = (arbitrary: fc.Arbitrary<string>) => fc.sample(arbitrary, { numRuns: 1, seed: 7 })[0]!;

const secrets: Array<[network: string, secret: string]> = [
	['Stellar', one(stellarSeed)],
	['Polygon', `0x${one(privateKey)}`],
	['Solana', one(solanaSecretKey)],
	['Avalanche', one(privateKey)],
	['', one(stellarSeed)],
	['Stellar', `${'abandon '.repeat(11)}about`],
];

describe.each(secrets)('a wallet secret, with network "%s"', (network, secret) => {
	const ways = [
		{ name: 'typed', parameters: { walletAddress: secret }, items: [{}, {}] },
		{
			name: 'from an item',
			parameters: fromItem('walletAddress'),
			items: [{ walletAddress: secret }, { walletAddress: secret }],
		},
	];

	it.each(ways)('is refused and nowhere to be found: $name', async ({ parameters, items }) => {
		for (const operation of operations) {
			for (const checks of ['strict', 'off']) {
				for (const onError of onErrors) {
					const ran = await run(
						submitting(operation, { network, ...parameters, options: { checks } }),
						{ items, node: { onError } },
					);
					expect(personSees(ran)).toContain("'Wallet Address' looks like");
					expectNoSecret(leftBehind(ran), secret);
				}
			}
		}
		expect(sandbox.requests()).toEqual([]);
	});

	it.each(ways)('is not shown by a dry run: $name', async ({ parameters, items }) => {
		for (const operation of operations) {
			const ran = await run(
				submitting(operation, { network, ...parameters, options: { dryRun: true } }),
				{ items },
			);
			expect(ran.json).toMatchObject([{ outcome: 'dryRun', checks: { passed: false } }, {}]);
			expectNoSecret(leftBehind(ran), secret);
		}
	});
});

it('keeps an item with a secret linked to its input', async () => {
	const [, secret] = secrets[0]!;
	const { errorItems } = await run(
		submitting('sell', { ...wallet, ...fromItem('walletAddress') }),
		{
			items: [{ walletAddress: wallet.walletAddress }, { walletAddress: secret }],
			node: { onError: 'continueErrorOutput' },
		},
	);
	expect(errorItems.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
});

describe('account numbers', () => {
	it.each([400, 409, 500])(
		'show four digits where the service repeats them, with status %i',
		async (status) => {
			const service = await startService(({ account_number, vendor_number }) => ({
				status,
				body: {
					message: `Account ${String(account_number)} (${Number(account_number)}) did not pay ${String(vendor_number)}`,
				},
			}));
			for (const onError of onErrors) {
				const ran = await run(submitting('buy', { reference: onError }), {
					credentials: service.credentials,
					node: { onError },
				});
				expect(personSees(ran)).toContain('Account ••••6789 (••••6789) did not pay ••••3344');
				expect(personSees(ran)).not.toMatch(/\d{9,}(?!\w)/);
			}
		},
	);

	it.each(['accountNumber', 'vendorNumber'])(
		'show four digits when %s is refused',
		async (name) => {
			const { error } = await run(submitting('buy', { [name]: '08012345678' }));
			expect(error?.message).toContain('••••5678 has 11 digits');
			expect(`${error?.message}${error?.description}`).not.toContain('08012345678');
		},
	);
});
