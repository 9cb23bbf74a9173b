import {
	UserError,
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
} from 'n8n-workflow';

import { readAddress, requestTarget } from './addresses';
import { readKey } from './key';

/** Attaches the key to requests to the two configured addresses, and to no others. */
export async function signRequest(
	credentials: ICredentialDataDecryptedObject,
	requestOptions: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const base = readAddress(credentials.baseUrl, 'baseUrl');
	if (!base.ok) throw new UserError(base.message, { description: base.description });

	const key = readKey(credentials);
	if (!key.ok) throw new UserError(key.message, { description: key.description });

	const otc = readAddress(credentials.otcBaseUrl, 'otcBaseUrl');
	const target = requestTarget(requestOptions);
	const origin = URL.canParse(target) ? new URL(target).origin : undefined;
	if (origin !== base.value.origin && !(otc.ok && origin === otc.value.origin)) {
		throw new UserError('This credential signs requests to its own two addresses only', {
			description:
				"Use the credential's 'Base URL' or 'OTC Base URL' as the address of the request, or open the credential and correct them.",
		});
	}

	return {
		...requestOptions,
		...neverFollowRedirects,
		headers: { ...requestOptions.headers, [key.value.headerName]: key.value.secretKey },
	} as IHttpRequestOptions;
}

/** By the name that n8n's nodes use, and by the two that its HTTP Request node uses. */
const neverFollowRedirects = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};
