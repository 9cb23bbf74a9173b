import {
	NodeApiError,
	sleep,
	type DeclarativeRestApiSettings,
	type IDataObject,
	type IExecutePaginationFunctions,
	type INodeExecutionData,
	type JsonObject,
} from 'n8n-workflow';

import { declaredRequest, type Endpoint } from '../../../client/endpoints';
import { apiError, expectOk, forTheEditor } from '../../../client/n8nErrors';
import { readBody, usualTimeout, type Fetched } from '../../../client/readBody';
import { accept, ok, type Read, type Refusal, type Verdict } from '../../../client/refusal';
import { isObject } from '../../../client/reply';
import { sameCredentials } from '../../../client/sameCredentials';
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
 * Reads an endpoint once for a whole run, however many items come in, and gives each item its own linked results.
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
			const read = await readForTheRun(this, endpoint, { ...options, timeout });
			if (!read.ok) {
				// What n8n throws is what the item says for which the run is refused.
				if (read.itemIndex !== itemIndex && !this.continueOnFail()) return [];
				throw apiError(this.getNode(), refusedFor(read, itemIndex));
			}
			const { body, fetchedAt } = read.value;
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

/** In the form in which the editor recognises the item, so that it does not add its own. */
const refusedFor = ({ message, description, itemIndex }: Refusal, own: number) => ({
	message: `${itemIndex === own ? '' : 'Not asked, because the whole run was refused: '}${message} [item ${itemIndex}]`,
	description,
});

/** What the items of a run share. */
interface Run {
	/** Those that n8n has begun, until it is asked whether they have the same credential. */
	begun: IExecutePaginationFunctions[];
	isAsked: boolean;
	read: Promise<Read<Fetched>>;
}

const runs = new WeakMap<object, Run>();

// n8n starts the items of a run in order, all with the same execute data: the first of a run, or of a retry, asks.
async function readForTheRun(
	context: IExecutePaginationFunctions,
	endpoint: Endpoint,
	declared: DeclarativeRestApiSettings.HttpRequestOptions,
): Promise<Read<Fetched>> {
	const data = context.getExecuteData();
	const run = context.getItemIndex() === 0 ? undefined : runs.get(data);
	if (!run) {
		const { timeout, proxy, allowedDomains } = declared;
		const skipSslCertificateValidation = Boolean(declared.skipSslCertificateValidation);
		const extras = { timeout, proxy, allowedDomains, skipSslCertificateValidation };
		const first = beginRun(context, async () => await readBody(context, endpoint, extras));
		runs.set(data, first);
		return await first.read;
	}
	if (!run.isAsked) run.begun.push(context);
	else {
		// With Batching n8n begins it later.
		const same = await sameCredential([run.begun[0]!, context]);
		if (!same.ok) return same;
	}
	return await run.read;
}

function beginRun(first: IExecutePaginationFunctions, read: () => Promise<Fetched>): Run {
	const run: Run = { begun: [first], isAsked: false, read: readIfTheSame() };
	return run;

	async function readIfTheSame(): Promise<Read<Fetched>> {
		// By then n8n has begun all of them.
		await sleep(0);
		run.isAsked = true;
		const same = await sameCredential(run.begun);
		return same.ok ? ok(await read()) : same;
	}
}

/** One item is not compared with itself. */
async function sameCredential(items: IExecutePaginationFunctions[]): Promise<Verdict> {
	if (items.length === 1) return accept;
	const same = await sameCredentials(items.length, async (at) =>
		items[at]!.getCredentials(credentialType),
	);
	return same.ok ? accept : { ...same, itemIndex: items[same.itemIndex ?? 0]!.getItemIndex() };
}
