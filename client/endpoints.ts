import type { IHttpRequestMethods } from 'n8n-workflow';

import type { ServiceAddress } from './addresses';

export interface Endpoint {
	address: ServiceAddress;
	method: IHttpRequestMethods;
	path: string;
}

/** The endpoints of the service, by resource and operation. */
export const endpoints = {
	transaction: {
		buy: { address: 'baseUrl', method: 'POST', path: '/transactions/v1/onramp' },
		sell: { address: 'baseUrl', method: 'POST', path: '/transactions/v1/offramp' },
	},
	vendor: {
		live: { address: 'baseUrl', method: 'GET', path: '/transactions/v1/vendors' },
		test: { address: 'baseUrl', method: 'GET', path: '/transactions/v1/test-vendors' },
		// Whether it differs from live is not shown: docs/interface.md (8).
		list: { address: 'baseUrl', method: 'GET', path: '/transactions/v1/list_vendors' },
	},
	rate: {
		otc: { address: 'otcBaseUrl', method: 'GET', path: '/otc/buy' },
		usdc: { address: 'baseUrl', method: 'GET', path: '/rates/v1/usdc-ngnc' },
	},
} as const satisfies Record<string, Record<string, Endpoint>>;

export type RateOperation = keyof typeof endpoints.rate;
export type TransactionOperation = keyof typeof endpoints.transaction;

/**
 * Stands where the address of the service will be until the request is made.
 *
 * n8n works out a credential's "Allowed HTTP Request Domains" from the address that a node declares. As an
 * expression on the credential it would be evaluated twice for every item (4.4 ms each time on n8n 2.41.1);
 * as a constant it costs nothing, and sendRequest.ts puts the credential's own host in its place, in the address and
 * in the list of allowed domains. The .invalid domain never resolves, so a request that missed that goes nowhere.
 */
export const placeholderHost: Record<ServiceAddress, string> = {
	baseUrl: 'base-url.invalid',
	otcBaseUrl: 'otc-base-url.invalid',
};

export const declaredAddress = (address: ServiceAddress) => `https://${placeholderHost[address]}`;

export const declaredRequest = ({ address, method, path }: Endpoint) => ({
	baseURL: declaredAddress(address),
	method,
	url: path,
});
