import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

import { freshFetch } from '../../../playground/freshFetch.mts';
import { bankStatement, walletList } from '../../../sandbox/books.mts';
import type { AcceptedTransaction } from '../../../sandbox/server.mts';
import { publishBuys } from '../../support/n8n/buys.mts';
import { addRows, makeTable } from '../../support/n8n/dataTables.mts';
import { tableOf } from '../../support/month.mts';
import { buyBody, fromItem } from '../../support/transactions.mts';
import { soon, until } from '../../support/waiting.mts';
import { openSignedIn } from '../buyForm.mts';
import { desktop, expectToFit, expectWords, phone, picture, scene, stage } from '../stage.mts';

const register = 'Book of the month';
const orders = [20000, 15000, 48500, 30000, 62000, 17500, 90000, 25500, 33000].map(
	(amount, index) => ({ reference: `month-${1041 + index}`, amount }),
);

/** Buys of which the last is unknown, and the files that the sandbox has for them. */
async function aMonth() {
	const { playground } = stage;
	const { sandbox } = playground;
	// What arrives does so some minutes later, and belongs to the same month.
	await until(() => monthIn(0) === monthIn(5), { within: 6 * 60_000 });
	sandbox.fault({ kind: 'acceptThenDrop', on: 'buy', skip: orders.length - 1 });
	const buys = await publishBuys(
		playground,
		register,
		{ ...fromItem('reference', 'amount'), options: { register } },
		{ node: { onError: 'continueRegularOutput' } },
	);
	await buys.run(orders);
	expect(sandbox.transactions()).toHaveLength(orders.length);
	const file = async (name: string) => {
		const answer = await freshFetch(`${sandbox.baseUrl}/_sandbox/${name}`);
		return csvFile(name, Buffer.from(await answer.arrayBuffer()));
	};
	return {
		month: monthIn(0),
		statement: await file('statement.csv'),
		wallet: await file('wallet.csv'),
	};
}

const csvFile = (name: string, buffer: Buffer) => ({ name, mimeType: 'text/csv', buffer });

/** A register with forty buys of the month before this one, and the files for them. */
async function fortyBuys() {
	const { rest } = stage.playground;
	const [year = 0, month = 0] = monthIn(0).split('-').map(Number);
	const accepted = Array.from({ length: 40 }, (_, index): AcceptedTransaction => {
		const [day, hour] = [1 + Math.floor(index * 0.7), 8 + ((index * 7) % 9)];
		return {
			kind: 'buy',
			transaction_id: `SBX-${String(index + 1).padStart(6, '0')}`,
			reference: `month-${2001 + index}`,
			amount: 15_000 + ((index * 7919) % 61) * 1500,
			receivedAt: new Date(Date.UTC(year, month - 2, day, hour, index)).toISOString(),
			request: buyBody,
			response: { status: 'success', message: '', transaction: {} },
		};
	});
	const rows = accepted.map(({ transaction_id, reference, amount, receivedAt }) => ({
		transaction_id,
		reference,
		amount,
		operation: 'buy',
		outcome: 'accepted',
		account_name: 'Ada Example',
		sentAt: receivedAt,
		answeredAt: receivedAt,
	}));
	const columns = Object.keys(rows[0]!).map((name) => [
		name,
		name === 'amount' ? 'number' : 'string',
	]);
	await makeTable(rest, 'Forty buys', Object.fromEntries(columns) as Record<string, string>);
	await addRows(rest, 'Forty buys', rows);
	return {
		register: 'Forty buys',
		month: rows[0]!.sentAt.slice(0, 7),
		statement: csvFile('statement.csv', Buffer.from(bankStatement(accepted))),
		wallet: csvFile('wallet.csv', Buffer.from(walletList(accepted))),
	};
}

type File = Awaited<ReturnType<typeof aMonth>>['statement'];

async function upload(
	page: Page,
	files: { statement: File; wallet?: File },
	name = register,
): Promise<void> {
	await openSignedIn(page, 'the-month');
	await expectToFit(page);
	await page.getByLabel('The bank’s statement').setInputFiles(files.statement);
	if (files.wallet) await page.getByLabel('The wallet’s list').setInputFiles(files.wallet);
	await page.getByLabel('Register').fill(name);
	await page.getByRole('button', { name: 'Next' }).click();
}

const lagos = { timeZone: 'Africa/Lagos' };
const monthIn = (minutes: number) =>
	new Date(Date.now() + minutes * 60_000).toLocaleDateString('sv', lagos).slice(0, 7);

async function chooseMonth(page: Page, month: string): Promise<void> {
	const months = page.getByLabel('Which month?');
	await months.waitFor();
	const options = await months.locator('option').allInnerTexts();
	await months.selectOption(options.find((option) => option.startsWith(month))!);
	await expectToFit(page);
}

const compare = async (page: Page) => await page.getByRole('button', { name: 'Compare' }).click();

