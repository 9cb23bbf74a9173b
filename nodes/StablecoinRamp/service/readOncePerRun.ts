import {
	NodeApiError,
	type DeclarativeRestApiSettings,
	type IDataObject,
	type IExecutePaginationFunctions,
	type INodeExecutionData,
	type JsonObject,
} from 'n8n-workflow';

import type { Endpoint } from './endpoints';
import { setbackJson } from './n8nErrors';
import { readBody } from './readBody';

type Declared = DeclarativeRestApiSettings.ResultOptions['options'];

/** Turns the body of an answer into the results for one item. */
export type Shape = (context: IExecutePaginationFunctions, body: unknown) => IDataObject[];

/**
 * Reads an endpoint once for a whole run, however many items come in, and gives each item its own linked results.
 *
 * As n8n's pagination function it stands around the request itself, which is the one place in a declarative node
 * where a request that got no answer can be put into words and stay linked to its item.
 */
export function readOncePerRun(endpoint: Endpoint, shape: Shape) {
	return async function (
		this: IExecutePaginationFunctions,
		{ options }: DeclarativeRestApiSettings.ResultOptions,
	): Promise<INodeExecutionData[]> {
		const itemIndex = this.getItemIndex();
		const pairedItem = { item: itemIndex };
		try {
			const body = await bodyForTheRun(this, endpoint, options);
			return shape(this, body).map((json) => ({ json, pairedItem }));
		} catch (thrown) {
			const error = new NodeApiError(this.getNode(), thrown as JsonObject, { itemIndex });
			if (!this.continueOnFail()) throw error;
			return [{ json: setbackJson(error, { httpCode: error.httpCode }), pairedItem }];
		}
	};
}

const bodies = new WeakMap<object, Promise<unknown>>();

// n8n starts the items of a run in order, all with the same execute data: the first of a run, or of a retry, asks.
async function bodyForTheRun(
	context: IExecutePaginationFunctions,
	endpoint: Endpoint,
	declared: Declared,
): Promise<unknown> {
	const run = context.getExecuteData();
	let body = context.getItemIndex() === 0 ? undefined : bodies.get(run);
	if (!body) {
		body = readAsDeclared(context, endpoint, declared);
		bodies.set(run, body);
	}
	return await body;
}

async function readAsDeclared(
	context: IExecutePaginationFunctions,
	endpoint: Endpoint,
	{ timeout, proxy, skipSslCertificateValidation, allowedDomains }: Declared,
): Promise<unknown> {
	return await readBody(context, endpoint, {
		timeout,
		proxy,
		skipSslCertificateValidation: Boolean(skipSslCertificateValidation),
		allowedDomains,
	});
}
