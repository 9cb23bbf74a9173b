import type { AcceptedTransaction, Sandbox } from '../../sandbox/server.mts';
import type { Ran } from './engine/engine.mts';
import type { Told } from './told.mts';

/** Everything a person can read of a run: both outputs, and the words that stopped it. */
export const personSees = ({ items, errorItems, error }: Ran): string =>
	[
		...[...items, ...errorItems].map(({ json }) => JSON.stringify(json)),
		error?.message ?? '',
		error?.description ?? '',
	].join('\n');

export interface Allowed {
	/** With a short timeout a run may have given up on an answer that was on its way. */
	givesUp?: boolean;
	/** Of a run that was killed nobody is told. */
	killed?: boolean;
	/** Sent again because somebody wanted it. */
	duplicates?: boolean;
}

/**
 * Begins to watch the service, and gives what compares it with all that was told of the runs since: one sentence for
 * each promise that was broken.
 */
export function watch(sandbox: Sandbox): (told: Told[], allowed?: Allowed) => string[] {
	const before = sandbox.transactions().length;
	const requestsBefore = sandbox.requests().length;
	return (told, allowed = {}) => {
		const ledger = sandbox.transactions();
		const answered = sandbox
			.requests()
			.slice(requestsBefore)
			.filter(({ fault, status }) => !fault && status === 200)
			.map(({ body }) => (body as { reference?: string } | undefined)?.reference);
		return [
			...untrue(told, ledger),
			...(allowed.killed
				? []
				: untold(told, ledger.slice(before), allowed.givesUp ? [] : answered)),
			...(allowed.duplicates ? [] : repeated(ledger.map(nameOf))).map(
				(name) => `${name} was accepted twice`,
			),
		];
	};
}

const nameOf = ({ kind, reference }: AcceptedTransaction) => `${kind} ${reference}`;

/** What was told as being there, and is not. */
const untrue = (told: Told[], ledger: AcceptedTransaction[]): string[] =>
	told.flatMap(({ outcome, reference, id }) => {
		const isThere = ledger.some(
			(one) => one.reference === reference && (outcome === 'skipped' || one.transaction_id === id),
		);
		return (outcome === 'accepted' || outcome === 'skipped') && !isThere
			? [`${reference} was told as ${outcome}, ${id}, and is not there`]
			: [];
	});

/** What came to be there, and was told neither by its id nor as unknown; by its id, where the service has answered. */
function untold(
	told: Told[],
	added: AcceptedTransaction[],
	answered: Array<string | undefined>,
): string[] {
	const ids = new Set(told.map(({ id }) => id));
	return [...new Set(added.map(({ reference }) => reference))].flatMap((reference) => {
		const of = added.filter((one) => one.reference === reference);
		const named = of.filter(({ transaction_id }) => ids.has(transaction_id)).length;
		const doubts = told.filter((one) => one.reference === reference && one.outcome === 'unknown');
		const answers = answered.filter((one) => one === reference).length;
		return [
			...(of.length > named + doubts.length
				? [`${reference} was accepted ${of.length} times, and ${named} were told`]
				: []),
			...(answers > named ? [`${reference} was answered ${answers} times, ${named} told`] : []),
		];
	});
}

export const repeated = (values: string[]): string[] =>
	values.filter((value, index) => values.indexOf(value) !== index);
