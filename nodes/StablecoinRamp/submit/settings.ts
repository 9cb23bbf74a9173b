import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	INode,
} from 'n8n-workflow';

import { readAddress } from '../../../client/addresses';
import { readKey } from '../../../client/key';
import { asLimit, asNumber } from '../../../client/values';
import { ok, quote, refuse, type Read } from '../../../client/refusal';
import { isObject } from '../../../client/reply';
import { credentialType, type RequestOptions } from '../../../client/sendRequest';
import { notTheSame, readCollection, refuseIfItDiffers } from './readItem';
import { readRequestOptions } from './requestOptions';

/** What holds for a whole run. */
export interface Settings {
	credentials: ICredentialDataDecryptedObject;
	baseUrl: string;
	requestOptions: RequestOptions;
	parallelRequests: number;
	/** Infinity where there is none. */
	maximumTotal: number;
	/** Name of the data table that keeps a row for each transaction; none where it is empty. */
	registerName: string;
	/** Whether Batching is set in Request Options, which has no say over buys and sells. */
	batching: boolean;
	isTool: boolean;
	/** Why nothing may be sent, if so: by a tool that nobody has allowed to submit, or in an evaluation. */
	dryRunBecause?: string;
}

const mostParallelRequests = 50;

export async function readSettings(context: IExecuteFunctions): Promise<Read<Settings>> {
	const read = await readCredentials(context);
	if (!read.ok) return read;
	const credentials = read.value;
	const address = readAddress(credentials.baseUrl, 'baseUrl');
	if (!address.ok) return address;
	const key = readKey(credentials);
	if (!key.ok) return key;
	const refusal = refuseIfItDiffers(context);
	if (refusal) return refusal;
	const request = readRequestOptions(context);
	if (!request.ok) return request;

	const collection = readCollection(context, 'options');
	if (!collection.ok) return collection;
	const options = readOptions(collection.value);
	if (!options.ok) return options;
	const { type } = context.getNode();
	// n8n appends this to the type of a node that an assistant uses.
	const isTool = type.endsWith('Tool');
	return ok({
		credentials,
		baseUrl: address.value.url,
		...request.value,
		...options.value,
		isTool,
		dryRunBecause: whyDryRun(context, isTool),
	});
}

/** Whether the node names a register, also where nothing of the run could be read. */
export const hasRegister = ({ parameters }: INode): boolean => {
	const options: unknown = parameters.options;
	return isObject(options) && Boolean(options.register);
};

function whyDryRun(context: IExecuteFunctions, isTool: boolean): string | undefined {
	// The stored value, not an evaluated one: the assistant must not be able to fill it in.
	if (isTool && context.getNode().parameters.allowSubmitting !== true) {
		return "a person has to switch on 'Allow Submitting' in this tool first";
	}
	// The answers of the service may be made up there.
	return context.getMode() === 'evaluation' ? 'an evaluation moves no money' : undefined;
}

const credentialsAtOnce = 50;

/** A credential with an expression in it comes out for each item; one run has one. */
async function readCredentials(
	context: IExecuteFunctions,
): Promise<Read<ICredentialDataDecryptedObject>> {
	const { length } = context.getInputData();
	const ofItem = async (itemIndex: number) =>
		await context.getCredentials<ICredentialDataDecryptedObject>(credentialType, itemIndex);
	try {
		const credentials = await ofItem(0);
		const first = JSON.stringify(credentials);
		for (let begin = 1; begin < length; begin += credentialsAtOnce) {
			const some = Array.from(
				{ length: Math.min(credentialsAtOnce, length - begin) },
				(_, at) => begin + at,
			);
			const refusals = await Promise.all(
				some.map(async (itemIndex) =>
					ofItem(itemIndex).then(
						(one) => (JSON.stringify(one) === first ? undefined : otherCredential),
						noCredential,
					),
				),
			);
			const other = refusals.findIndex((one) => one !== undefined);
			if (other >= 0) return { ...refusals[other]!, itemIndex: begin + other };
		}
		return ok(credentials);
	} catch (thrown) {
		return noCredential(thrown as Error);
	}
}

const noCredential = ({ message }: Error) =>
	refuse(message, 'Choose a working credential in the node');

const otherCredential = notTheSame('The credential', 'use one without expressions');

type Options = Pick<Settings, 'parallelRequests' | 'maximumTotal' | 'registerName'>;

function readOptions(values: IDataObject): Read<Options> {
	const { parallelRequests = 1, register = '' } = values;
	const parallel = asNumber(parallelRequests);
	if (!Number.isInteger(parallel) || parallel < 1 || parallel > mostParallelRequests) {
		return refuse(
			`'Parallel Requests' is ${quote(parallelRequests)}, which is no whole number from 1 to ${mostParallelRequests}`,
			`Set 'Parallel Requests' in Options to a whole number from 1 to ${mostParallelRequests}`,
		);
	}
	const total = asLimit("'Maximum Total'", values.maximumTotal);
	if (!total.ok) return total;
	// n8n takes what begins with = for an expression.
	if (typeof register !== 'string' || register.trim().startsWith('=')) {
		return refuse(
			`'Register' is ${quote(register)}, not a name`,
			"Set 'Register' in Options to the name of a data table, or take it out",
		);
	}
	return ok({
		parallelRequests: parallel,
		maximumTotal: total.value,
		registerName: register.trim(),
	});
}
