import type { IExecuteFunctions } from 'n8n-workflow';

import { endpoints } from '../../../client/endpoints';
import { readBody } from '../../../client/readBody';
import type { RequestOptions } from '../../../client/sendRequest';
import { lastFour } from '../checks/account';
import { asText } from '../../../client/values';
import { ok, quote, refuse, type Read, type Words } from '../../../client/refusal';
import { payableVendors, type Vendor, type vendorsBySource } from '../../../client/vendors';

type Source = keyof typeof vendorsBySource;

/**
 * Finds the vendor that an item was paid to in the list as it is now, which is read once for a whole run.
 * An account may have been taken off the list since it was picked, and money paid there may be hard to get back. Whether
 * the service looks at the list is not shown: docs/interface.md (6).
 */
export function vendorFinder(context: IExecuteFunctions, requestOptions: RequestOptions) {
	const lists = new Map<Source, Promise<Read<Vendor[]>>>();
	return async (source: unknown, number: unknown): Promise<Read<Vendor> | undefined> => {
		if (source === 'manual') return undefined;
		if (source !== 'live' && source !== 'test') {
			return refuse(
				`'Vendor Source' is ${quote(source)}, which is none of live, test, manual`,
				"Choose one of the entries in 'Vendor Source'",
			);
		}
		const wanted = asText(number).trim();
		if (wanted === '') {
			return refuse("'Vendor' is empty", "Choose the vendor that was paid in 'Vendor'");
		}
		const list = lists.get(source) ?? readList(context, source, requestOptions);
		lists.set(source, list);
		const listed = await list;
		return listed.ok ? findIn(listed.value, wanted, source) : listed;
	};
}

async function readList(
	context: IExecuteFunctions,
	source: Source,
	requestOptions: RequestOptions,
): Promise<Read<Vendor[]>> {
	try {
		const { body } = await readBody(context, endpoints.vendor[source], requestOptions);
		return payableVendors(source, body);
	} catch (thrown) {
		const { message, description } = thrown as Partial<Words>;
		return refuse(`The vendor list could not be read. ${message}`, description ?? '');
	}
}

function findIn(vendors: Vendor[], wanted: string, source: Source): Read<Vendor> {
	const [vendor, another] = vendors.filter(({ vendorNumber }) => vendorNumber.trim() === wanted);
	if (!vendor) {
		return refuse(
			`Vendor ${lastFour(wanted)} is not on the list of ${source} vendors`,
			"Pay no money into that account. Already paid? Then set 'Vendor Source' to Enter by Hand, fill in the name, the bank and the number that were really paid, and ask the service about that account",
		);
	}
	if (another) {
		return refuse(
			`Vendor ${lastFour(wanted)} is on the list more than once`,
			"Set 'Vendor Source' to Enter by Hand and fill in the name, the bank and the number that were paid",
		);
	}
	return ok(vendor);
}
