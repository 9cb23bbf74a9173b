// What a peer would have written: a plain declarative node, fields with `send`, the address by expression, no hooks.
const field = (name, property, value) => ({
	displayName: name,
	name,
	type: 'string',
	default: value,
	routing: { send: { type: 'body', property } },
});

class Plain {
	description = {
		displayName: 'Plain',
		name: 'plain',
		group: ['output'],
		version: 1,
		description: 'A plain declarative buy',
		defaults: { name: 'Plain' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'stablecoinRampApi', required: true }],
		requestDefaults: { baseURL: '={{ $credentials.baseUrl }}', method: 'POST', json: true },
		properties: [
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				options: [
					{
						name: 'Buy',
						value: 'buy',
						routing: { request: { method: 'POST', url: '/transactions/v1/onramp' } },
					},
				],
				default: 'buy',
			},
			{ ...field('amount', 'amount', 15000), type: 'number' },
			field('type', 'type', 'buy_ramp'),
			field('businessId', 'business_id', ''),
			field('linkTag', 'link_tag', ''),
			field('vendorName', 'vendor_name', ''),
			field('vendorBank', 'vendor_bank', ''),
			field('vendorNumber', 'vendor_number', ''),
			field('bankName', 'bank_name', ''),
			field('accountNumber', 'account_number', ''),
			field('accountName', 'account_name', ''),
			field('network', 'network', ''),
			field('walletAddress', 'wallet_address', ''),
			field('reference', 'reference', ''),
		],
	};
}

module.exports = { Plain };
