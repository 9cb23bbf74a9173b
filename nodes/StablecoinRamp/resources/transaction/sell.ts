import type { INodeProperties } from 'n8n-workflow';

import { optionsFor, ownIdentity, toolSwitch, walletFields } from './sharedFields';

const show = { resource: ['transaction'], operation: ['sell'] };

export const sellDescription: INodeProperties[] = [
	toolSwitch(show),
	{
		displayName: 'Amount',
		name: 'amount',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 2 },
		default: 0,
		required: true,
		displayOptions: { show },
		description: 'Amount to sell. The service documents no limits for it.',
	},
	{
		displayName: 'Account Name',
		name: 'accountName',
		type: 'string',
		default: '',
		required: true,
		displayOptions: { show },
		description: 'Name on the bank account that is paid',
	},
	{
		displayName: 'Account Number',
		name: 'accountNumber',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 0123456789',
		displayOptions: { show },
		description: 'Number of the bank account that is paid, ten digits',
	},
	{
		displayName: 'Bank Name',
		name: 'bankName',
		type: 'string',
		default: '',
		required: true,
		displayOptions: { show },
		description: 'Bank of the account that is paid',
	},
	{
		displayName: 'Type',
		name: 'type',
		type: 'string',
		default: 'sell_ramp',
		required: true,
		displayOptions: { show },
		description:
			"The service does not document which value it expects. The default is our guess, by analogy with a buy's buy_ramp. Change it if your service says otherwise.",
	},
	...walletFields(show, 'Wallet that the stablecoin comes from, sent when filled'),
	...ownIdentity(show),
	optionsFor(show),
];
