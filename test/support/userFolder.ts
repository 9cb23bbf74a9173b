import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ensureN8n } from '../../playground/install.ts';
import { withLock } from '../../playground/lock.ts';
import { startN8n } from '../../playground/n8n.ts';

/** n8n without its editor starts in two thirds of the time. */
export const withoutEditor = { N8N_DISABLE_UI: 'true' };

const makeFolder = async (name: string) =>
	await mkdtemp(join(tmpdir(), `stablecoin-ramp-${name}-`));

const databaseIn = (folder: string) => join(folder, '.n8n', 'database.sqlite');

/** A folder for a new n8n. The tables of its database are there already: n8n takes seconds to make them. */
export async function makeUserFolder(name: string): Promise<string> {
	const { dir } = await ensureN8n();
	const empty = join(dir, 'empty.sqlite');
	await withLock(`${empty}.lock`, async () => {
		if (!existsSync(empty)) await makeDatabase(empty);
	});
	const folder = await makeFolder(name);
	await mkdir(join(folder, '.n8n'));
	await copyFile(empty, databaseIn(folder));
	return folder;
}

async function makeDatabase(file: string): Promise<void> {
	const folder = await makeFolder('tables');
	const n8n = await startN8n({ userFolder: folder, env: withoutEditor });
	await n8n.stop();
	// A copy of the file alone would lack what SQLite still keeps beside it.
	const whole = join(folder, 'whole.sqlite');
	const database = new DatabaseSync(databaseIn(folder));
	database.exec(`VACUUM INTO '${whole}'`);
	database.close();
	await copyFile(whole, `${file}.partial`);
	await rename(`${file}.partial`, file);
	await rm(folder, { recursive: true });
}
