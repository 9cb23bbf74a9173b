import { randomUUID } from 'node:crypto';

import { freshFetch } from '../../../playground/freshFetch.mts';
import type { N8n } from '../../../playground/n8n.mts';
import type { Place } from './suite.mts';
import { inARow, publish, untilItListens } from '../workflows.mts';
import { claimCallsType } from './install.mts';
import type { Said } from './rounds.mts';

/** Publishes a workflow that makes the calls it is sent; gives the path of its address. */
export async function publishClaimCalls({ rest }: N8n): Promise<string> {
	const path = randomUUID();
	const webhook = {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		webhookId: path,
		parameters: { httpMethod: 'POST', path, responseMode: 'lastNode', options: {} },
	};
	const calls = {
		name: 'Claim Calls',
		type: claimCallsType,
		parameters: {
			resource: 'claims',
			operation: 'call',
			rounds: '={{ JSON.stringify($json.body) }}',
		},
	};
	await publish(rest, inARow([webhook, calls]));
	return path;
}

/** Sends calls to processes of n8n, by their addresses. */
export const takeIn =
	(path: string, [first, second = first]: string[]): Place['take'] =>
	async (rounds, process = 0) => {
		const url = `${process === 0 ? first : second}/webhook/${path}`;
		await untilItListens(url);
		const response = await freshFetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(rounds),
		});
		const answer = (await response.json()) as { said?: Said[][] };
		return answer.said ?? fail(answer);
	};

function fail(answer: unknown): never {
	throw new Error(`n8n answered ${JSON.stringify(answer)}`);
}
