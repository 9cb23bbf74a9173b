import { randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { TransactionOperation } from '../../../client/endpoints';
import { fingerprint } from './memory/fingerprint';

/** Whether this node has made it. Nobody else writes forty such characters. */
export const isMade = (reference = '') => /^n8n-[0-9a-f]{40}$/.test(reference);

/**
 * Makes references for items that bring none: of all that tells one transaction from another, and of the first
 * execution in a chain of retries, which the node's context carries along. So a retry makes the same ones again,
 * however often and by however many it is pressed. Whether the service asks for one is not clear: docs/interface.md (2).
 */
export function referenceMaker(
	context: IExecuteFunctions,
	operation: TransactionOperation,
	isTool: boolean,
): (itemIndex: number, valuesFingerprint: string) => string {
	const kept = context.getContext('node') as { firstExecution?: string };
	kept.firstExecution ??= context.getExecutionId() || randomUUID();
	const place = [context.getWorkflow().id, context.getNode().id, kept.firstExecution, operation];
	const runIndex = context.getWorkflowDataProxy(0).$runIndex as number;
	return (itemIndex, valuesFingerprint) => {
		// An assistant that is not content with an answer calls again in other words: that is not another transaction.
		const which = isTool ? ['tool'] : [runIndex, itemIndex, valuesFingerprint];
		return `n8n-${fingerprint([...place, ...which])}`;
	};
}
