import {
	NodeApiError,
	type DeclarativeRestApiSettings,
	type IDataObject,
	type IExecutePaginationFunctions,
	type INodeExecutionData,
	type JsonObject,
} from 'n8n-workflow';

import { declaredRequest, type Endpoint } from '../../../client/endpoints';
import { apiError, expectOk, forTheEditor } from '../../../client/n8nErrors';
import { readBody, usualTimeout, type Fetched } from '../../../client/readBody';
import { ok, type Read } from '../../../client/refusal';
import { isObject } from '../../../client/reply';
import { credentialType } from '../../../client/sendRequest';
import { asTimeout } from '../../../client/values';

/** Turns what was read into the results for one item. */
export type Shape = (context: IExecutePaginationFunctions, fetched: Fetched) => IDataObject[];

/** What n8n's declarative engine needs to know of an operation that reads. */
export const readRouting = (endpoint: Endpoint, shape: Shape) => ({
	request: declaredRequest(endpoint),
	send: { paginate: true },
	operations: { pagination: readOncePerRun(endpoint, shape) },
});

/**
 * Reads an endpoint once for a whole run and each credential, however many items come in, and gives each item its own
 * linked results.
 *
 * As n8n's pagination function it stands around the request itself, which is the one place in a declarative node
 * where a request that got no answer can be put into words and stay linked to its item.
 */
function readOncePerRun(endpoint: Endpoint, shape: Shape) {
	return async function (
		this: IExecutePaginationFunctions,
		{ options }: DeclarativeRestApiSettings.ResultOptions,
	): Promise<INodeExecutionData[]> {
		const itemIndex = this.getItemIndex();
		const pairedItem = { item: itemIndex };
		try {
			const timeout = expectOk(this.getNode(), timeoutOf(this));
			const { body, fetchedAt } = await readForTheRun(this, endpoint, { ...options, timeout });
			const results = shape(this, { body: copyOf(body), fetchedAt });
			if (results.length > mostResults) throw apiError(this.getNode(), tooMany(results.length));
			return results.map((json) => ({ json, pairedItem }));
		} catch (thrown) {
			const shown = forTheEditor(this.getNode(), thrown, itemIndex) as JsonObject;
			if (!this.continueOnFail()) throw new NodeApiError(this.getNode(), shown, { itemIndex });
			const error = new NodeApiError(this.getNode(), thrown as JsonObject, { itemIndex });
			const { message, description, httpCode } = error;
			const words = [description, httpCode && `(HTTP ${httpCode})`].filter(Boolean).join(' ');
			// Before 2.36 n8n sends an item to the error output by these two names, both filled and with no third; an item
			// with an `error` of its own would lose everything in it but the message.
			const json = { error: message, message: words || message };
			return [{ json, pairedItem }];
		}
	};
}

/** n8n's engine cannot take many more for one item. */
const mostResults = 50_000;

const tooMany = (count: number) => ({
	message: `The service sent ${count} entries, which are more than n8n can make items of`,
	description: `It takes ${mostResults}. For rates, choose some in 'Currencies', or set 'Output' to One Row. Otherwise ask the service.`,
});

const copyOf = (body: unknown) => JSON.parse(JSON.stringify(body)) as unknown;

/** n8n's engine reads it too, and takes what is no number for five minutes. */
function timeoutOf(context: IExecutePaginationFunctions): Read<number> {
	const given = context.getNodeParameter('requestOptions', {});
	if (!isObject(given) || !('timeout' in given)) return ok(usualTimeout);
	return asTimeout(given.timeout ?? null, usualTimeout);
}

/** What was read for the items of a run, by their credential: one with an expression in it is not the same for all. */
const reads = new WeakMap<object, Map<string, Promise<Fetched>>>();

async function readForTheRun(
	context: IExecutePaginationFunctions,
	endpoint: Endpoint,
	declared: DeclarativeRestApiSettings.HttpRequestOptions,
): Promise<Fetched> {
	const run = context.getExecuteData();
	// n8n starts the items of a run in order, all with the same execute data: the first of a run, or of a retry, asks.
	if (context.getItemIndex() === 0 || !reads.has(run)) reads.set(run, new Map());
	const ofRun = reads.get(run)!;
	const credential = JSON.stringify(await context.getCredentials(credentialType));
	let read = ofRun.get(credential);
	if (!read) {
		const { timeout, proxy, allowedDomains } = declared;
		const skipSslCertificateValidation = Boolean(declared.skipSslCertificateValidation);
		const extras = { timeout, proxy, allowedDomains, skipSslCertificateValidation };
		read = readBody(context, endpoint, extras);
		ofRun.set(credential, read);
	}
	return await read;
}
