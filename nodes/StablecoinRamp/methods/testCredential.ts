import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { inOneLine, type Verdict } from '../../../client/refusal';
import { endpoints, type Endpoint } from '../../../client/endpoints';
import { hiddenKey, hideKey } from '../../../client/masking';
import { isAnswer, isSuccess, type Reply } from '../../../client/reply';
import { unpackable, wordsFor } from '../../../client/replyWords';
import { commonHeaders, noAnswer } from '../../../client/sendRequest';
import { addressLabels, readAddress } from '../../../client/addresses';
import { readKey } from '../../../client/key';
import { signRequest } from '../../../client/signRequest';
import { ratesIn } from '../../../client/rates';
import { vendorsIn } from '../../../client/vendors';

type Judge = (body: unknown) => Verdict;

const tenSeconds = 10_000;

/** Timeout alone does not end a request whose answer comes a letter at a time. */
const late = async () =>
	await new Promise<never>((_, reject) =>
		AbortSignal.timeout(tenSeconds).addEventListener('abort', () =>
			reject(Object.assign(new Error(), { code: 'ETIMEDOUT' })),
		),
	);

/**
 * Reads the vendors from one address and, if it is filled in, the rates from the other: neither moves money. It is a
 * function, because a test that is written down in the credential asks one address alone.
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const key = readKey(data);
	if (!key.ok) return { status: 'Error', message: inOneLine(key) };

	const probes: Array<[Endpoint, Judge]> = [[endpoints.vendor.live, vendorsIn]];
	if (String(data.otcBaseUrl ?? '').trim() !== '') probes.push([endpoints.rate.otc, ratesIn]);

	for (const [endpoint, judge] of probes) {
		const message = await probe(this, data, endpoint, judge);
		if (message) return { status: 'Error', message };
	}
	return { status: 'OK', message: 'The service accepts the key' };
}

async function probe(
	context: ICredentialTestFunctions,
	data: ICredentialDataDecryptedObject,
	{ address: name, method, path }: Endpoint,
	judge: Judge,
): Promise<string | undefined> {
	const label = addressLabels[name];
	const address = readAddress(data[name], name);
	if (!address.ok) return `${label}: ${inOneLine(address)}`;

	let reply: Reply;
	try {
		const url = `${address.value.url}${path}`;
		const signed = await signRequest(data, { method, url, headers: commonHeaders });
		// Nodes are to use `httpRequest`, which n8n does not give a credential test: the helpers in the context of one
		// (ICredentialTestFunctions of n8n-workflow) are `request` and two for SSH tunnels.
		const answer = context.helpers.request({
			...signed,
			uri: signed.url,
			json: true,
			simple: false,
			resolveWithFullResponse: true,
			timeout: tenSeconds,
		}) as Promise<Reply>;
		reply = await Promise.race([answer, late()]);
		// Where n8n's helper could not unpack the answer, it gives a success without a body, and leaves `request` out of it.
		if (isSuccess(reply) && reply.body === undefined && !('request' in reply)) {
			return `${label}: ${inOneLine(unpackable)}`;
		}
	} catch (thrown) {
		reply = noAnswer(thrown);
	}
	if (!isSuccess(reply)) {
		const words = inOneLine(wordsFor(reply, hiddenKey(data.secretKey), false));
		// The base address has accepted the key by then, so a 401 from the OTC address means a wrong address.
		const isWrongKey = isAnswer(reply) && reply.statusCode === 401 && name === 'baseUrl';
		return isWrongKey ? words : `${label}: ${words}`;
	}
	const judged = judge(hideKey(reply.body, data.secretKey));
	return judged.ok ? undefined : `${label}: ${inOneLine(judged)}`;
}
