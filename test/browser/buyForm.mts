import type { Page } from 'playwright-core';

import { stellarWallet } from '../support/transactions.mts';
import { soon, until } from '../support/waiting.mts';
import { expectToFit, signIn, stage } from './stage.mts';

/** The first page of a form. */
async function openForm(page: Page, path: string): Promise<void> {
	const address = `${stage.playground.n8n.baseUrl}/form/${path}`;
	// n8n registers the address a moment after it has published the workflow.
	await until(async () => (await page.goto(address))?.ok());
}

/** The first page of a form that asks for n8n's own user, and for their consent to know who they are. */
export async function openSignedIn(
	page: Page,
	path: string,
	rest = stage.playground.rest,
): Promise<void> {
	await signIn(page.context(), rest);
	await openForm(page, path);
	const allow = page.getByRole('button', { name: /Allow|Approve|Authorize|Continue/ });
	const submit = page.locator('#submit-btn');
	await allow.or(submit).first().waitFor();
	if (await allow.isVisible()) await allow.click();
	await submit.waitFor();
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
	await sayHowMuchAndWhereTo(page, '₦20,000', stellarWallet);

	const account = '0055667788, Sandbox Vendor Two, Savanna Demo Bank';
	const vendors = page.getByLabel('I paid into');
	await soon(async () => {
		expect(await page.getByText('Send exactly ₦20,000').innerText()).toContain(account);
		const other = '0011223344, Sandbox Vendor One, Harbour Demo Bank';
		expect(await vendors.innerText()).toContain(other);
	});
	await vendors.selectOption(account);
	await page.getByLabel('From my bank').fill('Harbour Demo Bank');
	await page.getByLabel('Account number').fill(accountNumber);
	await page.getByLabel('Account name').fill('Ada Example');
	await expectToFit(page);
	await page.getByRole('button', { name: 'I have paid' }).click();
}
