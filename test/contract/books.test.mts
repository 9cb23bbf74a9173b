import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';

import { bankStatement, walletList } from '../../sandbox/books.mts';
import { State, type AcceptedTransaction } from '../../sandbox/state.mts';
import { times } from '../support/quick.mts';
import { useSandbox } from '../support/sandbox.mts';
import { buyBody, sellBody } from '../support/transactions.mts';
import { admin, send } from './client.mts';

const sandbox = useSandbox();

type Kind = AcceptedTransaction['kind'];

/** Accepted one after the other, an hour apart, from half past ten in the evening of Lagos on. */
function accepted(
	list: Array<{ kind?: Kind; amount: number; reference?: string; vendor?: string }>,
) {
	const state = new State();
	for (const { kind = 'buy', amount, reference, vendor = buyBody.vendor_name } of list) {
		const body = kind === 'buy' ? { ...buyBody, vendor_name: vendor } : sellBody;
		state.accept(kind, { ...body, amount, reference });
	}
	return state.transactions.map((transaction, hour) => ({
		...transaction,
		receivedAt: new Date(Date.UTC(2026, 10, 17, 21 + hour, 30)).toISOString(),
	}));
}

/** Seven buys, with a sell after the first and the last. */
const month = () =>
	accepted([
		{ amount: 20000, reference: 'buy-1' },
		{ kind: 'sell', amount: 500.5, reference: 'sell-1' },
		...[2, 3, 4, 5, 6, 7].map((place) => ({
			amount: 20000 + place,
			reference: `buy-${place}`,
		})),
		{ kind: 'sell', amount: 1234567.89 },
	]);

/** The lines of a CSV text, each with its cells by their column. */
function read(csv: string): Array<Record<string, string>> {
	const rows: string[][] = [[]];
	for (const [, cell = '', end] of csv.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g)) {
		rows.at(-1)!.push(cell.replace(/^"|"$/g, '').replaceAll('""', '"'));
		if (end !== ',') rows.push([]);
	}
	const [columns = [], ...lines] = rows.slice(0, -1);
	return lines.map((cells) => {
		expect(cells).toHaveLength(columns.length);
		return Object.fromEntries(columns.map((column, index) => [column, cells[index]!]));
	});
}

const statementOf = (transactions: AcceptedTransaction[]) => read(bankStatement(transactions));
const walletOf = (transactions: AcceptedTransaction[]) => read(walletList(transactions));
const column = (name: string, lines: Array<Record<string, string>>) =>
	lines.map((line) => line[name]);
const kobo = (text = '') => Number(text.replaceAll(/[,.]/g, ''));

it.each([
	['statement.csv', bankStatement, 'Trans. Date,Narration,Reference,Debit,Credit,Balance\r\n'],
	['wallet.csv', walletList, 'Date (UTC),Type,Amount,Asset,Memo,Transaction\r\n'],
])('gives %s of the accepted transactions to download', async (file, write, header) => {
	expect((await admin(sandbox, 'GET', file)).data).toBe(header);
	await send(sandbox, 'buy');
	const { status, headers, data } = await admin(sandbox, 'GET', file);
	expect(status).toBe(200);
	expect(headers).toMatchObject({
		'content-type': 'text/csv; charset=utf-8',
		'content-disposition': `attachment; filename="${file}"`,
	});
	expect(data).toBe(write(sandbox.transactions()));
	expect(read(data).length).toBeGreaterThan(0);
});

it('has five misfits in the statement, and no other', () => {
	const lines = statementOf(month());
	const charge = ['NIP CHARGE', '26.88', ''];
	const one = 'NIP TRANSFER TO SANDBOX VENDOR ONE';
	expect(lines.map(({ Narration, Debit, Credit }) => [Narration, Debit, Credit])).toEqual([
		['OPENING BALANCE', '', ''],
		[`${one}/buy-1`, '20,000.00', ''],
		charge,
		['NIP TRANSFER FROM SANDBOX SERVICE/sell-1', '', '500.50'],
		[`${one}/buy-3`, '20,003.00', ''],
		charge,
		[`${one}/buy-3`, '20,003.00', ''],
		charge,
		[`${one}/buy-4`, '19,504.00', ''],
		charge,
		[one, '20,005.00', ''],
		charge,
		[`${one}/buy-6`, '20,006.00', ''],
		charge,
		[`${one}/buy-7`, '20,007.00', ''],
		charge,
		['NIP TRANSFER FROM SANDBOX SERVICE/SBX-REF-000009', '', '1,234,567.89'],
		['NIP TRANSFER TO SANDBOX VENDOR TWO', '25,000.00', ''],
		charge,
	]);
	const [, ...numbers] = column('Reference', lines);
	expect(new Set(numbers).size).toBe(numbers.length);
	for (const number of numbers) expect(number).toMatch(/^FT[0-9A-F]{12}$/);
});

it('has two misfits in the wallet list, and no other', () => {
	const lines = walletOf(month());
	const received = (amount: string, memo = '') => ['received', amount, 'NGN stablecoin', memo];
	expect(lines.map(({ Type, Amount, Asset, Memo }) => [Type, Amount, Asset, Memo])).toEqual([
		received('20000.0000000', 'SBX-000001'),
		['sent', '500.5000000', 'NGN stablecoin', 'SBX-000002'],
		received('20002.0000000'),
		received('20003.0000000', 'SBX-000004'),
		received('20004.0000000'),
		received('20005.0000000', 'SBX-000006'),
		received('20007.0000000', 'SBX-000008'),
		['sent', '1234567.8900000', 'NGN stablecoin', 'SBX-000009'],
		received('17000.0000000'),
	]);
	const hashes = column('Transaction', lines);
	expect(new Set(hashes).size).toBe(hashes.length);
	for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{64}$/);
});

