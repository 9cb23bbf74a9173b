import type { ICredentialDataDecryptedObject, IExecuteFunctions, INode } from 'n8n-workflow';

import { asNumber } from '../checks/values';
import { type RequestOptions, credentialType } from '../service/sendRequest';
import { readAddress } from '../../../credentials/addresses';
import { readKey } from '../../../credentials/key';
import { quote, refuse, type Refusal } from '../checks/verdict';
import { readCollection } from './readItem';
import { requestOptions } from './requestOptions';

/** What holds for a whole run: whom to reach, and how. */
export interface Service {
	credentials: ICredentialDataDecryptedObject;
	baseUrl: string;
	extras: RequestOptions;
	parallelRequests: number;
	/** Set in the Request Options, where it has no say over buys and sells. */
	batching: boolean;
	/** Used as a tool by an assistant that nobody has allowed to submit. */
	dryRunOnly: boolean;
}

const mostParallelRequests = 50;

export async function readSettings(
	context: IExecuteFunctions,
): Promise<{ ok: true; service: Service } | Refusal> {
	let credentials;
	try {
		credentials = await context.getCredentials<ICredentialDataDecryptedObject>(credentialType);
	} catch (thrown) {
		return refuse((thrown as Error).message, 'Choose a working credential in the node');
	}
	const address = readAddress(credentials.baseUrl, 'baseUrl');
	if (!address.ok) return address;
	const key = readKey(credentials);
	if (!key.ok) return key;
	const request = requestOptions(context);
	if (!request.ok) return request;

	const options = readCollection(context, 'options');
	if (!options.ok) return options;
	const { parallelRequests = 1 } = options.values;
	const parallel = asNumber(parallelRequests);
	if (!Number.isInteger(parallel) || parallel < 1 || parallel > mostParallelRequests) {
		return refuse(
			`Parallel Requests is ${quote(parallelRequests)}`,
			`Set Parallel Requests in Options to a whole number from 1 to ${mostParallelRequests}`,
		);
	}
	const node = context.getNode();
	return {
		ok: true,
		service: {
			credentials,
			baseUrl: address.url,
			extras: request.extras,
			parallelRequests: parallel,
			batching: request.batching,
			// The stored value, not an evaluated one: the assistant must not be able to fill it in.
			dryRunOnly: isTool(node) && node.parameters.allowSubmitting !== true,
		},
	};
}

/** n8n appends this to the type of a node that an assistant uses. */
export const isTool = ({ type }: INode) => type.endsWith('Tool');
