import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import {
	declaredRequest,
	endpoints,
	type TransactionOperation,
} from '../../../../client/endpoints';
import { buy } from './buy';
import { sell } from './sell';
import type { Transaction } from './transaction';

export const transactions: Record<TransactionOperation, Transaction> = { buy, sell };

export const transactionOperations = Object.keys(transactions) as TransactionOperation[];

const asOption = (operation: TransactionOperation) => {
	const { name, action, description } = transactions[operation];
	const routing = { request: declaredRequest(endpoints.transaction[operation]) };
	return { name, value: operation, action, description, routing };
};

const fieldsOf = (operation: TransactionOperation) =>
	updateDisplayOptions(
		{ show: { resource: ['transaction'], operation: [operation] } },
		transactions[operation].fields,
	);

export const transactionDescription: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['transaction'] } },
		options: transactionOperations.map(asOption),
		default: 'buy',
	},
	...transactionOperations.flatMap(fieldsOf),
];

const withOptions = (operation: TransactionOperation) =>
	transactions[operation].fields.flatMap((field) =>
		field.type === 'collection' ? [field, ...(field.options as INodeProperties[])] : [field],
	);

const everyField = transactionOperations.flatMap(withOptions);

const named = (name: string, fields: INodeProperties[]) =>
	fields.find((field) => field.name === name);

/** A parameter or an option by the name that the person sees, in quotes. */
export const label = (name: string): string => `'${named(name, everyField)?.displayName ?? name}'`;

/** A parameter or an option by the name that the service has for it in this operation. */
export const sentName = (operation: TransactionOperation, name: string): string =>
	String(named(name, withOptions(operation))?.routing?.send?.property ?? name);
