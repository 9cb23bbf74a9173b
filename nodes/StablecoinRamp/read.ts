import type { IAllExecuteFunctions, ICredentialDataDecryptedObject } from 'n8n-workflow';

import { ask, credentialType, type RequestExtras } from './ask';
import { apiError, hideKey, isSuccess, wordsFor } from './replies';
import type { Endpoint } from './service';

const thirtySeconds = 30_000;

/** Reads an endpoint and gives the body of its answer; anything but a success is thrown in words. */
export async function read(
	context: IAllExecuteFunctions,
	endpoint: Endpoint,
	extras: RequestExtras = {},
): Promise<unknown> {
	const credentials = await context.getCredentials<ICredentialDataDecryptedObject>(credentialType);
	const reply = await ask(context, credentials, endpoint, { timeout: thirtySeconds, ...extras });
	if (isSuccess(reply)) return hideKey(reply.body, credentials.secretKey);

	throw apiError(context.getNode(), wordsFor(reply, { [String(credentials.secretKey)]: '***' }), {
		httpCode: 'statusCode' in reply ? String(reply.statusCode) : undefined,
	});
}
