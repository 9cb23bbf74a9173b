import type { INodeParameters } from 'n8n-workflow';
import { outputsOf, usePlayground } from '../support/playground.ts';
import { until } from '../support/waiting.ts';
import { activate, credentialsIn, inARow, publish, rampType } from '../support/workflows.ts';

// n8n polls once a minute at most.
const onePoll = 3 * 60_000;
const severalPolls = 10 * 60_000;

const one = { vendorName: 'One', vendorNumber: '0000000001', vendorBank: 'Bank A' };
const two = { vendorName: 'Two', vendorNumber: '0000000002', vendorBank: 'Bank B' };
const three = { vendorName: 'Three', vendorNumber: '0000000003', vendorBank: 'Bank C' };

// Each is read by one trigger: the two of the workflow below, and the one of the third example.
const watched = ['/otc/buy', '/transactions/v1/vendors', '/rates/v1/usdc-ngnc'];

const playground = usePlayground();
let workflowId: string;

it(
	'starts executions for exactly what happened, across a restart of n8n',
	async () => {
		const { sandbox } = playground;
		const alerts: string[] = [];
		const executions: unknown[] = [];

		sandbox.setRates('otc', { USD: 1500, EUR: 1700 });
		sandbox.setVendors([one, two]);
		await everyTriggerPolls(publishTriggers);
		expect(await started()).toEqual(executions);
		expect(await toldByTheExample()).toEqual(alerts);

		await everyTriggerPolls(async () => {
			sandbox.setRates('otc', { USD: 1530, EUR: 1700.5 });
			sandbox.setRates('usdc', { USD: 1510 });
		});
		executions.push(['success', [expect.objectContaining({ currency: 'USD', changePercent: 2 })]]);
		alerts.push('USD crossed 1500 and is now above it, at 1510 (USDC rates).');
		await untilEqual(started, executions);
		await untilEqual(toldByTheExample, alerts);

		await playground.n8n.stop();
		sandbox.setVendors([one]);
		sandbox.setRates('usdc', { USD: 1490 });
		await everyTriggerPolls(async () => await playground.restart());
		executions.push(['success', [expect.objectContaining({ change: 'removed', ...two })]]);
		alerts.push('USD crossed 1500 and is now below it, at 1490 (USDC rates).');
		await untilEqual(started, executions);
		await untilEqual(toldByTheExample, alerts);

		await everyTriggerPolls(async () => {
			sandbox.setVendors([one, three]);
			sandbox.fault({ kind: 'serverError', on: 'liveVendors' });
		});
		executions.push(['error', 'The service is not working at the moment']);
		await untilEqual(started, executions);

		const manual = await playground.run(workflowId, 'Vendors changed');
		expect(outputsOf(manual, 'Vendors changed')[0]).toHaveLength(2);
		executions.push(['success', [expect.objectContaining(one), expect.objectContaining(three)]]);

		await everyTriggerPolls(async () => {});
		executions.push(['success', [expect.objectContaining({ change: 'added', ...three })]]);
		await untilEqual(started, executions);
		expect(await toldByTheExample()).toEqual(alerts);

		await playground.rest.post(`/workflows/${workflowId}/deactivate`);
		sandbox.setVendors([two]);
		await everyTriggerPolls(async () => await activate(playground.rest, workflowId));
		expect(await started()).toEqual(executions);
	},
	severalPolls,
);

async function publishTriggers(): Promise<void> {
	const trigger = (name: string, parameters: INodeParameters) => ({
		name,
		type: `${rampType}Trigger`,
		parameters: { pollTimes: { item: [{ mode: 'everyMinute' }] }, ...parameters },
	});
	const triggers = [
		trigger('Rate changed', { event: 'rateChanged', source: 'otc', minimumChange: 1 }),
		trigger('Vendors changed', { event: 'vendorsChanged' }),
	];
	workflowId = await publish(playground.rest, {
		...inARow(triggers, await credentialsIn(playground.rest)),
		connections: {},
	});
}

/** Does something, and waits until each trigger has looked at the service since. */
async function everyTriggerPolls(after: () => Promise<void>): Promise<void> {
	const { sandbox } = playground;
	const polls = () =>
		watched.map((path) => sandbox.requests().filter((seen) => seen.path === path).length);
	const before = polls();
	// The third example polls from the beginning on, and is not published a second time.
	const expected = before.map((count, at) =>
		after === publishTriggers && at === 2 ? 1 : count + 1,
	);
	await after();
	await until(() => polls().every((count, at) => count >= (expected[at] ?? 0)), {
		within: onePoll,
	});
}

/** What the workflow's executions began with, oldest first. */
async function started(): Promise<unknown[]> {
	const ids = (await playground.executionsOf(workflowId)).reverse();
	return await Promise.all(
		ids.map(async (id) => {
			const execution = await playground.executionEnded(id);
			const { runData, error } = execution.data.resultData;
			const items = Object.keys(runData).flatMap((node) => outputsOf(execution, node)[0] ?? []);
			return [execution.status, error?.message ?? items];
		}),
	);
}

async function toldByTheExample(): Promise<unknown[]> {
	return (await playground.rowsOf('Rate alerts')).map(({ text }) => text);
}

/** An execution is there a moment after the poll; one too many fails the next comparison. */
async function untilEqual(ask: () => Promise<unknown[]>, expected: unknown[]): Promise<void> {
	const found = await until(async () => {
		const answer = await ask();
		return answer.length >= expected.length ? answer : undefined;
	});
	expect(found).toEqual(expected);
}
