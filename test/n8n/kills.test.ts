import { setTimeout as sleep } from 'node:timers/promises';

import { publishLists, submitList } from '../support/lists.ts';
import { usePlayground } from '../support/playground.ts';
import { watch } from '../support/promise.ts';
import { compareRegister } from '../support/tables.ts';
import { until } from '../support/waiting.ts';

const playground = usePlayground();

// `npm run kills` does it thirty times.
const times = Number(process.env.KILLS ?? 3);
const register = 'Register of the kills';
const size = 60;

let path: string;
beforeAll(async () => {
	path = await publishLists(playground.rest, { register });
});

const numbers = Array.from({ length: times }, (_, index) => index + 1);

it.each(numbers)(
	'loses no receipt when n8n is killed at any moment of a list with a register (%s)',
	async (number) => {
		const { sandbox } = playground;
		sandbox.reset();
		const references = Array.from({ length: size }, (_, index) => `kill-${number}-${index + 1}`);
		sandbox.fault({ kind: 'delay', on: 'buy', times: size, delayMs: 20 });
		const submitting = submitList(playground.n8n, path, references).catch(() => undefined);
		const at = Math.ceil(Math.random() * (size - 5));
		await until(() => sandbox.transactions().length >= at);
		await sleep(Math.random() * 60);
		await playground.n8n.kill();
		await submitting;
		await playground.restart();

		const there = new Map(
			sandbox.transactions().map(({ reference, transaction_id }) => [reference, transaction_id]),
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
			sandbox.transactions(),
		);
		expect(compared).toEqual({ missing: [], false: [], twice: [] });
		expect(sending.length).toBeLessThanOrEqual(15);
	},
);
