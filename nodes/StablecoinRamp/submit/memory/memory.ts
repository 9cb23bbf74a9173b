import type { IExecuteFunctions } from 'n8n-workflow';

import { ok, refuse, type Read } from '../../../../client/refusal';
import { openClaims, type Claims } from './claims';
import { openRegister, type Register } from './register';
import { areKeptApart, rowsInDatabase, rowsInExecution } from './rows';

/** What is remembered of transactions beyond this run. */
export interface Memory {
	claims: Claims;
	/** Where a person has named one. */
	register?: Register;
}

/** n8n's database has a place only for what belongs to a workflow with an id. */
export const isSaved = (context: IExecuteFunctions) => Boolean(context.getWorkflow().id);

/** Opens the database, or this execution alone for a workflow that was never saved, and asks whether it works. */
export async function openMemory(
	context: IExecuteFunctions,
	asked: { registerName: string; operation: string; service: string; beganAt: number },
): Promise<Read<Memory>> {
	const rows = isSaved(context)
		? rowsInDatabase(context)
		: rowsInExecution(context.getContext('flow'));
	try {
		if (!(await areKeptApart(rows))) return notKeptApart;
	} catch (thrown) {
		// The node of this context cannot take a row's name.
		if ((thrown as Error).name === 'TypeError') return notKeptApart;
		return refuse(
			"n8n's database could not record what is submitted, so this was not sent",
			`Submit it again when the database answers. n8n says: ${(thrown as Error).message}`,
		);
	}
	const { registerName, operation, service, beganAt } = asked;
	const claims = openClaims(rows, beganAt);
	if (!registerName) return ok({ claims });
	const opened = await openRegister(context, registerName, operation, service);
	return opened.ok ? ok({ claims, register: opened.value }) : opened;
}

const notKeptApart = refuse(
	'This n8n keeps records in a way that this version of the node does not know, so this was not sent',
	'Update the node, or go back to the n8n that you had',
);
