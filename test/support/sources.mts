import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** A hash of the sources in these folders: what is kept under it is not found any more once one of them has changed. */
export async function hashOf(folders: string): Promise<string> {
	const files = ['package.json'];
	for await (const file of glob(`{${folders}}/**/*.{ts,mts,mjs,cjs,json,csv}`, { cwd: root })) {
		files.push(file);
	}
	const hash = createHash('sha256');
	for (const file of files.sort()) hash.update(file).update(await readFile(join(root, file)));
	return hash.digest('hex').slice(0, 16);
}
