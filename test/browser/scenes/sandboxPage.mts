import { soon } from '../../support/waiting.mts';
import { buyFields, openNode, vendorTwo, workflowOf } from '../editor.mts';
import { expectToFit, picture, scene, stage } from '../stage.mts';

describe('the sandbox page', () => {
	scene(
		'shows a buy of n8n and a rate that moved without a reload',
		async (page) => {
			const { sandbox } = stage.playground;
			const usdc = { USD: 1476.8, GBP: 1938.6, EUR: 1712.3, KES: 11.4 };
			sandbox.setRates('otc', { USD: 1482.5, GBP: 1946.2, EUR: 1718.9, KES: 11.45 });
			sandbox.setRates('usdc', usdc);
			await page.goto(sandbox.baseUrl);
			await page.getByRole('status').getByText('Connected', { exact: true }).waitFor();
			const parameters = { ...buyFields, vendor: vendorTwo, reference: 'order-2001' };
			await stage.playground.run(await workflowOf({ name: 'Buy', parameters }), 'Start');

			const transactions = page.getByRole('region', { name: 'Accepted transactions' });
			const row = transactions.getByRole('row').filter({ hasText: 'order-2001' });
			await row.getByText(sandbox.transactions()[0]!.transaction_id).waitFor();
			for (const [name, file] of [
				['Bank statement', 'statement.csv'],
				['Wallet list', 'wallet.csv'],
			] as const) {
				const download = page.waitForEvent('download');
				await transactions.getByRole('link', { name }).click();
				expect((await download).suggestedFilename()).toBe(file);
			}

			sandbox.setRates('usdc', { ...usdc, USD: 1502.75 });
			await page.getByRole('row').filter({ hasText: 'USD' }).getByText('1,502.75').waitFor();
			await picture(page, 'sandbox');
		},
		{ viewport: { width: 1280, height: 1000 }, colorScheme: 'light' },
	);

	scene('switches on a fault, which n8n shows in words', async (editor) => {
		const page = await editor.context().newPage();
		await page.goto(stage.playground.sandbox.baseUrl);
		const faults = page.getByRole('region', { name: 'Faults' });
		await faults.getByLabel('Fault').selectOption('Accepted, then connection dropped');
		await faults.getByLabel('On', { exact: true }).selectOption('Buy');
		await faults.getByRole('button', { name: 'Arm fault' }).click();
		await faults.getByText('Accepted, then connection dropped · Buy · 1 to go').waitFor();

		const parameters = { ...buyFields, vendor: vendorTwo, reference: 'order<acme>2002' };
		const view = await openNode(editor, await workflowOf({ name: 'Buy', parameters }), 'Buy');
		await view.execute('danger');
		const { message, description } = await view.words();

		expect(message).toContain('It is not known whether the buy was accepted');
		// Each step on a line of its own.
		const steps = description.split('\n').filter((line) => /^\d\. /.test(line));
		expect(steps).toHaveLength(4);
		expect(steps[0]).toContain("Look for reference order<acme>2002 on the service's dashboard");
		await page.getByRole('row').filter({ hasText: 'order<acme>2002' }).waitFor();
		await soon(async () => expect(await faults.getByRole('listitem').count()).toBe(0));
	});

	scene(
		'fits a small phone',
		async (page) => {
			await page.goto(stage.playground.sandbox.baseUrl);
			await page.getByRole('status').getByText('Connected', { exact: true }).waitFor();
			const parameters = { ...buyFields, vendor: vendorTwo };
			await stage.playground.run(await workflowOf({ name: 'Buy', parameters }), 'Start');
			await page.getByText('SBX-000001').waitFor();

			await expectToFit(page);
		},
		{ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
	);
});
