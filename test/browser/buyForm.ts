import type { Page } from 'playwright-core';
import { stage, widthBeyondScreen } from './stage.ts';

export const wallet = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';

/** The first page of example 2. */
export async function sayHowMuchAndWhereTo(
	page: Page,
	amount: string,
	address: string,
): Promise<void> {
	await page.goto(`${stage.playground.n8n.baseUrl}/form/buy-stablecoin`);
	await page.getByLabel('Amount in naira').fill(amount);
	await page.getByLabel('Network').selectOption('Stellar');
	await page.getByLabel('Wallet address').fill(address);
	expect(await widthBeyondScreen(page)).toBe(0);
	await page.getByRole('button', { name: 'Next' }).click();
}

/** Both pages of example 2. */
export async function buyWithTheForm(page: Page, accountNumber = '0123456789'): Promise<void> {
	await sayHowMuchAndWhereTo(page, '20000', wallet);

	const account = 'Sandbox Vendor Two, Savanna Demo Bank, 0055667788';
	expect(await page.getByText('Send exactly NGN 20000').innerText()).toContain(account);
	const vendors = page.getByLabel('I paid into');
	expect(await vendors.innerText()).toContain('Sandbox Vendor One, Harbour Demo Bank, 0011223344');
	await vendors.selectOption(account);
	await page.getByLabel('From my bank').fill('Harbour Demo Bank');
	await page.getByLabel('Account number').fill(accountNumber);
	await page.getByLabel('Account name').fill('Ada Example');
	expect(await widthBeyondScreen(page)).toBe(0);
	await page.getByRole('button', { name: 'I have paid' }).click();
}
