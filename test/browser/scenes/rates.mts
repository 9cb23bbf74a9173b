import type { Page } from 'playwright-core';

import { randomWalk, type Rates } from '../../../sandbox/walk.mts';
import { rateCurrencies as currencies } from '../../support/interface.mts';
import { addRows, type Row } from '../../support/n8n/dataTables.mts';
import {
	desktop,
	expectToFit,
	expectWords,
	phone,
	picture,
	scene,
	stage,
	wholeScene,
} from '../stage.mts';

describe('the page of the rates, example 1', () => {
	beforeAll(keepAWeek, wholeScene);

	scene('draws every list and currency, on a dark phone', openPage, {
		...phone,
		colorScheme: 'dark',
	});

	scene(
		'draws them on a desktop',
		async (page) => {
			await openPage(page);
			await picture(page, 'rates');
		},
		{ viewport: desktop, colorScheme: 'light' },
	);
});

async function openPage(page: Page): Promise<void> {
	await page.goto(`${stage.playground.n8n.baseUrl}/webhook/rates`);
	await expectWords(page, 'OTC rates', '1,482.5', 'USDC rates', '1,476.8', 'unit of its rates');
	await expectToFit(page);

	const charts = await page.getByRole('img', { name: /^(OTC|USDC) rates, [A-Z]{3}: / }).all();
	expect(charts).toHaveLength(2 * currencies.length);
	for (const chart of charts) {
		const { width, height } = (await chart.locator('.line').boundingBox())!;
		expect({ isWide: width > 100, isHigh: height > 30 }).toEqual({ isWide: true, isHigh: true });
	}
}

/** Reads the rates once, and adds a week of hours before that, in which the OTC address was dead for half a day. */
async function keepAWeek(): Promise<void> {
	const { playground } = stage;
	// The scene before may have left faults: the sandbox is reset before each scene, which is later.
	playground.sandbox.reset();
	const { status } = await playground.run('StablecoinRamp01', 'Every hour');
	expect(status).toBe('success');
	const walk = randomWalk(5);
	const before = (await playground.rowsOf('Rates')).flatMap((row) => {
		const { source, fetchedAt } = row;
		const rows: Row[] = [];
		let rates = Object.fromEntries(currencies.map((code) => [code, row[code]])) as Rates;
		for (let hours = 1; hours <= 7 * 24; hours += 1) {
			rates = walk(rates);
			const at = new Date(Date.parse(String(fetchedAt)) - hours * 3_600_000).toISOString();
			const isDead = source === 'otc' && hours > 60 && hours < 73;
			if (!isDead) rows.push({ source, fetchedAt: at, ...rates });
		}
		return rows;
	});
	await addRows(playground.rest, 'Rates', before);
}
