import type { FastifyReply } from 'fastify';

import { operationNames, type OperationName } from './contract.mts';

export interface FaultRule {
	kind: FaultKindName;
	/** Which requests it strikes; any when left out. */
	on?: OperationName | 'any';
	/** How many requests it strikes; 1 when left out. */
	times?: number;
	/** How many matching requests pass first; 0 when left out. */
	skip?: number;
	/** How long the answer waits; the kind's own delay when left out. */
	delayMs?: number;
	/** Whether a transaction is accepted before the odd answer, where the kind leaves that open. */
	accept?: boolean;
}

export type ArmedFault = Required<FaultRule>;

interface Fault {
	kind: string;
	label: string;
	/** What a client meets. */
	sees: string;
	/** The amount that selects this fault in a buy or sell. */
	amount: number;
	/** Whether a buy or sell struck by it is in the ledger. */
	accepts: boolean;
	/** Whether `accept` in a rule may say otherwise. */
	choosable: boolean;
	delayMs: number;
	/** Gives the odd answer. `usual` is what would have been answered. */
	play: (reply: FastifyReply, usual: unknown, elsewhere: string) => unknown;
}

export const refusal = (message: string) => ({ status: 'failed', message });

const refuse =
	(status: number, message: string, headers: Record<string, string> = {}): Fault['play'] =>
	(reply) =>
		reply.code(status).headers(headers).send(refusal(message));

const answer =
	(type: string, body: string): Fault['play'] =>
	(reply) =>
		reply.code(200).type(type).send(body);

const json = 'application/json; charset=utf-8';
const beginning = '{"status":"success","message":"Transac';

const breakOff =
	(how: (reply: FastifyReply) => void): Fault['play'] =>
	(reply) => {
		reply.hijack();
		how(reply);
	};

const table = [
	{
		kind: 'unauthorized',
		label: '401 Unauthorized',
		sees: 'status 401, as for a wrong key',
		amount: 909401,
		accepts: false,
		choosable: false,
		delayMs: 0,
		play: refuse(401, 'The secret key is wrong.'),
	},
	{
		kind: 'notFound',
		label: '404 Not Found',
		sees: 'status 404, as for a wrong URL',
		amount: 909404,
		accepts: false,
		choosable: false,
		delayMs: 0,
		play: refuse(404, 'There is nothing at this URL.'),
	},
	{
		kind: 'badRequest',
		label: '400 Bad Request',
		sees: 'status 400, as for an invalid field',
		amount: 909400,
		accepts: false,
		choosable: false,
		delayMs: 0,
		play: refuse(400, 'The request was refused on demand.'),
	},
	{
		kind: 'requestTimeout',
		label: '408 Request Timeout',
		sees: 'status 408, though the service goes on working',
		amount: 909408,
		accepts: true,
		choosable: true,
		delayMs: 0,
		play: refuse(408, 'The request took too long.'),
	},
	{
		kind: 'conflict',
		label: '409 Conflict',
		sees: 'status 409, as for a reference that exists already',
		amount: 909409,
		accepts: false,
		choosable: true,
		delayMs: 0,
		play: refuse(409, 'A transaction with this reference exists already.'),
	},
	{
		kind: 'tooEarly',
		label: '425 Too Early',
		sees: 'status 425',
		amount: 909425,
		accepts: false,
		choosable: true,
		delayMs: 0,
		play: refuse(425, 'The service does not want to take this request yet.'),
	},
	{
		kind: 'tooManyRequests',
		label: '429 Too Many Requests',
		sees: 'status 429 with Retry-After: 1',
		amount: 909429,
		accepts: false,
		choosable: false,
		delayMs: 0,
		play: refuse(429, 'Too many requests.', { 'retry-after': '1' }),
	},
	{
		kind: 'serverError',
		label: '500 Internal Server Error',
		sees: 'status 500',
		amount: 909500,
		accepts: false,
		choosable: true,
		delayMs: 0,
		play: refuse(500, 'The service stumbled on demand.'),
	},
	{
		kind: 'unavailable',
		label: '503 Service Unavailable',
		sees: 'status 503 with Retry-After: 1',
		amount: 909503,
		accepts: false,
		choosable: true,
		delayMs: 0,
		play: refuse(503, 'The service is away for a moment.', { 'retry-after': '1' }),
	},
	{
		kind: 'delay',
		label: 'Slow answer',
		sees: 'the usual answer, five seconds late; a client that gave up was accepted all the same',
		amount: 909001,
		accepts: true,
		choosable: false,
		delayMs: 5000,
		play: (_reply, usual) => usual,
	},
	{
		kind: 'resetBefore',
		label: 'Connection reset before acceptance',
		sees: 'the connection is reset; nothing was accepted',
		amount: 909002,
		accepts: false,
		choosable: false,
		delayMs: 0,
		play: breakOff((reply) => reply.raw.socket?.resetAndDestroy()),
	},
	{
		kind: 'acceptThenDrop',
		label: 'Accepted, then connection dropped',
		sees: 'the connection closes without an answer; the transaction was accepted',
		amount: 909003,
		accepts: true,
		choosable: false,
		delayMs: 0,
		play: breakOff((reply) => reply.raw.socket?.destroy()),
	},
	{
		kind: 'malformed',
		label: 'Malformed JSON',
		sees: 'status 200 with a body that is not valid JSON',
		amount: 909004,
		accepts: true,
		choosable: true,
		delayMs: 0,
		play: answer(json, beginning),
	},
	{
		kind: 'empty',
		label: 'Empty body',
		sees: 'status 200 with no body',
		amount: 909005,
		accepts: true,
		choosable: true,
		delayMs: 0,
		play: answer(json, ''),
	},
	{
		kind: 'noContent',
		label: '204 No Content',
		sees: 'status 204, which has no body',
		amount: 909204,
		accepts: true,
		choosable: true,
		delayMs: 0,
		play: (reply) => reply.code(204).send(),
	},
	{
		kind: 'saysFailed',
		label: '200 that says failed',
		sees: 'status 200 with a body whose status is failed',
		amount: 909008,
		accepts: false,
		choosable: true,
		delayMs: 0,
		play: refuse(200, 'The request was refused on demand.'),
	},
	{
		kind: 'html',
		label: 'HTML page',
		sees: 'status 200 with an HTML page',
		amount: 909006,
		accepts: true,
		choosable: true,
		delayMs: 0,
		play: answer(
			'text/html; charset=utf-8',
			'<!doctype html><title>Hello</title><p>Please log in.',
		),
	},
	{
		kind: 'truncated',
		label: 'Truncated body',
		sees: 'status 200, then the connection closes in the middle of the body',
		amount: 909007,
		accepts: true,
		choosable: true,
		delayMs: 0,
		play: breakOff(({ raw }) => {
			raw.writeHead(200, { 'content-type': json, 'content-length': 10 * beginning.length });
			raw.write(beginning, () => raw.socket?.destroy());
		}),
	},
	{
		kind: 'redirect',
		label: 'Redirect',
		sees: 'status 302 to another path of the base address',
		amount: 909302,
		accepts: false,
		choosable: true,
		delayMs: 0,
		play: (reply, _usual, elsewhere) => reply.redirect(elsewhere, 302),
	},
] as const satisfies readonly Fault[];

