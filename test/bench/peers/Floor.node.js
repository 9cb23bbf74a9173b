// n8n's own floor: as many requests as there are items, one after another, and not a single parameter read.
const body = {
	business_id: 'SANDBOX-BUSINESS-001',
	link_tag: 'sandbox-business',
	type: 'buy_ramp',
	amount: 15000,
	vendor_name: 'Sandbox Vendor One',
	vendor_bank: 'Harbour Demo Bank',
	vendor_number: '0011223344',
	bank_name: 'Sample Bank',
	account_number: '0123456789',
	account_name: 'Ada Example',
};

class Floor {
	description = {
		displayName: 'Floor',
		name: 'floor',
		group: ['output'],
		version: 1,
		description: 'A bare loop',
		defaults: { name: 'Floor' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'stablecoinRampApi', required: true }],
		properties: [],
	};

	async execute() {
		const { baseUrl } = await this.getCredentials('stablecoinRampApi');
		const returned = [];
		for (let item = 0; item < this.getInputData().length; item++) {
			const json = await this.helpers.httpRequestWithAuthentication.call(
				this,
				'stablecoinRampApi',
				{
					method: 'POST',
					baseURL: baseUrl,
					url: '/transactions/v1/onramp',
					body: { ...body, reference: `floor-${Date.now()}-${item}` },
					json: true,
				},
			);
			returned.push({ json, pairedItem: { item } });
		}
		return [returned];
	}
}

module.exports = { Floor };
