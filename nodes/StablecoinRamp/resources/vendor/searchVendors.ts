import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { endpoints } from '../../service/endpoints';
import { apiError } from '../../service/n8nErrors';
import { readBody } from '../../service/readBody';
import { completeVendors, vendorsBySource } from './vendors';

/** Fills the vendor picker of a buy, from the list that Vendor Source names. */
export async function searchVendors(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const source = this.getCurrentNodeParameter('vendorSource') === 'test' ? 'test' : 'live';
	const vendors = vendorsBySource[source](await readBody(this, endpoints.vendor[source]));
	if (!vendors.ok) throw apiError(this.getNode(), vendors);

	const wanted = filter.trim().toLowerCase();
	const results = completeVendors(vendors.list)
		.map(({ vendorName, vendorBank, vendorNumber }) => ({
			name: `${vendorName} · ${vendorBank} · ${vendorNumber}`,
			value: vendorNumber,
		}))
		.filter(({ name }) => name.toLowerCase().includes(wanted));
	return { results };
}
