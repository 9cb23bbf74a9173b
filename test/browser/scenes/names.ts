import { buyFields, openNode, vendorTwo, workflowOf } from '../editor.ts';
import { scene } from '../stage.ts';

describe('names', () => {
	scene('explore', async (page) => {
		const ops = [['transaction','buy'],['transaction','sell'],['vendor','live'],['vendor','test'],['vendor','list'],['rate','otc'],['rate','usdc']];
		const workflow = await workflowOf(
			...ops.map(([resource, operation]) => ({ name: operation!, parameters: { resource, operation } })),
			...['rateChanged','rateCrossed','vendorsChanged'].map((event) => ({ name: event.slice(0,9), type: 'n8n-nodes-stablecoin-ramp.stablecoinRampTrigger', parameters: { event } })),
		);
		for (const name of [...ops.map((o) => o[1]!), 'rateChang', 'rateCross', 'vendorsCh']) {
			const view = await openNode(page, workflow, name);
			console.log(name, JSON.stringify(await view.root.getByTestId('node-parameters').getByTestId('input-label').allInnerTexts()),
			JSON.stringify(await view.root.getByTestId('parameter-input-hint').allInnerTexts()),
			JSON.stringify(await view.root.getByTestId('node-hint').allInnerTexts()));
		}
		const view = await openNode(page, workflow, 'buy');
		await view.root.getByTestId('collection-parameter-add-dropdown').first().click().catch(async () => { await view.root.getByRole('button', {name: 'Add option'}).click() });
		await page.waitForTimeout(1000);
		await page.screenshot({ path: '/tmp/opts.png' });
		const view2 = await openNode(page, workflow, 'buy');
		await view2.field('vendorSource').click();
		await page.waitForTimeout(1000);
		await page.screenshot({ path: '/tmp/source.png' });
		console.log(JSON.stringify(await page.getByRole('option').allInnerTexts()));
		void buyFields; void vendorTwo;
	});
});
