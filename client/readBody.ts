import type { IAllExecuteFunctions, ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { Endpoint } from './endpoints';
import { hiddenKey, hideKey } from './masking';
import { apiError } from './n8nErrors';
import { isAnswer, isSuccess } from './reply';
import { wordsFor } from './replyWords';
import { credentialType, endingIn, sendRequest, type RequestOptions } from './sendRequest';

/** How long a read waits where nobody has set a Timeout, in milliseconds. */
export const usualTimeout = 30_000;

export interface Fetched {
	body: unknown;
	/** When the answer came. */
	fetchedAt: string;
}

/**
 * Reads an endpoint and gives the body of its answer. Anything but a success is thrown in words. They mention Request
 * Options only where the caller has passed some: a trigger has none.
 */
export async function readBody(
	context: IAllExecuteFunctions,
	endpoint: Endpoint,
	extras?: RequestOptions,
): Promise<Fetched> {
	const { timeout = usualTimeout } = extras ?? {};
	const credentials = await context.getCredentials<ICredentialDataDecryptedObject>(credentialType);
	const cancelled = 'getExecutionCancelSignal' in context && context.getExecutionCancelSignal();
	const inTime = endingIn(timeout, context, cancelled || undefined);
	const reply = await sendRequest(inTime, credentials, endpoint, { ...extras, timeout });
	const fetchedAt = new Date().toISOString();
	if (isSuccess(reply)) return { body: hideKey(reply.body, credentials.secretKey), fetchedAt };

	const words = wordsFor(reply, hiddenKey(credentials.secretKey), extras !== undefined);
	throw apiError(context.getNode(), words, {
		httpCode: isAnswer(reply) ? String(reply.statusCode) : undefined,
	});
}
