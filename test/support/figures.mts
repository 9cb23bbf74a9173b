import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Adds a line to what `npm test` prints below a family. */
export function tell(family: string, line: string): void {
	const folder = join(import.meta.dirname, '..', '.output', 'figures');
	mkdirSync(folder, { recursive: true });
	appendFileSync(join(folder, `${family}.txt`), `${line}\n`);
}
