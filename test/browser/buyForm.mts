import type { Page } from 'playwright-core';

import { soon, until } from '../support/waiting.mts';
import { expectToFit, stage } from './stage.mts';

export const wallet = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';

/** The first page of a form. */
export async function openForm(page: Page, path: string): Promise<void> {
	const address = `${stage.playground.n8n.baseUrl}/form/${path}`;
	// n8n registers the address a moment after it has published the workflow.
	await until(async () => (await page.goto(address))?.ok());
}

/** The first page of example 2, filled in. */
export async function sayHowMuchAndWhereTo(
	page: Page,
	amount: string,
	address: string,
): Promise<void> {
	await openForm(page, 'buy-stablecoin');
	await page.getByLabel('Amount in naira').fill(amount);
	await page.getByLabel('Network').selectOption('Stellar');
	await page.getByLabel('Wallet address').fill(address);
	await expectToFit(page);
	await page.getByRole('button', { name: 'Next' }).click();
}

/** Both pages of example 2. */
export async function buyWithTheForm(page: Page, accountNumber = '0123456789'): Promise<void> {
	await sayHowMuchAndWhereTo(page, '20000', wallet);

	const account = 'Sandbox Vendor Two, Savanna Demo Bank, 0055667788';
	const vendors = page.getByLabel('I paid into');
	await soon(async () => {
		expect(await page.getByText('Send exactly NGN 20000').innerText()).toContain(account);
		const other = 'Sandbox Vendor One, Harbour Demo Bank, 0011223344';
		expect(await vendors.innerText()).toContain(other);
	});
	await vendors.selectOption(account);
	await page.getByLabel('From my bank').fill('Harbour Demo Bank');
	await page.getByLabel('Account number').fill(accountNumber);
	await page.getByLabel('Account name').fill('Ada Example');
	await expectToFit(page);
	await page.getByRole('button', { name: 'I have paid' }).click();
}
