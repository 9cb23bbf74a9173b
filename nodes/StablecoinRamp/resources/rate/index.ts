import { updateDisplayOptions, type IDataObject, type INodeProperties } from 'n8n-workflow';

import { type RateOperation, declaredRequest, endpoints } from '../../service/endpoints';
import { apiError } from '../../service/n8nErrors';
import { readOncePerRun, type Shape } from '../../service/readOncePerRun';
import { currencyCodes, knownCurrencies, pickRates, ratesIn, type Rates } from './rates';

interface Reading {
	source: RateOperation;
	fetchedAt: string;
	picked: Rates;
	/** The body as it came, when no currencies were asked for. */
	returned: IDataObject;
}

const outputs = new Map<unknown, (reading: Reading) => IDataObject[]>([
	['object', ({ returned }) => [returned]],
	[
		'items',
		({ picked, source, fetchedAt }) =>
			Object.entries(picked).map(([currency, rate]) => ({ currency, rate, source, fetchedAt })),
	],
	['row', ({ picked, source, fetchedAt }) => [{ fetchedAt, source, ...picked }]],
]);

const asChosen =
	(source: RateOperation): Shape =>
	(context, body) => {
		const read = ratesIn(body);
		if (!read.ok) throw apiError(context.getNode(), read);
		const codes = currencyCodes(context.getNodeParameter('currencies', []));
		const chosen = pickRates(read.rates, codes);
		if (!chosen.ok) throw apiError(context.getNode(), chosen);

		const output = outputs.get(context.getNodeParameter('output', 'object'));
		if (!output) {
			throw apiError(context.getNode(), {
				message: 'Output is set to something this node does not know',
				description: `Set Output to one of ${[...outputs.keys()].join(', ')}.`,
			});
		}
		return output({
			source,
			fetchedAt: new Date().toISOString(),
			picked: chosen.rates,
			returned: codes.length === 0 ? (body as IDataObject) : chosen.rates,
		});
	};

const routing = (source: RateOperation) => ({
	request: declaredRequest(endpoints.rate[source]),
	send: { paginate: true },
	operations: { pagination: readOncePerRun(endpoints.rate[source], asChosen(source)) },
});

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
				routing: routing('otc'),
			},
			{
				name: 'Get USDC Rates',
				value: 'usdc',
				action: 'Get USDC rates',
				description: 'Read the rates from USDC to the stablecoin',
				routing: routing('usdc'),
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
		options: knownCurrencies.map((code) => ({ name: code, value: code })),
		default: [],
		description:
			'The currencies to return, all if empty. By expression also others, as a list or separated by commas. The unit of the rates is not documented by the service.',
	},
];

export const rateDescription = updateDisplayOptions({ show: { resource: ['rate'] } }, rateFields);
