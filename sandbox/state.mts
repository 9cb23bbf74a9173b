import { EventEmitter } from 'node:events';

import type { Host, OperationName } from './contract.mts';
import {
	complete,
	strike,
	type ArmedFault,
	type FaultKindName,
	type FaultRule,
} from './faults.mts';
import type { Rates } from './walk.mts';

export type RateSource = 'otc' | 'usdc';

export interface Vendor {
	vendorName: string;
	vendorNumber: string;
	vendorBank: string;
}

export interface TransactionRequest {
	business_id: string;
	link_tag: string;
	type: string;
	amount: number;
	bank_name: string;
	account_number: string;
	account_name: string;
	vendor_name?: string;
	vendor_bank?: string;
	vendor_number?: string;
	network?: string;
	wallet_address?: string;
	reference?: string;
}

export interface AcceptedTransaction {
	kind: 'buy' | 'sell';
	transaction_id: string;
	reference: string;
	amount: number;
	receivedAt: string;
	request: TransactionRequest;
	response: { status: string; message: string; transaction: Record<string, unknown> };
}

export interface SeenRequest {
	at: string;
	host: Host;
	method: string;
	path: string;
	/** The key is masked. */
	headers: Record<string, string>;
	body?: unknown;
	/** Absent while unanswered, and for good when the connection was broken off. */
	status?: number;
	fault?: FaultKindName;
}

const startingRates: Record<RateSource, Rates> = {
	otc: {
		USD: 1482.5,
		GBP: 1946.2,
		EUR: 1718.9,
		TRY: 35.1,
		CNY: 208.4,
		CHF: 1842.7,
		CAD: 1056.3,
		AED: 403.6,
		KES: 11.45,
	},
	usdc: {
		USD: 1476.8,
		GBP: 1938.6,
		EUR: 1712.3,
		TRY: 34.9,
		CNY: 207.6,
		CHF: 1835.4,
		CAD: 1052.1,
		AED: 402.1,
		KES: 11.4,
	},
};

const startingVendors: Vendor[] = [
	{ vendorName: 'Sandbox Vendor One', vendorNumber: '0011223344', vendorBank: 'Harbour Demo Bank' },
	{ vendorName: 'Sandbox Vendor Two', vendorNumber: '0055667788', vendorBank: 'Savanna Demo Bank' },
];

export const testVendors: readonly Vendor[] = [
	{ vendorName: 'Sandbox Test Vendor', vendorNumber: '0000000001', vendorBank: 'Test Demo Bank' },
];

const requestsKept = 10_000;
const pointsKept = 120;

/** Everything the sandbox remembers. Emits `change` whenever any of it does. */
export class State extends EventEmitter<{ change: [] }> {
	transactions: AcceptedTransaction[] = [];
	requests: SeenRequest[] = [];
	faults: ArmedFault[] = [];
	vendors: Vendor[] = [];
	rates: Record<RateSource, Rates> = startingRates;
	/** The rates over time, oldest first. */
	history: Array<{ at: string; rates: Record<RateSource, Rates> }> = [];

	constructor() {
		super();
		this.setMaxListeners(0);
		this.reset();
	}

	reset(): void {
		this.transactions = [];
		this.requests = [];
		this.faults = [];
		this.vendors = startingVendors;
		this.history = [];
		this.setRates(startingRates);
	}

	setRates(rates: Partial<Record<RateSource, Rates>>): void {
		this.rates = { ...this.rates, ...rates };
		this.history = [
			...this.history.slice(1 - pointsKept),
			{ at: new Date().toISOString(), rates: this.rates },
		];
		this.emit('change');
	}

	setVendors(vendors: Vendor[]): void {
		this.vendors = vendors;
		this.emit('change');
	}

	arm(rule: FaultRule): void {
		this.faults.push(complete(rule));
		this.emit('change');
	}

	disarm(): void {
		this.faults = [];
		this.emit('change');
	}

	strike(operation: OperationName): ArmedFault | undefined {
		const struck = strike(this.faults, operation);
		if (struck) this.emit('change');
		return struck;
	}

	see(request: SeenRequest): void {
		this.requests.push(request);
		if (this.requests.length > requestsKept) this.requests.shift();
		this.emit('change');
	}

	accept(kind: 'buy' | 'sell', request: TransactionRequest): AcceptedTransaction['response'] {
		const number = String(this.transactions.length + 1).padStart(6, '0');
		const transaction_id = `SBX-${number}`;
		const reference = request.reference || `SBX-REF-${number}`;
		const { amount } = request;
		const now = new Date();
		const response = {
			status: 'success',
			message: 'Transaction initiated',
			transaction: {
				transaction_id,
				business: { business_id: request.business_id },
				type: kind === 'buy' ? 'Buy' : 'Sell',
				reference,
				amount,
				...(kind === 'buy'
					? {
							link_account_name: request.vendor_name,
							link_account_number: request.vendor_number,
							link_bank_name: request.vendor_bank,
						}
					: { account_name: request.account_name }),
				account_number: request.account_number,
				bank_name: request.bank_name,
				link_tag: request.link_tag,
				network: request.network ?? '',
				wallet_address: request.wallet_address ?? '',
				date_created: calendarDate(now),
			},
		};
		this.transactions.push({
			kind,
			transaction_id,
			reference,
			amount,
			receivedAt: now.toISOString(),
			request,
			response,
		});
		this.emit('change');
		return response;
	}
}

const calendarDate = (date: Date) =>
	date.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'Africa/Lagos' });
