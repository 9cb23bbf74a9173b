import type { AddressInfo } from 'node:net';
import { fastify, type FastifyError, type FastifyInstance } from 'fastify';

import { addAdmin } from './admin.mts';
import { validator, type Host } from './contract.mts';
import { refusal, type FaultRule } from './faults.mts';
import { addService, type Dashboard } from './service.mts';
import {
	State,
	type AcceptedTransaction,
	type RateSource,
	type SeenRequest,
	type Vendor,
} from './state.mts';
import { turnedAway } from './visitors.mts';
import { randomWalk, type Rates } from './walk.mts';

export { faultKinds } from './faults.mts';
export type { OperationName } from './contract.mts';
export type { FaultKind, FaultKindName, FaultRule } from './faults.mts';
export type { AcceptedTransaction, RateSource, SeenRequest, Vendor } from './state.mts';

export interface SandboxOptions {
	/** Both ports are free ones unless given. */
	port?: number;
	otcPort?: number;
	host?: string;
	secretKey?: string;
	headerName?: string;
	businessId?: string;
	linkTag?: string;
	/** Moves the rates in a random walk; without it they stand still. */
	seed?: number;
	walkIntervalMs?: number;
	/** Gets one line for each request. */
	log?: (line: string) => void;
}

export interface Sandbox extends Dashboard {
	/** Accepted transactions, in order. */
	transactions(): AcceptedTransaction[];
	/** Requests to the service, in order, with the key masked. */
	requests(): SeenRequest[];
	fault(rule: FaultRule): void;
	/** Replaces all rates of one source. */
	setRates(source: RateSource, rates: Rates): void;
	/** Replaces the live vendors. */
	setVendors(list: Vendor[]): void;
	/** Back to how a fresh sandbox is. */
	reset(): void;
	/** Stops at once; open connections are dropped. */
	close(): Promise<void>;
}

/** What a credential for it holds, unless it is told otherwise. */
export const usual = {
	secretKey: 'sandbox-secret-key',
	headerName: 'svc-sec-key',
	businessId: 'SANDBOX-BUSINESS-001',
	linkTag: 'sandbox-business',
};

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, otcPort = 0, host = '127.0.0.1', seed, walkIntervalMs = 3000, log } = options;
	const dashboard: Dashboard = {
		baseUrl: '',
		otcBaseUrl: '',
		secretKey: options.secretKey ?? usual.secretKey,
		// Node gives header names in lower case.
		headerName: (options.headerName ?? usual.headerName).toLowerCase(),
		businessId: options.businessId ?? usual.businessId,
		linkTag: options.linkTag ?? usual.linkTag,
	};
	const state = new State();
	const stopped = new AbortController();

	let walk = randomWalk(seed ?? 0);
	const walking =
		seed === undefined
			? undefined
			: setInterval(() => {
					state.setRates({ otc: walk(state.rates.otc), usdc: walk(state.rates.usdc) });
				}, walkIntervalMs);
	const reset = () => {
		walk = randomWalk(seed ?? 0);
		state.reset();
	};

	const listener = (name: Host) => {
		const app = fastify({
			bodyLimit: 64 * 1024,
			exposeHeadRoutes: false,
			forceCloseConnections: true,
			// The router would answer 400 to a URL that cannot be decoded; the interface says 404.
			rewriteUrl: ({ url = '/' }) => (decodable(url) ? url : '/broken'),
		});
		app.setValidatorCompiler(({ schema }) => validator.compile(schema as object));
		app.setErrorHandler<FastifyError>(({ statusCode = 500, message }, _request, reply) =>
			// Fastify answers 415 to a body that is not called JSON; the contract knows one bad body.
			reply.code(statusCode === 415 ? 400 : statusCode).send(refusal(message)),
		);
		app.addHook('onRequest', async ({ method, originalUrl, headers }, reply) => {
			const refused = turnedAway({ method, headers }, host);
			if (!refused) return;
			log?.(`${name} ${method} ${originalUrl}: ${refused.status}, turned away`);
			return reply.code(refused.status).send(refusal(refused.words));
		});
		app.register(async (service) =>
			addService(service, name, { state, dashboard, log, stopped: stopped.signal }),
		);
		return app;
	};
	const base = listener('base');
	const otc = listener('otc');
	base.register(addAdmin, { state, dashboard, reset });

	const close = async () => {
		clearInterval(walking);
		await Promise.all([base.close(), otc.close()]);
		// Only now: a request that still waits in a delay must not be answered on the way out.
		stopped.abort();
	};
	try {
		dashboard.baseUrl = await listen(base, port, host);
		dashboard.otcBaseUrl = await listen(otc, otcPort, host);
	} catch (refused) {
		await close();
		throw refused;
	}

	return {
		...dashboard,
		transactions: () => [...state.transactions],
		requests: () => [...state.requests],
		fault: (rule) => state.arm(rule),
		setRates: (source, rates) => state.setRates({ [source]: rates }),
		setVendors: (list) => state.setVendors(list),
		reset,
		close,
	};
}

function decodable(url: string): boolean {
	try {
		return Boolean(decodeURI(url));
	} catch {
		return false;
	}
}

async function listen(app: FastifyInstance, port: number, host: string): Promise<string> {
	await app.listen({ port, host });
	const { port: given, family, address } = app.server.address() as AddressInfo;
	// An address that means "every one of this machine" is none to connect to.
	const anywhere = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address;
	return `http://${family === 'IPv6' ? `[${anywhere}]` : anywhere}:${given}`;
}
