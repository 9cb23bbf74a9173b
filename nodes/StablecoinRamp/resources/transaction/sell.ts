import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { amount, options, reference, requiredText, toolSwitch, walletFields } from './sharedFields';

export const sellFields: INodeProperties[] = [
	toolSwitch,
	amount({ description: 'Amount to sell. The service documents no limits for it.' }),
	requiredText({
		displayName: 'Account Name',
		name: 'accountName',
		description: 'Name on the bank account that is paid',
	}),
	requiredText({
		displayName: 'Account Number',
		name: 'accountNumber',
		placeholder: 'e.g. 0123456789',
		description: 'Number of the bank account that is paid, ten digits',
	}),
	requiredText({
		displayName: 'Bank Name',
		name: 'bankName',
		description: 'Bank of the account that is paid',
	}),
	requiredText({
		displayName: 'Type',
		name: 'type',
		default: 'sell_ramp',
		description:
			"The service does not document which value it expects. The default is our guess, by analogy with a buy's buy_ramp. Change it if your service says otherwise.",
	}),
	...walletFields('Wallet that the stablecoin comes from, sent when filled'),
	reference,
	options,
];

export const sellDescription = updateDisplayOptions(
	{ show: { resource: ['transaction'], operation: ['sell'] } },
	sellFields,
);
