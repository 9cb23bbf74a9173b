import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { networks } from '../../checks/networks';

type Show = NonNullable<IDisplayOptions['show']>;

/** An assistant decides for itself when to call a tool, so moving money has to be allowed by a person first. */
export const toolSwitch = (show: Show): INodeProperties => ({
	displayName: 'Allow Submitting',
	name: 'allowSubmitting',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	displayOptions: { show: { ...show, '@tool': [true] } },
	description:
		'Whether the assistant may really submit this transaction. Off: it gets a dry run, and nothing is sent.',
});

export const walletFields = (show: Show, walletDescription: string): INodeProperties[] => [
	{
		displayName: 'Network',
		name: 'network',
		type: 'options',
		options: [
			{ name: 'None', value: '' },
			...[...networks].sort().map((network) => ({ name: network, value: network })),
		],
		default: '',
		displayOptions: { show },
		description: 'Blockchain network of the wallet, sent when chosen',
	},
	{
		displayName: 'Wallet Address',
		name: 'walletAddress',
		type: 'string',
		default: '',
		displayOptions: { show },
		description: walletDescription,
	},
];

export const ownIdentity = (show: Show): INodeProperties[] => [
	{
		displayName: 'Business ID',
		name: 'businessId',
		type: 'string',
		default: '',
		displayOptions: { show },
		description: "Business ID from the dashboard. The credential's is used if this is empty.",
	},
	{
		displayName: 'Link Tag',
		name: 'linkTag',
		type: 'string',
		default: '',
		displayOptions: { show },
		description: "Link tag from the dashboard. The credential's is used if this is empty.",
	},
	{
		displayName: 'Reference',
		name: 'reference',
		type: 'string',
		default: '',
		placeholder: 'e.g. order-1042',
		displayOptions: { show },
		description:
			'Your own name for this transaction, by which this node submits it at most once, also across executions. If empty, one is made for this item of this execution. The service does not say that it looks for repeated references.',
	},
];

export const optionsFor = (show: Show): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	displayOptions: { show },
	options: [
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
			default: false,
			description: 'Whether to return the request that would be sent instead of sending it',
		},
		{
			displayName: 'If Already Submitted',
			name: 'ifAlreadySubmitted',
			type: 'options',
			options: [
				{
					name: 'Stop',
					value: 'fail',
					description: 'Stop and say so',
				},
				{
					name: 'Skip',
					value: 'skip',
					description: 'Send nothing and return an item that says so',
				},
				{
					name: 'Submit Again',
					value: 'submitAgain',
					description: 'Send it although it was submitted before. The money may move twice.',
				},
			],
			default: 'fail',
			description: 'What to do when this node has submitted the same reference before',
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
			displayName: 'Parallel Requests',
			name: 'parallelRequests',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 50 },
			default: 1,
			description:
				'How many transactions may be on their way at the same time. Batching under Request Options in Settings does not apply to buys and sells.',
		},
	],
});
