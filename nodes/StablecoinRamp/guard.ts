import {
	NodeOperationError,
	type IExecuteSingleFunctions,
	type IHttpRequestOptions,
} from 'n8n-workflow';

/**
 * Lets n8n's declarative engine read, and nothing else. A buy or a sell comes here only if n8n has skipped
 * `customOperations`, and with it all that keeps a transaction from being sent twice: in a tool that is called in
 * process (the MCP trigger, older agents), or when Operation is an expression.
 */
export async function refuseUnguarded(
	this: IExecuteSingleFunctions,
	request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	if (request.method === 'GET' && request.url) return request;
	const { message, description } = request.url ? pastTheGuard : notFixed;
	throw new NodeOperationError(this.getNode(), message, {
		description,
		itemIndex: this.getItemIndex(),
	});
}

const pastTheGuard = {
	message: 'A buy or sell cannot be submitted from here',
	description:
		'Nothing was sent. n8n runs this node in a way that could send a transaction twice. Use the node in a workflow of its own, and call that workflow as the tool.',
};

const notFixed = {
	message: 'Resource and Operation have to be fixed values',
	description: 'Nothing was sent. Choose both from their lists instead of by an expression.',
};
