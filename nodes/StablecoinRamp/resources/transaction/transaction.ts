import type { IDataObject, INodeProperties } from 'n8n-workflow';

/** An operation that moves money: what a person fills in, and what the service asks for. */
export interface Transaction {
	name: string;
	action: string;
	description: string;
	/** Sent with every one. */
	alwaysSent?: IDataObject;
	/** The smallest amount, where there is one. */
	minimum?: number;
	/** Where the service does not say which fields are required, only strict checks ask for them. */
	requiresAll: boolean;
	/** Where the answer is not documented, any object will do. */
	answersWithTransaction: boolean;
	/** Each has the name that the service has for it in its routing. */
	fields: INodeProperties[];
}
