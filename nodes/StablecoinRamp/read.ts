import type { IAllExecuteFunctions, ICredentialDataDecryptedObject } from 'n8n-workflow';

import { ask, credentialType, type RequestExtras } from './ask';
import { apiError, hiddenKey, hideKey, isAnswer, isSuccess, wordsFor } from './replies';
import type { Endpoint } from './service';

const thirtySeconds = 30_000;

/**
 * Reads an endpoint and gives the body of its answer; anything but a success is thrown in words. The extras come from
 * Request Options: without them, the words do not send anybody there.
 */
export async function read(
	context: IAllExecuteFunctions,
	endpoint: Endpoint,
	extras?: RequestExtras,
): Promise<unknown> {
	const credentials = await context.getCredentials<ICredentialDataDecryptedObject>(credentialType);
	const reply = await ask(context, credentials, endpoint, { timeout: thirtySeconds, ...extras });
	if (isSuccess(reply)) return hideKey(reply.body, credentials.secretKey);

	const words = wordsFor(reply, hiddenKey(credentials.secretKey), extras !== undefined);
	throw apiError(context.getNode(), words, {
		httpCode: isAnswer(reply) ? String(reply.statusCode) : undefined,
	});
}
