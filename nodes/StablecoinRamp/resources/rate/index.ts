import { updateDisplayOptions, type IDataObject, type INodeProperties } from 'n8n-workflow';

import { endpoints, type RateOperation } from '../../../../client/endpoints';
import { expectOk } from '../../../../client/n8nErrors';
import { readRouting, type Shape } from '../readOncePerRun';
import {
	currencyCodes,
	currencyOptions,
	listed,
	pickRates,
	ratesIn,
} from '../../../../client/rates';
import { oneOf } from '../../../../client/values';

const asChosen =
	(source: RateOperation): Shape =>
	(context, { body, fetchedAt }) => {
		const node = context.getNode();
		const all = expectOk(node, ratesIn(body));
		const codes = currencyCodes(context.getNodeParameter('currencies', []));
		const rates = expectOk(node, pickRates(all, codes));
		const entries = Object.entries(rates);
		// An object is the body as it came where no currencies were asked for, so nothing is missing from it.
		const leftOut =
			codes.length === 0 && all.leftOut.length > 0 ? { leftOut: listed(all.leftOut) } : {};
		const rest = { source, fetchedAt, ...leftOut };
		const outputs = {
			object: [codes.length === 0 ? (body as IDataObject) : rates],
			items: entries.map(([currency, rate]) => ({ currency, rate, ...rest })),
			row: [{ fetchedAt, source, ...rates, ...leftOut }],
		};
		const names = Object.keys(outputs) as Array<keyof typeof outputs>;
		const chosen = oneOf("'Output'", context.getNodeParameter('output', 'object'), names);
		return outputs[expectOk(node, chosen)];
	};

const rateFields: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Get OTC Rates',
				value: 'otc',
				action: 'Get OTC rates',
				description: 'Read the OTC buy rates, from the OTC address',
				routing: readRouting(endpoints.rate.otc, asChosen('otc')),
			},
			{
				name: 'Get USDC Rates',
				value: 'usdc',
				action: 'Get USDC rates',
				description: 'Read the rates from USDC to the stablecoin',
				routing: readRouting(endpoints.rate.usdc, asChosen('usdc')),
			},
		],
		default: 'otc',
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{
				name: 'One Item per Currency',
				value: 'items',
				description: 'Currency, rate, source and time, for loops, filters and alerts',
			},
			{
				name: 'One Object as Returned',
				value: 'object',
				description: 'The rates by currency code, as the service sent them',
			},
			{
				name: 'One Row',
				value: 'row',
				description: 'Time, source and one column for each currency, for spreadsheets',
			},
		],
		default: 'object',
		description: 'How the rates come out of this node',
	},
	{
		displayName: 'Currencies',
		name: 'currencies',
		type: 'multiOptions',
		options: currencyOptions,
		default: [],
		description:
			'The currencies to return, all if empty. By expression also others, as a list or separated by commas. The unit of the rates is not documented by the service.',
	},
];

export const rateDescription = updateDisplayOptions({ show: { resource: ['rate'] } }, rateFields);
