import { createHash } from 'crypto';

/** Tells values apart, and nothing can be read from it. */
export const fingerprint = (value: unknown): string =>
	createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 40);
