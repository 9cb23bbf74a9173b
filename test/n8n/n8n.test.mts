import { readFile, readdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { IConnections, INode } from 'n8n-workflow';
import { parse, type HTMLElement } from 'node-html-parser';

import { freshFetch } from '../../playground/freshFetch.mts';
import { provision } from '../../playground/provision.mts';
import { startModel, type Model } from './model.mts';
import { publishBuys } from '../support/n8n/buys.mts';
import { rateCurrencies as currencies } from '../support/interface.mts';
import {
	addRow,
	addRows,
	deleteRows,
	makeTable,
	renameTable,
	tableNamed,
} from '../support/n8n/dataTables.mts';
import { allOperations } from '../support/operations.mts';
import { outputsOf, usePlayground, type Execution } from '../support/n8n/playground.mts';
import { visitor } from '../support/n8n/visitor.mts';
import { fromItem, referencesTo, stellarWallet, submitting } from '../support/transactions.mts';
import { until } from '../support/waiting.mts';
import { credentialsIn, inARow, publish, rampType as node } from '../support/workflows.mts';

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
	env: { HTTPS_PROXY: `http://127.0.0.1:${(outside.address() as AddressInfo).port}` },
	editor: true,
	isNew: true,
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
			const icon = await freshFetch(`${playground.n8n.baseUrl}/${found?.iconUrl?.[shade]}`);
			expect(icon.headers.get('content-type')).toContain('image/svg+xml');
		}
	});

	it.each(allOperations)(
		'shows the editor what %s %s puts out before it has run',
		async (resource, operation) => {
			const { baseUrl } = playground.n8n;
			const schema = await freshFetch(
				`${baseUrl}/schemas/${node}/1.0.0/${resource}/${operation}.json`,
			);

			expect(schema.status).toBe(200);
			expect(await schema.json()).toMatchObject({ type: 'object' });
		},
	);
});

