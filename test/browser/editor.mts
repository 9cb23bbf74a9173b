import type { Locator, Page } from 'playwright-core';

import { bank, wallet } from '../support/transactions.mts';
import { credentialsIn, inARow, type Step } from '../support/workflows.mts';
import { stage } from './stage.mts';

/** A buy that is complete but for its vendor. */
export const buyFields = {
	resource: 'transaction',
	operation: 'buy',
	amount: 20000,
	...bank,
	...wallet,
};

export const vendorTwo = { __rl: true, mode: 'id', value: '0055667788' };

/** Saves a workflow of steps in a row after a manual start, and gives its id. */
export async function workflowOf(...steps: Step[]): Promise<string> {
	const { rest } = stage.playground;
	const all = [{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' }, ...steps];
	const workflow = inARow(all, await credentialsIn(rest));
	const { id } = await rest.post<{ id: string }>('/workflows', workflow);
	return id;
}

/** Opens a page of n8n. */
export async function visit(page: Page, path: string): Promise<void> {
	await page.goto(`${stage.playground.n8n.baseUrl}${path}`, { waitUntil: 'commit' });
}

export async function openCanvas(page: Page, workflowId: string): Promise<void> {
	// Only then can n8n say what becomes of an execution: without it the editor does not start one.
	const isConnected = page
		.waitForEvent('websocket')
		.then(async (socket) => await socket.waitForEvent('framereceived'));
	await Promise.all([visit(page, `/workflow/${workflowId}`), isConnected]);
	await page.getByTestId('canvas-node').first().waitFor();
}

/** A node's details, opened. */
export async function openNode(page: Page, workflowId: string, node: string): Promise<NodeView> {
	await openCanvas(page, `${workflowId}/${node}`);
	const view = new NodeView(page);
	await view.root.getByTestId('node-parameters').waitFor();
	return view;
}

/** In an editor that is open already, which is faster. */
export async function goTo(page: Page, path: string): Promise<void> {
	await page.evaluate(
		`history.pushState(null, '', '/workflow/${path}');
		dispatchEvent(new PopStateEvent('popstate'));`,
	);
}

export async function goToNode(page: Page, workflowId: string, node: string): Promise<NodeView> {
	await goTo(page, `${workflowId}/${node}`);
	const view = new NodeView(page);
	await view.root.getByTestId('node-parameters').waitFor();
	return view;
}

export class NodeView {
	readonly page: Page;
	readonly root: Locator;
	readonly input: Locator;
	readonly output: Locator;

	constructor(page: Page) {
		this.page = page;
		this.root = page.getByTestId('ndv');
		this.input = this.root.getByTestId('ndv-input-panel');
		this.output = this.root.getByTestId('output-panel');
	}

	/** Where it is on the page, without its border and the dimmed editor around it. */
	async box() {
		const { x = 0, y = 0, width = 0, height = 0 } = (await this.root.boundingBox()) ?? {};
		return { x: x + 1, y: y + 1, width: width - 2, height: height - 2 };
	}

	field(name: string): Locator {
		return this.root.getByTestId(`parameter-input-${name}`);
	}

	/** The names of the fields, without those that n8n has for every node. */
	async labels(): Promise<string[]> {
		const labels = this.root.getByTestId('node-parameters').getByTestId('input-label');
		const texts = await labels.allInnerTexts();
		const names = texts.map((text) => text.split('\n')[0]!.trim());
		const own = names.findIndex(
			(name) => name === 'Request Options' || name === 'Always Output Data',
		);
		return own < 0 ? names : names.slice(0, own);
	}

	/** What the editor says about the node, before or after it has run. */
	async hints(): Promise<string[]> {
		return await this.root.getByTestId('node-hint').allInnerTexts();
	}

	/** Runs this node and those before it, and waits for the end. */
	async execute(ending: 'success' | 'danger' = 'success'): Promise<void> {
		await this.root.getByRole('button', { name: 'Execute step' }).first().click();
		await this.output.getByTestId(`node-run-status-${ending}`).waitFor();
		await this.root.getByTestId('node-execute-button').getByText('Execute step').waitFor();
	}

	/** Lets a trigger show an example of what it reports. */
	async fetchTestEvent(): Promise<void> {
		await this.root.getByRole('button', { name: 'Fetch Test Event' }).first().click();
		await this.output.getByTestId('node-run-status-success').waitFor();
	}

	/** What the node says when it stopped. */
	async words(): Promise<{ message: string; description: string }> {
		const [message, description] = await Promise.all([
			this.output.getByTestId('node-error-message').innerText(),
			this.output.getByTestId('node-error-description').innerText(),
		]);
		return { message, description };
	}

	/** The output table, a list of cells for each row with the header first. */
	async table(): Promise<string[][]> {
		await this.output.getByTestId('radio-button-table').click();
		await this.output.getByRole('row').nth(1).waitFor();
		const rows = await this.output.getByRole('row').all();
		const cells = await Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
		// the last column is only room
		return cells.map((row) => row.slice(0, -1).map((cell) => cell.trim()));
	}
}
