import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/server.mts';
import { bank, buyBody, fromItem, submitting, vendor, wallet } from '../support/transactions.mts';
import { rampType } from '../support/workflows.mts';

export interface Scenario {
	type: string;
	typeVersion?: number;
	parameters: INodeParameters;
	/** What the service waits before each answer. */
	latency?: number;
}

export type ScenarioName = keyof ReturnType<typeof scenarios>;

const perItem = fromItem('amount', 'reference');

/** The same work in the ways people would do it. Amount and reference come from the item, everything else is fixed. */
export const scenarios = ({ baseUrl, businessId, linkTag }: Sandbox) => {
	const identity = { businessId, linkTag };
	const buy = (options: INodeParameters = {}) =>
		submitting('buy', { ...wallet, ...perItem, options });
	const httpRequest = (parameters: INodeParameters): Scenario => ({
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		parameters: {
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'stablecoinRampApi',
			options: {},
			...parameters,
		},
	});
	const body = { ...buyBody, business_id: businessId, link_tag: linkTag, ...perItem };
	const httpBuy = (options: INodeParameters = {}) =>
		httpRequest({
			method: 'POST',
			url: `${baseUrl}/transactions/v1/onramp`,
			sendBody: true,
			bodyParameters: {
				parameters: Object.entries(body).map(([name, value]) => ({ name, value })),
			},
			options,
		});
	const ours = (parameters: INodeParameters): Scenario => ({ type: rampType, parameters });
	const peer = (name: string, parameters = {}): Scenario => ({
		type: `n8n-nodes-bench-peers.${name}`,
		parameters,
	});
	const latency = 50;

	return {
		rates: ours({ resource: 'rate', operation: 'usdc' }),
		ratesByHttpRequest: httpRequest({ url: `${baseUrl}/rates/v1/usdc-ngnc` }),
		buys: ours(buy()),
		buysUnguarded: peer('unguarded', buy()),
		buysByHttpRequest: httpBuy(),
		buysByBareLoop: peer('floor'),
		buysByPlainNode: peer('plain', { ...vendor, ...bank, ...wallet, ...identity, ...perItem }),
		buysWithRegister: ours(buy({ register: 'Bench' })),
		buysWithLongRegister: ours(buy({ register: 'Long' })),
		slowBuys: { ...ours(buy()), latency },
		slowBuysUnguarded: { ...peer('unguarded', buy()), latency },
		slowBuysWithRegister: { ...ours(buy({ register: 'Bench' })), latency },
		buysTenAtATime: { ...ours(buy({ parallelRequests: 10 })), latency },
		buysTenAtATimeUnguarded: { ...peer('unguarded', buy({ parallelRequests: 10 })), latency },
		// Its batches do not wait for answers, so this interval is what keeps about ten on their way.
		buysTenAtATimeByHttpRequest: {
			...httpBuy({ batching: { batch: { batchSize: 10, batchInterval: latency } } }),
			latency,
		},
	};
};
