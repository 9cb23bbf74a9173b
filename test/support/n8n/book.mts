import type { AcceptedTransaction } from '../../../sandbox/server.mts';
import type { Row } from './dataTables.mts';

/**
 * A way through an example: what the last page said of a reference, and whether somebody has paid for it. `nothing` is
 * said of what the page has not touched, `not paid out` of a list of which nothing was sent.
 */
export interface Way {
	name: string;
	reference: string;
	said:
		| 'accepted'
		| 'unknown'
		| 'not placed'
		| 'not sent'
		| 'open'
		| 'closed'
		| 'nothing'
		| 'not paid out';
	isPaid: boolean;
}

const asTyped = (value: unknown) =>
	String(value ?? '')
		.trim()
		.toLowerCase();

/** As the desk names it. */
const nameOf = ({ reference, id }: Row) =>
	String(reference ?? '')
		.normalize('NFKC')
		.trim() || `row ${String(id)}`;

/** The row of a reference that counts: the accepted one, else the newest. */
export function counting(rows: Row[], reference: string): Row | undefined {
	const own = rows.filter((row) => nameOf(row) === reference);
	return own.findLast(({ outcome }) => asTyped(outcome) === 'accepted') ?? own.at(-1);
}

/** The references that a person has to see to, by the rule of the desk: all that are not known to be settled. */
export function openIn(rows: Row[], now: number): string[] {
	const isSettled = (name: string) => {
		const { operation, outcome, sentAt } = counting(rows, name)!;
		const said = asTyped(outcome);
		if (said === 'sending') return Date.parse(String(sentAt)) >= now - 25 * 60_000;
		if (said === 'accepted' || said === 'closed') return true;
		const isOver = (row: Row) =>
			['accepted', 'closed', 'notsent', 'rejected'].includes(asTyped(row.outcome));
		const attempts = rows.filter((row) => nameOf(row) === name && row.sentAt !== sentAt);
		const inDoubt = !attempts.every(isOver);
		const isRefused = said === 'notsent' || said === 'rejected';
		return isRefused && asTyped(operation) === 'sell' && !inDoubt;
	};
	return [...new Set(rows.map(nameOf))].filter((name) => !isSettled(name));
}

/** The row tells what the service has. */
const isOf = (row: Row, { transaction_id: id, request }: AcceptedTransaction) =>
	row.transaction_id === id &&
	[
		'amount',
		'vendor_number',
		'account_number',
		'account_name',
		'bank_name',
		'wallet_address',
	].every((name) => String(row[name] ?? '') === String((request as unknown as Row)[name] ?? ''));

/** What may have reached the service. */
const wasSent = new Set(['sending', 'unknown', 'accepted']);

/** What the pages said, what counts in the register, what the desk lists and what the service has, where they disagree. */
export function disagreements(
	ways: Way[],
	{ rows, desk, accepted }: { rows: Row[]; desk: string[]; accepted: AcceptedTransaction[] },
) {
	const found = { lost: [] as string[], twice: [] as string[], false: [] as string[] };
	for (const { name, reference, said, isPaid } of ways) {
		const there = accepted.filter((one) => one.reference === reference);
		const row = counting(rows, reference);
		const outcome = row?.outcome;
		const isListed = desk.includes(reference);
		const words = `${name}: ${reference} said ${said}, register ${String(outcome)}, ${isListed ? 'on' : 'not on'} the desk, the service has ${there.length}`;
		if (there.length > 1) found.twice.push(words);
		const isEnded = outcome === 'accepted' || outcome === 'closed';
		const isSeenTo = isEnded || isListed;
		if ((isPaid || there.length > 0) && !isSeenTo) found.lost.push(words);
		const isThere = there.length > 0;
		const isTrue = {
			accepted: isThere && outcome === 'accepted',
			unknown: outcome === 'unknown' || outcome === 'sending',
			'not placed': !isThere && !wasSent.has(String(outcome)),
			'not sent': isListed && outcome !== 'accepted',
			open: isListed,
			closed: outcome === 'closed',
			nothing: true,
			'not paid out': !isThere && row === undefined,
		}[said];
		const isRegisterTrue =
			outcome === 'accepted'
				? isThere && isOf(row!, there[0]!)
				: !isThere || wasSent.has(String(outcome));
		const isFalse = !isTrue || !isRegisterTrue || (isListed && isEnded);
		if (isFalse) found.false.push(words);
	}
	return found;
}
