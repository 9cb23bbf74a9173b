import { soon } from '../../support/waiting.ts';
import { openCanvas, workflowOf } from '../editor.ts';
import { scene } from '../stage.ts';

describe('the node in the editor', () => {
	scene('is found by searching for naira, stablecoin or on-ramp', async (page) => {
		await openCanvas(page, await workflowOf());
		await page.getByTestId('node-creator-plus-button').click();
		const search = page.getByTestId('node-creator-search-bar');
		const found = page.getByTestId('node-creator-item-name');
		for (const word of ['naira', 'stablecoin', 'on-ramp']) {
			await search.fill('');
			await found.filter({ hasText: 'Stablecoin Ramp' }).waitFor({ state: 'hidden' });
			await search.fill(word);
			await soon(async () => expect(await found.first().innerText()).toContain('Stablecoin Ramp'));
		}

		await found.first().click();
		const actions = ['Buy stablecoin', 'Get OTC rates', 'Sell stablecoin', 'Get many live vendors'];
		await soon(async () =>
			expect(await found.allInnerTexts()).toEqual(expect.arrayContaining(actions)),
		);
		await page.keyboard.press('Escape');
		await search.waitFor({ state: 'hidden' });
	});

	scene('has an icon for light and one for dark', async (page) => {
		await openCanvas(page, await workflowOf({ name: 'Rates' }));
		const icon = page.getByTestId('canvas-node').filter({ hasText: 'Rates' }).locator('img');
		const drawn = async (file: string) => {
			await page.locator(`img[src$="/${file}"]`).waitFor();
			return await icon.evaluate(async (image: unknown) => {
				const icon = image as { src: string; naturalWidth: number; decode(): Promise<void> };
				await icon.decode();
				return { width: icon.naturalWidth, svg: await (await fetch(icon.src)).text() };
			});
		};

		const light = await drawn('stablecoinRamp.svg');
		await page.emulateMedia({ colorScheme: 'dark' });
		const dark = await drawn('stablecoinRamp.dark.svg');

		expect(light.width).toBeGreaterThan(0);
		expect(dark.width).toBeGreaterThan(0);
		expect(dark.svg).not.toBe(light.svg);
	});
});
