import { createHash } from 'node:crypto';

import type { AcceptedTransaction } from './state.mts';

// The other side of the accepted transactions, made up so that there is something to compare with: the service shows
// nothing of what is behind its answers, not even that a token arrives: docs/interface.md (16). Both have the usual
// misfits, always at the same buys.

interface Payment {
	narration: string;
	/** In kobo, as banks count; a payment out is below zero. */
	kobo: number;
}

// What nobody here knows of, once there are some buys: a payment out of the account, and stablecoin in the wallet.
const buysBeforeStrangers = 2;
const strangerPaid: Payment = {
	narration: 'NIP TRANSFER TO SANDBOX VENDOR TWO',
	kobo: -25_000_00,
};
const strangerReceived = 17_000;

/** What the statement has for a buy, by its place among the buys. */
const paymentsOf: Record<number, (right: Payment, vendorOnly: string) => Payment[]> = {
	2: () => [],
	3: (right) => [right, right],
	4: (right) => [{ ...right, kobo: right.kobo + 500_00 }],
	5: (right, vendorOnly) => [{ ...right, narration: vendorOnly }],
};
const neverArrived = 6;

const charge: Payment = { narration: 'NIP CHARGE', kobo: -26_88 };
const openingStep = 1_000_000_00;

/** The account that buys are paid from and sells are paid to, as a Nigerian bank writes it. */
export function bankStatement(transactions: AcceptedTransaction[]): string {
	const lines = placed(transactions).flatMap(({ transaction, place }) =>
		entered(paymentsFor(transaction, place), keyOf(transaction), transaction.receivedAt),
	);
	const [first, last] = [transactions[0], transactions.at(-1)];
	if (first && last && hasStrangers(transactions)) {
		lines.push(...entered([strangerPaid, charge], `stranger ${keyOf(first)}`, last.receivedAt));
	}

	let balance = openingBalance(lines);
	const opening = ['OPENING BALANCE', '', '', '', money(balance)];
	return csv([
		['Trans. Date', 'Narration', 'Reference', 'Debit', 'Credit', 'Balance'],
		...(first ? [[day(first.receivedAt), ...opening]] : []),
		...lines.map(({ date, narration, number, kobo }) => {
			balance += kobo;
			const [debit, credit] = kobo < 0 ? [money(-kobo), ''] : ['', money(kobo)];
			return [date, narration, number, debit, credit, money(balance)];
		}),
	]);
}

/** The wallet that the stablecoin comes to and goes from. */
export function walletList(transactions: AcceptedTransaction[]): string {
	const line = (at: string, type: string, amount: number, memo: string, key: string) => [
		at,
		type,
		amount.toFixed(7),
		'NGN stablecoin',
		memo,
		sha256(key),
	];
	const lines = placed(transactions)
		.filter(({ place }) => place !== neverArrived)
		.map(({ transaction, place }) => {
			const { kind, transaction_id, amount, receivedAt } = transaction;
			const hasMemo = place === undefined || place % 2 === 1;
			return line(
				minutesAfter(receivedAt, 1),
				kind === 'buy' ? 'received' : 'sent',
				amount,
				hasMemo ? transaction_id : '',
				keyOf(transaction),
			);
		});
	const [first, last] = [transactions[0], transactions.at(-1)];
	if (first && last && hasStrangers(transactions)) {
		const at = minutesAfter(last.receivedAt, 2);
		lines.push(line(at, 'received', strangerReceived, '', `stranger ${keyOf(first)}`));
	}
	return csv([['Date (UTC)', 'Type', 'Amount', 'Asset', 'Memo', 'Transaction'], ...lines]);
}

/** Each buy with its place among the buys, from 1 on; a sell has none. */
function placed(transactions: AcceptedTransaction[]) {
	let buys = 0;
	return transactions.map((transaction) => ({
		transaction,
		place: transaction.kind === 'buy' ? ++buys : undefined,
	}));
}

const hasStrangers = (transactions: AcceptedTransaction[]) =>
	transactions.filter(({ kind }) => kind === 'buy').length >= buysBeforeStrangers;

function paymentsFor(
	{ amount, reference, request }: AcceptedTransaction,
	place: number | undefined,
): Payment[] {
	const kobo = Math.round(amount * 100);
	if (place === undefined) {
		return [{ narration: `NIP TRANSFER FROM SANDBOX SERVICE/${reference}`, kobo }];
	}
	const vendorOnly = `NIP TRANSFER TO ${request.vendor_name?.toUpperCase()}`;
	const right = { narration: `${vendorOnly}/${reference}`, kobo: -kobo };
	const payments = paymentsOf[place]?.(right, vendorOnly) ?? [right];
	return payments.flatMap((payment) => [payment, charge]);
}

const entered = (payments: Payment[], key: string, receivedAt: string) =>
	payments.map((payment, index) => ({
		...payment,
		date: day(receivedAt),
		number: bankNumber(`${key} ${index}`),
	}));

/** So much that the account is never overdrawn; in large steps, so that it seldom changes with the next buy. */
function openingBalance(payments: Payment[]): number {
	let balance = 0;
	let lowest = 0;
	for (const { kobo } of payments) {
		balance += kobo;
		lowest = Math.min(lowest, balance);
	}
	return Math.max(1, Math.ceil(-lowest / openingStep)) * openingStep;
}

const dayFirst = new Intl.DateTimeFormat('en-GB', { timeZone: 'Africa/Lagos' });
const day = (at: string) => dayFirst.format(new Date(at));

const twoDecimals = new Intl.NumberFormat('en-NG', {
	minimumFractionDigits: 2,
	maximumFractionDigits: 2,
});
const money = (kobo: number) => twoDecimals.format(kobo / 100);

const minutesAfter = (at: string, minutes: number) =>
	new Date(Date.parse(at) + minutes * 60_000).toISOString();

/** Ids begin anew after a reset; with the time there is no second one. */
const keyOf = ({ transaction_id, receivedAt }: AcceptedTransaction) =>
	`${transaction_id} ${receivedAt}`;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
/** Begins with letters, so that no spreadsheet takes it for a number. */
const bankNumber = (text: string) => `FT${sha256(text).slice(0, 12).toUpperCase()}`;

const csv = (rows: string[][]) =>
	rows.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
