import type { ICredentialType, INodeProperties } from 'n8n-workflow';

import { signRequest } from '../client/signRequest';

export class StablecoinRampApi implements ICredentialType {
	name = 'stablecoinRampApi';

	displayName = 'Stablecoin Ramp API';

	icon = {
		light: 'file:../icons/stablecoinRamp.svg',
		dark: 'file:../icons/stablecoinRamp.dark.svg',
	} as const;

	documentationUrl =
		'https://github.com/n8n-nodes-stablecoin-ramp/n8n-nodes-stablecoin-ramp#the-credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Secret Key',
			name: 'secretKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: "The key from the service's dashboard",
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description:
				'Address of the service. Starts with https; only on your own machine (localhost or host.docker.internal) may it be http.',
		},
		{
			displayName: 'OTC Base URL',
			name: 'otcBaseUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://otc.example.com',
			description:
				'Address of the OTC buy rates, which no other operation uses. OTC means over the counter: traded directly instead of on an exchange.',
		},
		{
			displayName: 'Business ID',
			name: 'businessId',
			type: 'string',
			default: '',
			description:
				'Identifies your business to the service, and is found on the business dashboard. Sent with every buy and sell unless the node has its own.',
		},
		{
			// What it is for is not shown: docs/interface.md (14).
			displayName: 'Link Tag',
			name: 'linkTag',
			type: 'string',
			default: '',
			description:
				'The link tag of your business, found on the business dashboard; the service does not document what it is for. Sent with every buy and sell unless the node has its own.',
		},
		{
			displayName: 'Header Name',
			name: 'headerName',
			type: 'string',
			default: 'svc-sec-key',
			description: 'Name of the request header that carries the secret key, if yours differs',
		},
	];

	authenticate = signRequest;
}
