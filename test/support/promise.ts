import type { AcceptedTransaction, Sandbox } from '../../sandbox/server.ts';
import type { Ran } from './engine.ts';

/** Everything a person can read of a run: both outputs, and the words that stopped it. */
export const personSees = ({ items, errorItems, error }: Ran): string =>
	[
		...[...items, ...errorItems].map(({ json }) => JSON.stringify(json)),
		error?.message ?? '',
		error?.description ?? '',
	].join('\n');

export interface Broken {
	/** References that the service accepted more than once. */
	duplicates: string[];
	/** Accepted transactions that the person does not get to know of. */
	lost: string[];
}

/**
 * Compares the ledger of the service with what the person sees. A transaction must be found by its id when the
 * service told it, and otherwise by its reference, as accepted with no id or as one to look for.
 */
export function brokenPromises(sandbox: Sandbox, seen: string, impatient = false): Broken {
	const ledger = sandbox.transactions();
	const told = new Set(
		sandbox
			.requests()
			.filter(({ fault, status }) => !fault && status === 200)
			.map(({ body }) => (body as { reference?: string } | undefined)?.reference),
	);
	// With a short timeout a run may have given up on an answer that was on its way.
	const isFound = ({ reference, transaction_id }: AcceptedTransaction) =>
		(told.has(reference) && hasWord(seen, transaction_id)) ||
		((impatient || !told.has(reference)) &&
			(hasWord(seen, `Look for reference ${reference}`) ||
				hasWord(seen, `no transaction id told, reference ${reference}`)));
	return {
		duplicates: repeated(ledger.map(({ reference }) => reference)),
		lost: ledger.filter((one) => !isFound(one)).map(({ reference }) => reference),
	};
}

export const repeated = (values: string[]): string[] =>
	values.filter((value, index) => values.indexOf(value) !== index);

const hasWord = (text: string, word: string) =>
	text
		.split(word)
		.slice(1)
		.some((after) => !/^[\w-]/.test(after));
