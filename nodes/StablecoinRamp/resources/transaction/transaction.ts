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
	/** Whether the service says which fields are required. Where it does not, only strict checks ask for them: docs/interface.md (9). */
	requiresAll: boolean;
	/** Whether an answer has to have a transaction in it. Where none is shown, any object will do: docs/interface.md (10). */
	answersWithTransaction: boolean;
	/** What is sent has the service's name for it in its routing. */
	fields: INodeProperties[];
}
