import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { options, reference, toolSwitch, walletFields } from './sharedFields';

export const sellFields: INodeProperties[] = [
	toolSwitch,
	{
		displayName: 'Amount',
		name: 'amount',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 2 },
		default: 0,
		required: true,
		description: 'Amount to sell. The service documents no limits for it.',
	},
	{
		displayName: 'Account Name',
		name: 'accountName',
		type: 'string',
		default: '',
		required: true,
		description: 'Name on the bank account that is paid',
	},
	{
		displayName: 'Account Number',
		name: 'accountNumber',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 0123456789',
		description: 'Number of the bank account that is paid, ten digits',
	},
	{
		displayName: 'Bank Name',
		name: 'bankName',
		type: 'string',
		default: '',
		required: true,
		description: 'Bank of the account that is paid',
	},
	{
		displayName: 'Type',
		name: 'type',
		type: 'string',
		default: 'sell_ramp',
		required: true,
		description:
			"The service does not document which value it expects. The default is our guess, by analogy with a buy's buy_ramp. Change it if your service says otherwise.",
	},
	...walletFields('Wallet that the stablecoin comes from, sent when filled'),
	reference,
	options,
];

export const sellDescription = updateDisplayOptions(
	{ show: { resource: ['transaction'], operation: ['sell'] } },
	sellFields,
);
