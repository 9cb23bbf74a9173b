import { publishBuys } from '../../support/n8n/buys.mts';
import { tableNamed } from '../../support/n8n/dataTables.mts';
import { fromItem } from '../../support/transactions.mts';
import { soon } from '../../support/waiting.mts';
import { visit } from '../editor.mts';
import { picture, scene, stage } from '../stage.mts';

const register = 'Shop register';
const shown = ['reference', 'operation', 'outcome', 'transaction_id', 'amount', 'business_id'];

describe('the register, where people look at it', () => {
	scene('has a row for each buy, with what became of it', async (page) => {
		const { playground } = stage;
		const { sandbox, rest } = playground;
		sandbox.fault({ kind: 'badRequest', on: 'buy', skip: 2 });
		sandbox.fault({ kind: 'acceptThenDrop', on: 'buy', skip: 2 });
		const buys = await publishBuys(
			playground,
			register,
			{ ...fromItem('reference', 'amount'), options: { register } },
			{ node: { onError: 'continueRegularOutput' } },
		);
		const orders = [20000, 15000, 48500, 30000, 62000].map((amount, index) => ({
			reference: `order-${1041 + index}`,
			amount,
		}));
		await (await buys.post(orders)).ended();

		const { id, projectId } = (await tableNamed(rest, register))!;
		await page.setViewportSize({ width: 1700, height: 700 });
		await visit(page, `/projects/${projectId}/datatables/${id}`);
		await page.getByRole('gridcell', { name: 'order-1045', exact: true }).waitFor();
		const accepted = sandbox.transactions().slice(0, 2);
		const ids = accepted.map(({ transaction_id }) => transaction_id);
		await soon(async () => {
			const said = await page.locator('.ag-center-cols-container').innerText();
			for (const words of [...ids, 'accepted', 'rejected', 'unknown']) {
				expect(said).toContain(words);
			}
			const headers = await page.locator('.ag-header-cell').allInnerTexts();
			expect(headers.map((header) => header.trim())).toEqual(expect.arrayContaining(shown));
		});
		// without n8n's menu and the room below
		await picture(page, 'register', { x: 42, y: 0, width: 1658, height: 305 });
	});
});
