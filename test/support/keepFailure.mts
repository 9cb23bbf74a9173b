import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

// Not in test/.output, which the next run makes anew.
const folder = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'failures');

/** What a run of hours has said when it failed: it may not happen again soon. */
export async function keepFailure(said: string): Promise<void> {
	await mkdir(folder, { recursive: true });
	const file = join(folder, `${Date.now()}.txt`);
	await writeFile(file, said);
	console.log(`What failed: ${file}`);
}
