/**
 * The tables of the service's interface document, row by row, as the document has them. Where a
 * cell of a table is hedged there, it is hedged here.
 */

export interface FieldRow {
	name: string;
	type: 'string' | 'number' | 'object';
	/** In the document's words. */
	required: 'yes' | 'yes per the request-body table' | 'see note' | 'unclear' | 'not shown';
}

const shown = <Type extends FieldRow['type']>(type: Type, ...names: string[]) =>
	names.map((name) => ({ name, type }));

/** 2.1 Transaction, returned by a buy request. */
export const transactionFields: Array<Pick<FieldRow, 'name' | 'type'>> = [
	...shown('string', 'transaction_id'),
	...shown('object', 'business'),
	...shown('string', 'type', 'reference'),
	...shown('number', 'amount'),
	...shown('string', 'link_account_name', 'link_account_number', 'link_bank_name'),
	...shown('string', 'account_number', 'bank_name', 'link_tag', 'network', 'wallet_address'),
	...shown('string', 'date_created'),
];

/** 2.2 Vendor. */
export const vendorFields = shown('string', 'vendorName', 'vendorNumber', 'vendorBank');

/** 2.3 Rates object: the keys shown. */
export const rateCurrencies = ['USD', 'GBP', 'EUR', 'TRY', 'CNY', 'CHF', 'CAD', 'AED', 'KES'];

/** 4.1 Request body of a buy. */
export const buyRequestFields: FieldRow[] = [
	{ name: 'business_id', type: 'string', required: 'yes' },
	{ name: 'link_tag', type: 'string', required: 'yes' },
	{ name: 'type', type: 'string', required: 'yes' },
	{ name: 'amount', type: 'number', required: 'yes' },
	{ name: 'vendor_name', type: 'string', required: 'yes' },
	{ name: 'vendor_bank', type: 'string', required: 'yes' },
	{ name: 'vendor_number', type: 'string', required: 'yes' },
	{ name: 'bank_name', type: 'string', required: 'yes' },
	{ name: 'account_number', type: 'string', required: 'yes' },
	{ name: 'account_name', type: 'string', required: 'yes per the request-body table' },
	{ name: 'network', type: 'string', required: 'see note' },
	{ name: 'wallet_address', type: 'string', required: 'see note' },
	{ name: 'reference', type: 'string', required: 'unclear' },
];

/** 4.1 Supported networks, the value of type, and the minimum (also 8). */
export const networks = ['Stellar', 'Polygon', 'Solana', 'Avalanche'];
export const buyType = 'buy_ramp';
export const buyMinimum = 15000;

/** 4.5 Request body of a sell. */
export const sellRequestFields: FieldRow[] = [
	...shown('string', 'business_id', 'link_tag', 'type'),
	...shown('number', 'amount'),
	...shown('string', 'account_name', 'account_number', 'bank_name', 'network', 'wallet_address'),
].map((field) => ({ ...field, required: 'not shown' }));

/** 4.1 to 4.5 Methods and paths. */
export const endpoints = (
	[
		['4.1', 'buy', 'POST', 'base', '/transactions/v1/onramp'],
		['4.2', 'liveVendors', 'GET', 'base', '/transactions/v1/vendors'],
		['4.2', 'testVendors', 'GET', 'base', '/transactions/v1/test-vendors'],
		['4.2', 'listVendors', 'GET', 'base', '/transactions/v1/list_vendors'],
		['4.3', 'otcRates', 'GET', 'otc', '/otc/buy'],
		['4.4', 'usdcRates', 'GET', 'base', '/rates/v1/usdc-ngnc'],
		['4.5', 'sell', 'POST', 'base', '/transactions/v1/offramp'],
	] as const
).map(([section, operation, method, at, path]) => ({ section, operation, method, at, path }));

/** 4.1 and 4.2 The fields around a transaction and around the vendors. */
export const buyResponseFields = ['status', 'message', 'transaction'];
export const vendorsResponseFields = ['status', 'message', 'VendorList'];

/** 5 Authentication. */
export const authenticationHeader = 'svc-sec-key';

/** 7 Statuses. */
export const statuses = [
	{ status: '401', condition: 'The authentication key is wrong.' },
	{ status: '404', condition: 'A wrong or broken URL is used.' },
];
