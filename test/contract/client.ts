import { operations, type OperationName } from '../../sandbox/contract.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.ts';

/** Gives a sandbox of its own to one test, and closes it whatever happens. */
export async function withSandbox(
	options: SandboxOptions,
	use: (sandbox: Sandbox) => Promise<void>,
): Promise<void> {
	const sandbox = await startSandbox(options);
	try {
		await use(sandbox);
	} finally {
		await sandbox.close();
	}
}

export const buyBody = {
	business_id: 'SANDBOX-BUSINESS-001',
	link_tag: 'sandbox-business',
	type: 'buy_ramp',
	amount: 15000,
	vendor_name: 'Sandbox Vendor One',
	vendor_bank: 'Harbour Demo Bank',
	vendor_number: '0011223344',
	bank_name: 'Demo Payer Bank',
	account_number: '0123456789',
	account_name: 'Ada Example',
	network: 'Polygon',
	wallet_address: '0x52908400098527886E0F7030069857D2E4169EE7',
	reference: 'order-1',
};

export const sellBody = {
	business_id: 'SANDBOX-BUSINESS-001',
	link_tag: 'sandbox-business',
	type: 'sell_ramp',
	amount: 500.5,
	account_name: 'Ada Example',
	account_number: '0123456789',
	bank_name: 'Demo Payer Bank',
};

const bodies: Partial<Record<OperationName, object>> = { buy: buyBody, sell: sellBody };

export function operationNamed(name: OperationName) {
	const found = operations.find((operation) => operation.name === name);
	if (!found) throw new Error(`The contract has no operation ${name}.`);
	return found;
}

export interface Sent {
	/** Instead of a body that the sandbox accepts. */
	body?: unknown;
	/** Instead of the right key; null sends none. */
	key?: string | null;
	signal?: AbortSignal;
}

/** A request that the sandbox accepts, but for what is said. */
export function send(sandbox: Sandbox, name: OperationName, sent: Sent = {}): Promise<Response> {
	const { method, path, host } = operationNamed(name);
	const { body = bodies[name], key = sandbox.secretKey, signal } = sent;
	return fetch(`${host === 'otc' ? sandbox.otcBaseUrl : sandbox.baseUrl}${path}`, {
		method,
		redirect: 'manual',
		signal,
		headers: {
			accept: 'application/json',
			'content-type': 'application/json',
			...(key !== null && { [sandbox.headerName]: key }),
		},
		...(body !== undefined && {
			body: typeof body === 'string' ? body : JSON.stringify(body),
		}),
	});
}

/** The body of an answer, in the shape that the test goes on to check. */
export const json = async <Shape>(answer: Promise<Response>) =>
	(await (await answer).json()) as Shape;

export const admin = (sandbox: Sandbox, method: string, path: string, body?: unknown) =>
	fetch(`${sandbox.baseUrl}/_sandbox/${path}`, {
		method,
		...(body !== undefined && {
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		}),
	});