it('has the misfits that the README names', () => {
	const readme = readFileSync(join(__dirname, '../../sandbox/README.md'), 'utf8');
	const [, section = ''] = readme.split('## A month to try');
	const [, , ...rows] = section.split('## ')[0]!.match(/^\|.+$/gm) ?? [];
	const [none, ...named] = rows
		.map((row) => row.split('|').map((cell) => cell.trim()))
		.map(([, which = '', bank = '', wallet = '']) => ({ which, bank, wallet }))
		.reverse();

	const vendorOnly = 'NIP TRANSFER TO SANDBOX VENDOR ONE';
	const paid: Record<string, (place: number) => string[]> = {
		'': (place) => [`20,00${place}.00 ${vendorOnly}/buy-${place}`],
		missing: () => [],
		'there twice': (place) => [...paid['']!(place), ...paid['']!(place)],
		'500.00 less': (place) => [`19,50${place}.00 ${vendorOnly}/buy-${place}`],
		"the vendor's name, without the reference": (place) => [`20,00${place}.00 ${vendorOnly}`],
	};
	const received: Record<string, (place: number) => string[]> = {
		'': (place) => [`2000${place}.0000000 received`],
		missing: () => [],
	};
	const places = Array.from({ length: 9 }, (_, index) => index + 1);
	const transactions = accepted(
		places.map((place) => ({ amount: 20000 + place, reference: `buy-${place}` })),
	);
	const at = (place: number) =>
		named.find(({ which }) => parseInt(which) === place) ?? { bank: '', wallet: '' };
	expect(
		statementOf(transactions)
			.filter(({ Narration }) => Narration?.startsWith('NIP TRANSFER'))
			.map(({ Debit, Narration }) => `${Debit} ${Narration}`),
	).toEqual([
		...places.flatMap((place) => paid[at(place).bank]!(place)),
		none!.bank.replace('to', 'NIP TRANSFER TO'),
	]);
	expect(walletOf(transactions).map(({ Amount, Type }) => `${Amount} ${Type}`)).toEqual([
		...places.flatMap((place) => received[at(place).wallet]!(place)),
		none!.wallet,
	]);
});

it('has no misfit while there is one buy, however many sells there are', () => {
	const sell = { kind: 'sell' as const, amount: 700 };
	const transactions = accepted([sell, sell, { amount: 15000, reference: 'buy-1' }, sell]);
	expect(column('Debit', statementOf(transactions)).filter(Boolean)).toEqual([
		'15,000.00',
		'26.88',
	]);
	expect(column('Type', walletOf(transactions))).toEqual(['sent', 'sent', 'received', 'sent']);
});

it('dates the statement by the days of Lagos, and the wallet list by a time of UTC soon after', () => {
	const transactions = accepted([
		{ kind: 'sell', amount: 1 },
		{ kind: 'sell', amount: 2 },
		{ kind: 'sell', amount: 3 },
	]);
	expect(column('Trans. Date', statementOf(transactions))).toEqual([
		'17/11/2026',
		'17/11/2026',
		'17/11/2026',
		'18/11/2026',
	]);
	expect(column('Date (UTC)', walletOf(transactions))).toEqual([
		'2026-11-17T21:31:00.000Z',
		'2026-11-17T22:31:00.000Z',
		'2026-11-17T23:31:00.000Z',
	]);
});

it('says the same each time, and keeps what it said when more is accepted', () => {
	const transactions = month();
	expect(bankStatement(transactions)).toBe(bankStatement(month()));
	expect(walletList(transactions)).toBe(walletList(month()));
	const before = transactions.slice(0, 6);
	expect(statementOf(transactions)).toEqual(
		expect.arrayContaining(statementOf(before).slice(0, -2)),
	);
	expect(walletOf(transactions)).toEqual(expect.arrayContaining(walletOf(before).slice(0, -1)));
});

it('adds up from the opening balance on, and is never overdrawn', () => {
	const amount = fc.integer({ min: 15_000_00, max: 3_000_000_00 }).map((kobos) => kobos / 100);
	const one = fc.record({ kind: fc.constantFrom<Kind>('buy', 'sell'), amount });
	fc.assert(
		fc.property(fc.array(one, { minLength: 1, maxLength: 12 }), (list) => {
			const [opening, ...lines] = statementOf(accepted(list));
			let balance = kobo(opening!.Balance);
			for (const { Debit, Credit, Balance } of lines) {
				expect([Debit, Credit].filter(Boolean)).toHaveLength(1);
				balance += kobo(Credit) - kobo(Debit);
				expect(balance).toBeGreaterThanOrEqual(0);
				expect(kobo(Balance)).toBe(balance);
			}
		}),
		{ numRuns: times(200) },
	);
});

it('quotes what has a comma, a quote or a line break in it, and nothing else', () => {
	const [, , line] = bankStatement(
		accepted([{ amount: 15000, vendor: 'Ade "Quick" & Co, Lagos', reference: 'order-1' }]),
	).split('\r\n');
	expect(line).toMatch(
		/^17\/11\/2026,"NIP TRANSFER TO ADE ""QUICK"" & CO, LAGOS\/order-1",FT\w+,"15,000.00",,"985,000.00"$/,
	);
	const reference = 'a\nb\r\nc';
	expect(column('Narration', statementOf(accepted([{ amount: 15000, reference }])))[1]).toBe(
		`NIP TRANSFER TO SANDBOX VENDOR ONE/${reference}`,
	);
});
