import { inspect } from 'node:util';

/** Looks everywhere, also where JSON does not: in messages, stacks, causes and hidden properties. */
export function expectNoSecret(where: unknown, secret: unknown): void {
	const everything = inspect(where, {
		depth: Infinity,
		showHidden: true,
		maxArrayLength: Infinity,
		maxStringLength: Infinity,
		breakLength: Infinity,
	});
	expect(everything.includes(String(secret).trim())).toBe(false);
	expect(JSON.stringify(where) ?? '').not.toContain(String(secret).trim());
}
