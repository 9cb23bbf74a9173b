import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { read } from '../../read';
import { apiError } from '../../replies';
import { endpoints } from '../../service';
import { completeVendors, testVendorsIn, vendorsIn } from './vendors';

/** Fills the vendor picker of a buy, from the list that Vendor Source names. */
export async function searchVendors(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const isTest = this.getCurrentNodeParameter('vendorSource') === 'test';
	const body = await read(this, endpoints.vendor[isTest ? 'test' : 'live']);
	const vendors = (isTest ? testVendorsIn : vendorsIn)(body);
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
