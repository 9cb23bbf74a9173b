import type { IDataObject } from 'n8n-workflow';

import { asText } from './values';
import { ok, refuse, type Read, type Refusal } from './refusal';
import { describeBody, isObject } from './reply';
import { saidNo, serviceSays } from './replyWords';
import { whatFailed } from './saysNo';

export const vendorFields = ['vendorName', 'vendorNumber', 'vendorBank'] as const;

export type Vendor = Record<(typeof vendorFields)[number], string>;

/** The elements of VendorList as the service sent them. An answer that says no is no list, however empty it is. */
export function vendorsIn(body: unknown): Read<IDataObject[]> {
	const no = isObject(body) && whatFailed(body);
	if (no) return saidNo('vendor list', no, body);
	const list = isObject(body) ? body.VendorList : undefined;
	if (!Array.isArray(list)) return noList(body);
	if (!list.every(isObject) || (list.length > 0 && !list.some(isVendor))) {
		return refuse(
			'The service sent a vendor list with entries that are not vendors',
			'Ask the service. Pay into no account until its list is back.',
		);
	}
	return ok(list);
}

/** It has at least one of the three values. */
export const isVendor = (entry: IDataObject) =>
	vendorFields.some((field) => asText(entry[field]).trim() !== '');

/** How test-vendors and list_vendors answer is not shown, docs/interface.md (7, 8): the live shape is taken apart, any other JSON is passed on as it is. */
export function vendorsOfAnyShape(body: unknown): Read<IDataObject[]> {
	const isOfOtherShape = isObject(body) && !('VendorList' in body) && !whatFailed(body);
	if (isOfOtherShape) return ok([body]);
	if (Array.isArray(body) && body.every(isObject)) return ok(body);
	return vendorsIn(body);
}

/** What is made of the lists that a vendor can be chosen from. */
export const vendorsBySource = { live: vendorsIn, test: vendorsOfAnyShape };

/** The vendors that a buy can be paid to, as they are listed: those with all three values. */
export function payableVendors(
	source: keyof typeof vendorsBySource,
	body: unknown,
): Read<Vendor[]> {
	const list = vendorsBySource[source](body);
	if (!list.ok) return list;
	if (list.value.length > 0 && !list.value.some(isVendor)) {
		return refuse(
			`No vendors could be read from the list of ${source} vendors`,
			"The service answered in a shape that this node does not know. Set 'Vendor Source' to Enter by Hand, and fill in the name, the bank and the number that were paid",
		);
	}
	const isComplete = (vendor: Vendor) => vendorFields.every((field) => vendor[field].trim() !== '');
	return ok(list.value.map(asVendor).filter(isComplete));
}

export const asVendor = ({ vendorName, vendorNumber, vendorBank }: IDataObject): Vendor => ({
	vendorName: asText(vendorName),
	vendorNumber: asText(vendorNumber),
	vendorBank: asText(vendorBank),
});

const noList = (body: unknown): Refusal =>
	refuse(
		'The service sent no vendor list',
		`It answered with ${describeBody(body)}. Open the credential and check the 'Base URL'.${serviceSays(body)}`,
	);
