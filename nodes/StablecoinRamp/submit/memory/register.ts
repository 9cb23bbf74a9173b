import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { ok, refuse, type Read } from '../../../../client/refusal';
import { keyForm } from './fingerprint';
import { findTable, makeTable, tableAt, type Match, type Search } from './dataTable';

/**
 * A data table of n8n's with a row for each transaction: written before its request leaves, and again when it is
 * known what became of it. It survives what an execution does not: a kill, a timeout, n8n's own tidying up.
 *
 * n8n can insert many rows at once, but changes them one by one. So what is settled is inserted, and the rows that
 * said `sending` are deleted behind that. Killed in between, both are there.
 */
export interface Register {
	/**
	 * Gives what settles the references that are about to be sent, read behind that: whoever closes one from now on finds
	 * that it is about to be sent. Throws where it did not work. What failed then is entered before anything else the
	 * next time.
	 */
	write(rows: Writing): Promise<Map<string, IDataObject[]>>;
	/** Its turn came late: puts a row with the present time in place of its old one. Throws where it did not work. */
	enterAgain(item: number): Promise<void>;
	/** The run is over: what did not work is tried once more. */
	finish(): Promise<Missing>;
	/**
	 * What settles each reference, of every workflow that has this register: the rows that say `accepted`; without any
	 * those that nobody can read; without these the newest row, if that says `closed`.
	 */
	settled(references: string[]): Promise<Map<string, IDataObject[]>>;
	/** Enters what was not sent because it was refused, in place of the last refusal. The first stays: it says since when. */
	enterRefused(rows: Refused[]): Promise<void>;
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

interface Refused extends Asked {
	message: string;
	/** There may be a wallet all the same. */
	isWalletUnread?: boolean;
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

