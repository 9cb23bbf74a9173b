import { buyWithTheForm, sayHowMuchAndWhereTo, wallet } from '../buyForm.ts';
import { desktop, phone, scene, stage, widthBeyondScreen } from '../stage.ts';

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
					wallet_address: wallet,
					reference: expect.stringMatching(/^form-\d+-\d+$/) as string,
				});
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
			// The trigger of example 3 may ask for rates at any time.
			const asked = stage.playground.sandbox.requests().map(({ path }) => path);
			expect(asked.filter((path) => !path.startsWith('/rates/'))).toEqual([]);
			expect(await widthBeyondScreen(page)).toBe(0);
		},
		phone,
	);

	scene(
		'says what to correct in a purchase, and nothing was sent',
		async (page) => {
			await buyWithTheForm(page, '123456789');
			await page.getByText('Your purchase was not placed').waitFor();

			const said = await page.locator('body').innerText();
			expect(said).toContain('has 9 digits, not ten');
			expect(said).toContain('with all ten digits');
			expect(posts()).toEqual([]);
			expect(await widthBeyondScreen(page)).toBe(0);
		},
		phone,
	);

	scene(
		'gives the words of the service that refused a purchase, and says that nothing was bought',
		async (page) => {
			stage.playground.sandbox.fault({ kind: 'badRequest', on: 'buy' });
			await buyWithTheForm(page);
			await page.getByText('Your purchase was not placed').waitFor();

			const said = await page.locator('body').innerText();
			expect(said).toContain('The service refused the request');
			expect(said).toContain('The service says: ');
			expect(said).toContain('Nothing was bought');
			expect(stage.playground.sandbox.transactions()).toEqual([]);
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
			expect(posts()).toHaveLength(1);
			expect(await widthBeyondScreen(page)).toBe(0);
		},
		phone,
	);
});

const posts = () => stage.playground.sandbox.requests().filter(({ method }) => method === 'POST');
