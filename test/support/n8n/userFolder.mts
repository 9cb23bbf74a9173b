import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { ensureN8n } from '../../../playground/installN8n.mts';
import { withLock } from '../../../playground/lock.mts';
import { startN8n } from '../../../playground/n8n.mts';
import { chosenVersion, versions } from '../../../playground/versions.mts';

/** Modules that have no part in an execution of ours. Not every n8n knows them all, and it takes no name that it does not know. */
const spare = [
	'agents',
	'breaking-changes',
	'chat-hub',
	'instance-ai',
	'ldap',
	'mcp',
	'mcp-registry',
	'oauth-server',
	'otel',
	'source-control',
	'sso-oidc',
	'sso-saml',
	'token-exchange',
	'workflow-builder',
];
const knowsThem = chosenVersion() === versions.at(-1);

/**
 * n8n without its editor, without the process in which Code nodes run, and without what has no part in an execution: it
 * starts in half the time.
 */
export const lean: Record<string, string> = {
	N8N_DISABLE_UI: 'true',
	N8N_RUNNERS_MODE: 'external',
	N8N_RUNNERS_AUTH_TOKEN: 'of nobody',
	...(knowsThem && { N8N_DISABLED_MODULES: spare.join(',') }),
};

/**
 * No VM for an execution that evaluates no expression, as those through which the register is written: to make one takes
 * longer than to submit a buy. By itself n8n makes one for each, as the n8n of n8n/n8n does. What the first VM has
 * compiled, the others load.
 */
export const lazy = {
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
	N8N_EXPRESSION_ENGINE_COMPILE_CACHE: 'true',
};

/**
 * Expressions evaluated in n8n's own process, as n8n did before it had VMs: a way through an example then costs half the
 * processor time. n8n's own choice stays with `npm run ways`, with `npm run compat`, and with every test that does not
 * name this one: each example has a test there too.
 */
export const withoutVm: Record<string, string> = process.env.STABLECOIN_RAMP_N8N
	? {}
	: { N8N_EXPRESSION_ENGINE: 'legacy' };

export const makeFolder = async (name: string) =>
	await mkdtemp(join(tmpdir(), `stablecoin-ramp-${name}-`));

const databaseIn = (folder: string) => join(folder, '.n8n', 'database.sqlite');

/**
 * A folder for a new n8n, with a database as n8n has it after its first start: its tables, which take seconds to make,
 * and the keys that it draws with our N8N_ENCRYPTION_KEY.
 */
export async function makeUserFolder(name: string): Promise<string> {
	const { dir } = await ensureN8n();
	const started = join(dir, 'started.sqlite');
	if (!existsSync(started)) {
		const who = 'another test, which makes the database';
		await withLock(started, { who }, async () => {
			if (!existsSync(started)) await makeDatabase(started);
		});
	}
	const folder = await makeFolder(name);
	await mkdir(join(folder, '.n8n'));
	await copyFile(started, databaseIn(folder));
	return folder;
}

async function makeDatabase(file: string): Promise<void> {
	const folder = await makeFolder('started');
	const partial = `${file}.${process.pid}`;
	try {
		// With what every module puts into it.
		const env = { ...lean, ...chosenVersion().env };
		await (await startN8n({ userFolder: folder, env })).stop();
		const database = new DatabaseSync(databaseIn(folder));
		// A copy of the file would lack what SQLite still keeps beside it.
		await rm(partial, { force: true });
		database.prepare('VACUUM INTO ?').run(partial);
		database.close();
		await rename(partial, file);
	} finally {
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	}
}
