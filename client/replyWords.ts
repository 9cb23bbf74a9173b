import { refuse, type Refusal, type Words } from './refusal';
import { hideIn, type Hide } from './masking';
import { certificateCodes, isAnswer, isHtml, isObject, type Reply } from './reply';

const checkTheAddresses = "Open the credential and check the 'Base URL' and the 'OTC Base URL'.";

const words = (message: string, description: string): Words => ({ message, description });

/** By status, or by its first digit: 4xx. */
const wordsByStatus: Record<string, Words> = {
	'3xx': words(
		'The service answered with a redirect, which is not followed',
		`The secret key would go along to another address. ${checkTheAddresses}`,
	),
	304: words(
		'The service answered that nothing has changed (304), and sent nothing',
		'It was not asked that way: a cache on the way, a proxy perhaps, answers for it. Try again; if it goes on, ask whoever runs that.',
	),
	401: words(
		'The service did not accept the secret key',
		"Open the credential, enter the 'Secret Key' from the service's dashboard again and check the 'Header Name'.",
	),
	403: words(
		'The service does not allow this with the secret key',
		"Check on the service's dashboard what the key may do.",
	),
	404: words('The service does not know this address', checkTheAddresses),
	429: words('The service asks for fewer requests', 'Wait a little, then run the node again.'),
	'4xx': words(
		'The service refused the request',
		'Compare the fields of the node with what the service says.',
	),
	'5xx': words(
		'The service is not working at the moment',
		'Try again later. If it goes on, ask the service.',
	),
};

const undocumented = words(
	'The service answered in a way that is not in its documentation',
	checkTheAddresses,
);

const checkTheHost =
	"Open the credential and check the host in the 'Base URL' and the 'OTC Base URL'.";

const untrusted = words('The certificate of the service is not trusted', checkTheHost);
export const unpackable = words(
	'The answer of the service could not be unpacked',
	'Its compression is damaged, perhaps by a proxy on the way. Try again; if it goes on, ask the service.',
);
const unreadable = words(
	'The answer of the service could not be read',
	`What came is not HTTP or TLS as n8n reads them: something on the way may have damaged it, or something else answers at that address. ${checkTheHost}`,
);
const late = words('The service did not answer in time', 'Try again later.');

const wordsByCode: Record<string, Words> = {
	...Object.fromEntries(certificateCodes.map((code) => [code, untrusted])),
	ENOTFOUND: words('The host of the service was not found', checkTheHost),
	EAI_AGAIN: words(
		'The host of the service could not be looked up',
		`Check the network of the machine that runs n8n. ${checkTheHost}`,
	),
	ECONNREFUSED: words(
		'Nothing answers at the address of the service',
		`The connection was refused. ${checkTheHost}`,
	),
	EHOSTUNREACH: words('The host of the service cannot be reached', checkTheHost),
	ENETUNREACH: words(
		'The network of the service cannot be reached',
		'Check the network of the machine that runs n8n.',
	),
	ECONNRESET: words(
		'The connection to the service was closed before it answered',
		'Run the node again.',
	),
	ERR_BAD_RESPONSE: words('The answer of the service broke off', 'Run the node again.'),
	ECONNABORTED: late,
	ETIMEDOUT: late,
	ERR_CANCELED: late,
};

const wordsByKindOfCode: Array<[RegExp, Words]> = [
	// Node's zlib, of gzip and deflate, of zstd and of brotli.
	[/^(Z_|ZSTD_|ERR__ERROR_)/, unpackable],
	// Node, of HTTP, and of TLS after the handshake.
	[/^(HPE_|ERR_SSL_)/, unreadable],
];

/** What else can be done where the node has Request Options, which a trigger and a credential have not. */
const requestOptions = new Map<Words, string>([
	[
		untrusted,
		"Only if you know whose certificate it is, switch on 'Ignore SSL Issues' under Request Options in Settings.",
	],
	[late, "If it goes on, raise the 'Timeout' under Request Options in Settings."],
]);

const otherwise = words('The service could not be reached', checkTheHost);

/** What happened and what to do next. */
export function wordsFor(reply: Reply, hide: Hide, hasRequestOptions: boolean): Words {
	const { message, description } = plainWords(reply, hasRequestOptions);
	return { message, description: `${description}${evidence(reply, hide)}` };
}

export function plainWords(reply: Reply, hasRequestOptions = true): Words {
	if (!isAnswer(reply)) {
		const { code = '' } = reply;
		const plain =
			wordsByCode[code] ?? wordsByKindOfCode.find(([kind]) => kind.test(code))?.[1] ?? otherwise;
		const option = hasRequestOptions && requestOptions.get(plain);
		return option ? { ...plain, description: `${plain.description} ${option}` } : plain;
	}
	const hundred = `${Math.floor(reply.statusCode / 100)}xx`;
	return wordsByStatus[reply.statusCode] ?? wordsByStatus[hundred] ?? undocumented;
}

/** Follows a description: the service's own words when it sent any, or the code of what went wrong on the way. */
export function evidence(reply: Reply, hide: Hide): string {
	if (isAnswer(reply)) return serviceSays(reply.body, hide);
	// n8n replaces a message that contains such a code by one of its own, so it stands in the description.
	return ` (${reply.code ?? hideIn(reply.detail, hide)})`;
}

/** The service's own words in a body, to follow a sentence of ours. */
export function serviceSays(body: unknown, hide: Hide = {}): string {
	const said = serviceWords(body, hide);
	return said ? ` The service says: ${said}` : '';
}

/** For a success that takes itself back. */
export const saidNo = (what: string, no: string, body: unknown): Refusal =>
	refuse(
		`The service sent no ${what}`,
		`Its answer ${no.slice(0, longestQuote)}. Try again later. If it goes on, ask the service.${serviceSays(body)}`,
	);

const longestQuote = 500;

/** Bytes that are no text. */
const isUnreadable = /[^\P{Cc}\s]|\ufffd/u;

function serviceWords(body: unknown, hide: Hide): string | undefined {
	const text = findText(body)?.trim();
	if (!text || isHtml(text) || isUnreadable.test(text)) return undefined;
	const shown = hideIn(text, hide);
	return shown.length > longestQuote ? `${shown.slice(0, longestQuote)}…` : shown;
}

function findText(body: unknown): string | undefined {
	// A text that begins like JSON is some that broke off.
	if (typeof body === 'string') return /^\s*[[{]/.test(body) ? undefined : body;
	if (!isObject(body)) return undefined;
	const { message, error, detail } = body;
	for (const candidate of [message, error, detail]) {
		if (typeof candidate === 'string') return candidate;
		if (isObject(candidate) && typeof candidate.message === 'string') return candidate.message;
	}
	return undefined;
}
