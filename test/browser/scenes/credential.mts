import type { Locator } from 'playwright-core';

import { openNode, workflowOf } from '../editor.mts';
import { picture, scene, stage } from '../stage.mts';

describe('the credential', () => {
	scene('says that the key is wrong, then that it is right', async (page) => {
		const view = await openNode(page, await workflowOf({ name: 'Rates' }), 'Rates');
		const { secretKey, baseUrl, otcBaseUrl, businessId, linkTag } = stage.playground.sandbox;
		await view.root.getByTestId('node-credentials-select').click();
		await page.getByTestId('node-credentials-select-item-new').click();

		const dialog = page.getByTestId('editCredential-modal');
		await fill(dialog, { secretKey: 'no-key-of-ours', baseUrl, otcBaseUrl, businessId, linkTag });
		await dialog.getByRole('button', { name: 'Save' }).click();
		await dialog.getByText('More details').click();
		const words = await dialog.getByText('The service did not accept the secret key').innerText();
		expect(words).toContain("enter the 'Secret Key' from the service's dashboard again");
		expect(words).not.toContain('no-key-of-ours');

		await fill(dialog, { secretKey });
		await dialog.getByRole('button', { name: 'Save' }).click();
		await dialog.waitFor({ state: 'hidden' });
		await view.root.getByTestId('credential-edit-button').click();
		await dialog.getByText('Connection tested successfully').waitFor();
		await picture(page, 'credential', (await dialog.boundingBox()) ?? undefined);
	});
});

async function fill(dialog: Locator, fields: Record<string, string>): Promise<void> {
	for (const [name, value] of Object.entries(fields)) {
		await dialog.getByTestId(`parameter-input-${name}`).getByRole('textbox').fill(value);
	}
}
