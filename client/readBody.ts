import type { IAllExecuteFunctions, ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { Endpoint } from './endpoints';
import { hiddenKey, hideKey } from './masking';
import { apiError } from './n8nErrors';
import { isAnswer, isSuccess } from './reply';
import { wordsFor } from './replyWords';
import { credentialType, sendRequest, type RequestOptions } from './sendRequest';

const thirtySeconds = 30_000;

/**
 * Reads an endpoint and gives the body of its answer. Anything but a success is thrown in words. They mention Request
 * Options only where the caller has passed some: a trigger has none.
 */
export async function readBody(
	context: IAllExecuteFunctions,
	endpoint: Endpoint,
	extras?: RequestOptions,
): Promise<unknown> {
	const credentials = await context.getCredentials<ICredentialDataDecryptedObject>(credentialType);
	const reply = await sendRequest(context, credentials, endpoint, {
		timeout: thirtySeconds,
		...extras,
	});
	if (isSuccess(reply)) return hideKey(reply.body, credentials.secretKey);

	const words = wordsFor(reply, hiddenKey(credentials.secretKey), extras !== undefined);
	throw apiError(context.getNode(), words, {
		httpCode: isAnswer(reply) ? String(reply.statusCode) : undefined,
	});
}
