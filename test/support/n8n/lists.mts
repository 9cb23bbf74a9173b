import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Rest } from '../../../playground/rest.mts';
import { asAsked, forEachReference, submit } from '../queue/cluster.mts';
import { toldInItem, type Told } from '../told.mts';
import { until } from '../waiting.mts';
import { credentialsIn, inARow, publish } from '../workflows.mts';

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
	// n8n registers the address a moment after it has published the workflow, or started.
	await until(async () => (await (await fetch(url)).text()).includes('Did you mean'));
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ references, ifAlreadySubmitted }),
	});
	const items = (await response.json()) as IDataObject[];
	return { told: items.map(toldInItem), words: items.map(({ message }) => String(message)) };
}
