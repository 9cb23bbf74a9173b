import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { ok, refuse, type Read } from '../../../../client/refusal';
import { keyForm } from './fingerprint';
import { findTable, makeTable, tableAt, type Match } from './dataTable';

/**
 * A data table of n8n's with a row for each transaction: written before its request leaves, and again when it is
 * known what became of it. It survives what an execution does not: a kill, a timeout, n8n's own tidying up.
 *
 * n8n can insert many rows at once, but changes them one by one. So what is settled is inserted, and the rows that
 * said `sending` are deleted behind that. Killed in between, both are there.
 */
export interface Register {
	/** Throws where it did not work. What failed then is entered before anything else the next time. */
	write(rows: Writing): Promise<void>;
	/** The run is over: what did not work is tried once more. */
	finish(): Promise<Missing>;
	/** The rows that say `accepted`, by reference; of every workflow that has this register. */
	accepted(references: string[]): Promise<Map<string, IDataObject[]>>;
}

interface Writing {
	/** About to be sent. */
	sending: Asked[];
	/** What became of those that were; entered once, however often it is given. */
	settled: Settled[];
	/** Items that were not sent after all, because somebody else has them. */
	withdrawn: number[];
}

interface Asked {
	item: number;
	reference: string;
	/** What is sent, by the names of the service. */
	body: IDataObject;
}

interface Settled {
	item: number;
	outcome: string;
	transaction_id: string | null;
	message: string | null;
	response: string | null;
	differs: string | null;
}

/** Items of which the register may still say `sending`, or nothing. */
interface Missing {
	lacking: Set<number>;
	/** The execution was cancelled or timed out: written by a workflow that n8n lets nobody wait for. */
	unconfirmed: Set<number>;
}

/** What was asked, by the names of the service. */
const request = {
	amount: 'number',
	business_id: 'string',
	vendor_name: 'string',
	vendor_bank: 'string',
	vendor_number: 'string',
	bank_name: 'string',
	account_number: 'string',
	account_name: 'string',
	network: 'string',
	wallet_address: 'string',
};

export const requestColumns = Object.keys(request);

export const columns = {
	reference: 'string',
	operation: 'string',
	outcome: 'string',
	transaction_id: 'string',
	...request,
	differs: 'string',
	message: 'string',
	response: 'string',
	/** The person, where one acted. */
	by: 'string',
	service: 'string',
	workflowId: 'string',
	executionId: 'string',
	item: 'number',
	sentAt: 'string',
	answeredAt: 'string',
};

/** No two rows have the same in all of these. */
const keys = ['reference', 'executionId', 'item', 'sentAt', 'outcome'];