export type FaultKindName = (typeof table)[number]['kind'];
export type FaultKind = Fault & { kind: FaultKindName };
export const faultKinds: readonly FaultKind[] = table;

const kinds = new Map<string, FaultKind>(faultKinds.map((kind) => [kind.kind, kind]));

export function kindOf(name: FaultKindName): FaultKind {
	const kind = kinds.get(name);
	if (!kind)
		throw new Error(`There is no fault "${name}". Choose one of ${[...kinds.keys()].join(', ')}.`);
	return kind;
}

/** What an admin call may send; the library's types say the same. */
export const faultRuleSchema = {
	type: 'object',
	required: ['kind'],
	additionalProperties: false,
	properties: {
		kind: { enum: faultKinds.map(({ kind }) => kind) },
		on: { enum: [...operationNames, 'any'] },
		times: { type: 'integer', minimum: 1, maximum: 1_000_000 },
		skip: { type: 'integer', minimum: 0, maximum: 1_000_000 },
		delayMs: { type: 'integer', minimum: 0, maximum: 600_000 },
		accept: { type: 'boolean' },
	},
} as const;

/** Fills in what a rule leaves out, or throws when `accept` contradicts the kind. */
export function complete(rule: FaultRule): ArmedFault {
	const { accepts, choosable, delayMs, label } = kindOf(rule.kind);
	const accept = rule.accept ?? accepts;
	if (accept !== accepts && !choosable) {
		throw new Error(
			`"${label}" always means ${accepts ? 'accepted' : 'not accepted'}. Leave out accept.`,
		);
	}
	return { on: 'any', times: 1, skip: 0, delayMs, ...rule, accept };
}

/** The fault that strikes a request for `operation`, if one is due; counts down what is armed. */
export function strike(armed: ArmedFault[], operation: OperationName): ArmedFault | undefined {
	const matching = armed.filter(({ on }) => on === 'any' || on === operation);
	const due = matching.find(({ skip }) => skip === 0);
	for (const rule of matching) if (rule.skip > 0) rule.skip--;
	if (due && --due.times === 0) armed.splice(armed.indexOf(due), 1);
	return due;
}

/**
 * Magic values: a fault that the request itself asks for, so that an automation can try its own
 * branches without an admin call. In this order: the key `<secret key>+<kind>`, the reference
 * `fault-<kind>` or `fault-<kind>-<anything>`, the amount of the table.
 */
export function faultAskedFor(
	byKey: string | undefined,
	body: { reference?: string; amount?: number } | undefined,
): ArmedFault | undefined {
	const [, referenced = ''] = /^fault-([A-Za-z]+)(?:-|$)/.exec(body?.reference ?? '') ?? [];
	const asked =
		kinds.get(byKey ?? '') ??
		kinds.get(referenced) ??
		faultKinds.find(({ amount }) => amount === body?.amount);
	return asked && complete({ kind: asked.kind });
}
