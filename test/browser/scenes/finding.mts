import { soon } from '../../support/waiting.mts';
import { openCanvas, workflowOf } from '../editor.mts';
import { scene } from '../stage.mts';

describe('the node in the editor', () => {
	scene('is found by searching for naira, stablecoin or on-ramp', async (page) => {
		await openCanvas(page, await workflowOf());
		await page.getByTestId('node-creator-plus-button').click();
		const search = page.getByTestId('node-creator-search-bar');
		const found = page.getByTestId('node-creator-item-name');
		const ours = found.filter({ hasText: 'Stablecoin Ramp' }).first();
		for (const word of ['naira', 'stablecoin', 'on-ramp']) {
			await search.fill('');
			await ours.waitFor({ state: 'hidden' });
			await search.fill(word);
			await soon(async () => expect(await found.first().innerText()).toContain('Stablecoin Ramp'));
		}

		await ours.click();
		const actions = ['Buy stablecoin', 'Get OTC rates', 'Sell stablecoin', 'Get many live vendors'];
		await soon(async () =>
			expect(await found.allInnerTexts()).toEqual(expect.arrayContaining(actions)),
		);
	});

	scene('has an icon for light and one for dark', async (page) => {
		await openCanvas(page, await workflowOf({ name: 'Rates' }));
		const node = page.getByTestId('canvas-node').filter({ hasText: 'Rates' });
		const drawn = async (file: string) => {
			const icon = node.locator(`img[src$="/${file}"]`);
			await soon(async () =>
				expect(
					await icon.evaluate((image: { naturalWidth: number }) => image.naturalWidth),
				).toBeGreaterThan(0),
			);
			const source = new URL((await icon.getAttribute('src'))!, page.url());
			return await (await page.request.get(source.href)).text();
		};

		const light = await drawn('stablecoinRamp.svg');
		await page.emulateMedia({ colorScheme: 'dark' });
		const dark = await drawn('stablecoinRamp.dark.svg');

		expect(light).toContain('<svg');
		expect(dark).toContain('<svg');
		expect(dark).not.toBe(light);
	});
});
