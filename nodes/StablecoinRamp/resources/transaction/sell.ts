import { options, reference, sentAs, toolSwitch, walletFields } from './fields';
import type { Transaction } from './transaction';

/** Stablecoin becomes money in a bank account. */
export const sell: Transaction = {
	name: 'Sell',
	action: 'Sell stablecoin',
	description: 'Pay out naira to a bank account (off-ramp)',
	requiresAll: false,
	answersWithTransaction: false,
	fields: [
		toolSwitch,
		{
			displayName: 'Amount',
			name: 'amount',
			type: 'number',
			typeOptions: { minValue: 0, numberPrecision: 2 },
			default: 0,
			required: true,
			routing: sentAs('amount'),
			description: 'Amount to sell. The service documents no limits for it.',
		},
		{
			displayName: 'Account Name',
			name: 'accountName',
			type: 'string',
			default: '',
			required: true,
			routing: sentAs('account_name'),
			description: 'Name on the bank account that is paid',
		},
		{
			displayName: 'Account Number',
			name: 'accountNumber',
			type: 'string',
			default: '',
			required: true,
			routing: sentAs('account_number'),
			placeholder: 'e.g. 0123456789',
			description: 'Number of the bank account that is paid, ten digits',
		},
		{
			displayName: 'Bank Name',
			name: 'bankName',
			type: 'string',
			default: '',
			required: true,
			routing: sentAs('bank_name'),
			description: 'Bank of the account that is paid',
		},
		{
			// Which value it has is not shown: docs/interface.md (9).
			displayName: 'Type',
			name: 'type',
			type: 'string',
			default: 'sell_ramp',
			required: true,
			routing: sentAs('type'),
			description:
				"The service does not document which value it expects. The default is our guess, by analogy with a buy's buy_ramp. Change it if your service says otherwise.",
		},
		...walletFields(
			'Sent when filled. The service does not document what a wallet means in a sell.',
		),
		reference,
		options,
	],
};
