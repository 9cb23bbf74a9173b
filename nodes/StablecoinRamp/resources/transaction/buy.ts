import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { options, reference, toolSwitch, walletFields } from './sharedFields';

export const buyFields: INodeProperties[] = [
	toolSwitch,
	{
		displayName: 'Amount',
		name: 'amount',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 2 },
		default: 0,
		required: true,
		hint: 'In naira, 15000 or more',
		description: 'Naira paid to the vendor and to be turned into stablecoin, 15000 or more',
	},
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
	{
		displayName: 'Vendor Name',
		name: 'vendorName',
		type: 'string',
		default: '',
		required: true,
		displayOptions: { show: { vendorSource: ['manual'] } },
		description: 'Name of the vendor, as listed',
	},
	{
		displayName: 'Vendor Bank',
		name: 'vendorBank',
		type: 'string',
		default: '',
		required: true,
		displayOptions: { show: { vendorSource: ['manual'] } },
		description: 'Bank of the vendor, as listed',
	},
	{
		displayName: 'Vendor Number',
		name: 'vendorNumber',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 0123456789',
		displayOptions: { show: { vendorSource: ['manual'] } },
		description: 'Account number of the vendor, as listed',
	},
	{
		displayName: 'Bank Name',
		name: 'bankName',
		type: 'string',
		default: '',
		required: true,
		hint: 'Proof of payment: the account that the naira came from',
		description: 'Bank that the payment to the vendor came from',
	},
	{
		displayName: 'Account Number',
		name: 'accountNumber',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 0123456789',
		description: 'Number of the account that the payment came from, ten digits',
	},
	{
		displayName: 'Account Name',
		name: 'accountName',
		type: 'string',
		default: '',
		required: true,
		description: 'Name on the account that the payment came from',
	},
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
