import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';

import { bankStatement, walletList } from './books.mts';
import { operationNames } from './contract.mts';
import { faultKinds, faultRuleSchema, refusal, type FaultRule } from './faults.mts';
import type { Dashboard } from './service.mts';
import type { RateSource, State, Vendor } from './state.mts';
import type { Rates } from './walk.mts';

const pageFiles = [
	['/', 'index.html', 'text/html'],
	['/style.css', 'style.css', 'text/css'],
	['/page.js', 'page.js', 'text/javascript'],
	['/icon.svg', 'icon.svg', 'image/svg+xml'],
] as const;

const books = [
	['statement.csv', bankStatement],
	['wallet.csv', walletList],
] as const;

const rates = { $ref: 'contract#/components/schemas/Rates' };
const rateSourcesSchema = {
	type: 'object',
	minProperties: 1,
	additionalProperties: false,
	properties: { otc: rates, usdc: rates },
};
const vendorsSchema = {
	type: 'array',
	maxItems: 1000,
	items: { $ref: 'contract#/components/schemas/Vendor' },
};

const transactionsShown = 50;
/** At most this often is the page told that something changed. */
const pageIntervalMs = 100;

/** The page at `/`, and `/_sandbox/` for people and tests. */
export async function addAdmin(
	app: FastifyInstance,
	{ state, dashboard, reset }: { state: State; dashboard: Dashboard; reset: () => void },
): Promise<void> {
	const faults = () => ({ armed: state.faults, kinds: faultKinds, operations: operationNames });

	for (const [url, file, type] of pageFiles) {
		const path = join(import.meta.dirname, 'page', file);
		app.get(url, (_request, reply) =>
			reply
				.type(`${type}; charset=utf-8`)
				.header('content-security-policy', "default-src 'self'; frame-ancestors 'none'")
				.send(readFileSync(path)),
		);
	}

	app.get('/_sandbox/health', () => ({ status: 'ok' }));
	app.get('/_sandbox/transactions', () => state.transactions);
	app.get('/_sandbox/requests', () => state.requests);
	for (const [file, write] of books) {
		app.get(`/_sandbox/${file}`, (_request, reply) =>
			reply
				.type('text/csv; charset=utf-8')
				.header('content-disposition', `attachment; filename="${file}"`)
				.send(write(state.transactions)),
		);
	}
	app.post('/_sandbox/reset', (_request, reply) => {
		reset();
		return reply.code(204).send();
	});

	app.get('/_sandbox/faults', faults);
	app.post<{ Body: FaultRule }>(
		'/_sandbox/faults',
		{ schema: { body: faultRuleSchema } },
		(request, reply) => {
			try {
				state.arm(request.body);
			} catch (contradiction) {
				return reply.code(400).send(refusal((contradiction as Error).message));
			}
			return reply.code(201).send(faults());
		},
	);
	app.delete('/_sandbox/faults', (_request, reply) => {
		state.disarm();
		return reply.code(204).send();
	});

	app.put<{ Body: Partial<Record<RateSource, Rates>> }>(
		'/_sandbox/rates',
		{ schema: { body: rateSourcesSchema } },
		(request) => {
			state.setRates(request.body);
			return state.rates;
		},
	);
	app.put<{ Body: Vendor[] }>(
		'/_sandbox/vendors',
		{ schema: { body: vendorsSchema } },
		(request) => {
			state.setVendors(request.body);
			return state.vendors;
		},
	);

	app.get('/_sandbox/events', (_request, reply) => {
		reply.hijack();
		const { raw } = reply;
		raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
		let waiting: NodeJS.Timeout | undefined;
		const send = () => {
			waiting = undefined;
			const { vendors, rates: current, history, transactions, requests } = state;
			const shown = transactions.slice(-transactionsShown);
			const picture = {
				dashboard,
				vendors,
				rates: current,
				history,
				faults: faults(),
				transactions: shown,
				transactionCount: transactions.length,
				requestCount: requests.length,
			};
			raw.write(`data: ${JSON.stringify(picture)}\n\n`);
		};
		const changed = () => (waiting ??= setTimeout(send, pageIntervalMs));
		send();
		state.on('change', changed);
		raw.once('close', () => {
			state.off('change', changed);
			clearTimeout(waiting);
		});
	});
}
