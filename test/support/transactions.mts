import type { INodeParameters } from 'n8n-workflow';

export type Operation = 'buy' | 'sell';

export const operations: Operation[] = ['buy', 'sell'];

/** A vendor that a fresh sandbox lists. */
export const vendor = {
	vendorName: 'Sandbox Vendor One',
	vendorBank: 'Harbour Demo Bank',
	vendorNumber: '0011223344',
};

export const bank = {
	bankName: 'Demo Payer Bank',
	accountNumber: '0123456789',
	accountName: 'Ada Example',
};

export const wallet = {
	network: 'Polygon',
	walletAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
};

export const stellarWallet = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';

const parameters: Record<Operation, INodeParameters> = {
	buy: { vendorSource: 'manual', ...vendor },
	sell: { type: 'sell_ramp' },
};

/** The node's parameters for a buy or sell that the sandbox accepts, with what a test wants to be different. */
export const submitting = (
	operation: Operation,
	different: INodeParameters = {},
): INodeParameters => ({
	resource: 'transaction',
	operation,
	amount: 15000,
	...bank,
	...parameters[operation],
	...different,
});

/** What makes a buy look its vendor up in the list of live vendors, by account number. */
export const listed = (value: string): INodeParameters => ({
	vendorSource: 'live',
	vendor: { __rl: true, mode: 'id', value },
});

/** For items that bring their own values: `{ reference, amount, … }`. */
export const fromItem = (...names: string[]): INodeParameters =>
	Object.fromEntries(names.map((name) => [name, `={{ $json.${name} }}`]));

export const referencesTo = (count: number, name = 'order'): Array<{ reference: string }> =>
	Array.from({ length: count }, (_, index) => ({ reference: `${name}-${index}` }));

const bodyOfBoth = {
	business_id: 'SANDBOX-BUSINESS-001',
	link_tag: 'sandbox-business',
	bank_name: bank.bankName,
	account_number: bank.accountNumber,
	account_name: bank.accountName,
};

/** What the service is sent for a buy. */
export const buyBody = {
	...bodyOfBoth,
	type: 'buy_ramp',
	amount: 15000,
	vendor_name: vendor.vendorName,
	vendor_bank: vendor.vendorBank,
	vendor_number: vendor.vendorNumber,
	network: wallet.network,
	wallet_address: wallet.walletAddress,
	reference: 'order-1',
};

/** What the service is sent for a sell. */
export const sellBody = { ...bodyOfBoth, type: 'sell_ramp', amount: 500.5 };
