import { NodeOperationError, type IDataObject, type IPollFunctions } from 'n8n-workflow';

import { asNumber, oneOf } from '../../client/values';
import { endpoints, type Endpoint, type RateOperation } from '../../client/endpoints';
import { expectOk } from '../../client/n8nErrors';
import {
	chooseOthers,
	currencyCodes,
	noRateFor,
	ratesIn,
	type RateList,
	type Rates,
} from '../../client/rates';
import type { Fetched } from '../../client/readBody';
import { refuse, type Read, type Refusal } from '../../client/refusal';
import { asVendor, isVendor, vendorsIn, type Vendor } from '../../client/vendors';
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
	/** Why what is watched for cannot be seen there, if it cannot. */
	missing?: (fetched: Fetched) => Refusal | undefined;
	/** What an event would look like, made of the present values, none of them missing. */
	example: (fetched: Fetched) => IDataObject[];
	/** What such an example does not mean. */
	notHappened: string;
	/** With nothing known yet, nothing has happened. */
	compare: (fetched: Fetched, recall: Recall) => { happened: IDataObject[]; known: unknown };
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
	const seenIn = ({ body }: Fetched) => chosen(listOf(context, body).rates);
	return {
		endpoint: endpoints.rate[source],
		settings: currencies.toSorted(),
		missing: ({ body }) => noRateFor(currencies, listOf(context, body), chooseOthers),
		example: (fetched) =>
			Object.entries(seenIn(fetched)).map(([code, rate]) => ({
				...changeOf(code, rate, rate),
				source,
				fetchedAt: fetched.fetchedAt,
			})),
		notHappened: 'a rate has changed',
		compare: (fetched, recall) => {
			const { fetchedAt } = fetched;
			const before = recall(isRates);
			const { happened, known } = rateChanged({ minimumChange }, before, seenIn(fetched));
			return { happened: happened.map((change) => ({ ...change, source, fetchedAt })), known };
		},
	};
};

const watchCrossing: MakeWatch = (context) => {
	const source = sourceOf(context);
	// An expression may give several codes. Joined they are none that the service sends, so the person is told.
	const currency =
		currencyCodes(context.getNodeParameter('currency')).join(', ') || 'an empty code';
	const threshold = numberOf(context, 'threshold', (value) => value > 0);
	const direction = choiceOf(context, 'direction', ['above', 'below', 'either']);
	const rateIn = ({ body }: Fetched) => listOf(context, body).rates[currency];
	const asItem = (side: Side, fetched: Fetched) => ({
		currency,
		rate: rateIn(fetched),
		threshold,
		direction: side,
		source,
		fetchedAt: fetched.fetchedAt,
	});
	return {
		endpoint: endpoints.rate[source],
		settings: [currency, String(threshold)],
		missing: ({ body }) => noRateFor([currency], listOf(context, body), "Change 'Currency'."),
		example: (fetched) => {
			const side = rateIn(fetched)! < threshold ? 'below' : 'above';
			return [asItem(direction === 'either' ? side : direction, fetched)];
		},
		notHappened: 'the rate has crossed the threshold',
		compare: (fetched, recall) => {
			const setting = { threshold, direction };
			const { happened, known } = rateCrossed(setting, recall(isPosition), rateIn(fetched));
			return { happened: happened.map((side) => asItem(side, fetched)), known };
		},
	};
};

const watchVendors: MakeWatch = (context) => ({
	endpoint: endpoints.vendor.live,
	settings: [],
	example: ({ body, fetchedAt }) => {
		const vendors = vendorsOf(context, body);
		if (vendors.length > 0) {
			return vendors.map((vendor) => ({ change: 'added', ...vendor, fetchedAt }));
		}
		throw new NodeOperationError(context.getNode(), 'The service lists no vendors at present', {
			description: 'There is nothing to show as an example. Run the node again when there is.',
		});
	},
	notHappened: 'a vendor was added',
	compare: ({ body, fetchedAt }, recall) => {
		const { happened, known } = vendorsChanged(recall(isVendors), vendorsOf(context, body));
		return { happened: happened.map((change) => ({ ...change, fetchedAt })), known };
	},
});

export const events = {
	rateChanged: watchChange,
	rateCrossed: watchCrossing,
	vendorsChanged: watchVendors,
} satisfies Record<string, MakeWatch>;

const listOf = (context: IPollFunctions, body: unknown): RateList =>
	expectOk(context.getNode(), ratesIn(body));

const vendorsOf = (context: IPollFunctions, body: unknown): Vendor[] =>
	expectOk(context.getNode(), notTooMany(vendorsIn(body)))
		.filter(isVendor)
		.map(asVendor);

/** All of them are remembered and compared, each with the others. */
const mostVendors = 5000;

const notTooMany = (list: Read<IDataObject[]>): Read<IDataObject[]> =>
	list.ok && list.value.length > mostVendors
		? refuse(
				`The service sent ${list.value.length} vendors, which are more than this trigger can compare`,
				`It compares ${mostVendors}. Ask the service.`,
			)
		: list;

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
