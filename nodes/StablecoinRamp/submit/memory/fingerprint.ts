import { createHash } from 'crypto';

/** Tells values apart, and nothing can be read from it. */
export const fingerprint = (value: unknown): string =>
	createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 40);

/** The same in whatever order the values come. */
export const fingerprintOfValues = (values: object): string =>
	fingerprint(Object.entries(values).sort());

/** References with the same form are the same, however they were typed: with full-width letters, with accents apart. */
export const keyForm = (reference: string): string => reference.normalize('NFKC').trim();