/** What the page has in each list: the references and texts. */
async function listsOn(page: Page): Promise<Record<string, string>> {
	await page.getByRole('heading', { name: /^The month: / }).waitFor();
	const sections = await page.locator('section').all();
	const read = sections.map(async (one) => [
		(await one.locator('h2').innerText()).replace(/ \d+$/, ''),
		await one.locator('.list tbody, .compact').innerText(),
	]);
	return Object.fromEntries(await Promise.all(read)) as Record<string, string>;
}

const namesIn = (text = '') => [...new Set(text.match(/month-\d+/g))].toSorted();
const nth = (...places: number[]) => places.map((place) => orders[place - 1]!.reference);

describe('the month, example 9', () => {
	// Bought by the scene that comes first: what the sandbox has of it is gone when the next begins.
	let bought: ReturnType<typeof aMonth> | undefined;
	const files = async () => await (bought ??= aMonth());

	scene(
		'says what was paid, what was accepted and what arrived, and can be printed and downloaded',
		async (page) => {
			const { month, ...both } = await files();
			await upload(page, both);
			await chooseMonth(page, month);
			await compare(page);
			const lists = await listsOn(page);
			expect(
				Object.fromEntries(Object.entries(lists).map(([name, text]) => [name, namesIn(text)])),
			).toEqual({
				'Paid and not submitted': [],
				'Submitted and not paid': nth(2),
				'Several fit': nth(3),
				'Amount differs': nth(4),
				'Accepted and not arrived': nth(6),
				'Open on the desk': nth(9),
				Matched: nth(1, 5, 7, 8),
				'Other lines of the statement': [],
				'The wallet’s list: arrived, and not in the register': [],
			});
			expect(lists['Paid and not submitted']).toContain(
				'₦25,000.00 NIP TRANSFER TO SANDBOX VENDOR TWO',
			);
			// the service has it, though nobody here knew: its stablecoin is the proof
			expect(lists['Open on the desk']).toMatch(/unknown[^]*arrived/);
			await expectWords(page, '7 things to see to', 'in exactly one list', 'by Playground Owner');
			await expectToFit(page);

			const [download] = await Promise.all([
				page.waitForEvent('download'),
				page.getByRole('link', { name: 'Download it as CSV' }).click(),
			]);
			expect(download.suggestedFilename()).toBe(`the-month-${month}.csv`);
			const { lines } = tableOf(await readFile(await download.path()));
			const [names, ...records] = lines.map(({ cells }) => cells);
			const bought = records.map((cells) => Number(cells[names!.indexOf('bought')] || 0));
			const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
			expect(sum(bought)).toBe(sum(orders.map(({ amount }) => amount)));
			const numbers = records.map((cells) => cells[names!.indexOf('account number')]!);
			expect(numbers.filter(Boolean)).toEqual(orders.map(() => '="0123456789"'));

			await page.emulateMedia({ media: 'print' });
			expect(await page.getByText('Download it as CSV').isVisible()).toBe(false);
			await expectWords(page, 'All, each once');
		},
		{ viewport: desktop },
	);

	scene(
		'shows a month of forty buys on one page, and on paper',
		async (page) => {
			const forty = await fortyBuys();
			await upload(page, forty, forty.register);
			await chooseMonth(page, forty.month);
			await compare(page);
			const lists = await listsOn(page);
			expect(namesIn(lists.Matched)).toHaveLength(36);
			await expectWords(page, '6 things to see to', '40\t2,370,000.00');
			await picture(page, 'month');
			const pages = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g);
			expect(pages!.length).toBeLessThan(9);
		},
		{ viewport: { width: 1000, height: 1000 } },
	);

	scene(
		'asks again for columns with which nothing can be read, and keeps what was chosen, on a phone',
		async (page) => {
			const { month, statement } = await files();
			await upload(page, { statement });
			await chooseMonth(page, month);
			await page.getByLabel('Statement: date').selectOption('B: Narration');
			await page.getByLabel('Only payments with one of these words').fill('sandbox');
			await compare(page);
			await expectWords(page, 'No line of the statement could be read with these columns');
			const value = (label: string) => page.getByLabel(label).inputValue();
			await soon(async () => {
				expect(await value('Only payments with one of these words')).toBe('sandbox');
				expect(await value('Which month?')).toContain(month);
				expect(await value('Statement: date')).toBe('B: Narration');
			});
			await page.getByLabel('Statement: date').selectOption('A: Trans. Date');
			await compare(page);
			const lists = await listsOn(page);
			expect(namesIn(lists.Matched)).toEqual(nth(1, 5, 6, 7, 8));
			await expectWords(page, 'Accepted is not yet arrived', 'no wallet’s list');
			await expectToFit(page);
			// no execution is kept: it has the bank's statement in it
			await soon(async () =>
				expect(await stage.playground.listed({ workflowId: 'StablecoinRamp09' })).toEqual([]),
			);
		},
		phone,
	);
});
