import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { placeholderHost, type Endpoint } from './endpoints';
import { expectOk } from './n8nErrors';
import { parseBody, readRetryAfter, type Reply } from './reply';
import { readAddress } from './addresses';
import { readKey } from './key';

export const credentialType = 'stablecoinRampApi';

/** Of every request, beside the key. */
export const commonHeaders = { accept: 'application/json', 'content-type': 'application/json' };

/** What n8n's Request Options and the caller add to a request. */
export type RequestOptions = Pick<
	IHttpRequestOptions,
	'body' | 'timeout' | 'proxy' | 'skipSslCertificateValidation' | 'allowedDomains'
>;

/** Sends one request, once, and says what came back: an answer of whatever status, or why there was none. */
export async function sendRequest(
	context: IAllExecuteFunctions,
	credentials: ICredentialDataDecryptedObject,
	endpoint: Endpoint,
	extras: RequestOptions,
): Promise<Reply> {
	const node = context.getNode();
	const { url } = expectOk(node, readAddress(credentials[endpoint.address], endpoint.address));
	expectOk(node, readKey(credentials));

	const request: IHttpRequestOptions = {
		...extras,
		allowedDomains: extras.allowedDomains?.replace(
			placeholderHost[endpoint.address],
			new URL(url).hostname,
		),
		method: endpoint.method,
		baseURL: url,
		url: endpoint.path,
		json: true,
		// As text, because n8n would round the long numbers in it.
		encoding: 'text',
		headers: commonHeaders,
		returnFullResponse: true,
		// Left to itself n8n sends a 401 a second time and follows a redirect with the key still attached.
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
	try {
		const response = (await context.helpers.httpRequestWithAuthentication.call(
			context,
			credentialType,
			request,
			// Handed over, so that n8n does not decrypt the credential again for every request.
			{ credentialsDecrypted: { id: '', name: '', type: credentialType, data: credentials } },
		)) as IN8nHttpFullResponse;
		const { statusCode, body, headers } = response;
		const retryAfter = readRetryAfter(headers?.['retry-after']);
		return { statusCode, body: parseBody(body), ...(retryAfter !== undefined && { retryAfter }) };
	} catch (thrown) {
		return noAnswer(thrown);
	}
}

/**
 * The context with another signal for n8n's request helper: Timeout alone does not end a request whose answer comes a
 * letter at a time.
 */
export const endingIn = <Context extends object>(
	milliseconds: number,
	context: Context,
	cancelled?: AbortSignal,
): Context => {
	const signals = [AbortSignal.timeout(milliseconds), ...(cancelled ? [cancelled] : [])];
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => AbortSignal.any(signals) },
	}) as Context;
};

/** Walks from an exception of n8n's request helper to the code that Node or axios gave it, and to what it was doing. */
export function noAnswer(thrown: unknown): Reply {
	const found: { code?: string; syscall?: string } = {};
	const causes: string[] = [];
	for (let cause = thrown, depth = 0; cause && depth < 5; depth++) {
		const { code, syscall, name, message, cause: next } = cause as Record<string, unknown>;
		if (typeof code === 'string') found.code ??= code;
		if (typeof syscall === 'string') found.syscall ??= syscall;
		causes.push(`${name}: ${message}`);
		cause = next;
	}
	return { ...found, causes, detail: (thrown as Error).message };
}
