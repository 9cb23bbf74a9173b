import { rm } from 'node:fs/promises';

import { startN8n, type N8n } from '../../playground/n8n.ts';
import { installPackageInto } from '../../playground/package-into.ts';
import { pointCredentialAt, signIn } from '../../playground/provision.ts';
import { findTool } from '../../scripts/tools.mts';
import { startSandbox, type Sandbox } from '../../sandbox/server.ts';
import { minutesLater } from '../support/later.ts';
import { publishLists, submitList } from '../support/lists.ts';
import { installing } from '../support/playground.ts';
import { watch } from '../support/promise.ts';
import { lean, makeUserFolder } from '../support/userFolder.ts';
import { until } from '../support/waiting.ts';

jest.setTimeout(300_000);

let userFolder: string;
let sandbox: Sandbox;
let path: string;
/** On one SQLite file. */
let processes: N8n[] = [];

const start = async (env = {}) => await startN8n({ userFolder, env: { ...lean, ...env } });

beforeAll(async () => {
	userFolder = await makeUserFolder('taking-over');
	[sandbox] = await Promise.all([startSandbox(), installPackageInto(userFolder)]);
	const first = await start();
	processes.push(first);
	await signIn(first.rest);
	await pointCredentialAt(first.rest, sandbox);
	path = await publishLists(first.rest);
	processes.push(await start());
}, installing);

afterAll(async () => {
	await Promise.all(processes.map(async ({ stop }) => await stop()));
	await sandbox.close();
	await rm(userFolder, { recursive: true, force: true });
});

const numbered = (name: string, count: number) =>
	Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);

const accepted = () => sandbox.transactions().map(({ reference }) => reference);

/** Begins to submit a list in the first process, and resolves when the service has so many of it. */
async function begin(references: string[], count: number, delayMs: number) {
	sandbox.reset();
	sandbox.fault({ kind: 'delay', on: 'buy', times: references.length, delayMs });
	const submitting = submitList(processes[0]!, path, references);
	await until(() => accepted().length >= count);
	return { submitting };
}

it('sends nothing twice when one process submits unknown ones again that the other is at work on', async () => {
	const references = numbered('beside', 40);
	const broken = watch(sandbox);
	const { submitting } = await begin(references, 1, 100);
	const beside = await submitList(processes[1]!, path, references, 'submitUnknownAgain');
	const { told } = await submitting;
	expect(broken([...told, ...beside.told])).toEqual([]);
	expect(accepted().toSorted()).toEqual(references.toSorted());
	expect(beside.told.map(({ outcome }) => outcome)).toContain('unknown');
});

// Where it is missing, `npm test` says so.
if (findTool('faketime')) {
	it('takes over what a dead process has claimed when its time has come, and not before', async () => {
		const references = numbered('dead', 12);
		const { submitting } = await begin(references, 6, 200);
		const answered = submitting.catch(() => undefined);
		await Promise.all(processes.map(async ({ kill }) => await kill()));
		await answered;
		const [n8n] = (processes = [await start()]);
		const broken = watch(sandbox);
		const { told } = await submitList(n8n!, path, references);
		expect(broken(told)).toEqual([]);
		const missing = told.flatMap(({ outcome, reference }) =>
			outcome === 'unknown' && !accepted().includes(reference!) ? [reference!] : [],
		);
		expect(missing).not.toEqual([]);

		const early = await submitList(n8n!, path, missing, 'submitUnknownAgain');
		expect(early.told.map(({ outcome }) => outcome)).toEqual(missing.map(() => 'unknown'));
		expect(early.words[0]).toMatch(/at or after \d\d:\d\d UTC on \d+ \w+/);
		expect(accepted().filter((reference) => missing.includes(reference))).toEqual([]);

		await n8n!.stop();
		const [later] = (processes = [await start(await minutesLater(20))]);
		const taken = await submitList(later!, path, missing, 'submitUnknownAgain');
		expect(broken([...told, ...taken.told])).toEqual([]);
		expect(taken.told.map(({ outcome }) => outcome)).toEqual(missing.map(() => 'accepted'));
		expect(accepted().toSorted()).toEqual(references.toSorted());
	});
}
