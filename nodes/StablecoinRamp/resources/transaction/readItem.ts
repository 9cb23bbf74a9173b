import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { refuse, type Refusal } from '../../checks/verdict';
import type { TransactionOperation } from '../../service';

/** The parameters of one item as a person or an expression gave them: anything is possible. */
export type RawItem = Record<string, unknown>;

/** The parameters by the names that the person sees. */
export const labels = {
	accountName: 'Account Name',
	accountNumber: 'Account Number',
	amount: 'Amount',
	bankName: 'Bank Name',
	businessId: 'Business ID',
	linkTag: 'Link Tag',
	network: 'Network',
	options: 'Options',
	reference: 'Reference',
	simplify: 'Simplify',
	type: 'Type',
	vendor: 'Vendor',
	vendorBank: 'Vendor Bank',
	vendorName: 'Vendor Name',
	vendorNumber: 'Vendor Number',
	vendorSource: 'Vendor Source',
	walletAddress: 'Wallet Address',
};

export type Parameter = keyof typeof labels;

const inBoth: Parameter[] = [
	'amount',
	'bankName',
	'accountNumber',
	'accountName',
	'network',
	'walletAddress',
	'businessId',
	'linkTag',
	'reference',
	'options',
];

const inOne: Record<TransactionOperation, Parameter[]> = {
	buy: ['vendorSource', 'simplify'],
	sell: ['type'],
};

const vendorParameters = (source: unknown): Parameter[] =>
	source === 'manual' ? ['vendorName', 'vendorBank', 'vendorNumber'] : ['vendor'];

export function readItem(
	context: IExecuteFunctions,
	operation: TransactionOperation,
	itemIndex: number,
): { ok: true; raw: RawItem } | Refusal {
	const raw: RawItem = {};
	const names = [...inBoth, ...inOne[operation]];
	for (const name of names) {
		try {
			raw[name] = context.getNodeParameter(name, itemIndex, '', {
				extractValue: name === 'vendor',
			});
		} catch (thrown) {
			return notEvaluated(labels[name], thrown);
		}
		if (name === 'vendorSource') names.push(...vendorParameters(raw.vendorSource));
	}
	return { ok: true, raw };
}

const collections = { options: labels.options, requestOptions: 'Request Options' };

/** What is set once for all items, as the first of them has it. */
export function readCollection(
	context: IExecuteFunctions,
	name: keyof typeof collections,
): { ok: true; values: IDataObject } | Refusal {
	try {
		const values: unknown = context.getNodeParameter(name, 0, {});
		return { ok: true, values: (typeof values === 'object' && (values as IDataObject)) || {} };
	} catch (thrown) {
		return notEvaluated(collections[name], thrown);
	}
}

const notEvaluated = (label: string, thrown: unknown): Refusal =>
	refuse(
		`The expression in ${label} could not be evaluated`,
		`Correct the expression in ${label}. n8n says: ${(thrown as Error).message}`,
	);
