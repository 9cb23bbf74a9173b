import { stellarWallet } from '../../support/transactions.mts';
import { buyWithTheForm, sayHowMuchAndWhereTo } from '../buyForm.mts';
import { desktop, expectToFit, expectWords, phone, picture, scene, stage } from '../stage.mts';

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
				expect(accepted?.request).toMatchObject({
					type: 'buy_ramp',
					amount: 20000,
					vendor_number: '0055667788',
					account_number: '0123456789',
					network: 'Stellar',
					wallet_address: stellarWallet,
					reference: expect.stringMatching(/^form-\d+-\w{6}$/) as string,
				});
				await expectWords(page, accepted!.transaction_id, accepted!.reference);
				await expectToFit(page);
			},
			visitor,
		);
	}

	scene(
		'turns away what cannot work before anybody pays',
		async (page) => {
			await sayHowMuchAndWhereTo(page, '100', `${stellarWallet.slice(0, -1)}A`);
			await page.getByText('This is not possible').waitFor();

			const why = ['below the minimum of 15000', 'Wallet Address'];
			await expectWords(page, ...why, 'there is nothing to pay');
			expect(await page.locator('body').innerText()).not.toContain('Send exactly');
			expect(posts()).toEqual([]);
			await expectToFit(page);
		},
		phone,
	);

	scene(
		'says what to correct on the same page, with what was entered, and then buys it',
		async (page) => {
			await buyWithTheForm(page, '123456789');
			await page.getByText('Not placed yet').waitFor();

			await expectWords(page, 'has 9 digits, not ten', 'Do not pay again');
			expect(posts()).toEqual([]);
			await expectToFit(page);
			await picture(page, 'not-placed-yet');
			expect(await page.getByLabel('Account name').inputValue()).toBe('Ada Example');
			expect(await page.getByLabel('I paid into').inputValue()).toContain('0055667788');
			await page.getByLabel('Account number').fill('0123456789');
			await page.getByRole('button', { name: 'Send it once more' }).click();
			await page.getByText('Your purchase was accepted').waitFor();
			expect(stage.playground.sandbox.transactions()).toHaveLength(1);
		},
		phone,
	);

	scene(
		'gives the words of the service that refused a purchase, and says that nothing was bought',
		async (page) => {
			stage.playground.sandbox.fault({ kind: 'badRequest', on: 'buy' });
			await buyWithTheForm(page);
			await page.getByText('Not placed yet').waitFor();

			const words = ['The service refused the request', 'The service says: '];
			await expectWords(page, ...words, 'Nothing was bought yet');
			expect(stage.playground.sandbox.transactions()).toEqual([]);
			await expectToFit(page);
		},
		phone,
	);

	scene(
		'asks not to submit again when the outcome is unknown',
		async (page) => {
			stage.playground.sandbox.fault({ kind: 'acceptThenDrop', on: 'buy' });
			await buyWithTheForm(page);
			await page.getByText('We do not know yet').waitFor();

			const [accepted] = stage.playground.sandbox.transactions();
			await expectWords(page, 'do not submit it again', accepted!.reference);
			expect(posts()).toHaveLength(1);
			await expectToFit(page);
		},
		phone,
	);
});

const posts = () => stage.playground.sandbox.requests().filter(({ method }) => method === 'POST');
