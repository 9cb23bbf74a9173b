import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { TransactionOperation } from '../../../client/endpoints';
import { ok, quote, refuse, type Read, type Refusal } from '../../../client/refusal';
import { isObject } from '../../../client/reply';
import { vendorFields, vendorsBySource } from '../../../client/vendors';
import { label, transactions } from '../resources/transaction';

/** What nobody has to fill in: an expression that comes out empty would change what happens, and nobody would notice. */
const isOptional = ({ name, routing, required }: INodeProperties) =>
	name === 'options' || (routing !== undefined && !required);

/**
 * Reads the parameters of a run item by item, those inside of a collection by their path. To evaluate an expression
 * costs n8n more than to send a request, so a parameter without one is read once for the run, and one that merely names
 * a field is read from the item.
 */
function parameterReader(context: IExecuteFunctions) {
	const { parameters } = context.getNode();
	const items = context.getInputData();
	const fixed = new Map<string, unknown>();

	const evaluate = (path: string, itemIndex: number): unknown =>
		context.getNodeParameter(path, itemIndex, '', { extractValue: path === 'vendor' });

	return (path: string, itemIndex: number): unknown => {
		const stored = storedAt(parameters, path);
		const field = fieldNamedBy(stored);
		const { json } = items[itemIndex]!;
		if (field !== undefined && Object.hasOwn(json, field) && !isBuiltIn(field)) {
			return json[field];
		}
		if (hasExpression(stored)) return evaluate(path, itemIndex);
		if (!fixed.has(path)) fixed.set(path, evaluate(path, itemIndex));
		return fixed.get(path);
	};
}

const storedAt = (parameters: IDataObject, path: string): unknown =>
	path
		.split('.')
		.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), parameters);

/** What could be read of an item, and why it is refused, if that is not all of it. */
interface ReadItem {
	raw: Record<string, unknown>;
	refusal?: Refusal;
	/** What could not be read, or came out of an expression empty. */
	unread: Set<string>;
}

export function itemReader(context: IExecuteFunctions, operation: TransactionOperation) {
	const { parameters } = context.getNode();
	const read = parameterReader(context);
	const shown = transactions[operation].fields.filter(({ name }) => isShown(name, parameters));

	return (itemIndex: number): ReadItem => {
		const raw: Record<string, unknown> = {};
		let notRead: Refusal | undefined;
		for (const { name } of shown) {
			try {
				raw[name] = read(name, itemIndex);
			} catch (thrown) {
				notRead ??= notEvaluated(label(name), thrown);
			}
		}
		const lacking = lackingIn(context, parameters.reference, itemIndex);
		if (lacking) delete raw.reference;
		const [emptyOne] = shown
			.filter(isOptional)
			.flatMap(({ name }) => cameOutEmpty(name, parameters[name], raw[name]));
		const unread = shown.filter(
			({ name }) => !(name in raw) || (isEmpty(raw[name]) && hasExpression(parameters[name])),
		);
		const names = unread.map(({ name }) => name);
		return { raw, refusal: notRead ?? lacking ?? emptyOne, unread: new Set(names) };
	};
}

/**
 * Of the vendor's fields those that belong to Vendor Source, which cannot be an expression. To a source that n8n does not
 * offer none belongs.
 */
function isShown(name: string, { vendorSource }: IDataObject): boolean {
	const isListed = Object.hasOwn(vendorsBySource, String(vendorSource));
	const hidden: readonly string[] = [
		'allowSubmitting',
		...(isListed ? [] : ['vendor']),
		...(vendorSource === 'manual' ? [] : vendorFields),
	];
	return !hidden.includes(name);
}

function cameOutEmpty(name: string, stored: unknown, value: unknown): Refusal[] {
	if (typeof stored === 'object' && stored !== null) {
		return Object.entries(stored).flatMap(([inner, one]) =>
			cameOutEmpty(inner, one, (value as Record<string, unknown> | undefined)?.[inner]),
		);
	}
	return isEmpty(value) && hasExpression(stored) ? [emptied(label(name), stored)] : [];
}

/**
 * Without its number, order-{{ $json.number }} is the same reference for every order. What is one expression as a whole
 * has come out empty, or has not.
 */
function lackingIn(
	context: IExecuteFunctions,
	stored: unknown,
	itemIndex: number,
): Refusal | undefined {
	if (typeof stored !== 'string' || !hasExpression(stored)) return undefined;
	const { json } = context.getInputData()[itemIndex]!;
	const comesOutEmpty = (part: string) => {
		const field = fieldNamedBy(`=${part}`);
		if (field !== undefined && !isBuiltIn(field)) return leavesNothing(json[field]);
		try {
			const value: unknown = context.evaluateExpression(part, itemIndex);
			return leavesNothing(value) || Number.isNaN(value);
		} catch {
			// It came out in the text as a whole.
			return false;
		}
	};
	// As n8n takes a text apart.
	const parts = stored.match(/\{\{[^]*?\}\}/g) ?? [];
	const isWhole = parts.length === 1 && stored.trim() === `=${parts[0]}`;
	const part = isWhole ? undefined : parts.find(comesOutEmpty);
	return part === undefined ? undefined : emptiedIn(label('reference'), part);
}