	/** The rows that say `sending`, by item, the newest last. After a failed write each may be there: all are deleted in the end. */
	const open = new Map<number, IDataObject[]>();
	/** The first row that was entered at a time: n8n need not read those before it. */
	const firstAt = new Map<string, number>();
	/** Rows whose write failed, by item. Some may be there all the same, so only what is missing is inserted. */
	const left = new Map<number, IDataObject[]>();
	const workflowId = context.getWorkflow().id;
	const executionId = context.getExecutionId();
	const shared = { operation, service, workflowId, executionId };
	/** Matches what these have said of sending: one deletion for each time, unless others that were entered then stay. */
	const sendingOf = (rows: IDataObject[]): Match[] => {
		const staying = new Set([...open.values()].flat().map(({ sentAt }) => sentAt));
		const matches = rows.map(({ sentAt, item }): Match => ({
			...(firstAt.has(String(sentAt)) && { id: { from: firstAt.get(String(sentAt))! } }),
			executionId: String(executionId),
			sentAt: String(sentAt),
			outcome: 'sending',
			...(staying.has(sentAt) && { item: Number(item) }),
		}));
		return [...new Map(matches.map((match) => [JSON.stringify(match), match])).values()];
	};
	/** What was settled is put there unless it is there already. What was not sent after all is taken out. */
	const enterWhatIsLeft = async (waiting?: { doNotWaitToFinish: boolean }) => {
		if (left.size === 0) return;
		const rows = [...left.values()].flat();
		const settled = rows.filter(({ outcome }) => outcome !== 'sending');
		await table.put(settled, keys, sendingOf(rows), waiting);
		left.clear();
	};
	const asked = ({ item, reference, body }: Asked): IDataObject => ({
		...shared,
		...Object.fromEntries(requestColumns.map((column) => [column, body[column] ?? null])),
		item,
		reference,
	});
	/** The references as persons have written them in the rows that were found, by the reference as it is sent. */
	const written = new Map<string, string[]>();
	const searchFor = (references: string[], patterns: string[]): Search => {
		const texts = references.flatMap((one) => [...formsOf(one), ...(written.get(one) ?? [])]);
		return { column: 'reference', texts: [...new Set(texts)], patterns };
	};
	/** What was read of each reference, and the first row that this run had entered last by then. */
	const known = new Map<string, { ids: number[]; from?: number }>();
	let lastEntered: number | undefined;
	/** The rows that were read of them, and whatever was added since: n8n need not read all the others. */
	const searchAgain = (references: string[]): Search => {
		const all = references.map((one) => known.get(one));
		const from = Math.min(...all.map((one) => one?.from ?? NaN));
		if (Number.isNaN(from)) return searchFor(references, []);
		return { column: 'id', texts: all.flatMap((one) => one!.ids), patterns: [], from };
	};
	// A buy says nothing of a sell, nor a test of the live service. A person who adds a row may leave both out, and what
	// nobody can read may be ours.
	const isOurs = (row: IDataObject) =>
		([operation, ''].includes(asTyped(row.operation)) || !isReadable.operation(row)) &&
		([withoutSlash(service), ''].includes(withoutSlash(row.service)) || !isReadable.service(row));
	/** The rows of each reference, the newest last; those of every workflow that has this register. */
	const byReference = (references: string[], found: IDataObject[]) => {
		const byKey = new Map<string, IDataObject[]>(references.map((one) => [keyForm(one), []]));
		for (const row of found.filter(isOurs)) byKey.get(asPasted(row.reference))?.push(row);
		const all = new Map(references.map((one) => [one, byKey.get(keyForm(one))!]));
		for (const [reference, rows] of all) {
			rows.sort((one, other) => Number(one.id) - Number(other.id));
			written.set(
				reference,
				rows.map((row) => String(row.reference)),
			);
		}
		return all;
	};
	const rowsOf = async (references: string[]): Promise<Map<string, IDataObject[]>> => {
		if (references.length === 0) return new Map();
		const from = lastEntered;
		const found = await table.find(searchFor(references, withSomethingUnseen));
		const all = byReference(references, found);
		for (const [reference, rows] of all)
			known.set(reference, { ids: rows.map(({ id }) => Number(id)), from });
		return all;
	};
	const isOwnSending = (row: IDataObject) =>
		row.executionId === executionId && asTyped(row.outcome) === 'sending';
	const settling = (rows: IDataObject[]) => {
		const unreadable = rows.filter(unreadableIn);
		const accepted = rows.filter((row) => isAccepted(row) && !unreadable.includes(row));
		if (accepted.length > 0 || unreadable.length > 0)
			return accepted.length > 0 ? accepted : unreadable;
		// What this run has entered to send it says nothing of what a person did meanwhile to an older row.
		const newest = rows.filter((row) => !isOwnSending(row)).slice(-1);
		return newest.filter(isClosed);
	};
	const settledIn = (all: Map<string, IDataObject[]>) =>
		new Map([...all].map(([reference, rows]) => [reference, settling(rows)]));
	const register: Register = {
		write: async ({ sending, settled, withdrawn }) => {
			const rows = new Map<number, IDataObject>();
			/** The rows that say `sending` of those that are over. */
			const over = new Map<number, IDataObject[]>();
			for (const item of [...settled.map((one) => one.item), ...withdrawn]) {
				if (open.has(item)) over.set(item, open.get(item)!);
				open.delete(item);
			}
			const answeredAt = new Date().toISOString();
			for (const one of settled) {
				const row = over.get(one.item)?.at(-1);
				if (row) rows.set(one.item, { ...row, ...one, answeredAt });
			}
			const sentAt = newMoment();
			for (const one of sending) {
				const row = { ...asked(one), outcome: 'sending', sentAt };
				open.set(one.item, [row]);
				rows.set(one.item, row);
			}
			const references = sending.map(({ reference }) => reference);
			const enter = async () => {
				await enterWhatIsLeft();
				const entered = [...rows.values()];
				const gone = sendingOf([...over.values()].flat());
				if (references.length > 0)
					return await table.insertAndFind(entered, gone, searchAgain(references));
				await table.insert(entered, gone);
				return [];
			};
			const found = await enter().catch(async (thrown: Error) => {
				for (const item of new Set([...over.keys(), ...rows.keys()])) {
					left.set(item, [...(over.get(item) ?? []), ...(rows.has(item) ? [rows.get(item)!] : [])]);
				}
				return await Promise.reject(thrown);
			});
			const own = found.filter((row) => isOwnSending(row) && row.sentAt === sentAt);
			if (own.length > 0) {
				lastEntered = Math.min(...own.map(({ id }) => Number(id)));
				firstAt.set(sentAt, lastEntered);
			}
			return settledIn(byReference(references, found));
		},
		enterAgain: async (item) => {
			const rows = open.get(item)!;
			const old = sendingOf(rows);
			const row = { ...rows.at(-1), sentAt: newMoment() };
			// Noted first: an insert that failed may have worked.
			rows.push(row);
			await table.insert([row], old);
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
		settled: async (references) => settledIn(await rowsOf(references)),
		enterRefused: async (refused) => {
			const references = refused.map(({ reference }) => reference);
			const found = await rowsOf(references);
			const rows: IDataObject[] = [];
			const replaced: Match[] = [];
			for (const one of refused) {
				const earlier = found.get(one.reference)!;
				if (areAboveRefusals(earlier)) continue;
				const row = { ...asked(one), outcome: 'notSent', message: one.message };
				rows.push(completed(row, earlier.at(-1), one.isWalletUnread));
				// Only as it was read: somebody at the desk may have taken it meanwhile.
				const untouched = earlier.filter((known) => isRefusal(known) && !isTouched(known));
				for (const { id, outcome } of untouched.slice(1)) {
					replaced.push({ id: Number(id), outcome: String(outcome), by: null });
				}
			}
			if (rows.length === 0) return;
			await table.insert(rows, replaced);
			// The newest row counts, and this one must not stand above one that another process, or a person, has written
			// since the rows were read.
			const isOwn = (row: IDataObject) => isRefusal(row) && row.executionId === executionId;
			const covering = [...(await rowsOf(references)).values()].flatMap((all) =>
				areAboveRefusals(all.filter((row) => !isOwn(row))) ? all.filter(isOwn) : [],
			);
			const ids = [...new Set(covering.map(({ id }) => Number(id)))];
			await table.insert(
				[],
				ids.map((id) => ({ id, outcome: 'notSent' })),
			);
		},
	};
	return ok(register);
}

const isAccepted = ({ outcome }: IDataObject) => asTyped(outcome) === 'accepted';

export const isClosed = ({ outcome }: IDataObject) => asTyped(outcome) === 'closed';

/** Of what the node itself writes all can be read. A person may have mistyped something. */
const isReadable = {
	outcome: ({ outcome }: IDataObject) =>
		['sending', 'accepted', 'rejected', 'notsent', 'unknown', 'closed'].includes(asTyped(outcome)),
	operation: ({ operation }: IDataObject) => ['buy', 'sell', ''].includes(asTyped(operation)),
	service: ({ service }: IDataObject) => /^(https?:|$)/.test(asTyped(service)),
};

/** The column of a row that nobody can read, if there is one. */
export const unreadableIn = (row: IDataObject): string | undefined =>
	Object.entries(isReadable).find(([, isGood]) => !isGood(row))?.[0];

/** A refusal says nothing about what these rows tell of: it was accepted, may have moved, or a person has closed it. */
const areAboveRefusals = (rows: IDataObject[]) =>
	rows.some(isAccepted) || ['sending', 'unknown', 'closed'].includes(asTyped(rows.at(-1)?.outcome));

/** Columns that belong together: of two rows they would make a third that nobody has asked for. */
const vendorColumns = ['vendor_name', 'vendor_bank', 'vendor_number'];
const payerColumns = ['bank_name', 'account_number', 'account_name'];
const walletColumns = ['network', 'wallet_address'];

/** What could not be read this time is as it was before: an amount that was paid is not forgotten. */
function completed(
	row: IDataObject,
	before: IDataObject = {},
	isWalletUnread = false,
): IDataObject {
	const isFilled = (column: string) => row[column] !== null;
	const isSame = (columns: string[]) =>
		columns.filter(isFilled).every((column) => row[column] === before[column]);
	const together = [vendorColumns, payerColumns, ...(isWalletUnread ? [walletColumns] : [])];
	const kept = ['amount', 'business_id', ...together.filter(isSame).flat()];
	const known = kept.map((column) => [column, row[column] ?? before[column] ?? null]);
	return { ...row, ...Object.fromEntries(known) };
}

/** Entered for what was refused: it was never about to be sent. */
const isRefusal = ({ outcome, sentAt }: IDataObject) => asTyped(outcome) === 'notsent' && !sentAt;

/** A person has written something into it. */
const isTouched = ({ by, transaction_id: id, createdAt, updatedAt }: IDataObject) =>
	Boolean(by) || Boolean(id) || timeOf(createdAt) !== timeOf(updatedAt);

/** n8n gives a time as a Date, which is equal to no other. */
const timeOf = (date: unknown) => new Date(date as Date).getTime();

/** In which a row may have a reference that a person has typed. */
const formsOf = (reference: string): string[] =>
	['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => reference.normalize(form));

/**
 * What a person has pasted may have something before or behind it that nobody sees. The last ones say in which direction
 * to read, and always stand before it. A pattern that ends a text is read through all of it, in every row.
 */
export const withSomethingUnseen = [
	...[' ', '\t', '\n', '\r', '\u00a0', '\u200b', '\ufeff', '\u200e'].flatMap((one) => [
		`${one}%`,
		`%${one}`,
	]),
	...['\u200f', '\u202a', '\u2066', '\u2068'].map((one) => `${one}%`),
];

const asPasted = (reference: unknown) => keyForm(String(reference).replace(/[\p{Cc}\p{Cf}]/gu, ''));

/** Whatever a person has made of its capitals and spaces. */
const asTyped = (value: unknown) =>
	String(value ?? '')
		.trim()
		.toLowerCase();

const withoutSlash = (address: unknown) => asTyped(address).replace(/\/+$/, '');

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
		if (found.columns.includes('settledAt')) {
			return refuse(
				`The data table "${name}" is a register of an earlier version of this node`,
				`Rename it under Data tables, e.g. to "Until now", and keep it: the node makes a new one named "${name}". What this workflow has submitted, it still knows. What other workflows have in it, and what is open there, the new one does not have: see to that first`,
			);
		}
		return refuse(
			`The data table "${name}" is not a register: it lacks the columns ${missing.join(', ')}`,
			`Choose another name in 'Register' in Options, or give the table the columns ${Object.keys(columns).join(', ')}`,
		);
	} catch (thrown) {
		return refuse(
			`The register "${name}" cannot be opened`,
			`It is a data table, which n8n has from version 2.3 on, in the editor and its workers but not in 'n8n execute'. Update n8n, or take 'Register' out of Options. n8n says: ${(thrown as Error).message}`,
		);
	}
}
