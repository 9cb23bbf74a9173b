import { readFile, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { provision } from '../../playground/provision.ts';
import { startModel } from './model.ts';
import type { Model } from './model.ts';
import { nextPage, outputsOf, submitForm, usePlayground } from '../support/playground.ts';
import type { Execution } from '../support/playground.ts';
import { until } from '../support/waiting.ts';

const node = 'n8n-nodes-stablecoin-ramp.stablecoinRamp';
const wallet = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const currencies = ['USD', 'GBP', 'EUR', 'TRY', 'CNY', 'CHF', 'CAD', 'AED', 'KES'];

let outside: Server;
const calledOutside: string[] = [];

beforeAll(async () => {
	outside = createServer(({ url }, response) => {
		calledOutside.push(url ?? '');
		response.writeHead(502).end();
	}).on('connect', ({ url }, socket) => {
		calledOutside.push(url ?? '');
		socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
	});
	await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
});

const playground = usePlayground(() => ({
	HTTPS_PROXY: `http://127.0.0.1:${(outside.address() as AddressInfo).port}`,
}));

afterAll(() => outside.close());

beforeEach(() => playground.sandbox.reset());

describe('the package in n8n', () => {
	it('is loaded under its published names, also as a tool', async () => {
		const known = (await playground.nodeTypes()).map(({ name }) => name);

		expect(known).toEqual(expect.arrayContaining([node, `${node}Tool`, `${node}Trigger`]));
	});

	it('has its icons served, light and dark', async () => {
		const found = (await playground.nodeTypes()).find(({ name }) => name === node);

		for (const shade of ['light', 'dark'] as const) {
			const icon = await fetch(`${playground.n8n.baseUrl}/${found?.iconUrl?.[shade]}`);
			expect(icon.headers.get('content-type')).toContain('image/svg+xml');
		}
	});

	it.each([
		['transaction', 'buy'],
		['transaction', 'sell'],
		['vendor', 'live'],
		['vendor', 'test'],
		['vendor', 'list'],
		['rate', 'otc'],
		['rate', 'usdc'],
	])('shows the editor what %s %s puts out before it has run', async (resource, operation) => {
		const { baseUrl } = playground.n8n;
		const schema = await fetch(`${baseUrl}/schemas/${node}/1.0.0/${resource}/${operation}.json`);

		expect(schema.status).toBe(200);
		expect(await schema.json()).toMatchObject({ type: 'object' });
	});
});

describe('the credential test of the editor', () => {
	const test = async (changed: Record<string, string>) => {
		const { secretKey, baseUrl, otcBaseUrl, businessId, linkTag, headerName } = playground.sandbox;
		const known = { secretKey, baseUrl, otcBaseUrl, businessId, linkTag, headerName };
		return await playground.rest.post<{ status: string; message: string }>('/credentials/test', {
			credentials: {
				id: '',
				name: 'Tested',
				type: 'stablecoinRampApi',
				data: { ...known, ...changed },
			},
		});
	};

	it('is content with the right key and addresses', async () => {
		expect(await test({})).toMatchObject({ status: 'OK' });
	});

	it('names the key when the key is wrong', async () => {
		const { status, message } = await test({ secretKey: 'not-the-key' });

		expect(status).toBe('Error');
		expect(message).toContain('Secret Key');
		expect(message).not.toContain('not-the-key');
	});

	it.each([
		['baseUrl', 'Base URL'],
		['otcBaseUrl', 'OTC Base URL'],
	])('names the address when %s is wrong', async (field, label) => {
		const { status, message } = await test({ [field]: 'http://127.0.0.1:9' });

		expect(status).toBe('Error');
		expect(message).toContain(label);
	});
});

describe('the vendor list of the editor', () => {
	const search = async (vendorSource: string, filter?: string) => {
		const [credential] =
			await playground.rest.get<Array<{ id: string; name: string }>>('/credentials');
		const { results } = await playground.rest.post<{ results: unknown[] }>(
			'/dynamic-node-parameters/resource-locator-results',
			{
				path: 'parameters.vendor',
				nodeTypeAndVersion: { name: node, version: 1 },
				methodName: 'searchVendors',
				currentNodeParameters: { resource: 'transaction', operation: 'buy', vendorSource },
				credentials: { stablecoinRampApi: credential },
				filter,
			},
		);
		return results;
	};

	it('offers the live vendors', async () => {
		expect(await search('live')).toEqual([
			{ name: 'Sandbox Vendor One · Harbour Demo Bank · 0011223344', value: '0011223344' },
			{ name: 'Sandbox Vendor Two · Savanna Demo Bank · 0055667788', value: '0055667788' },
		]);
	});

	it('offers the test vendors when they are asked for', async () => {
		expect(await search('test')).toEqual([expect.objectContaining({ value: '0000000001' })]);
	});

	it('narrows down to what is typed', async () => {
		expect(await search('live', 'savanna')).toEqual([
			expect.objectContaining({ value: '0055667788' }),
		]);
	});
});

describe('example 1, rates into a spreadsheet', () => {
	it('adds a row for each rate list to the data table and to the file, every time', async () => {
		const { sandbox } = playground;
		const before = (await playground.rowsOf('Rates')).length;
		sandbox.setRates('otc', Object.fromEntries(currencies.map((code) => [code, 10.5])));
		await playground.run('StablecoinRamp01', 'Every hour');
		sandbox.setRates('usdc', Object.fromEntries(currencies.map((code) => [code, 20.25])));
		const execution = await playground.run('StablecoinRamp01', 'Every hour');

		expect(execution.status).toBe('success');
		const rows = (await playground.rowsOf('Rates')).slice(before);
		expect(rows.map(({ source, USD, KES }) => ({ source, USD, KES }))).toEqual([
			{ source: 'otc', USD: 10.5, KES: 10.5 },
			{ source: 'usdc', USD: 1476.8, KES: 11.4 },
			{ source: 'otc', USD: 10.5, KES: 10.5 },
			{ source: 'usdc', USD: 20.25, KES: 20.25 },
		]);

		const [header, ...lines] = await csv(playground.file('rates.csv'));
		expect(header).toEqual(['fetchedAt', 'source', ...currencies]);
		expect(lines).toHaveLength(before + 4);
		expect(lines.slice(before)).toEqual(
			rows.map((row) => (header ?? []).map((column) => String(row[column]))),
		);
	});
});

describe('example 2, a buy from a form', () => {
	const form = () => `${playground.n8n.baseUrl}/form/buy-stablecoin`;
	const buy = async (amount: number, answers: Partial<{ accountNumber: string }> = {}) => {
		const { accountNumber = '0123456789' } = answers;
		const payment = await submitForm(form(), [String(amount), 'Stellar', wallet]);
		const paymentPage = await nextPage(payment);
		const vendors = [...paymentPage.matchAll(/<option[^>]*>([^<]+)</g)].map(([, value]) => value);
		const result = await submitForm(payment, [
			vendors.find((vendor) => vendor?.includes('0055667788')) ?? '',
			'Harbour Demo Bank',
			accountNumber,
			'Ada Example',
		]);
		return { paymentPage, page: await nextPage(result) };
	};

	beforeAll(async () => {
		await until(async () => {
			const { status } = await fetch(form());
			return status === 200;
		});
	});

	it('lets the person choose a live vendor and shows the accepted transaction', async () => {
		const { paymentPage, page } = await buy(20000);

		expect(paymentPage).toContain('Sandbox Vendor One, Harbour Demo Bank, 0011223344');
		expect(page).toContain('Your purchase was accepted');
		const [accepted, ...others] = playground.sandbox.transactions();
		expect(others).toEqual([]);
		expect(accepted?.request).toMatchObject({
			type: 'buy_ramp',
			amount: 20000,
			vendor_number: '0055667788',
			account_number: '0123456789',
			network: 'Stellar',
			wallet_address: wallet,
			reference: expect.stringMatching(/^form-\d+-\d+$/) as string,
		});
		expect(page).toContain(accepted?.transaction_id);
		expect(page).toContain(accepted?.reference);
	});

	it.each([
		['an amount below the minimum', '14999', wallet, 'below the minimum of 15000'],
		['a mistyped wallet', '20000', wallet.replace(/.$/, 'A'), 'Wallet Address'],
	])('turns %s away before anybody pays', async (_, amount, address, why) => {
		const page = await nextPage(await submitForm(form(), [amount, 'Stellar', address]));

		expect(page).toContain('This is not possible');
		expect(page).toContain(why);
		expect(page).toContain('there is nothing to pay');
		expect(page).not.toContain('0011223344');
		// The trigger of example 3 may ask for rates at any time.
		const asked = playground.sandbox.requests().map(({ path }) => path);
		expect(asked.filter((path) => !path.startsWith('/rates/'))).toEqual([]);
	});

	it('shows why a purchase was refused before it was sent, and what to correct', async () => {
		const { page } = await buy(20000, { accountNumber: '123456789' });

		expect(page).toContain('Your purchase was not placed');
		expect(page).toContain('has 9 digits, not ten');
		expect(page).toContain('with all ten digits');
		expect(posts()).toEqual([]);
	});

	it('gives the words of the service when it rejects the purchase', async () => {
		playground.sandbox.fault({ kind: 'badRequest', on: 'buy' });
		const { page } = await buy(20000);

		expect(page).toContain('Your purchase was not placed');
		expect(page).toContain('The service says: ');
		expect(page).toContain('Nothing was bought');
		expect(playground.sandbox.transactions()).toEqual([]);
	});

	it('asks not to submit again when the outcome is unknown', async () => {
		playground.sandbox.fault({ kind: 'acceptThenDrop', on: 'buy' });
		const { page } = await buy(20000);

		expect(page).toContain('We do not know yet');
		expect(playground.sandbox.transactions()).toHaveLength(1);
		expect(page).toContain(playground.sandbox.transactions()[0]?.reference);
		expect(posts()).toHaveLength(1);
	});
});

describe('example 3, a rate that crosses a line', () => {
	it('writes the message that a crossing would bring, when a person tries it out', async () => {
		playground.sandbox.setRates('usdc', { USD: 1512.5 });
		const before = (await playground.rowsOf('Rate alerts')).length;
		const execution = await playground.run('StablecoinRamp03', 'Rate crossed a line');

		expect(execution.status).toBe('success');
		expect((await playground.rowsOf('Rate alerts')).slice(before).map(({ text }) => text)).toEqual([
			'USD crossed 1500 and is now above it, at 1512.5 (USDC rates).',
		]);
	});
});

describe('example 4, a list of payouts', () => {
	const list = (...amounts: number[]) =>
		['reference,amount,accountName,accountNumber,bankName']
			.concat(
				amounts.map(
					(amount, row) =>
						`${batch}-${row},${amount},Ada Example,012345678${row},Harbour Demo Bank`,
				),
			)
			.join('\n');
	let batch = '';
	let batches = 0;

	const start = async (amounts: number[]) => {
		await writeFile(playground.file('payouts.csv'), list(...amounts));
		return await playground.run('StablecoinRamp04', 'Start');
	};
	const decide = async (waiting: Execution, decision: string) => {
		const [[message]] = outputsOf(waiting, 'Tell the approver') as [[{ link: string }]];
		await submitForm(message.link, [decision, 'Efe Example']);
		return await until(async () => {
			const execution = await playground.executionEnded(waiting.id);
			return execution.status === 'waiting' ? undefined : execution;
		});
	};
	const outcomes = async () =>
		(await playground.rowsOf('Payouts'))
			.filter(({ reference }) => String(reference).startsWith(batch))
			.map(({ outcome }) => outcome);

	beforeEach(() => {
		batch = `batch-${++batches}`;
	});

	it('reports what was accepted, what was rejected and what is unknown', async () => {
		const { sandbox } = playground;
		sandbox.fault({ kind: 'badRequest', on: 'sell', skip: 1 });
		sandbox.fault({ kind: 'acceptThenDrop', on: 'sell', skip: 1 });
		const execution = await start([20000, 30000, 40000, 50000]);

		expect(execution.status).toBe('success');
		expect(await outcomes()).toEqual(['accepted', 'accepted', 'rejected', 'unknown']);
		const [{ fileName }] = outputsOf(execution, 'Write the report')[0] as [{ fileName: string }];
		const [header, ...lines] = await csv(join(playground.userFolder, fileName));
		expect(header).toEqual(['reference', 'amount', 'accountName', 'outcome', 'note']);
		expect(lines.map(([reference, amount, , outcome]) => [reference, amount, outcome])).toEqual([
			[`${batch}-0`, '20000', 'accepted'],
			[`${batch}-3`, '50000', 'accepted'],
			[`${batch}-1`, '30000', 'rejected'],
			[`${batch}-2`, '40000', 'unknown'],
		]);
		expect(sandbox.transactions().map(({ reference }) => reference)).toEqual(
			[0, 2, 3].map((row) => `${batch}-${row}`),
		);
	});

	it('sends nothing twice when the list is run again', async () => {
		const { sandbox } = playground;
		sandbox.fault({ kind: 'badRequest', on: 'sell' });
		await start([20000, 30000]);
		await start([20000, 30000]);

		expect(await outcomes()).toEqual(['accepted', 'rejected', 'accepted', 'skipped']);
		expect(
			sandbox
				.transactions()
				.map(({ reference }) => reference)
				.sort(),
		).toEqual([`${batch}-0`, `${batch}-1`]);
	});

	it('waits for a person above the limit, then pays when they approve', async () => {
		const waiting = await start([20000, 500001]);
		expect(waiting.status).toBe('waiting');
		expect(posts()).toEqual([]);
		const execution = await decide(waiting, 'Approve');

		expect(execution.status).toBe('success');
		expect(playground.sandbox.transactions().map(({ amount }) => amount)).toEqual([20000, 500001]);
	});

	it.each(['Decline', 'Something else'])('pays nothing when the answer is %p', async (answer) => {
		const execution = await decide(await start([20000, 500001]), answer);

		expect(execution.status).toBe('success');
		expect(await outcomes()).toEqual(['declined', 'declined']);
		expect(posts()).toEqual([]);
	});
});

describe('example 5, an assistant', () => {
	const purchase = {
		amount: 20000,
		vendorNumber: '0011223344',
		bankName: 'Savanna Demo Bank',
		accountNumber: '0123456789',
		accountName: 'Ada Example',
		network: 'Stellar',
		walletAddress: wallet,
	};
	let model: Model | undefined;

	afterEach(() => model?.close());

	it('is made of nodes that this n8n has', async () => {
		const { nodes } = await playground.workflow('StablecoinRamp05');
		const types = await playground.nodeTypes();
		const missing = nodes.filter(
			({ type, typeVersion }) =>
				!types.some(({ name, version }) => name === type && [version].flat().includes(typeVersion)),
		);

		expect(nodes.length).toBeGreaterThan(5);
		expect(missing).toEqual([]);
	});

	it('reads the rates', async () => {
		const execution = await ask('OTC_rates', {});

		expect(outputsOf(execution, 'Assistant')[0]?.[0]?.output).toContain('"USD":1482.5');
	});

	it('shows a person what would be bought, and buys it when they approve', async () => {
		const execution = await ask('Buy', purchase, { allowSubmitting: true });
		expect(execution.status).toBe('waiting');
		expect(posts()).toEqual([]);
		const review = await reviewOf(execution);
		for (const value of Object.values(purchase)) expect(review.text).toContain(String(value));
		await review.approve();
		await until(async () => playground.sandbox.transactions()[0]);

		expect(playground.sandbox.transactions()).toEqual([
			expect.objectContaining({ kind: 'buy', amount: 20000 }),
		]);
	});

	it('buys nothing, even approved, until submitting is allowed', async () => {
		const execution = await ask('Buy', purchase);
		await (await reviewOf(execution)).approve();
		const after = await until(async () => {
			const now = await playground.executionEnded(execution.id);
			return 'Buy' in now.data.resultData.runData ? now : undefined;
		});

		expect(JSON.stringify(after.data.resultData.runData.Buy)).toContain('Nothing was sent');
		expect(posts()).toEqual([]);
	});

	/** Lets the assistant call one tool, and waits until it is done or a person is asked. */
	async function ask(tool: string, args: object, buyParameters: object = {}) {
		model = await startModel(tool, args);
		const credential = await playground.rest.post<{ id: string; name: string }>('/credentials', {
			name: 'Chat model',
			type: 'openAiApi',
			data: { apiKey: 'none', url: model.baseUrl },
		});
		const { nodes, connections, settings } = await playground.workflow('StablecoinRamp05');
		const changes: Record<string, object> = {
			'Chat model': { credentials: { openAiApi: credential } },
			Buy: {
				parameters: { ...nodes.find(({ name }) => name === 'Buy')?.parameters, ...buyParameters },
			},
		};
		const copy = await playground.rest.post<{ id: string }>('/workflows', {
			name: `Assistant that calls ${tool}`,
			connections,
			settings,
			nodes: nodes.map((one) => ({ ...one, ...changes[one.name] })),
		});
		const said = { sessionId: 'one', action: 'sendMessage', chatInput: 'Please' };
		return await playground.run(copy.id, 'Chat', said);
	}

	/** What the chat shows to the person who reviews. */
	async function reviewOf({ id, data: { resumeToken } }: Execution) {
		const address = new URL(`/chat?sessionId=one&executionId=${id}`, playground.n8n.baseUrl);
		address.searchParams.set('token', resumeToken ?? '');
		const chat = new WebSocket(address);
		const message = await new Promise<string>((resolve) => {
			chat.onmessage = ({ data }) => {
				if (data === 'n8n|heartbeat') chat.send('n8n|heartbeat-ack');
				else resolve(String(data));
			};
		});
		chat.close();
		const { text, buttons } = JSON.parse(message) as {
			text: string;
			buttons: Array<{ text: string; link: string }>;
		};
		const link = buttons.find((button) => button.text === 'Approve')?.link ?? '';
		// n8n takes a client it does not know for a bot that only previews links
		const headers = { 'user-agent': 'Mozilla/5.0 Chrome/140.0' };
		return { text, approve: async () => await fetch(link, { headers }) };
	}
});

describe('the playground', () => {
	it('can be provisioned again without a second copy of anything', async () => {
		const counted = async () => ({
			workflows: (await playground.rest.get<unknown[]>('/workflows')).length,
			credentials: (await playground.rest.get<unknown[]>('/credentials')).length,
		});
		const before = await counted();
		await provision(playground.n8n, playground.sandbox);

		expect(await counted()).toEqual(before);
	});

	it('has a picture, a file and an entry in the README for every example', async () => {
		const folder = join(__dirname, '../../examples');
		const readme = await readFile(join(folder, 'README.md'), 'utf8');
		const files = (await readdir(folder)).filter((file) => file.endsWith('.json'));

		for (const file of files) {
			expect(readme).toContain(`(${file})`);
			expect(readme).toContain(`(images/${file.replace('.json', '.png')})`);
		}
		expect(files).toHaveLength(5);
	});

	it('calls nobody outside this machine', () => {
		expect(calledOutside).toEqual([]);
	});
});

function posts() {
	return playground.sandbox.requests().filter(({ method }) => method === 'POST');
}

async function csv(file: string) {
	const text = await readFile(file, 'utf8');
	return text
		.replace(/^\uFEFF/, '')
		.trim()
		.split('\n')
		.map((line) => line.split(','));
}
