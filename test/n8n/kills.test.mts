import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { findTool } from '../../scripts/tools.mts';
import { settableClock } from '../support/n8n/later.mts';
import { publishLists, submitList } from '../support/n8n/lists.mts';
import { usePlayground } from '../support/n8n/playground.mts';
import { withoutVm } from '../support/n8n/userFolder.mts';
import { watch } from '../support/watch.mts';
import { compareRegister } from '../support/n8n/dataTables.mts';
import { until } from '../support/waiting.mts';

const playground = usePlayground(() => ({ env: withoutVm }));

// `npm run kills` does it thirty times.
const times = Number(process.env.KILLS ?? 2);
const register = 'Register of the kills';

let path: string;
beforeAll(async () => {
	path = await publishLists(playground.rest, { register });
});

const numbered = (name: string, count: number) =>
	Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);

const acceptedOf = (references: string[]) =>
	playground.sandbox.transactions().filter(({ reference }) => references.includes(reference));

/** Begins to submit a list, and resolves when the service has so many of it. */
async function begin(references: string[], count: number, delayMs: number) {
	playground.sandbox.fault({ kind: 'delay', on: 'buy', times: references.length, delayMs });
	const submitting = submitList(playground.n8n, path, references);
	submitting.catch(() => undefined);
	await until(() => acceptedOf(references).length >= count);
	return { submitting };
}

/** What a killed process had claimed and not sent. */
const left: string[] = [];

it.each(Array.from({ length: times }, (_, index) => index + 1))(
	'loses no receipt when n8n is killed at any moment of a list with a register (%s)',
	async (number) => {
		const { sandbox } = playground;
		const references = numbered(`kill-${number}`, 60);
		// The first kill surely leaves some that were claimed and not sent.
		const [at, delayMs] = number === 1 ? [6, 200] : [Math.ceil(Math.random() * 55), 20];
		const { submitting } = await begin(references, at, delayMs);
		await sleep(Math.random() * 60);
		await playground.n8n.kill();
		await submitting.catch(() => undefined);
		await playground.restart();

		const there = new Map(
			acceptedOf(references).map(({ reference, transaction_id }) => [reference, transaction_id]),
		);
		const broken = watch(sandbox);
		const { told } = await submitList(playground.n8n, path, references);
		expect(broken(told)).toEqual([]);
		expect(told.map(({ reference }) => reference)).toEqual(references);
		// Whatever the service had is unknown, or comes back with its id. Nothing is skipped without a receipt.
		const wrong = told.filter(({ outcome, reference, id }) =>
			there.has(reference!)
				? outcome !== 'unknown' && !(outcome === 'skipped' && id === there.get(reference!))
				: outcome === 'skipped',
		);
		expect([at, wrong]).toEqual([at, []]);
		const { sending, ...compared } = compareRegister(
			(await playground.rowsOf(register)).filter(({ reference }) =>
				references.includes(String(reference)),
			),
			acceptedOf(references),
		);
		expect(compared).toEqual({ missing: [], false: [], twice: [] });
		expect(sending.length).toBeLessThanOrEqual(15);

		const missing = told.flatMap(({ outcome, reference }) =>
			outcome === 'unknown' && !there.has(reference!) ? [reference!] : [],
		);
		if (number === 1) expect(missing).not.toEqual([]);
		const early = await submitList(playground.n8n, path, missing, 'submitUnknownAgain');
		expect(early.told.map(({ outcome }) => outcome)).toEqual(missing.map(() => 'unknown'));
		for (const words of early.words) expect(words).toMatch(/at or after \d\d:\d\d UTC on \d+ \w+/);
		expect(acceptedOf(missing)).toEqual([]);
		left.push(...missing);
	},
);

// Where it is missing, `npm test` says so.
if (findTool('faketime')) {
	let clock: Awaited<ReturnType<typeof settableClock>>;

	it('takes over what killed processes have left when its time has come', async () => {
		expect(left).not.toEqual([]);
		await playground.n8n.stop();
		clock = await settableClock(join(playground.userFolder, 'clock'));
		await clock.set(20);
		await playground.restart(clock.env);
		const broken = watch(playground.sandbox);
		const { told } = await submitList(playground.n8n, path, left, 'submitUnknownAgain');
		expect(broken(told)).toEqual([]);
		expect(told.map(({ outcome }) => outcome)).toEqual(left.map(() => 'accepted'));
		expect(acceptedOf(left).map(({ reference }) => reference)).toEqual(left);
	});

	it('enters what leaves late with the time at which it does', async () => {
		const references = numbered('late', 8);
		const { submitting } = await begin(references, 2, 500);
		await clock.set(26);
		const { told } = await submitting;
		expect(told.map(({ outcome }) => outcome)).toEqual(references.map(() => 'accepted'));
		expect(acceptedOf(references).map(({ reference }) => reference)).toEqual(references);
		const rows = (await playground.rowsOf(register)).filter(({ reference }) =>
			references.includes(String(reference)),
		);
		expect(rows.map(({ reference }) => reference).toSorted()).toEqual(references);
		expect(rows.map(({ outcome }) => outcome)).toEqual(references.map(() => 'accepted'));
		const isLate = ({ sentAt }: (typeof rows)[number]) =>
			Date.parse(String(sentAt)) > Date.now() + 25 * 60_000;
		const late = rows.filter(isLate).map(({ reference }) => reference);
		expect(late.toSorted()).toEqual(references.slice(-late.length));
		expect(late.length).toBeGreaterThanOrEqual(4);
		expect(late.length).toBeLessThan(references.length);
	});
}
