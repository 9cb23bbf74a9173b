import type { Words } from '../checks/verdict';
import { type Hide, hideIn } from './masking';
import { type Reply, isAnswer, isHtml, isObject } from './reply';

const wordsByStatus: Array<[from: number, to: number, words: Words]> = [
	[
		300,
		399,
		{
			message: 'The service answered with a redirect, which is not followed',
			description:
				"The secret key would go along to another address. Open the credential and check the 'Base URL' and the 'OTC Base URL'.",
		},
	],
	[
		401,
		401,
		{
			message: 'The service did not accept the secret key',
			description:
				"Open the credential, enter the 'Secret Key' from the service's dashboard again and check the 'Header Name'.",
		},
	],
	[
		403,
		403,
		{
			message: 'The service does not allow this with the secret key',
			description: "Check on the service's dashboard what the key may do.",
		},
	],
	[
		404,
		404,
		{
			message: 'The service does not know this address',
			description: "Open the credential and check the 'Base URL' and the 'OTC Base URL'.",
		},
	],
	[
		429,
		429,
		{
			message: 'The service asks for fewer requests',
			description: 'Wait a little, then run the node again.',
		},
	],
	[
		400,
		499,
		{
			message: 'The service refused the request',
			description: 'Compare the fields of the node with what the service says.',
		},
	],
	[
		500,
		599,
		{
			message: 'The service is not working at the moment',
			description: 'Try again later. If it goes on, ask the service.',
		},
	],
	[
		0,
		999,
		{
			message: 'The service answered in a way that is not in its documentation',
			description: "Open the credential and check the 'Base URL' and the 'OTC Base URL'.",
		},
	],
];

const checkTheHost =
	"Open the credential and check the host in the 'Base URL' and the 'OTC Base URL'.";

/** A connection was made, and no request went over it. */
export const certificateCodes = [
	'CERT_HAS_EXPIRED',
	'CERT_NOT_YET_VALID',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'ERR_TLS_CERT_ALTNAME_INVALID',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

const untrusted: Words = {
	message: 'The certificate of the service is not trusted',
	description: checkTheHost,
};

const wordsByCode: Record<string, Words> = {
	...Object.fromEntries(certificateCodes.map((code) => [code, untrusted])),
	ENOTFOUND: { message: 'The host of the service was not found', description: checkTheHost },
	EAI_AGAIN: {
		message: 'The host of the service could not be looked up',
		description: `Check the network of the machine that runs n8n. ${checkTheHost}`,
	},
	ECONNREFUSED: {
		message: 'Nothing answers at the address of the service',
		description: `The connection was refused. ${checkTheHost}`,
	},
	EHOSTUNREACH: { message: 'The host of the service cannot be reached', description: checkTheHost },
	ENETUNREACH: {
		message: 'The network of the service cannot be reached',
		description: 'Check the network of the machine that runs n8n.',
	},
	ECONNRESET: {
		message: 'The connection to the service was closed before it answered',
		description: 'Run the node again.',
	},
	ERR_BAD_RESPONSE: {
		message: 'The answer of the service broke off',
		description: 'Run the node again.',
	},
	ECONNABORTED: {
		message: 'The service did not answer in time',
		description: 'Try again later.',
	},
	ETIMEDOUT: {
		message: 'The service did not answer in time',
		description: 'Try again later.',
	},
};

/** What else can be done where the node has Request Options, which a trigger and a credential have not. */
const requestOptionByCode: Record<string, string> = {
	...Object.fromEntries(
		certificateCodes.map((code) => [
			code,
			'Only if you know whose certificate it is, switch on Ignore SSL Issues under Request Options in Settings.',
		]),
	),
	ECONNABORTED: 'If it goes on, raise the Timeout under Request Options in Settings.',
	ETIMEDOUT: 'If it goes on, raise the Timeout under Request Options in Settings.',
};

const otherwise: Words = {
	message: 'The service could not be reached',
	description: checkTheHost,
};

/** What happened and what to do next. */
export function wordsFor(reply: Reply, hide: Hide, hasRequestOptions: boolean): Words {
	const { message, description } = plainWords(reply, hasRequestOptions);
	return { message, description: [description, evidence(reply, hide)].filter(Boolean).join(' ') };
}

export function plainWords(reply: Reply, hasRequestOptions = true): Words {
	if (!isAnswer(reply)) {
		const { code = '' } = reply;
		const { message, description } = wordsByCode[code] ?? otherwise;
		const option = hasRequestOptions && requestOptionByCode[code];
		return { message, description: option ? `${description} ${option}` : description };
	}
	const [, , words] = wordsByStatus.find(
		([from, to]) => reply.statusCode >= from && reply.statusCode <= to,
	)!;
	return words;
}

/** The service's own words when it sent any, or the code of what went wrong on the way. */
export function evidence(reply: Reply, hide: Hide): string {
	if (isAnswer(reply)) {
		const said = serviceWords(reply.body, hide);
		return said ? `The service says: ${said}` : '';
	}
	// n8n replaces a message that contains such a code by one of its own, so it stands in the description.
	return `(${reply.code ?? hideIn(reply.detail, hide)})`;
}

const longestQuote = 500;

function serviceWords(body: unknown, hide: Hide): string | undefined {
	const text = findText(body)?.trim();
	if (!text || isHtml(text)) return undefined;
	const shown = hideIn(text, hide);
	return shown.length > longestQuote ? `${shown.slice(0, longestQuote)}…` : shown;
}

function findText(body: unknown): string | undefined {
	if (typeof body === 'string') return body;
	if (!isObject(body)) return undefined;
	const { message, error, detail } = body;
	for (const candidate of [message, error, detail]) {
		if (typeof candidate === 'string') return candidate;
		if (isObject(candidate) && typeof candidate.message === 'string') return candidate.message;
	}
	return undefined;
}
