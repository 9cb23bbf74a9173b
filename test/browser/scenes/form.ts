import type { Page } from 'playwright-core';
import { desktop, phone, scene, stage, widthBeyondScreen } from '../stage.ts';

const wallet = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const visitors = { 'a desk': { viewport: desktop }, 'a phone': phone };

describe('the form of example 2', () => {
	for (const [where, visitor] of Object.entries(visitors)) {
		scene(
			`shows the accepted transaction on ${where}`,
			async (page) => {
				await buyWithTheForm(page);
				await page.getByText('Your purchase was accepted').waitFor();

				const [accepted, ...others] = stage.playground.sandbox.transactions();
				expect(others).toEqual([]);
				expect(accepted?.request).toMatchObject({ amount: 20000, wallet_address: wallet });
				const said = await page.locator('body').innerText();
				expect(said).toContain(accepted?.transaction_id);
				expect(said).toContain(accepted?.reference);
				expect(await widthBeyondScreen(page)).toBe(0);
			},
			visitor,
		);
	}

	scene(
		'turns away what cannot work before anybody pays',
		async (page) => {
			await sayHowMuchAndWhereTo(page, '100', `${wallet.slice(0, -1)}A`);
			await page.getByText('This is not possible').waitFor();

			const said = await page.locator('body').innerText();
			expect(said).toContain('below the minimum of 15000');
			expect(said).toContain('Wallet Address');
			expect(said).toContain('there is nothing to pay');
			expect(said).not.toContain('Send exactly');
			expect(await widthBeyondScreen(page)).toBe(0);
		},
		phone,
	);

	scene(
		'says why a purchase was refused, and that nothing was bought',
		async (page) => {
			stage.playground.sandbox.fault({ kind: 'badRequest', on: 'buy' });
			await buyWithTheForm(page);
			await page.getByText('Your purchase was not placed').waitFor();

			const said = await page.locator('body').innerText();
			expect(said).toContain('The service refused the request');
			expect(said).toContain('The service says: ');
			expect(said).toContain('Nothing was bought');
			expect(await widthBeyondScreen(page)).toBe(0);
		},
		phone,
	);

	scene(
		'asks not to submit again when the outcome is unknown',
		async (page) => {
			stage.playground.sandbox.fault({ kind: 'acceptThenDrop', on: 'buy' });
			await buyWithTheForm(page);
			await page.getByText('We do not know yet').waitFor();

			const said = await page.locator('body').innerText();
			expect(said).toContain('Please do not submit it again');
			expect(said).toContain(stage.playground.sandbox.transactions()[0]?.reference);
			expect(await widthBeyondScreen(page)).toBe(0);
		},
		phone,
	);
});

async function sayHowMuchAndWhereTo(page: Page, amount: string, address: string): Promise<void> {
	await page.goto(`${stage.playground.n8n.baseUrl}/form/buy-stablecoin`);
	await page.getByLabel('Amount in naira').fill(amount);
	await page.getByLabel('Network').selectOption('Stellar');
	await page.getByLabel('Wallet address').fill(address);
	expect(await widthBeyondScreen(page)).toBe(0);
	await page.getByRole('button', { name: 'Next' }).click();
}

async function buyWithTheForm(page: Page): Promise<void> {
	await sayHowMuchAndWhereTo(page, '20000', wallet);

	const account = 'Sandbox Vendor Two, Savanna Demo Bank, 0055667788';
	expect(await page.getByText('Send exactly NGN 20000').innerText()).toContain(account);
	await page.getByLabel('I paid into').selectOption(account);
	await page.getByLabel('From my bank').fill('Harbour Demo Bank');
	await page.getByLabel('Account number').fill('0123456789');
	await page.getByLabel('Account name').fill('Ada Example');
	expect(await widthBeyondScreen(page)).toBe(0);
	await page.getByRole('button', { name: 'I have paid' }).click();
}