/** In a text n8n writes a list as its members. */
const leavesNothing = (value: unknown): boolean =>
	Array.isArray(value) ? value.every(leavesNothing) : isEmpty(value);

export const isEmpty = (value: unknown) =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

function emptied(where: string, stored: unknown): Refusal {
	const field = fieldNamedBy(stored);
	return refuse(
		`The expression in ${where} came out empty`,
		`${missing(field)}Correct the expression in ${where}, or write a fixed value there. ${inWebhook(field)}`,
	);
}

/** One of several in a text. */
function emptiedIn(where: string, part: string): Refusal {
	const field = fieldNamedBy(`=${part}`);
	return refuse(
		`The expression ${part} in ${where} came out empty`,
		`${missing(field)}Correct it, or take it out. ${inWebhook(field)}`,
	);
}

const missing = (field?: string) => (field ? `The item has no '${field}', or an empty one. ` : '');

/** Said to every item of the run, so it speaks of all of them. */
function emptiedForRun(where: string, stored: string): Refusal {
	const field = fieldNamedBy(stored);
	return refuse(
		`The expression in ${where} came out empty`,
		`It holds for the whole run: write a fixed value there, or ${field ? `give every item the same '${field}'` : 'let the expression give the same value for every item'}. ${inWebhook(field)}`,
	);
}

const inWebhook = (field = 'orderId') =>
	`What a webhook received is in $json.body, e.g. {{ $json.body.${field} }}`;

/** The field in an expression like {{ $json.amount }}, the form n8n writes when a field is dragged into a parameter. */
const fieldNamedBy = (stored: unknown): string | undefined =>
	typeof stored === 'string'
		? /^=\{\{\s*\$json\.([A-Za-z_]\w*)\s*\}\}$/.exec(stored)?.[1]
		: undefined;

/** Names such as `constructor`: n8n refuses most of them in an expression, so these are left to n8n. */
const isBuiltIn = (field: string) => field !== 'name' && field in Object;

const hasExpression = (stored: unknown): boolean =>
	typeof stored === 'object' && stored !== null
		? Object.values(stored).some(hasExpression)
		: typeof stored === 'string' && stored.startsWith('=');

const collections = { options: "'Options'", requestOptions: "'Request Options'" };

/** What is set once for all items: `refuseIfItDiffers` makes sure that the first of them has what all have. */
export function readCollection(
	context: IExecuteFunctions,
	name: keyof typeof collections,
): Read<IDataObject> {
	try {
		const values: unknown = context.getNodeParameter(name, 0, {});
		if (isObject(values)) return ok(values);
		if (isEmpty(values)) return ok({});
		return refuse(
			`${collections[name]} is ${quote(values)}, not a list of options`,
			`Choose the options in ${collections[name]}`,
		);
	} catch (thrown) {
		return notEvaluated(collections[name], thrown);
	}
}

/** A parameter that holds for the whole run, by its path, and the words by which a person knows it. */
interface RunWide {
	path: string;
	label: string;
}

const runWide: RunWide[] = [
	...['maximumTotal', 'parallelRequests', 'register'].map((name) => ({
		path: `options.${name}`,
		label: `${label(name)} in Options`,
	})),
	...Object.entries({
		timeout: 'Timeout',
		proxy: 'Proxy',
		allowUnauthorizedCerts: 'Ignore SSL Issues (Insecure)',
		'batching.batch.batchSize': 'Batch Size',
		'batching.batch.batchInterval': 'Batch Interval (ms)',
	}).map(([path, name]) => ({
		path: `requestOptions.${path}`,
		label: `'${name}' under Request Options in Settings`,
	})),
	// A whole collection that is one expression.
	...Object.entries(collections).map(([path, name]) => ({ path, label: name })),
];

/** What holds for a run is the same for every item, or the run is refused: why, by the first that differs. */
export function refuseIfItDiffers(context: IExecuteFunctions): Refusal | undefined {
	const { parameters } = context.getNode();
	const read = parameterReader(context);
	const { length } = context.getInputData();
	for (const { path, label: where } of runWide) {
		const stored = storedAt(parameters, path);
		if (typeof stored !== 'string' || !hasExpression(stored)) continue;
		let first: string | undefined;
		for (let itemIndex = 0; itemIndex < length; itemIndex++) {
			try {
				const value = read(path, itemIndex);
				if (isEmpty(value)) return { ...emptiedForRun(where, stored), itemIndex };
				first ??= JSON.stringify(value);
				if (JSON.stringify(value) === first) continue;
				return { ...notTheSame(where), itemIndex };
			} catch (thrown) {
				return { ...notEvaluated(where, thrown), itemIndex };
			}
		}
	}
	return undefined;
}

export const notTheSame = (where: string, instead = 'write a fixed value there'): Refusal =>
	refuse(
		`${where} is not the same as for the first item`,
		`It holds for the whole run: ${instead}, or run the node once for each value, e.g. behind Loop Over Items`,
	);

const notEvaluated = (where: string, thrown: unknown): Refusal =>
	refuse(
		`The expression in ${where} could not be evaluated`,
		`Correct the expression in ${where}. n8n says: ${(thrown as Error).message}`,
	);
