import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { startN8n, type N8n } from '../../playground/n8n.mts';
import { installClaimCallsInto } from '../support/claims/install.mts';
import { publishClaimCalls, takeIn } from '../support/claims/publish.mts';
import { claimsSuite, type Place } from '../support/claims/suite.mts';
import { publishLists, submitList } from '../support/n8n/lists.mts';
import { installing, usePlayground } from '../support/n8n/playground.mts';
import { lean, withoutVm } from '../support/n8n/userFolder.mts';
import { until } from '../support/waiting.mts';
import { watch } from '../support/watch.mts';

let other: N8n;
// It ends before the first, which takes their folder away.
afterAll(async () => await other?.stop());

const playground = usePlayground(() => ({ env: withoutVm, also: installClaimCallsInto }));

let place: Place;
let listsPath: string;

beforeAll(async () => {
	const { n8n, rest, userFolder } = playground;
	const path = await publishClaimCalls(n8n);
	listsPath = await publishLists(rest);
	other = await startN8n({ userFolder, env: { ...lean, ...withoutVm } });
	place = {
		take: takeIn(path, [n8n.baseUrl, other.baseUrl]),
		read: async () => JSON.stringify(rowsOf('processed_data')),
	};
}, installing);

function rowsOf(table: string): unknown[] {
	const database = new DatabaseSync(join(playground.userFolder, '.n8n', 'database.sqlite'), {
		readOnly: true,
	});
	try {
		return database.prepare(`SELECT * FROM ${table}`).all();
	} finally {
		database.close();
	}
}

describe('in two processes of n8n on one SQLite file', () => {
	claimsSuite(() => place);

	it('sends nothing twice when one submits unknown ones again while a list is at work in the other', async () => {
		const { n8n, sandbox } = playground;
		const references = Array.from({ length: 40 }, (_, index) => `beside-${index + 1}`);
		const accepted = () => sandbox.transactions().map(({ reference }) => reference);
		// Ten seconds in all, in which the other one has to come upon it.
		sandbox.fault({ kind: 'delay', on: 'buy', times: references.length, delayMs: 250 });
		const broken = watch(sandbox);
		const submitting = submitList(n8n, listsPath, references);
		submitting.catch(() => undefined);
		await until(() => accepted().length > 0);
		const beside = await submitList(other, listsPath, references, 'submitUnknownAgain');
		const { told } = await submitting;
		expect(broken([...told, ...beside.told])).toEqual([]);
		expect(accepted().sort()).toEqual(references.toSorted());
		expect(beside.told.map(({ outcome }) => outcome)).toContain('unknown');
	});
});
