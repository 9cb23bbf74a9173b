import { endpoints } from '../interface.mts';

const parameters = {
	liveVendors: { resource: 'vendor', operation: 'live' },
	testVendors: { resource: 'vendor', operation: 'test' },
	listVendors: { resource: 'vendor', operation: 'list' },
	otcRates: { resource: 'rate', operation: 'otc' },
	usdcRates: { resource: 'rate', operation: 'usdc' },
};

type Read = keyof typeof parameters;

/** The operations that read, by their names in the node and in the interface. */
export const reads = endpoints
	.filter(
		(endpoint): endpoint is typeof endpoint & { operation: Read } => endpoint.method === 'GET',
	)
	.map(({ operation, at, path }) => ({
		name: operation,
		at,
		path,
		parameters: parameters[operation],
	}));
