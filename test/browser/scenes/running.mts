import { soon } from '../../support/waiting.mts';
import { buyFields, openNode, vendorTwo, workflowOf } from '../editor.mts';
import { desktop, picture, scene, stage } from '../stage.mts';

describe('a buy in the editor', () => {
	scene('is paid to a vendor of the live list, and shows its transaction', async (page) => {
		const { amount, walletAddress } = buyFields;
		const order = { amount, walletAddress, reference: 'order-1042' };
		const workflow = await workflowOf(
			{
				name: 'Order',
				type: 'n8n-nodes-base.set',
				typeVersion: 3.4,
				parameters: { mode: 'raw', jsonOutput: JSON.stringify(order) },
			},
			{ name: 'Buy', parameters: { ...buyFields, reference: '={{ $json.reference }}' } },
		);
		await page.setViewportSize({ ...desktop, height: 950 });
		const view = await openNode(page, workflow, 'Buy');
		await view.root.getByText('Execute step really submits').waitFor();

		await view.field('vendor').getByTestId('rlc-input-container').click();
		const vendors = page.getByTestId('rlc-item');
		await soon(async () =>
			expect(await vendors.allInnerTexts()).toEqual([
				'Sandbox Vendor One · Harbour Demo Bank · 0011223344',
				'Sandbox Vendor Two · Savanna Demo Bank · 0055667788',
			]),
		);
		await page.getByTestId('rlc-search').fill('savanna');
		await vendors.nth(1).waitFor({ state: 'hidden' });
		await vendors.getByText('Sandbox Vendor Two').click();
		const chosen = view.field('vendor').getByTestId('rlc-input');
		await soon(async () => expect(await chosen.inputValue()).toContain('Sandbox Vendor Two'));
		await view.execute();
		await view.output.getByText('This went to the sandbox').waitFor();

		const [accepted, ...others] = stage.playground.sandbox.transactions();
		expect(others).toEqual([]);
		expect(accepted?.request).toMatchObject({ amount: 20000, vendor_number: '0055667788' });
		await soon(async () => {
			const [header = [], row = []] = await view.table();
			expect(row[header.indexOf('transaction_id')]).toBe(accepted?.transaction_id);
			expect(row[header.indexOf('reference')]).toBe('order-1042');
		});
		await view.output.getByTestId('radio-button-json').click();
		await view.output.getByText('date_created').waitFor();
		await picture(page, 'node-buy', await view.box());
	});

	scene('of 100 is refused in words', async (page) => {
		const parameters = { ...buyFields, vendor: vendorTwo, amount: 100 };
		const view = await openNode(page, await workflowOf({ name: 'Buy', parameters }), 'Buy');
		await view.execute('danger');

		expect(await view.words()).toEqual({
			message: "'Amount' is 100, below the minimum of 15000",
			description: "Set 'Amount' to 15000 or more. Nothing was sent.",
		});
		expect(stage.playground.sandbox.transactions()).toEqual([]);
	});

	scene('tells the next node what it puts out before it has run', async (page) => {
		const workflow = await workflowOf(
			{ name: 'Purchase', parameters: buyFields },
			{ name: 'Next', type: 'n8n-nodes-base.set', typeVersion: 3.4 },
		);
		const view = await openNode(page, workflow, 'Next');
		const names = view.input.getByTestId('run-data-schema-node-name');
		const some = ['transaction_id', 'business_id', 'reference', 'wallet_address'];
		await soon(async () =>
			expect(await names.allInnerTexts()).toEqual(expect.arrayContaining(some)),
		);
	});
});

describe('a rate read in the editor', () => {
	scene('shows a table with a row for each currency', async (page) => {
		const parameters = { output: 'items' };
		const view = await openNode(page, await workflowOf({ name: 'Rates', parameters }), 'Rates');
		stage.playground.sandbox.setRates('otc', { USD: 1525.4, KES: 11.7 });
		await view.execute();

		const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string;
		await soon(async () =>
			expect(await view.table()).toEqual([
				['currency', 'rate', 'source', 'fetchedAt'],
				['USD', '1525.4', 'otc', time],
				['KES', '11.7', 'otc', time],
			]),
		);
	});
});

describe('the trigger in the editor', () => {
	scene('shows an example of what it reports, and says that it is one', async (page) => {
		stage.playground.sandbox.setRates('usdc', { USD: 1512.5 });
		const workflow = await workflowOf({
			name: 'Rate crossed a threshold',
			type: 'n8n-nodes-stablecoin-ramp.stablecoinRampTrigger',
			parameters: { event: 'rateCrossed', source: 'usdc', currency: 'USD', threshold: 1500 },
		});
		const view = await openNode(page, workflow, 'Rate crossed a threshold');
		await page.getByText('Trigger On', { exact: true }).waitFor();
		await view.fetchTestEvent();

		await soon(async () => {
			const [header = [], row = []] = await view.table();
			expect(row[header.indexOf('currency')]).toBe('USD');
			expect(row[header.indexOf('rate')]).toBe('1512.5');
			expect(row[header.indexOf('isExample')]).toBe('true');
			expect(row[header.indexOf('note')]).toContain('does not mean that the rate has crossed');
		});
		await view.output.getByTestId('radio-button-json').click();
		await view.output.getByText('"threshold"').waitFor();
		await picture(page, 'trigger', await view.box());
	});
});
