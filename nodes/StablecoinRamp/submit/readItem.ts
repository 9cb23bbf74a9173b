import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { TransactionOperation } from '../service/endpoints';
import { refuse, type Refusal } from '../checks/verdict';

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

/**
 * Reads the parameters of a run item by item. To evaluate an expression costs n8n more than to send a request, so a
 * parameter without one is read once for the run, and one that merely names a field is read from the item.
 */
export function itemReader(context: IExecuteFunctions, operation: TransactionOperation) {
	const { parameters } = context.getNode();
	const items = context.getInputData();
	const readOncePerRun = new Map<Parameter, unknown>();

	const evaluate = (name: Parameter, itemIndex: number): unknown =>
		context.getNodeParameter(name, itemIndex, '', { extractValue: name === 'vendor' });

	function read(name: Parameter, itemIndex: number): unknown {
		const stored = parameters[name];
		const field = fieldNamedBy(stored);
		if (field !== undefined) {
			const { json } = items[itemIndex]!;
			return Object.hasOwn(json, field) ? json[field] : undefined;
		}
		if (hasExpression(stored)) return evaluate(name, itemIndex);
		if (!readOncePerRun.has(name)) readOncePerRun.set(name, evaluate(name, itemIndex));
		return readOncePerRun.get(name);
	}

	return (itemIndex: number): { ok: true; raw: RawItem } | Refusal => {
		const raw: RawItem = {};
		const names = [...inBoth, ...inOne[operation]];
		for (const name of names) {
			try {
				raw[name] = read(name, itemIndex);
			} catch (thrown) {
				return notEvaluated(labels[name], thrown);
			}
			if (name === 'vendorSource') names.push(...vendorParameters(raw.vendorSource));
		}
		return { ok: true, raw };
	};
}

/** The field in an expression like {{ $json.amount }}, the form n8n writes when a field is dragged into a parameter. */
const fieldNamedBy = (stored: unknown): string | undefined =>
	typeof stored === 'string'
		? /^=\{\{\s*\$json\.([a-z_]\w*)\s*\}\}$/i.exec(stored)?.[1]
		: undefined;

const hasExpression = (stored: unknown): boolean =>
	typeof stored === 'object' && stored !== null
		? Object.values(stored).some(hasExpression)
		: typeof stored === 'string' && stored.startsWith('=');

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