export async function openRegister(
	context: IExecuteFunctions,
	name: string,
	operation: string,
	service: string,
): Promise<Read<Register>> {
	const found = await findOrMake(context, name);
	if (!found.ok) return found;
	const table = tableAt(context, found.value);

	/** The rows that say `sending`, by item. */
	const open = new Map<number, IDataObject>();
	/** Rows whose write failed, by item. Some may be there all the same, so only what is missing is inserted. */
	const left = new Map<number, IDataObject>();
	const workflowId = context.getWorkflow().id;
	const executionId = context.getExecutionId();
	const shared = { operation, service, workflowId, executionId };
	/** What was settled is put there unless it is there already. What was not sent after all is taken out. */
	const enterWhatIsLeft = async (waiting?: { doNotWaitToFinish: boolean }) => {
		if (left.size === 0) return;
		const rows = [...left.values()];
		const settled = rows.filter(({ outcome }) => outcome !== 'sending');
		await table.put(settled, keys, sentTogetherWith(rows), waiting);
		left.clear();
	};
	const register: Register = {
		write: async ({ sending, settled, withdrawn }) => {
			const rows = new Map<number, IDataObject>();
			/** The rows that say `sending` of those that are over. */
			const over = new Map<number, IDataObject>();
			for (const item of [...settled.map((one) => one.item), ...withdrawn]) {
				if (open.has(item)) over.set(item, open.get(item)!);
				open.delete(item);
			}
			const answeredAt = new Date().toISOString();
			for (const one of settled) {
				const row = over.get(one.item);
				if (row) rows.set(one.item, { ...row, ...one, answeredAt });
			}
			const sentAt = newMoment();
			for (const { item, reference, body } of sending) {
				const asked = requestColumns.map((name) => [name, body[name] ?? null]);
				const row = {
					...shared,
					...Object.fromEntries(asked),
					item,
					reference,
					outcome: 'sending',
					sentAt,
				};
				open.set(item, row);
				rows.set(item, row);
			}
			const enter = async () => {
				await enterWhatIsLeft();
				await table.insert([...rows.values()], sentTogetherWith([...over.values()]));
			};
			await enter().catch(async (thrown: Error) => {
				for (const [item, row] of [...over, ...rows]) left.set(item, row);
				return await Promise.reject(thrown);
			});
		},
		finish: async () => {
			const [lacking, unconfirmed] = [new Set<number>(), new Set<number>()];
			const items = [...left.keys()];
			await enterWhatIsLeft().catch(async (thrown: Error) => {
				const isCancelled = context.getExecutionCancelSignal()?.aborted;
				const isOver = isCancelled || /execution was cancelled/i.test(thrown.message);
				for (const item of items) (isOver ? unconfirmed : lacking).add(item);
				// n8n gives more time only to a workflow that nobody waits for.
				if (isOver) await enterWhatIsLeft({ doNotWaitToFinish: true }).catch(() => undefined);
			});
			return { lacking, unconfirmed };
		},
		accepted: async (references) => {
			if (references.length === 0) return new Map();
			const forms = references.flatMap((reference) => [
				reference,
				...unicodeForms.map((form) => reference.normalize(form)),
			]);
			const rows = await table.find('reference', [...new Set(forms)]);
			// A buy says nothing of a sell, nor a test of the live service. A person who adds a row may leave both out.
			const isOurs = (row: IDataObject) =>
				[operation, ''].includes(asTyped(row.operation)) &&
				[withoutSlash(service), ''].includes(withoutSlash(row.service));
			const accepted = rows.filter((row) => asTyped(row.outcome) === 'accepted' && isOurs(row));
			const rowsOf = (reference: string) =>
				accepted.filter((row) => keyForm(String(row.reference)) === keyForm(reference));
			return new Map(references.map((reference) => [reference, rowsOf(reference)]));
		},
	};
	return ok(register);
}

/** In which a row may have the same reference, written by a person or another workflow. */
const unicodeForms = ['NFC', 'NFD', 'NFKC', 'NFKD'];

/** Whatever a person has made of its capitals and spaces. */
const asTyped = (value: unknown) =>
	String(value ?? '')
		.trim()
		.toLowerCase();

const withoutSlash = (address: unknown) => asTyped(address).replace(/\/+$/, '');

/** Matches what says `sending`, of all that were sent together with these: one deletion for each time. */
const sentTogetherWith = (rows: IDataObject[]): Match[] =>
	[...new Map(rows.map((row) => [row.sentAt, row])).values()].map(({ executionId, sentAt }) => ({
		executionId: String(executionId),
		sentAt: String(sentAt),
		outcome: 'sending',
	}));

let lastMoment = 0;

/** No two are the same, because rows are told apart by it. */
function newMoment(): string {
	lastMoment = Math.max(Date.now(), lastMoment + 1);
	return new Date(lastMoment).toISOString();
}

async function findOrMake(context: IExecuteFunctions, name: string): Promise<Read<string>> {
	try {
		const found = await findTable(context, name);
		if (!found) return ok(await makeTable(context, name, columns));
		const missing = Object.keys(columns).filter((column) => !found.columns.includes(column));
		if (missing.length === 0) return ok(found.id);
		return refuse(
			`The data table "${name}" is no register: it has no column ${missing.join(', ')}`,
			`Choose another name in 'Register' in Options, or give the table the columns ${Object.keys(columns).join(', ')}`,
		);
	} catch (thrown) {
		return refuse(
			`The register "${name}" cannot be opened`,
			`It is a data table, which n8n has from version 2.3 on, in the editor and its workers but not in 'n8n execute'. Update n8n, or take 'Register' out of Options. n8n says: ${(thrown as Error).message}`,
		);
	}
}