describe('the credential test of the editor', () => {
	const test = async (changed: Record<string, string>) => {
		const { secretKey, baseUrl, otcBaseUrl, businessId, linkTag, headerName } = playground.sandbox;
		const known = { secretKey, baseUrl, otcBaseUrl, businessId, linkTag, headerName };
		const [saved] = await playground.rest.get<Array<{ id: string; name: string }>>('/credentials');
		return await playground.rest.post<{ status: string; message: string }>('/credentials/test', {
			credentials: { ...saved, type: 'stablecoinRampApi', data: { ...known, ...changed } },
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
		const { results } = await playground.rest.post<{ results: unknown[] }>(
			'/dynamic-node-parameters/resource-locator-results',
			{
				path: 'parameters.vendor',
				nodeTypeAndVersion: { name: node, version: 1 },
				methodName: 'searchVendors',
				currentNodeParameters: { resource: 'transaction', operation: 'buy', vendorSource },
				credentials: await credentialsIn(playground.rest),
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

describe('every operation', () => {
	const reading = (resource: string, operation: string) => ({ resource, operation });
	const accepted = { outcome: 'accepted', reference: expect.any(String) };
	const vendor = {
		vendorName: expect.any(String),
		vendorNumber: expect.any(String),
		vendorBank: expect.any(String),
	};

	it.each([
		['buys', '/transactions/v1/onramp', submitting('buy'), accepted],
		['sells', '/transactions/v1/offramp', submitting('sell'), accepted],
		['gets live vendors', '/transactions/v1/vendors', reading('vendor', 'live'), vendor],
		['gets test vendors', '/transactions/v1/test-vendors', reading('vendor', 'test'), vendor],
		['gets listed vendors', '/transactions/v1/list_vendors', reading('vendor', 'list'), vendor],
		['gets OTC rates', '/otc/buy', reading('rate', 'otc'), { USD: 1482.5 }],
		['gets USDC rates', '/rates/v1/usdc-ngnc', reading('rate', 'usdc'), { USD: 1476.8 }],
	])('%s from %s', async (name, path, parameters, answer) => {
		const start = { name: 'Start', type: 'n8n-nodes-base.manualTrigger' };
		const { id } = await playground.rest.post<{ id: string }>('/workflows', {
			...inARow([start, { name: 'Ramp', parameters }], await credentialsIn(playground.rest)),
			name,
		});
		const execution = await playground.run(id, 'Start');

		expect(execution.status).toBe('success');
		expect(outputsOf(execution, 'Ramp')[0]?.[0]).toMatchObject(answer);
		expect(playground.sandbox.requests().map((request) => request.path)).toContain(path);
	});
});

describe('example 1, rates into a spreadsheet', () => {
	const run = async () => await playground.run('StablecoinRamp01', 'Every hour');
	const rows = async () => await playground.rowsOf('Rates');
	const sources = async () => (await rows()).map(({ source }) => source);
	let putAway = 0;

	// Each test begins without the table, beside others that have its name in theirs.
	beforeEach(async () => {
		const isThere = await tableNamed(playground.rest, 'Rates');
		if (isThere) await renameTable(playground.rest, 'Rates', `Rates of test ${(putAway += 1)}`);
	});

	it('adds a row for each rate list to the data table, every time', async () => {
		const { sandbox } = playground;
		sandbox.setRates('otc', Object.fromEntries(currencies.map((code) => [code, 10.5])));
		await run();
		sandbox.setRates('usdc', Object.fromEntries(currencies.map((code) => [code, 20.25])));
		const execution = await run();

		expect(execution.status).toBe('success');
		expect((await rows()).map(({ source, USD, KES }) => ({ source, USD, KES }))).toEqual([
			{ source: 'otc', USD: 10.5, KES: 10.5 },
			{ source: 'usdc', USD: 1476.8, KES: 11.4 },
			{ source: 'otc', USD: 10.5, KES: 10.5 },
			{ source: 'usdc', USD: 20.25, KES: 20.25 },
		]);
		expect(await readdir(playground.file('.'))).toEqual([]);
	});

	it('reads again what could not be read at first', async () => {
		playground.sandbox.fault({ kind: 'unavailable', on: 'otcRates', times: 2 });
		const execution = await run();

		expect(execution.status).toBe('success');
		expect(await sources()).toEqual(['otc', 'usdc']);
	});

	it('loses the row of a dead address only, and then says which list it was and why', async () => {
		playground.sandbox.fault({ kind: 'resetBefore', on: 'otcRates', times: 3 });
		const { status, data } = await run();

		expect(await sources()).toEqual(['usdc']);
		expect(status).toBe('error');
		expect(data.resultData.lastNodeExecuted).toBe('Not everything was read');
		// n8n 2.3 keeps to itself that it was a reset, so the words are not the same in each.
		expect(data.resultData.error).toMatchObject({
			message: expect.stringMatching(/^OTC rates could not be read: The .*service/),
			description: expect.stringMatching(/ECONNRESET|closed unexpectedly/),
		});
	});

	it('lets example 7 tell of it, where that is its Error Workflow', async () => {
		const { nodes, connections } = await playground.workflow('StablecoinRamp01');
		const changes: Record<string, Partial<INode>> = {
			// n8n tells nobody of what a person has started in the editor.
			'Every hour': {
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2,
				webhookId: 'rates-now',
				parameters: { path: 'rates-now' },
			},
			'Page of the rates': { disabled: true },
		};
		await publish(playground.rest, {
			name: 'Rates when asked for',
			active: false,
			nodes: (nodes as INode[]).map((one) => ({ ...one, ...changes[one.name] })),
			connections: connections as IConnections,
			settings: { executionOrder: 'v1', errorWorkflow: 'StablecoinRamp07' },
		});
		playground.sandbox.fault({ kind: 'resetBefore', on: 'otcRates', times: 3 });
		await until(async () => (await freshFetch(`${playground.n8n.baseUrl}/webhook/rates-now`)).ok);

		await until(async () =>
			(await playground.rowsOf('Money alerts')).some(({ text }) =>
				String(text).startsWith(
					'Rates when asked for stopped at Not everything was read.\nOTC rates could not be read',
				),
			),
		);
	});

	it('names both lists when neither can be read', async () => {
		// More than the three tries: example 3 reads too.
		playground.sandbox.fault({ kind: 'unauthorized', times: 20 });
		const { status, data } = await run();

		expect(await sources()).toEqual([]);
		expect(status).toBe('error');
		const said = data.resultData.error?.message;
		for (const list of ['OTC', 'USDC']) expect(said).toContain(`${list} rates could not be read`);
	});

	it('leaves the cell of a currency empty that the service does not send, and takes no other', async () => {
		playground.sandbox.setRates('otc', { USD: 10.5, XAF: 2.5 });
		const execution = await run();

		expect(execution.status).toBe('success');
		const [otc, usdc] = await rows();
		expect(otc).toMatchObject({ source: 'otc', USD: 10.5, GBP: null, KES: null });
		expect(otc).not.toHaveProperty('XAF');
		expect(usdc).toMatchObject({ source: 'usdc', USD: 1476.8, KES: 11.4 });
	});

	it('writes the table to a file when the nodes for it are switched on', async () => {
		const { nodes, connections, settings } = await playground.workflow('StablecoinRamp01');
		const copy = await playground.rest.post<{ id: string }>('/workflows', {
			name: 'Rates in a file',
			active: false,
			connections,
			settings,
			nodes: nodes.map((one) => ({
				...one,
				disabled: one.type === 'n8n-nodes-base.googleSheets',
			})),
		});
		const execution = await playground.run(copy.id, 'Every hour');

		expect(execution.status).toBe('success');
		const [header = [], ...lines] = await csv(playground.file('rates.csv'));
		expect(header).toEqual(['fetchedAt', 'source', ...currencies]);
		expect(lines).toEqual((await rows()).map((row) => header.map((name) => String(row[name]))));
	});

	describe('has a page that', () => {
		const open = async () => {
			const response = await freshFetch(`${playground.n8n.baseUrl}/webhook/rates`);
			expect(response.status).toBe(200);
			expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
			const html = await response.text();
			expect(html).not.toMatch(/<script|https?:|url\(/i);
			return parse(html);
		};
		/** The lines of a list, by currency: for each piece of a line the number of its points. */
		const lines = (page: HTMLElement, list: string) => {
			const section = page
				.querySelectorAll('section')
				.find((one) => one.querySelector('h2')?.text === list);
			const charts = section?.querySelectorAll('article') ?? [];
			return Object.fromEntries(
				charts.map((chart) => [
					chart.querySelector('h3')?.text.slice(0, 3),
					pieces(chart.querySelector('path.line')?.getAttribute('d')),
				]),
			);
		};
		// A piece begins with its first point twice, so that one alone can be seen.
		const pieces = (path = '') =>
			path.split('M').flatMap((piece) => (piece ? [piece.split('L').length - 1] : []));
		const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

		it('says what to do while there are no rates', async () => {
			const page = await open();

			expect(page.querySelectorAll('svg')).toEqual([]);
			expect(page.querySelector('body')?.text).toContain('None were read in that time');
			expect(page.querySelector('body')?.text).toContain('Execute workflow');
		});

		it('draws a line for each list and currency', async () => {
			await run();
			playground.sandbox.setRates('usdc', { USD: 1234.5 });
			await run();
			const page = await open();

			const twice = Object.fromEntries(currencies.map((code) => [code, [2]]));
			expect(lines(page, 'OTC rates')).toEqual(twice);
			const once = Object.fromEntries(currencies.map((code) => [code, [1]]));
			expect(lines(page, 'USDC rates')).toEqual({ ...once, USD: [2] });
			const usd = page.querySelectorAll('.usdc article')[0]!;
			expect(usd.querySelector('.now')?.text).toBe('1,234.5');
			expect(usd.querySelector('.range')?.structuredText).toMatch(/1,234.5[^]*1,476.8/);
			expect(usd.querySelector('svg')?.getAttribute('aria-label')).toContain('USDC rates, USD');
			expect(page.querySelector('body')?.text).toContain('Africa/Lagos');
		});

		it('breaks a line where a number is missing, and draws no 0', async () => {
			await open();
			const told = [1, 2, null, 3, 4, 5].map((USD, index) => ({ USD, at: 20 - index }));
			await addRows(
				playground.rest,
				'Rates',
				[...told, { USD: 6, at: 8 }, { USD: 7, at: 400 }].map(({ USD, at }) => {
					return { source: 'otc', fetchedAt: hoursAgo(at), USD };
				}),
			);
			const page = await open();

			expect(lines(page, 'OTC rates')).toEqual({ USD: [2, 3, 1] });
			expect(page.querySelector('.range')?.structuredText).toMatch(/lowest\s*1\s*highest\s*6$/);
		});

		it('shows what stands in the table as text, whatever it is', async () => {
			const source = '"><script>alert(1)</script>&amp;';
			await makeTable(playground.rest, 'Rates', {
				fetchedAt: 'date',
				source: 'string',
				USD: 'string',
			});
			const texts = ['1481.5', '<b>much</b>', '', '1482'];
			await addRows(
				playground.rest,
				'Rates',
				texts.map((USD, index) => ({ source, USD, fetchedAt: hoursAgo(4 - index) })),
			);
			const page = await open();

			expect(page.querySelector('h2')?.text).toBe(source);
			expect(lines(page, source)).toEqual({ USD: [1, 1] });
		});
	});
});

describe('example 3, a rate that crosses a threshold', () => {
	it('writes the message that a crossing would bring, when a person tries it out', async () => {
		playground.sandbox.setRates('usdc', { USD: 1512.5 });
		const before = (await playground.rowsOf('Rate alerts')).length;
		const execution = await playground.run('StablecoinRamp03', 'Rate crossed a threshold');

		expect(execution.status).toBe('success');
		const texts = (await playground.rowsOf('Rate alerts')).slice(before).map(({ text }) => text);
		// Its own poll may come in between, and report that the rate has really crossed.
		expect(texts.filter((text) => String(text).startsWith('Example'))).toEqual([
			'Example: USD crossed 1500 and is now above it, at 1512.5 (USDC rates).',
		]);
	});
});

describe('example 7, somebody is told that a buy stopped', () => {
	const settings = { errorWorkflow: 'StablecoinRamp07' };
	const alertOf = async (id: string) =>
		await until(async () =>
			(await playground.rowsOf('Money alerts')).find(({ execution }) =>
				String(execution).endsWith(`/executions/${id}`),
			),
		);
	const stepsIn = ({ text }: { text?: unknown }) =>
		String(text)
			.split('\n')
			.filter((line) => /^\d\. /.test(line));

	it('names the references to look for, and the transactions that were accepted', async () => {
		const { sandbox } = playground;
		const buys = await publishBuys(
			playground,
			'Stopped',
			{ ...fromItem('reference'), options: { register: 'Money register' } },
			{ settings },
		);
		sandbox.fault({ kind: 'acceptThenDrop', on: 'buy', skip: 1 });
		const { id } = await buys.post(
			['a', '<b> &', 'c'].map((one) => ({ reference: `stopped-${one}` })),
		);
		const alert = await alertOf(id);

		const [accepted, unknown, ...others] = sandbox.transactions();
		expect(others).toEqual([]);
		expect(alert.references).toBe(unknown?.reference);
		expect(alert.text).toContain('Stopped stopped at Buy.');
		expect(alert.text).toContain('It is not known whether the buy was accepted');
		expect(alert.text).toContain(accepted?.transaction_id);
		expect(alert.text).toMatch(
			/^Look for these on the service's dashboard at or after .*: stopped-<b> &\. /m,
		);
		expect(stepsIn(alert)).toHaveLength(4);
		expect(alert.text).toContain('reference stopped-<b> &: look for it');
		expect(alert.text).not.toContain('<br>');
	});

	it('names the steps too where another node has stopped the workflow, and they work', async () => {
		const { sandbox } = playground;
		const parameters = { ...fromItem('reference'), options: { register: 'Money register' } };
		const buys = await publishBuys(playground, 'Stopped later', parameters, {
			settings,
			node: { onError: 'continueRegularOutput' },
			then: [
				{
					name: 'Stop',
					type: 'n8n-nodes-base.stopAndError',
					parameters: { errorMessage: 'Enough' },
				},
			],
		});
		const items = [{ reference: 'later-a' }];
		sandbox.fault({ kind: 'acceptThenDrop', on: 'buy' });
		const { id } = await buys.post(items);
		const alert = await alertOf(id);
		const [first, second = '', ...others] = stepsIn(alert);
		expect(first).toMatch(
			/^1\. Look for these on the service's dashboard at or after \d\d:\d\d UTC on \d+ \w+ \(\d\d:\d\d in Lagos\): later-a\. /,
		);
		expect(others).toHaveLength(2);

		const [found] = sandbox.transactions();
		const [, outcome = '', value, column = ''] =
			/in the register, which is under Data tables, set its '(\w+)' to (\w+) and fill in '(\w+)'; where it has no row, add one with these and its 'reference', 'operation' and 'amount'\.$/.exec(
				second,
			)!;
		await deleteRows(playground.rest, 'Money register', 'later-a');
		await addRow(playground.rest, 'Money register', {
			reference: 'later-a',
			[outcome]: value,
			[column]: found!.transaction_id,
		});
		const [again] = outputsOf(await buys.run(items), 'Buy')[0]!;
		expect(again).toMatchObject({
			error: 'Reference later-a was accepted before and is not sent again',
			message: expect.stringContaining(found!.transaction_id) as string,
		});
		expect(sandbox.transactions()).toHaveLength(1);
	});
});

describe('example 8, the watch', () => {
	const told = async () => {
		const before = (await playground.rowsOf('Money alerts')).length;
		const { status } = await playground.run('StablecoinRamp08', 'Every fifteen minutes');
		expect(status).toBe('success');
		const alerts = (await playground.rowsOf('Money alerts')).slice(before);
		return alerts.flatMap(({ references }) => String(references).split(', '));
	};

	it('tells once of a buy that was refused', async () => {
		const [refused] = referencesTo(1, 'watched');
		const buys = await publishBuys(
			playground,
			'Watched',
			{ ...fromItem('reference'), options: { register: 'Money register' } },
			{ node: { onError: 'continueRegularOutput' } },
		);
		playground.sandbox.fault({ kind: 'badRequest', on: 'buy' });
		await buys.run([refused!]);
		expect(await told()).toContain(refused!.reference);
		expect(await told()).not.toContain(refused!.reference);
	});
});

describe('example 9, the month', () => {
	// The one before this one: the form offers the last two years.
	const now = new Date();
	const begin = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1));
	const [year = '', number = ''] = begin.toISOString().split('-');
	const name = begin.toLocaleString('en', { month: 'long', timeZone: 'UTC' });
	const month = `${year}-${number}, ${name}`;
	const at = (day: number) => `${year}-${number}-0${day}T10:00:00.000Z`;
	const statement = `Date,Narration,Debit,Credit
02/${number}/${year},To vendor month-0001,"20,000.00",
03/${number}/${year},To vendor,"30,000.00",
no date,Total,"50,000.00",
`;
	const bought = (id: number, amount: number, outcome = 'accepted') => ({
		reference: `month-000${id}`,
		operation: 'buy',
		outcome,
		amount,
		sentAt: at(1 + id),
	});

	const upload = async (text: string, register: string) => {
		const { n8n, rest } = playground;
		const page = await visitor(n8n.baseUrl, rest.cookie()).open('/form/the-month');
		return await page.submit({
			'The bank’s statement': new File([text], 'statement.csv', { type: 'text/csv' }),
			Register: register,
		});
	};

	it('lists what was paid and what was accepted, and asks again for columns that are none', async () => {
		const { rest } = playground;
		const columns = { operation: 'string', outcome: 'string', amount: 'number', sentAt: 'string' };
		await makeTable(rest, 'Month of a test', { reference: 'string', ...columns });
		const rows = [bought(1, 20_000), bought(2, 40_000), bought(3, 50_000, 'unknown')];
		await addRows(rest, 'Month of a test', rows);

		const asked = await upload(statement, 'Month of a test');
		const chosen = asked.fields.map(({ label, value, options = [] }) => ({
			label,
			value: label === 'Which month?' ? options.find((one) => one === month) : value,
		}));
		expect(chosen).toEqual(
			expect.arrayContaining([
				{ label: 'Which month?', value: month },
				{ label: 'Statement: date', value: 'A: Date' },
				{ label: 'Statement: money in (credit), if that is another column', value: 'D: Credit' },
			]),
		);
		const wrong = await asked.submit({
			'Which month?': month,
			'Statement: date': 'B: Narration',
		});
		expect(wrong.text).toContain('No line of the statement could be read with these columns');
		const page = await wrong.submit({ 'Statement: date': 'A: Date' });
		expect(page.title).toBe(`The month: ${name} ${year}`);
		expect(page.text.match(/month-\d+/g)!.toSorted()).toEqual([
			'month-0001',
			'month-0001',
			'month-0002',
			'month-0003',
		]);
		for (const words of ['4 things to see to', 'Paid and not submitted 1', 'no date, Total']) {
			expect(page.text).toContain(words);
		}
	});

	it('says what to do about a file and a register that are none', async () => {
		const { title, text } = await upload('PK\u0003\u0004', 'Nobody’s register');
		expect(title).toBe('Nothing was compared');
		expect(text).toContain(
			'statement.csv is not a CSV file. Open it in your spreadsheet program, and save it as CSV.',
		);
		expect(text).toContain('There is no data table named “Nobody’s register”. There are: ');
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
		walletAddress: stellarWallet,
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
		return { text, approve: async () => await freshFetch(link, { headers }) };
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
		expect(files).toHaveLength(9);
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
