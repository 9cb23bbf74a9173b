import type { Sandbox } from '../../sandbox/server.ts';

export interface Scenario {
	type: string;
	typeVersion?: number;
	parameters: Record<string, unknown>;
	/** What the service waits before each answer. */
	latency?: number;
}

export type ScenarioName = keyof ReturnType<typeof scenarios>;

const vendor = {
	vendorName: 'Sandbox Vendor One',
	vendorBank: 'Harbour Demo Bank',
	vendorNumber: '0011223344',
};
const bank = {
	bankName: 'Sample Bank',
	accountNumber: '0123456789',
	accountName: 'Ada Example',
};
const wallet = {
	network: 'Polygon',
	walletAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
};
const fromItem = { amount: '={{ $json.amount }}', reference: '={{ $json.reference }}' };

/** The same work in the ways people would do it. Amount and reference come from the item, everything else is fixed. */
export const scenarios = ({ baseUrl, businessId, linkTag }: Sandbox) => {
	const identity = { businessId, linkTag };
	const buy = (options: Record<string, unknown> = {}) => ({
		resource: 'transaction',
		operation: 'buy',
		vendorSource: 'manual',
		...{ ...vendor, ...bank, ...wallet, ...fromItem },
		options,
	});
	const httpRequest = (parameters: Record<string, unknown>): Scenario => ({
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		parameters: {
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'stablecoinRampApi',
			options: {},
			...parameters,
		},
	});
	const body = {
		business_id: businessId,
		link_tag: linkTag,
		type: 'buy_ramp',
		...fromItem,
		vendor_name: vendor.vendorName,
		vendor_bank: vendor.vendorBank,
		vendor_number: vendor.vendorNumber,
		bank_name: bank.bankName,
		account_number: bank.accountNumber,
		account_name: bank.accountName,
		network: wallet.network,
		wallet_address: wallet.walletAddress,
	};
	const httpBuy = (options: Record<string, unknown> = {}) =>
		httpRequest({
			method: 'POST',
			url: `${baseUrl}/transactions/v1/onramp`,
			sendBody: true,
			bodyParameters: {
				parameters: Object.entries(body).map(([name, value]) => ({ name, value })),
			},
			options,
		});
	const ours = (parameters: Record<string, unknown>): Scenario => ({
		type: 'n8n-nodes-stablecoin-ramp.stablecoinRamp',
		parameters,
	});
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
		buysByPlainNode: peer('plain', { ...vendor, ...bank, ...wallet, ...identity, ...fromItem }),
		buysTenAtATime: { ...ours(buy({ parallelRequests: 10 })), latency },
		// Its batches do not wait for answers, so this interval is what keeps about ten on their way.
		buysTenAtATimeByHttpRequest: {
			...httpBuy({ batching: { batch: { batchSize: 10, batchInterval: latency } } }),
			latency,
		},
	};
};
