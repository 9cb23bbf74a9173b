import type { Page } from 'playwright-core';

import { deleteRows } from '../../support/n8n/dataTables.mts';
import { soon } from '../../support/waiting.mts';
import { buyWithTheForm, openSignedIn } from '../buyForm.mts';
import { expectToFit, expectWords, phone, picture, scene, stage } from '../stage.mts';

describe('the desk, example 6', () => {
	scene(
		'takes note of a buy that is on the dashboard, closes another, and goes back to the list',
		async (page) => {
			const { sandbox } = stage.playground;
			await emptyTheRegister();
			sandbox.fault({ kind: 'acceptThenDrop', on: 'buy' });
			const there = await buyThatEndsWith(page, 'We do not know yet');
			sandbox.fault({ kind: 'badRequest', on: 'buy' });
			const rejected = await buyThatEndsWith(page, 'Not placed yet');
			const [accepted] = sandbox.transactions();

			await openSignedIn(page, 'desk');
			await page.getByRole('button', { name: 'Show what is open' }).click();
			await choose(page, there, 'It is there');
			await picture(page, 'desk-next');
			await expectWords(page, 'Nothing is sent', '₦20,000', '0055667788', 'Ada Example');
			await page.getByLabel('Its transaction id').fill(accepted!.transaction_id);
			await goOn(page);
			await expectWords(page, `${there} is accepted in the register`);

			await choose(page, rejected, 'Close it');
			await page.getByLabel('Why?').fill('Refunded');
			await goOn(page);
			await expectWords(page, `${rejected} is closed`);

			expect(sandbox.transactions()).toEqual([accepted]);
			expect(await registerOf(there)).toEqual([['accepted', accepted!.transaction_id]]);
			expect((await registerOf(rejected)).map(([outcome]) => outcome)).toEqual(['closed']);
		},
		phone,
	);

	scene(
		'corrects what was mistyped, and sends it',
		async (page) => {
			const reference = await buyThatEndsWith(page, 'Not placed yet', '123456789');
			await openSignedIn(page, 'desk');
			await page.getByRole('button', { name: 'Show what is open' }).click();
			await choose(page, reference, 'Correct it and send it');
			await page.getByLabel('Account number of the payer', { exact: true }).fill('0123456789');
			await goOn(page);
			await expectWords(page, `${reference} was sent, and is accepted`);

			const [accepted] = stage.playground.sandbox.transactions();
			expect(accepted?.request).toMatchObject({ reference, account_number: '0123456789' });
		},
		phone,
	);
});

/** The sandbox has begun to count its transactions anew, and the desk takes no id that another has. */
async function emptyTheRegister(): Promise<void> {
	const { playground } = stage;
	for (const { reference } of await playground.rowsOf('Money register')) {
		await deleteRows(playground.rest, 'Money register', String(reference));
	}
}

/** Buys with example 2, which ends on this page, and gives the reference. */
async function buyThatEndsWith(page: Page, title: string, account?: string): Promise<string> {
	await buyWithTheForm(page, account);
	await page.getByText(title).waitFor();
	const said = await page.getByText(/form-\d+-\w{6}/).innerText();
	return /form-\d+-\w{6}/.exec(said)![0];
}

/** On the list: which one, and what is to be done about it. */
async function choose(page: Page, reference: string, what: string): Promise<void> {
	const which = page.getByLabel('Which one?');
	const label = await which.getByText(`${reference},`).innerText();
	await which.selectOption(label.trim());
	await page.getByLabel(what, { exact: true }).check();
	await expectToFit(page);
	await picture(page, 'desk');
	await page.getByRole('button', { name: 'Next' }).click();
	await page.getByRole('heading', { name: what }).waitFor();
	await expectToFit(page);
}

async function goOn(page: Page): Promise<void> {
	await page.getByLabel('Yes', { exact: true }).check();
	await page.getByRole('button', { name: 'Go on' }).click();
	await page.getByRole('heading', { name: /^Open: |^Nothing is open/ }).waitFor();
	await expectToFit(page);
}

/** What the register says of a reference: outcome and transaction, a pair for each row. */
async function registerOf(reference: string) {
	let rows: unknown[][] = [];
	await soon(async () => {
		rows = (await stage.playground.rowsOf('Money register'))
			.filter((row) => row.reference === reference)
			.map(({ outcome, transaction_id }) => [outcome, transaction_id]);
		expect(rows).not.toEqual([]);
	});
	return rows;
}
