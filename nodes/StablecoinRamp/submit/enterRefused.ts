import type { TransactionOperation } from '../../../client/endpoints';
import { hiddenKey, hideIn } from '../../../client/masking';
import { inOneLine } from '../../../client/refusal';
import { lookUp } from './lookUp';
import { keyForm } from './memory/fingerprint';
import { notEntered } from './notSent';
import type { Setback } from './result';
import { asked, inPieces, type Entry, type Results, type Run } from './run';

/** A buy reports a payment that was made, so a person has to see to one that was refused: by a reference of its own. */
export const isToBeSeenTo =
	(operation: TransactionOperation) =>
	({ isReferenceMade }: Entry): boolean =>
		operation === 'buy' && !isReferenceMade;

/** Whether one of these has the reference of an entry. */
export function amongReferencesOf(entries: Entry[]) {
	const keys = new Set(entries.map(({ reference }) => keyForm(reference)));
	return ({ reference }: Entry): boolean => keys.has(keyForm(reference));
}

/** A search for more references than SQLite can take at once would fail. */
const enteredAtOnce = 100;

/**
 * Enters those that the checks or Maximum Total have refused, unless something is known of their reference, or another
 * item with it is to be sent.
 */
export async function enterRefused(run: Run, entries: Entry[], toSend: Entry[]): Promise<void> {
	const { operation, memory, results } = run;
	if (!memory.register) return;
	const isSent = amongReferencesOf(toSend);
	const refused = entries.filter(
		(entry) => results[entry.itemIndex]?.standing === 'refused' && !isSent(entry),
	);
	const own = refused.filter(isToBeSeenTo(operation));
	if (own.length === 0) return;
	const { earlier, failed } = await lookUp(run, own);
	const toEnter = own.filter((entry) => !earlier.has(entry) && !failed.has(entry));
	const { secretKey } = run.settings.credentials;
	const reason = ({ itemIndex }: Entry) =>
		hideIn(inOneLine(results[itemIndex] as Setback), hiddenKey(secretKey));
	for (const piece of inPieces(toEnter, enteredAtOnce)) {
		try {
			await memory.register.enterRefused(
				piece.map((entry) => ({ ...asked(run, entry), message: reason(entry) })),
			);
		} catch (thrown) {
			sayNotEntered(results, piece, (thrown as Error).message);
		}
	}
	for (const [entry, { message }] of failed) sayNotEntered(results, [entry], message);
}

export function sayNotEntered(results: Results, entries: Entry[], why: string): void {
	for (const { itemIndex } of entries) {
		results[itemIndex] = notEntered(results[itemIndex] as Setback, why);
	}
}
