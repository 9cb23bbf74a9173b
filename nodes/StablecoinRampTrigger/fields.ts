import type { INodeProperties } from 'n8n-workflow';

import { currencyOptions } from '../../client/rates';

const showOnlyForRates = { event: ['rateChanged', 'rateCrossed'] };
const showOnlyForChange = { event: ['rateChanged'] };
const showOnlyForCrossing = { event: ['rateCrossed'] };

export const triggerFields: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Rate Changed',
				value: 'rateChanged',
				description: 'A rate has moved away from the value that was last reported',
			},
			{
				name: 'Rate Crossed a Threshold',
				value: 'rateCrossed',
				description:
					'A rate has gone above or below a threshold. Reported once, until it has come back.',
			},
			{
				name: 'Vendors Changed',
				value: 'vendorsChanged',
				description:
					'A payment vendor was added, removed or changed. Money paid to a removed account may be hard to get back.',
			},
		],
		default: 'rateChanged',
	},
	{
		displayName: 'Source',
		name: 'source',
		type: 'options',
		displayOptions: { show: showOnlyForRates },
		options: [
			{
				name: 'OTC',
				value: 'otc',
				description: 'The OTC (over-the-counter) buy rates, from the OTC address',
			},
			{ name: 'USDC', value: 'usdc', description: 'The rates from USDC to the stablecoin' },
		],
		default: 'otc',
		description: 'Which rates to watch',
	},
	{
		displayName: 'Currencies',
		name: 'currencies',
		type: 'multiOptions',
		displayOptions: { show: showOnlyForChange },
		options: currencyOptions,
		default: [],
		description:
			'The currencies to watch, all if empty. By expression also others, as a list or separated by commas.',
	},
	{
		displayName: 'Minimum Change (%)',
		name: 'minimumChange',
		type: 'number',
		displayOptions: { show: showOnlyForChange },
		typeOptions: { minValue: 0 },
		default: 1,
		description:
			'How far a rate has to be from the value that was last reported, in percent. With 0 every change is reported.',
	},
	{
		displayName: 'Currency',
		name: 'currency',
		type: 'options',
		displayOptions: { show: showOnlyForCrossing },
		options: currencyOptions,
		default: 'USD',
		description: 'The currency to watch. By expression also another code.',
	},
	{
		displayName: 'Threshold',
		name: 'threshold',
		type: 'number',
		displayOptions: { show: showOnlyForCrossing },
		typeOptions: { minValue: 0 },
		default: 0,
		required: true,
		placeholder: 'e.g. 1500',
		description:
			'The rate to compare with. A rate exactly on it counts to the side that it came from. The unit of the rates is not documented by the service.',
	},
	{
		displayName: 'Direction',
		name: 'direction',
		type: 'options',
		displayOptions: { show: showOnlyForCrossing },
		options: [
			{ name: 'Above', value: 'above', description: 'When the rate goes above the threshold' },
			{ name: 'Below', value: 'below', description: 'When the rate goes below the threshold' },
			{ name: 'Either', value: 'either', description: 'When the rate goes above or below it' },
		],
		default: 'above',
		description: 'Which crossing to report',
	},
];
