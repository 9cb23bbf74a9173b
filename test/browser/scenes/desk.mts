import type { Page } from 'playwright-core';

import { findTool } from '../../../scripts/tools.mts';
import { addRow } from '../../support/n8n/dataTables.mts';
import { minutesLater } from '../../support/n8n/later.mts';
import { until } from '../../support/waiting.mts';
import { buyWithTheForm, openForm } from '../buyForm.mts';
import { expectToFit, expectWords, phone, picture, scene, stage } from '../stage.mts';

describe('the desk, example 6', () => {
	scene(
		'takes note of a buy that is on the dashboard, and sends nothing',
		async (page) => {
			const reference = await buyOfUnknownOutcome(page, 'acceptThenDrop');
			const [accepted] = stage.playground.sandbox.transactions();
			expect(await registerOf(reference)).toEqual([['unknown', null]]);

			await openDesk(page);
			await sayOf(page, reference, 'It is there', accepted!.transaction_id);
			await page.getByText('Written down').waitFor();

			await expectWords(page, accepted!.transaction_id);
			await expectToFit(page);
			expect(await registerOf(reference)).toEqual([['accepted', accepted!.transaction_id]]);
			expect(stage.playground.sandbox.transactions()).toEqual([accepted]);
			expect(buys()).toHaveLength(1);
		},
		phone,
	);

	scene(
		'wants the transaction id of a buy that is there',
		async (page) => {
			const reference = await buyOfUnknownOutcome(page, 'acceptThenDrop');

			await openDesk(page);
			await sayOf(page, reference, 'It is there');
			await page.getByText('Its transaction id is missing').waitFor();

			await expectToFit(page);
			expect(await registerOf(reference)).toEqual([['unknown', null]]);
		},
		phone,
	);

	scene(
		'keeps what another run may still send, and does not send it',
		async (page) => {
			const { sandbox } = stage.playground;
			sandbox.fault({ kind: 'delay', on: 'buy', delayMs: 45_000 });
			await buyWithTheForm(page);
			const { reference } = await until(() => sandbox.transactions()[0]);
			await enter(reference, minutesAgo(26));

			const desk = await page.context().newPage();
			await openDesk(desk);
			await sayOf(desk, reference, 'It is not there');
			await desk.getByRole('heading', { name: 'Its outcome is unknown' }).waitFor();

			await expectWords(desk, 'at or after', 'Nothing was sent this time');
			await expectToFit(desk);
			expect(await registerOf(reference)).toEqual([
				['sending', null],
				['sending', null],
			]);
			expect(buys()).toHaveLength(1);
		},
		phone,
	);

	scene(
		'lists what was left as sending, not what is on its way, and sends nothing without an order',
		async (page) => {
			await enter('left-1', minutesAgo(26));
			await enter('on-its-way-1', minutesAgo(24));

			await openDesk(page, 'on-its-way-1');
			await expectWords(page, 'open for twenty minutes', 'left-1, open since');
			await sayOf(page, 'left-1', 'It is not there');
			await page.getByText('There is no order for it').waitFor();

			await expectToFit(page);
			expect(await registerOf('left-1')).toEqual([['sending', null]]);
			expect(buys()).toEqual([]);
		},
		phone,
	);

	// The last of all scenes, because n8n's clock is ahead from then on.
	if (findTool('faketime')) {
		scene(
			'sends a buy that is not on the dashboard again, once, though two people press twice',
			async (page) => {
				const { sandbox } = stage.playground;
				const reference = await buyOfUnknownOutcome(page, 'serverError');
				expect(sandbox.transactions()).toEqual([]);
				await stage.playground.n8n.stop();
				await stage.playground.restart(await minutesLater(20));

				const other = await page.context().newPage();
				await openDesk(page);
				await openDesk(other);
				await picture(page, 'desk');
				await Promise.all([page, other].map((one) => sayOf(one, reference, 'It is not there')));
				const said = await Promise.all([page, other].map(headingOf));

				expect(said.sort()).toEqual(['Sent again, and accepted', 'Somebody was faster']);
				const [accepted, ...others] = sandbox.transactions();
				expect(others).toEqual([]);
				expect(accepted).toMatchObject({ reference, amount: 20000 });
				expect(accepted?.request).toMatchObject({
					vendor_number: '0055667788',
					account_number: '0123456789',
					network: 'Stellar',
				});
				expect(buys()).toHaveLength(2);
				expect((await registerOf(reference)).sort()).toEqual([
					['accepted', accepted?.transaction_id],
					['notThere', null],
				]);
				await expectToFit(page);

				await openDesk(page, reference);
			},
			phone,
		);
	}
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

/** A row as a process that was killed has left it. */
async function enter(reference: string, sentAt: string): Promise<void> {
	const row = { reference, operation: 'buy', amount: 20000, outcome: 'sending', sentAt };
	await addRow(stage.playground.rest, 'Money register', row);
}

const buys = () =>
	stage.playground.sandbox.requests().filter(({ path }) => path.endsWith('/onramp'));

/** Buys with example 2 when the answer gets lost, and gives the reference. */
async function buyOfUnknownOutcome(
	page: Page,
	kind: 'acceptThenDrop' | 'serverError',
): Promise<string> {
	stage.playground.sandbox.fault({ kind, on: 'buy' });
	await buyWithTheForm(page);
	await page.getByText('We do not know yet').waitFor();
	const said = await page.getByText(/form-\d+-\d+/).innerText();
	return /form-\d+-\d+/.exec(said)![0];
}

/** What the register says of a reference: outcome and transaction, a pair for each row. */
const registerOf = async (reference: string) =>
	(await stage.playground.rowsOf('Money register'))
		.filter((row) => row.reference === reference)
		.map(({ outcome, transaction_id }) => [outcome, transaction_id]);

/** Opens the list of what is open, on which a reference that is settled must not be. */
async function openDesk(page: Page, settled?: string): Promise<void> {
	await openForm(page, 'desk');
	await page.getByLabel('Your name').fill('Efe Example');
	await page.getByRole('button', { name: 'Show what is open' }).click();
	const nothing = page.getByText('Nothing is open');
	await page.getByLabel('Which one?').or(nothing).first().waitFor();
	await expectToFit(page);
	if (settled) expect(await page.locator('body').innerText()).not.toContain(settled);
}

async function sayOf(page: Page, reference: string, found: string, id = ''): Promise<void> {
	const which = page.getByLabel('Which one?');
	const label = await which.getByText(`${reference},`).innerText();
	await which.selectOption(label.trim());
	await page.getByLabel(found, { exact: true }).check();
	await page.getByLabel('Its transaction id').fill(id);
	await page.getByRole('button', { name: 'That is what I found' }).dblclick();
}

/** The title of the last page. */
async function headingOf(page: Page): Promise<string> {
	const titles = /Sent again|It was accepted before|Not accepted|Somebody was faster/;
	const title = page.getByRole('heading', { name: titles });
	await title.waitFor();
	return (await title.innerText()).trim();
}
