import { NodeOperationError, type IDataObject, type IPollFunctions } from 'n8n-workflow';

import { asNumber, oneOf } from '../../client/values';
import { endpoints, type Endpoint, type RateOperation } from '../../client/endpoints';
import { expectOk } from '../../client/n8nErrors';
import { currencyCodes, pickRates, ratesIn, type Rates } from '../../client/rates';
import { vendorsIn, type Vendor } from '../../client/vendors';
import { isPosition, isRates, isVendors } from './baseline';
import { triggerFields } from './fields';
import { changeOf, rateChanged, rateCrossed, vendorsChanged, type Side } from './whatChanged';

/** What is known from the last polls, if it is of the kind that is asked for. */
export type Recall = <Known>(isIntact: (known: unknown) => known is Known) => Known | undefined;

/** An event with its settings: where to look, and what to make of what is seen there. */
export interface Watch {
	endpoint: Endpoint;
	/** What known values belong to, besides the event and the address. */
	settings: string[];
	/** What an event would look like, made of the present values. */
	example: (body: unknown) => IDataObject[];
	/** What such an example does not mean. */
	notHappened: string;
	/** With nothing known yet, nothing has happened. */
	compare: (body: unknown, recall: Recall) => { happened: IDataObject[]; known: unknown };
}

type MakeWatch = (context: IPollFunctions) => Watch;

const watchChange: MakeWatch = (context) => {
	const source = sourceOf(context);
	const currencies = currencyCodes(context.getNodeParameter('currencies', []));
	const minimumChange = numberOf(context, 'minimumChange', (value) => value >= 0);
	const chosen = (rates: Rates) =>
		Object.fromEntries(
			Object.entries(rates).filter(([code]) => !currencies.length || currencies.includes(code)),
		);
	const asItem = (change: object) => ({ ...change, source, fetchedAt: now() });
	return {
		endpoint: endpoints.rate[source],
		settings: currencies.toSorted(),
		example: (body) => {
			const rates = expectOk(context.getNode(), pickRates(ratesOf(context, body), currencies));
			return Object.entries(rates).map(([code, rate]) => asItem(changeOf(code, rate, rate)));
		},
		notHappened: 'a rate has changed',
		compare: (body, recall) => {
			const seen = chosen(ratesOf(context, body));
			const { happened, known } = rateChanged({ minimumChange }, recall(isRates), seen);
			return { happened: happened.map(asItem), known };
		},
	};
};

const watchCrossing: MakeWatch = (context) => {
	const source = sourceOf(context);
	const [currency = ''] = currencyCodes(context.getNodeParameter('currency'));
	const threshold = numberOf(context, 'threshold', (value) => value > 0);
	const direction = choiceOf(context, 'direction', ['above', 'below', 'either']);
	const asItem = (side: Side, rate: number | undefined) => ({
		currency,
		rate,
		threshold,
		direction: side,
		source,
		fetchedAt: now(),
	});
	return {
		endpoint: endpoints.rate[source],
		settings: [currency, String(threshold)],
		example: (body) => {
			const rates = ratesOf(context, body);
			const rate = rates[currency];
			if (rate === undefined) {
				throw new NodeOperationError(
					context.getNode(),
					`The service sent no rate for ${currency || 'an empty code'}`,
					{ description: `Change 'Currency'. It sent rates for ${Object.keys(rates).join(', ')}.` },
				);
			}
			const side = rate < threshold ? 'below' : 'above';
			return [asItem(direction === 'either' ? side : direction, rate)];
		},
		notHappened: 'the rate has crossed the threshold',
		compare: (body, recall) => {
			const rate = ratesOf(context, body)[currency];
			const { happened, known } = rateCrossed({ threshold, direction }, recall(isPosition), rate);
			return { happened: happened.map((side) => asItem(side, rate)), known };
		},
	};
};

const watchVendors: MakeWatch = (context) => ({
	endpoint: endpoints.vendor.live,
	settings: [],
	example: (body) => {
		const vendors = vendorsOf(context, body);
		if (vendors.length > 0) {
			return vendors.map((vendor) => ({ change: 'added', ...vendor, fetchedAt: now() }));
		}
		throw new NodeOperationError(context.getNode(), 'The service lists no vendors at present', {
			description: 'There is nothing to show as an example. Run the node again when there is.',
		});
	},
	notHappened: 'a vendor was added',
	compare: (body, recall) => {
		const { happened, known } = vendorsChanged(recall(isVendors), vendorsOf(context, body));
		return { happened: happened.map((change) => ({ ...change, fetchedAt: now() })), known };
	},
});

export const events = {
	rateChanged: watchChange,
	rateCrossed: watchCrossing,
	vendorsChanged: watchVendors,
} satisfies Record<string, MakeWatch>;

const now = () => new Date().toISOString();

const ratesOf = (context: IPollFunctions, body: unknown): Rates =>
	expectOk(context.getNode(), ratesIn(body));

const vendorsOf = (context: IPollFunctions, body: unknown): Vendor[] =>
	expectOk(context.getNode(), vendorsIn(body)).map((entry) => ({
		vendorName: String(entry.vendorName ?? ''),
		vendorNumber: String(entry.vendorNumber ?? ''),
		vendorBank: String(entry.vendorBank ?? ''),
	}));

const sourceOf = (context: IPollFunctions) =>
	choiceOf(context, 'source', Object.keys(endpoints.rate) as RateOperation[]);

/** A field by the name that the person sees, in quotes. */
const label = (name: string) =>
	`'${triggerFields.find((field) => field.name === name)!.displayName}'`;

export function choiceOf<T extends string>(
	context: IPollFunctions,
	name: string,
	values: readonly T[],
): T {
	const chosen = oneOf(label(name), context.getNodeParameter(name), values);
	if (chosen.ok) return chosen.value;
	throw new NodeOperationError(context.getNode(), chosen.message, chosen);
}

function numberOf(
	context: IPollFunctions,
	name: string,
	isAllowed: (value: number) => boolean,
): number {
	const value = asNumber(context.getNodeParameter(name));
	if (Number.isFinite(value) && isAllowed(value)) return value;
	const from = isAllowed(0) ? '0 or more' : 'more than 0';
	throw new NodeOperationError(context.getNode(), `${label(name)} is not a number of ${from}`, {
		description: `Set ${label(name)} to ${from}, in digits, with a dot before any decimals.`,
	});
}
