import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { operations, type Host, type OperationName } from './contract.mts';
import { faultAskedFor, faultKinds, kindOf, refusal } from './faults.mts';
import {
	testVendors,
	type SeenRequest,
	type State,
	type TransactionRequest,
	type Vendor,
} from './state.mts';

export interface Dashboard {
	baseUrl: string;
	otcBaseUrl: string;
	secretKey: string;
	headerName: string;
	businessId: string;
	linkTag: string;
}

interface Behaviour {
	/** Why a request that fits the contract is refused all the same. */
	refuse?: (body: TransactionRequest) => string | undefined;
	answer: (body: TransactionRequest) => unknown;
}

const vendorList = (vendors: readonly Vendor[]) => ({
	status: 'success',
	message: 'Vendors fetched',
	VendorList: vendors,
});

const behaviours = (state: State): Record<OperationName, Behaviour> => ({
	buy: {
		refuse: (body) =>
			state.vendors.some(
				(vendor) =>
					vendor.vendorName === body.vendor_name &&
					vendor.vendorBank === body.vendor_bank &&
					vendor.vendorNumber === body.vendor_number,
			)
				? undefined
				: 'vendor_name, vendor_bank and vendor_number are not those of a live vendor',
		answer: (body) => state.accept('buy', body),
	},
	sell: { answer: (body) => state.accept('sell', body) },
	liveVendors: { answer: () => vendorList(state.vendors) },
	testVendors: { answer: () => vendorList(testVendors) },
	listVendors: { answer: () => vendorList(state.vendors) },
	otcRates: { answer: () => state.rates.otc },
	usdcRates: { answer: () => state.rates.usdc },
});

/** The operations of the contract that live at one of the two addresses; 404 for everything else. */
export function addService(
	app: FastifyInstance,
	host: Host,
	{
		state,
		dashboard,
		log,
		stopped,
	}: { state: State; dashboard: Dashboard; log?: (line: string) => void; stopped: AbortSignal },
): void {
	const behaviour = behaviours(state);
	const seen = new WeakMap<FastifyRequest, SeenRequest>();
	const keys = new Map<unknown, string>([
		[dashboard.secretKey, ''],
		...faultKinds.map(({ kind }) => [`${dashboard.secretKey}+${kind}`, kind] as const),
	]);
	const keyOf = (request: FastifyRequest) => request.headers[dashboard.headerName];

	app.addHook('onRequest', async (request, reply) => {
		const started = performance.now();
		const one: SeenRequest = {
			at: new Date().toISOString(),
			host,
			method: request.method,
			path: request.originalUrl,
			headers: masked(request.headers, dashboard),
		};
		seen.set(request, one);
		state.see(one);
		reply.raw.once('close', () => {
			const ms = Math.round(performance.now() - started);
			const fault = one.fault ? `, fault ${one.fault}` : '';
			log?.(`${host} ${one.method} ${one.path}: ${one.status ?? 'no answer'}, ${ms} ms${fault}`);
		});
	});
	app.addHook('preValidation', async (request) => {
		const one = seen.get(request);
		if (one && request.body !== undefined) one.body = request.body;
	});
	app.addHook('onSend', async (request, reply) => {
		const one = seen.get(request);
		if (one) one.status = reply.statusCode;
	});

	app.setNotFoundHandler((_request, reply) =>
		reply.code(404).send(refusal('There is nothing at this URL.')),
	);

	for (const { name, method, path, body: schema } of operations.filter(
		(one) => one.host === host,
	)) {
		app.route<{ Body: TransactionRequest }>({
			method,
			url: path,
			schema: schema && { body: schema },
			onRequest: async (request, reply) => {
				if (!keys.has(keyOf(request))) {
					return reply.code(401).send(refusal('The secret key is wrong.'));
				}
			},
			// Only a request that would be accepted uses up a fault.
			handler: async (request, reply) => {
				const { body } = request;
				const { refuse, answer } = behaviour[name];
				const reason = refuse?.(body);
				if (reason) return reply.code(400).send(refusal(reason));

				const fault = state.strike(name) ?? faultAskedFor(keys.get(keyOf(request)), body);
				if (!fault) return answer(body);

				const one = seen.get(request);
				if (one) one.fault = fault.kind;
				const usual = fault.accept ? answer(body) : undefined;
				await sleep(fault.delayMs, undefined, { signal: stopped });
				const played = kindOf(fault.kind).play(reply, usual, `${dashboard.baseUrl}/elsewhere`);
				if (one && reply.raw.headersSent) one.status = reply.raw.statusCode;
				return played;
			},
		});
	}
}

/** Shows that a key was sent, and its last characters, but not the key; wherever it was put. */
function masked(
	headers: FastifyRequest['headers'],
	{ headerName, secretKey }: Dashboard,
): Record<string, string> {
	const hide = (text: string) => `****${text.length > 8 ? text.slice(-4) : ''}`;
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => {
			const text = String(value);
			return [name, name === headerName ? hide(text) : text.replaceAll(secretKey, hide(secretKey))];
		}),
	);
}
