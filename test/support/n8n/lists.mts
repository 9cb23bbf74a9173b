import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { freshFetch } from '../../../playground/freshFetch.mts';
import type { Rest } from '../../../playground/rest.mts';
import { toldInItem, type Told } from '../told.mts';
import { fromItem, submitting, type Operation } from '../transactions.mts';
import { credentialsIn, inARow, publish, untilItListens, type Step } from '../workflows.mts';

/**
 * A choice of If Already Submitted that comes with the list. n8n evaluates it for each item, which takes longer than to
 * submit one: not for what is measured.
 */
export const asAsked = '={{ $("Webhook").first().json.body.ifAlreadySubmitted }}';

/** The step that submits a reference; what was accepted before is skipped, unless the options say otherwise. */
export const submit = (
	operation: Operation,
	options: INodeParameters = {},
	node: Partial<Step> = { onError: 'continueRegularOutput' },
): Step => ({
	name: 'Submit',
	parameters: submitting(operation, {
		...fromItem('reference'),
		options: { ifAlreadySubmitted: 'skip', ...options },
	}),
	...node,
});

/** The steps before it: what is posted to this path, an item for each reference. */
export const forEachReference = (path: string): Step[] => [
	{
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		webhookId: path,
		parameters: {
			httpMethod: 'POST',
			path,
			responseMode: 'lastNode',
			responseData: 'allEntries',
			options: {},
		},
	},
	{
		name: 'References',
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		parameters: {
			fieldToSplitOut: 'body.references',
			options: { destinationFieldName: 'reference' },
		},
	},
];

/** Publishes a workflow that buys a list of references; gives the path of its address. */
export async function publishLists(rest: Rest, options: INodeParameters = {}): Promise<string> {
	const path = randomUUID();
	const buy = submit('buy', { ...options, ifAlreadySubmitted: asAsked });
	await publish(rest, inARow([...forEachReference(path), buy], await credentialsIn(rest)));
	return path;
}

/** Submits a list to one n8n, and gives what was said of each, and the words. */
export async function submitList(
	{ baseUrl }: { baseUrl: string },
	path: string,
	references: string[],
	ifAlreadySubmitted = 'skip',
): Promise<{ told: Told[]; words: string[] }> {
	if (references.length === 0) return { told: [], words: [] };
	const url = `${baseUrl}/webhook/${path}`;
	await untilItListens(url);
	const response = await freshFetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ references, ifAlreadySubmitted }),
	});
	const items = (await response.json()) as IDataObject[];
	return { told: items.map(toldInItem), words: items.map(({ message }) => String(message)) };
}
