import type { INodeProperties } from 'n8n-workflow';

import { declaredRequest, endpoints } from '../../../../client/endpoints';
import { buyDescription } from './buy';
import { sellDescription } from './sell';

export const transactionDescription: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['transaction'] } },
		options: [
			{
				name: 'Buy',
				value: 'buy',
				action: 'Buy stablecoin',
				description: 'Submit a payment made to a vendor, and receive stablecoin (on-ramp)',
				routing: { request: declaredRequest(endpoints.transaction.buy) },
			},
			{
				name: 'Sell',
				value: 'sell',
				action: 'Sell stablecoin',
				description: 'Pay out naira to a bank account (off-ramp)',
				routing: { request: declaredRequest(endpoints.transaction.sell) },
			},
		],
		default: 'buy',
	},
	...buyDescription,
	...sellDescription,
];
