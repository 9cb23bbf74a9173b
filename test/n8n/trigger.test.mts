import type { INodeParameters } from 'n8n-workflow';

import { freshFetch } from '../../playground/freshFetch.mts';
import { activate } from '../../playground/provision.mts';
import { chosenVersion } from '../../playground/versions.mts';
import { outputsOf, Playground, usePlayground } from '../support/n8n/playground.mts';
import { withoutVm } from '../support/n8n/userFolder.mts';
import { until } from '../support/waiting.mts';
import { credentialsIn, inARow, publish, rampType } from '../support/workflows.mts';

// n8n polls once a minute at most, so six polls take six minutes; the rest is for a machine that is busy.
const onePoll = 3 * 60_000;
const severalPolls = 20 * 60_000;

const one = { vendorName: 'One', vendorNumber: '0000000001', vendorBank: 'Bank A' };
const two = { vendorName: 'Two', vendorNumber: '0000000002', vendorBank: 'Bank B' };
const three = { vendorName: 'Three', vendorNumber: '0000000003', vendorBank: 'Bank C' };

// Each is read by one trigger: the two of the workflow below, and the one of the third example where n8n can run it.
const watched = ['/otc/buy', '/transactions/v1/vendors'];

const playground = usePlayground(() => ({ env: withoutVm, editor: true }));
let workflowId: string;
let hasExample: boolean;

beforeAll(() => {
	hasExample = !playground.leftOut.some(({ id }) => id === 'StablecoinRamp03');
	if (hasExample) watched.push('/rates/v1/usdc-ngnc');
});

// A second n8n, whose test goes on beside the first one: both wait for the same minutes.
const scheduled = new Playground();
let reportedWhenScheduled: Promise<unknown[]>;
const { hasScheduler } = chosenVersion();
beforeAll(() => {
	if (!hasScheduler) return;
	reportedWhenScheduled = watchWithScheduler();
	reportedWhenScheduled.catch(() => undefined);
});
afterAll(async () => await scheduled.close());

it('gives the editor the fields of its events before it has run', async () => {
	const headers = { cookie: playground.rest.cookie() };
	const url = `${playground.n8n.baseUrl}/schemas/${rampType}Trigger/1.0.0.json`;
	expect(await (await freshFetch(url, { headers })).json()).toMatchObject({
		properties: { rate: { type: 'number' }, vendorNumber: { type: 'string' } },
	});
});

it('on a currency that the service does not send is not activated, and n8n says why', async () => {
	expect(await whyNot(playground, { currency: '={{ "ZAR" }}' })).toMatch(sentNone);
});

it(
	'starts executions for exactly what happened, across a restart of n8n',
	async () => {
		const { sandbox } = playground;
		const alerts: string[] = [];
		const isTold = (text: string) => hasExample && alerts.push(text);
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
		isTold('USD crossed 1500 and is now above it, at 1510 (USDC rates).');
		await untilEqual(() => started(), executions);
		await untilEqual(toldByTheExample, alerts);

		await playground.n8n.stop();
		sandbox.setVendors([one]);
		sandbox.setRates('usdc', { USD: 1490 });
		await everyTriggerPolls(async () => await playground.restart());
		executions.push(['success', [expect.objectContaining({ change: 'removed', ...two })]]);
		isTold('USD crossed 1500 and is now below it, at 1490 (USDC rates).');
		await untilEqual(() => started(), executions);
		await untilEqual(toldByTheExample, alerts);

		await everyTriggerPolls(async () => {
			sandbox.setVendors([one, three]);
			sandbox.fault({ kind: 'serverError', on: 'liveVendors' });
		});
		executions.push(['error', 'The service is not working at the moment']);
		await untilEqual(() => started(), executions);

		const manual = await playground.run(workflowId, 'Vendors changed');
		expect(outputsOf(manual, 'Vendors changed')[0]).toHaveLength(2);
		const example = (vendor: object) => expect.objectContaining({ isExample: true, ...vendor });
		executions.push(['success', [example(one), example(three)]]);

		await everyTriggerPolls(async () => {});
		executions.push(['success', [expect.objectContaining({ change: 'added', ...three })]]);
		await untilEqual(() => started(), executions);
		expect(await toldByTheExample()).toEqual(alerts);

		await activate(playground.rest, workflowId, 'off');
		sandbox.setVendors([two]);
		await everyTriggerPolls(async () => await activate(playground.rest, workflowId));
		expect(await started()).toEqual(executions);
	},
	severalPolls,
);

