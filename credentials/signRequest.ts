import {
	UserError,
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
} from 'n8n-workflow';

import { readAddress, requestTarget } from './addresses';

/** Attaches the key to requests to the two configured addresses, and to no others. */
export async function signRequest(
	credentials: ICredentialDataDecryptedObject,
	requestOptions: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const base = readAddress(credentials.baseUrl, 'baseUrl');
	if (!base.ok) throw new UserError(base.message, { description: base.description });

	const otc = readAddress(credentials.otcBaseUrl, 'otcBaseUrl');
	const target = requestTarget(requestOptions);
	const origin = URL.canParse(target) ? new URL(target).origin : undefined;
	if (origin !== base.origin && !(otc.ok && origin === otc.origin)) {
		throw new UserError('This credential signs requests to its own two addresses only', {
			description:
				"Use the credential's Base URL or OTC Base URL as the address of the request, or open the credential and correct them.",
		});
	}

	const headerName = String(credentials.headerName ?? '').trim() || 'svc-sec-key';
	// The second name is what n8n's HTTP Request node reads.
	const neverFollowRedirects = { disableFollowRedirect: true, followRedirect: false };
	return {
		...requestOptions,
		...neverFollowRedirects,
		headers: {
			...requestOptions.headers,
			[headerName]: String(credentials.secretKey ?? '').trim(),
		},
	} as IHttpRequestOptions;
}
