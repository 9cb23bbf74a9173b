import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';

import { networks } from '../../checks/wallet/networks';

/** The name that the service has for a field. What is sent under it, and whether, is for `submit/draft.ts`. */
export const sentAs = (property: string): INodePropertyRouting => ({
	send: { type: 'body', property },
});

/** An assistant decides for itself when to call a tool, so moving money has to be allowed by a person first. */
export const toolSwitch: INodeProperties = {
	displayName: 'Allow Submitting',
	name: 'allowSubmitting',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	displayOptions: { show: { '@tool': [true] } },
	description:
		'Whether the assistant may really submit this transaction. Off: it gets a dry run, and nothing is sent.',
};

/** Whether they are required is not clear: docs/interface.md (4). */
export const walletFields = (walletDescription: string): INodeProperties[] => [
	{
		displayName: 'Network',
		name: 'network',
		type: 'options',
		options: [
			{ name: 'None', value: '' },
			...[...networks].sort().map((network) => ({ name: network, value: network })),
		],
		default: '',
		routing: sentAs('network'),
		description: 'Blockchain network of the wallet, sent when chosen',
	},
	{
		displayName: 'Wallet Address',
		name: 'walletAddress',
		type: 'string',
		default: '',
		routing: sentAs('wallet_address'),
		description: walletDescription,
	},
];

export const reference: INodeProperties = {
	displayName: 'Reference',
	name: 'reference',
	type: 'string',
	default: '',
	placeholder: 'e.g. order-1042',
	routing: sentAs('reference'),
	description:
		'Your own name for this transaction, e.g. an order number: this workflow submits it at most once, in whatever execution. If empty, one is made for this execution and its retries. The service does not say that it looks for repeated references.',
};

export const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Business ID',
			name: 'businessId',
			type: 'string',
			default: '',
			routing: sentAs('business_id'),
			description: "Business ID from the dashboard, if it is not the credential's",
		},
		{
			displayName: 'Checks',
			name: 'checks',
			type: 'options',
			options: [
				{
					name: 'Strict',
					value: 'strict',
					description:
						'Check account numbers, wallet addresses and networks before anything is sent',
				},
				{
					name: 'Off',
					value: 'off',
					description:
						'Check only what the service documents: required fields and the minimum amount',
				},
			],
			default: 'strict',
			description: 'What is checked before anything is sent',
		},
		{
			displayName: 'Dry Run',
			name: 'dryRun',
			type: 'boolean',
			// Whoever adds it wants it: off, it would really submit.
			default: true,
			description: 'Whether to return the request that would be sent instead of sending it',
		},
		{
			displayName: 'If Already Submitted',
			name: 'ifAlreadySubmitted',
			type: 'options',
			options: [
				{
					name: 'Stop',
					value: 'stop',
					description: 'Send nothing more, and say what became of each',
				},
				{
					name: 'Skip',
					value: 'skip',
					description:
						'Pass over what was accepted. What has an unknown outcome is not sent, and its item says so.',
				},
				{
					name: 'Submit Unknown Again',
					value: 'submitUnknownAgain',
					description:
						'Pass over what was accepted, and send what is of unknown outcome: only after you have looked for it on the dashboard, at or after the time that the message names',
				},
				{
					name: 'Submit Again',
					value: 'submitAgain',
					description: 'Send it although it was submitted before. The money may move twice.',
				},
			],
			default: 'stop',
			description: 'What to do with a reference that this workflow has submitted before',
		},
		{
			displayName: 'Link Tag',
			name: 'linkTag',
			type: 'string',
			default: '',
			routing: sentAs('link_tag'),
			description: "Link tag from the dashboard, if it is not the credential's",
		},
		{
			displayName: 'Maximum Amount',
			name: 'maximumAmount',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			description:
				'The largest amount that this node may submit in one transaction. 0 means no limit.',
		},
		{
			displayName: 'Maximum Total',
			name: 'maximumTotal',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			description:
				'The most that one run of this node may submit in all, checked before anything is sent. 0 means no limit.',
		},
		{
			displayName: 'Parallel Requests',
			name: 'parallelRequests',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 50 },
			default: 1,
			description:
				'How many transactions may be on their way at the same time. Batching under Request Options in Settings does not apply to buys and sells.',
		},
		{
			displayName: 'Register',
			name: 'register',
			type: 'string',
			default: '',
			placeholder: 'e.g. Money register',
			description:
				'Name of a data table that keeps a row for each transaction, from before it is sent. It is made if it is missing. Receipts survive there what an execution does not: a kill, a timeout, n8n deleting old executions.',
		},
	],
};
