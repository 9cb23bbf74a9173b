import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { endpoints } from '../../../client/endpoints';
import { expectOk } from '../../../client/n8nErrors';
import { readBody } from '../../../client/readBody';
import { payableVendors } from '../../../client/vendors';

/** Fills the vendor picker of a buy, from the list that Vendor Source names. */
export async function searchVendors(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const source = this.getCurrentNodeParameter('vendorSource') === 'test' ? 'test' : 'live';
	const { body } = await readBody(this, endpoints.vendor[source]);
	const vendors = expectOk(this.getNode(), payableVendors(source, body));

	const wanted = filter.trim().toLowerCase();
	const results = vendors
		.map(({ vendorName, vendorBank, vendorNumber }) => ({
			name: [vendorName, vendorBank, vendorNumber].map((value) => value.trim()).join(' · '),
			value: vendorNumber.trim(),
		}))
		.filter(({ name }) => name.toLowerCase().includes(wanted));
	return { results };
}
