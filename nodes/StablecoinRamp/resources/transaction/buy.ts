import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { amount, options, reference, requiredText, toolSwitch, walletFields } from './sharedFields';

export const buyFields: INodeProperties[] = [
	toolSwitch,
	amount({
		hint: 'In naira, 15000 or more',
		description: 'Naira paid to the vendor and to be turned into stablecoin, 15000 or more',
	}),
	{
		displayName: 'Vendor Source',
		name: 'vendorSource',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Live Vendors', value: 'live' },
			{
				name: 'Test Vendors',
				value: 'test',
				description: 'Not a test mode: the buy goes to the same address and is as real as any',
			},
			{ name: 'Enter by Hand', value: 'manual' },
		],
		default: 'live',
		description:
			'Where the vendor account that was paid comes from. A listed vendor is read again when the buy is submitted.',
	},
	{
		displayName: 'Vendor',
		name: 'vendor',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		displayOptions: { show: { vendorSource: ['live', 'test'] } },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: 'searchVendors', searchable: true },
			},
			{
				displayName: 'By Account Number',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 0123456789',
			},
		],
		description: 'The vendor account that the naira were paid to',
	},
	requiredText({
		displayName: 'Vendor Name',
		name: 'vendorName',
		displayOptions: { show: { vendorSource: ['manual'] } },
		description: 'Name of the vendor, as listed',
	}),
	requiredText({
		displayName: 'Vendor Bank',
		name: 'vendorBank',
		displayOptions: { show: { vendorSource: ['manual'] } },
		description: 'Bank of the vendor, as listed',
	}),
	requiredText({
		displayName: 'Vendor Number',
		name: 'vendorNumber',
		placeholder: 'e.g. 0123456789',
		displayOptions: { show: { vendorSource: ['manual'] } },
		description: 'Account number of the vendor, as listed',
	}),
	requiredText({
		displayName: 'Bank Name',
		name: 'bankName',
		hint: 'Proof of payment: the account that the naira came from',
		description: 'Bank that the payment to the vendor came from',
	}),
	requiredText({
		displayName: 'Account Number',
		name: 'accountNumber',
		placeholder: 'e.g. 0123456789',
		description: 'Number of the account that the payment came from, ten digits',
	}),
	requiredText({
		displayName: 'Account Name',
		name: 'accountName',
		description: 'Name on the account that the payment came from',
	}),
	...walletFields('Wallet that receives the stablecoin, sent when filled'),
	reference,
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
	options,
];

export const buyDescription = updateDisplayOptions(
	{ show: { resource: ['transaction'], operation: ['buy'] } },
	buyFields,
);
