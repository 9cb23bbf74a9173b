import type { Page } from 'playwright-core';

import { soon } from '../../support/waiting.mts';
import {
	buyFields,
	goToNode,
	openCanvas,
	openNode,
	vendorTwo,
	workflowOf,
	type NodeView,
} from '../editor.mts';
import { scene } from '../stage.mts';

const trigger = 'n8n-nodes-stablecoin-ramp.stablecoinRampTrigger';
const polled = ['Poll Times', 'Mode', 'Trigger On'];
const ofWallet = ['Network', 'Wallet Address', 'Reference'];

/** The fields that people see, from top to bottom, and the words below them. */
const nodes = [
	{
		node: { name: 'Buy', parameters: { resource: 'transaction', operation: 'buy' } },
		labels: [
			'Resource',
			'Operation',
			'Amount',
			'Vendor Source',
			'Vendor',
			'Bank Name',
			'Account Number',
			'Account Name',
			...ofWallet,
			'Simplify',
			'Options',
		],
		below: ['In naira, 15000 or more', 'Proof of payment: the account that the naira came from'],
	},
	{
		node: { name: 'Sell', parameters: { resource: 'transaction', operation: 'sell' } },
		labels: [
			'Resource',
			'Operation',
			'Amount',
			'Account Name',
			'Account Number',
			'Bank Name',
			'Type',
			...ofWallet,
			'Options',
		],
		below: [],
	},
	{
		node: { name: 'Vendors', parameters: { resource: 'vendor', operation: 'list' } },
		labels: ['Resource', 'Operation'],
		below: [],
	},
	{
		node: { name: 'Rates', parameters: { resource: 'rate', operation: 'usdc' } },
		labels: ['Resource', 'Operation', 'Output', 'Currencies'],
		below: [],
	},
	{
		node: { name: 'Changed', type: trigger, parameters: { event: 'rateChanged' } },
		labels: [...polled, 'Source', 'Currencies', 'Minimum Change (%)'],
		below: [],
	},
	{
		node: { name: 'Crossed', type: trigger, parameters: { event: 'rateCrossed' } },
		labels: [...polled, 'Source', 'Currency', 'Threshold', 'Direction'],
		below: [],
	},
];

const really = 'Execute step really submits';

describe('what people read in the editor', () => {
	scene('are the fields of every operation and event', async (page) => {
		const id = await workflowOf(...nodes.map(({ node }) => node));
		await openCanvas(page, id);
		for (const { node, labels, below } of nodes) {
			const view = await goToNode(page, id, node.name);
			await soon(async () => expect(await view.labels()).toEqual(labels));
			for (const words of below) await view.root.getByText(words, { exact: true }).waitFor();
		}
	});

	scene(
		'are options under their names, with choices that say what they do with money',
		async (page) => {
			const options = { ifAlreadySubmitted: 'stop' };
			const parameters = { ...buyFields, vendor: vendorTwo, options };
			const view = await openNode(page, await workflowOf({ name: 'Buy', parameters }), 'Buy');

			await expectHints(view, [expect.stringContaining(really)]);
			await expectChoices(page, view, 'vendorSource', [
				'Live Vendors',
				'Test Vendors\nNot known to be a test mode: the buy goes to the same address. Treat it as real.',
				'Enter by Hand',
			]);
			await expectChoices(page, view, 'ifAlreadySubmitted', [
				'Stop\nSend nothing more, and say what became of each',
				'Skip\nPass over what was accepted. What has an unknown outcome is not sent, and its item says so.',
				'Submit Unknown Again\nPass over what was accepted, and send what is of unknown outcome: only after you have looked for it on the dashboard, at or after the time that the message names',
				'Submit Again\nSend it although it was submitted before. The money may move twice.',
			]);

			await view.root.getByText('If Already Submitted', { exact: true }).waitFor();
			await view.root.getByTestId('collection-parameter-add').first().click();
			const offered = page.getByTestId('collection-parameter-option').locator('visible=true');
			await soon(async () =>
				expect(await offered.allInnerTexts()).toEqual([
					'Business ID',
					'Checks',
					'Dry Run',
					'Link Tag',
					'Maximum Amount',
					'Maximum Total',
					'Parallel Requests',
					'Register',
				]),
			);
		},
	);

	scene('is no warning in a dry run, nor where rates are read', async (page) => {
		const parameters = { ...buyFields, vendor: vendorTwo, options: { dryRun: false } };
		const view = await openNode(page, await workflowOf({ name: 'Buy', parameters }), 'Buy');
		await expectHints(view, [expect.stringContaining(really)]);
		await view.field('dryRun').locator('.el-switch').click();
		await expectHints(view, []);
		await view.execute();
		await view.output.getByText('dryRun').first().waitFor();
		await expectHints(view, []);

		await view.field('dryRun').locator('.el-switch').click();
		await expectHints(view, [expect.stringContaining(really)]);
		await view.field('resource').click();
		await page.getByRole('option', { name: 'Rate', exact: true }).click();
		await expectHints(view, []);
		await view.execute();
	});

	scene('are hints about what was done', async (page) => {
		const batching = { batch: { batchSize: 5, batchInterval: 1000 } };
		const parameters = { ...buyFields, vendor: vendorTwo, requestOptions: { batching } };
		const view = await openNode(page, await workflowOf({ name: 'Buy', parameters }), 'Buy');
		await view.execute();
		await soon(async () =>
			expect((await view.hints()).slice(0, 3)).toEqual([
				expect.stringContaining("'Batching' under Request Options in Settings does not apply"),
				expect.stringContaining('This went to the sandbox'),
				expect.stringContaining("Without a 'Reference' of your own"),
			]),
		);
	});
});

async function expectHints(view: NodeView, hints: string[]): Promise<void> {
	await soon(async () => expect(await view.hints()).toEqual(hints));
}

async function expectChoices(
	page: Page,
	view: NodeView,
	field: string,
	choices: string[],
): Promise<void> {
	await view.field(field).click();
	const offered = page.getByRole('option').locator('visible=true');
	await soon(async () => {
		const texts = await offered.allInnerTexts();
		expect(texts.filter((text) => text !== '')).toEqual(choices);
	});
	await page.keyboard.press('Escape');
	await soon(async () => expect(await offered.count()).toBe(0));
}
