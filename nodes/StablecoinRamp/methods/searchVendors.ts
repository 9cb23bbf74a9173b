import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { endpoints } from '../../../client/endpoints';
import { expectOk } from '../../../client/n8nErrors';
import { readBody } from '../../../client/readBody';
import { completeVendors, vendorsBySource } from '../../../client/vendors';

/** Fills the vendor picker of a buy, from the list that Vendor Source names. */
export async function searchVendors(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const source = this.getCurrentNodeParameter('vendorSource') === 'test' ? 'test' : 'live';
	const { body } = await readBody(this, endpoints.vendor[source]);
	const list = expectOk(this.getNode(), vendorsBySource[source](body));

	const wanted = filter.trim().toLowerCase();
	const results = completeVendors(list)
		.map(({ vendorName, vendorBank, vendorNumber }) => ({
			name: `${vendorName} · ${vendorBank} · ${vendorNumber}`,
			value: vendorNumber,
		}))
		.filter(({ name }) => name.toLowerCase().includes(wanted));
	return { results };
}
