import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { startN8n, type N8n } from '../../playground/n8n.mts';
import { signIn } from '../../playground/provision.mts';
import { installing } from '../support/n8n/playground.mts';
import { installClaimCallsInto } from '../support/claims/install.mts';
import { publishClaimCalls, takeIn } from '../support/claims/publish.mts';
import { claimsSuite, type Place } from '../support/claims/suite.mts';
import { makeUserFolder, lean } from '../support/n8n/userFolder.mts';

jest.setTimeout(300_000);

let userFolder: string;
const processes: N8n[] = [];
let place: Place;

beforeAll(async () => {
	userFolder = await makeUserFolder('claims');
	await installClaimCallsInto(userFolder);
	const first = await startN8n({ userFolder, env: lean });
	processes.push(first);
	await signIn(first.rest);
	const path = await publishClaimCalls(first);
	processes.push(await startN8n({ userFolder, env: lean }));
	place = {
		take: takeIn(
			path,
			processes.map(({ baseUrl }) => baseUrl),
		),
		read: async () => JSON.stringify(rowsOf('processed_data')),
	};
}, installing);

afterAll(async () => {
	for (const { stop } of processes) await stop();
	if (userFolder) await rm(userFolder, { recursive: true, force: true });
});

function rowsOf(table: string): unknown[] {
	const database = new DatabaseSync(join(userFolder, '.n8n', 'database.sqlite'), {
		readOnly: true,
	});
	try {
		return database.prepare(`SELECT * FROM ${table}`).all();
	} finally {
		database.close();
	}
}

describe('in two processes of n8n on one SQLite file', () => claimsSuite(() => place));