const itIfScheduled = hasScheduler ? it : () => undefined;
itIfScheduled(
	"reports every crossing with n8n's durable scheduler, also after the rate has silently come back",
	async () => {
		const crossing = (rate: number) => [
			'success',
			[expect.objectContaining({ currency: 'USD', direction: 'above', rate })],
		];
		expect(await reportedWhenScheduled).toEqual([crossing(1510), crossing(1520)]);
		const logs = scheduled.n8n.logs();
		expect(logs).toContain(
			'Rate crossed: The service sent no rate for USD. It sent rates for EUR.',
		);
		expect(await whyNot(scheduled, { currency: '={{ "ZAR" }}' })).toMatch(sentNone);
		expect(scheduled.n8n.logs()).toContain('Scheduler started');
	},
	severalPolls,
);

const sentNone = /The service sent no rate for ZAR/;

/** What n8n says to whoever publishes a trigger that cannot work: at once, or in the status that its editor shows. */
async function whyNot({ rest }: Playground, parameters: INodeParameters): Promise<string> {
	const crossing = { event: 'rateCrossed', source: 'usdc', threshold: 90, ...parameters };
	try {
		const id = await publishIn({ rest }, { 'Rate crossed': crossing });
		const status = async () =>
			JSON.stringify(await rest.get(`/workflows/${id}/publication-status`));
		const said = await until(async () => {
			const text = await status();
			return sentNone.test(text) && text;
		});
		await activate(rest, id, 'off');
		return said;
	} catch (reason) {
		return String(reason);
	}
}

/** What a trigger on a rate that goes above 1500 has reported, while the rate went up and down. */
async function watchWithScheduler(): Promise<unknown[]> {
	await scheduled.start({
		env: { N8N_SCHEDULER_ENABLED: 'true', N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true' },
	});
	const { sandbox } = scheduled;
	const polls = () => sandbox.requests().filter(({ path }) => path === '/otc/buy').length;
	const poll = async (before: number) => await until(() => polls() > before, { within: onePoll });

	sandbox.setRates('otc', { USD: 1490 });
	const id = await publishIn(scheduled, {
		'Rate crossed': { event: 'rateCrossed', source: 'otc', currency: 'USD', threshold: 1500 },
	});
	await poll(0);
	const course: Array<Record<string, number>> = [
		{ USD: 1510 },
		{ USD: 1490 },
		{ USD: 1520 },
		{ EUR: 1700 },
	];
	for (const rates of course) {
		const before = polls();
		sandbox.setRates('otc', rates);
		await poll(before);
	}
	// An execution is there a moment after the poll.
	return await until(async () => {
		const executions = await started(scheduled, id);
		return executions.length > 1 && executions;
	});
}

async function publishTriggers(): Promise<void> {
	workflowId = await publishIn(playground, {
		'Rate changed': { event: 'rateChanged', source: 'otc', minimumChange: 1 },
		'Vendors changed': { event: 'vendorsChanged' },
	});
}

/** Publishes a workflow of nothing but triggers. */
async function publishIn(
	{ rest }: Pick<Playground, 'rest'>,
	triggers: Record<string, INodeParameters>,
): Promise<string> {
	const steps = Object.entries(triggers).map(([name, parameters]) => ({
		name,
		type: `${rampType}Trigger`,
		parameters: { pollTimes: { item: [{ mode: 'everyMinute' }] }, ...parameters },
	}));
	return await publish(rest, { ...inARow(steps, await credentialsIn(rest)), connections: {} });
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
async function started(inside = playground, id = workflowId): Promise<unknown[]> {
	const ids = (await inside.executionsOf(id)).reverse();
	return await Promise.all(
		ids.map(async (executionId) => {
			const execution = await inside.executionEnded(executionId);
			const { runData, error } = execution.data.resultData;
			const items = Object.keys(runData).flatMap((node) => outputsOf(execution, node)[0] ?? []);
			return [execution.status, error?.message ?? items];
		}),
	);
}

async function toldByTheExample(): Promise<unknown[]> {
	return (hasExample ? await playground.rowsOf('Rate alerts') : []).map(({ text }) => text);
}

/** An execution is there a moment after the poll; one too many fails the next comparison. */
async function untilEqual(ask: () => Promise<unknown[]>, expected: unknown[]): Promise<void> {
	const found = await until(async () => {
		const answer = await ask();
		return answer.length >= expected.length ? answer : undefined;
	});
	expect(found).toEqual(expected);
}
