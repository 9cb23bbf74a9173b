import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { loadOutputSchema } from 'n8n-core';
import { NodeApiError, type IDataObject, type INodeParameters } from 'n8n-workflow';

import { endpoints } from '../../client/endpoints';
import { faultKinds, startSandbox } from '../../sandbox/server.mts';
import { useEngine } from '../support/engine/engine.mts';
import { activateIn } from '../support/engine/trigger.mts';
import { startServer, startTlsServer } from '../support/servers.mts';
import { readAsHtml } from '../support/shown.mts';
import { times } from '../support/quick.mts';

const { engine, sandbox } = useEngine();

const asBefore = () => {
	sandbox.setRates('otc', { USD: 1500, EUR: 1700 });
	sandbox.setRates('usdc', { USD: 1490, EUR: 1690 });
	sandbox.setVendors([one, two]);
};
beforeEach(asBefore);

it('offers every list of rates as a source', () => {
	const { properties } = engine.nodeTypeOf('stablecoinRampTrigger').description;
	const { options = [] } = properties.find(({ name }) => name === 'source')!;
	expect(options.map((option) => 'value' in option && option.value).toSorted()).toEqual(
		Object.keys(endpoints.rate).toSorted(),
	);
});

/** One thing for each of the three events. */
const somethingHappens = () => {
	sandbox.setRates('otc', { USD: 1530, EUR: 1700 });
	sandbox.setVendors([two]);
};

const one = { vendorName: 'One', vendorNumber: '0000000001', vendorBank: 'Bank A' };
const two = { vendorName: 'Two', vendorNumber: '0000000002', vendorBank: 'Bank B' };
const aMoment = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string;

const change = { event: 'rateChanged', minimumChange: 1 };
const crossing = { event: 'rateCrossed', currency: 'USD', threshold: 1510, direction: 'above' };
const vendors = { event: 'vendorsChanged' };
const events: INodeParameters[] = [change, crossing, vendors];

const activate = activateIn(engine, sandbox);

describe('a rate changed', () => {
	it('is one item for each currency that moved, after a first poll that remembers and is silent', async () => {
		const trigger = activate(change);
		expect(await trigger.poll()).toBeNull();
		sandbox.setRates('otc', { USD: 1530, EUR: 1701, GBP: 1950 });
		expect(await trigger.poll()).toEqual([
			{
				currency: 'USD',
				rate: 1530,
				previousRate: 1500,
				change: 30,
				changePercent: 2,
				source: 'otc',
				fetchedAt: aMoment,
			},
		]);
		expect(await trigger.poll()).toBeNull();
	});

	it('is reported for the chosen source and currencies only', async () => {
		const trigger = activate({ ...change, source: 'usdc', currencies: ['EUR'] });
		await trigger.poll();
		sandbox.setRates('otc', { USD: 1, EUR: 1 });
		expect(await trigger.poll()).toBeNull();
		sandbox.setRates('usdc', { USD: 1, EUR: 1 });
		expect(await trigger.poll()).toMatchObject([{ currency: 'EUR', source: 'usdc', rate: 1 }]);
		expect(new Set(sandbox.requests().map(({ path }) => path))).toEqual(
			new Set(['/rates/v1/usdc-ngnc']),
		);
	});

	it('is not reported for what is not a number, nor for a currency that vanishes', async () => {
		const trigger = activate({ ...change, minimumChange: 0 });
		await trigger.poll();
		for (const USD of ['1600', null, {}, true, undefined, 1500]) {
			sandbox.setRates('otc', { USD, EUR: 1700 } as never);
			expect(await trigger.poll()).toBeNull();
		}
	});
});

describe('a rate crossed a threshold', () => {
	it('is one item, once, and again only after the rate has come back', async () => {
		const trigger = activate({ ...crossing, direction: 'either' });
		const reported: unknown[] = [];
		for (const USD of [1500, 1510, 1511, 1600, 1510, 1509, 1512]) {
			sandbox.setRates('otc', { USD });
			reported.push(...((await trigger.poll()) ?? []));
		}
		const item = { currency: 'USD', threshold: 1510, source: 'otc', fetchedAt: aMoment };
		expect(reported).toEqual([
			{ ...item, rate: 1511, direction: 'above' },
			{ ...item, rate: 1509, direction: 'below' },
			{ ...item, rate: 1512, direction: 'above' },
		]);
	});

	it('is reported when a rate leaves the threshold that it was on when the workflow was activated', async () => {
		const onIt = { ...crossing, threshold: 1500 };
		const trigger = activate(onIt);
		expect(await trigger.poll()).toBeNull();
		expect(await trigger.poll()).toBeNull();
		const restarted = activate(onIt, { stored: trigger.stored(), activation: 'init' });
		sandbox.setRates('otc', { USD: 1500.01 });
		for (const one of [trigger, restarted]) {
			expect(await one.poll()).toMatchObject([{ rate: 1500.01, direction: 'above' }]);
			expect(await one.poll()).toBeNull();
		}
	});

	it('takes a threshold and a currency from an expression', async () => {
		const trigger = activate({
			...crossing,
			threshold: '={{ String(1000 + 510) }}',
			currency: '={{ " usd " }}',
		});
		await trigger.poll();
		sandbox.setRates('otc', { USD: 1511 });
		expect(await trigger.poll()).toMatchObject([{ currency: 'USD', threshold: 1510 }]);
	});
});

it('gives one item for each vendor that was added, removed or changed', async () => {
	const trigger = activate(vendors);
	expect(await trigger.poll()).toBeNull();
	sandbox.setVendors([two, one]);
	expect(await trigger.poll()).toBeNull();

	const three = { vendorName: 'Three', vendorNumber: '0000000003', vendorBank: 'Bank C' };
	const renamed = { ...two, vendorName: 'Deux' };
	sandbox.setVendors([three, renamed]);
	expect(await trigger.poll()).toEqual([
		{ change: 'removed', ...one, fetchedAt: aMoment },
		{ change: 'added', ...three, fetchedAt: aMoment },
		{ change: 'changed', ...renamed, previous: two, fetchedAt: aMoment },
	]);
	expect(await trigger.poll()).toBeNull();
});

describe('a manual run', () => {
	const unchanged = { change: 0, changePercent: 0, source: 'otc' };
	const usd = { currency: 'USD', rate: 1500 };
	const eur = { currency: 'EUR', rate: 1700 };

	it.each<[INodeParameters, notHappened: string, values: object[]]>([
		[
			change,
			'a rate has changed',
			[usd, eur].map((one) => ({ ...one, previousRate: one.rate, ...unchanged })),
		],
		[
			crossing,
			'the rate has crossed the threshold',
			[{ ...usd, threshold: 1510, direction: 'above', source: 'otc' }],
		],
		[vendors, 'a vendor was added', [one, two].map((vendor) => ({ change: 'added', ...vendor }))],
	])(
		'shows present values, says first that they are an example, and leaves what is known alone: %j',
		async (parameters, notHappened, values) => {
			const note = `This is an example, made of the present values. It does not mean that ${notHappened}.`;
			const examples = values.map((one) => ({ isExample: true, note, ...one, fetchedAt: aMoment }));
			const fresh = activate(parameters, { mode: 'manual' });
			const shown = (await fresh.poll()) ?? [];
			expect(shown).toEqual(examples);
			expect(Object.keys(shown[0] ?? {}).slice(0, 2)).toEqual(['isExample', 'note']);
			expect(fresh.isChanged()).toBe(false);

			const active = activate(parameters);
			await active.poll();
			const { workflowId } = active;
			const stored = active.stored();
			const manual = activate(parameters, { mode: 'manual', stored, workflowId });
			expect(await manual.poll()).toEqual(examples);
			expect(manual.stored()).toBe(stored);
			expect(await active.poll()).toBeNull();
		},
	);

	it.each(events)(
		'has the fields of a real event, which says nothing of an example: $event',
		async (parameters) => {
			const trigger = activate(parameters);
			await trigger.poll();
			somethingHappens();
			const [event = {}] = (await trigger.poll()) ?? [];
			const [example = {}] = (await activate(parameters, { mode: 'manual' }).poll()) ?? [];
			expect(Object.keys(example)).toEqual(['isExample', 'note', ...Object.keys(event)]);
		},
	);

	it.each([
		{ ...change, currencies: ['USD', 'ZZZ'] },
		{ ...crossing, currency: 'ZZZ' },
	])('says which currency the service does not have: %j', async (parameters) => {
		await expect(activate(parameters, { mode: 'manual' }).poll()).rejects.toMatchObject({
			message: 'The service sent no rate for ZZZ',
			description: expect.stringContaining('USD, EUR') as string,
		});
	});

	it('says so when there are no vendors to show', async () => {
		sandbox.setVendors([]);
		await expect(activate(vendors, { mode: 'manual' }).poll()).rejects.toThrow(
			'The service lists no vendors at present',
		);
	});
});

describe('a poll that does not succeed', () => {
	// A delay of 30 seconds is the same to the trigger as a dropped connection.
	const kinds = faultKinds.map(({ kind }) => kind).filter((kind) => kind !== 'delay');

	const cases = kinds.flatMap((kind) => [
		{ kind, parameters: change, next: { currency: 'USD', previousRate: 1500, rate: 1530 } },
		{ kind, parameters: vendors, next: { change: 'removed', ...one } },
	]);

	it.each(cases)(
		'says why, changes nothing that is known, and is made up for by the next: $kind, $parameters.event',
		async ({ kind, parameters, next }) => {
			const trigger = activate(parameters);
			await trigger.poll();
			const stored = trigger.stored();

			somethingHappens();
			sandbox.fault({ kind });
			const thrown = await trigger.poll().catch((reason: unknown) => reason);
			expect(thrown).toBeInstanceOf(NodeApiError);
			const { message, description } = thrown as NodeApiError;
			expect(message).toMatch(/service/);
			expect(`${message} ${description}`).not.toMatch(/undefined|\[object|TypeError/);
			expect(JSON.stringify(thrown)).not.toContain(sandbox.secretKey);
			expect(trigger.stored()).toBe(stored);

			expect(await trigger.poll()).toMatchObject([next]);
		},
	);

	it.each(['manual', 'trigger'] as const)(
		'shows the words of the service as they are (%s)',
		async (mode) => {
			const words = 'Use <b>bold</b>  &amp; `code`';
			const { url } = await startServer(() => ({ status: 400, body: { message: words } }));
			const trigger = activate(change, { mode, credentials: { otcBaseUrl: url } });
			const error = await trigger.poll().catch((thrown: unknown) => thrown);
			expect(readAsHtml((error as NodeApiError).description!)).toContain(
				`The service says: ${words}`,
			);
		},
	);

	it('sends nobody to Request Options, which a trigger has not', async () => {
		const { url: baseUrl } = await startTlsServer(() => ({}));
		const thrown = await activate(vendors, { credentials: { baseUrl } })
			.poll()
			.catch((reason: unknown) => reason as NodeApiError);
		expect(thrown).toMatchObject({ message: 'The certificate of the service is not trusted' });
		expect(JSON.stringify(thrown)).not.toContain('Request Options');
	});

	it.each<[INodeParameters, string]>([
		[{ ...crossing, threshold: 0 }, "'Threshold' is not a number of more than 0"],
		[{ ...crossing, threshold: '={{ "" }}' }, "'Threshold' is not a number of more than 0"],
		[{ ...crossing, threshold: '={{ "1,500" }}' }, "'Threshold' is not a number of more than 0"],
		[
			{ ...crossing, direction: 'up' },
			`'Direction' is "up", which is none of above, below, either`,
		],
		[{ ...crossing, source: 'bank' }, `'Source' is "bank", which is none of otc, usdc`],
		[{ ...change, minimumChange: -1 }, "'Minimum Change (%)' is not a number of 0 or more"],
		[{ event: 'toString' }, `'Trigger On' is "toString", which is none of`],
	])('says what is wrong in the node before anything is sent: %j', async (parameters, message) => {
		await expect(activate(parameters).poll()).rejects.toThrow(message);
		expect(sandbox.requests()).toEqual([]);
	});
});

describe('a currency that the service does not send', () => {
	const cases: INodeParameters[] = [
		{ ...change, currencies: '={{ ["USD", "zar"] }}' },
		{ ...crossing, currency: '={{ "zar" }}' },
	];
	const words = /^The service sent no rate for ZAR$/;

	it.each(cases)('is said to whoever activates or publishes: $event', async (parameters) => {
		for (const activation of ['activate', 'update'] as const) {
			const thrown = await activate(parameters, { activation })
				.poll()
				.catch((reason: unknown) => reason);
			expect(thrown).toMatchObject({
				message: expect.stringMatching(words),
				description: expect.stringMatching(/^It sent rates for USD, EUR\. Change 'Currenc(y|ies)'/),
			});
		}
	});

	it.each(cases)('is said to whoever fetches a test event: $event', async (parameters) => {
		await expect(activate(parameters, { mode: 'manual' }).poll()).rejects.toThrow(words);
	});

	it.each(cases)(
		'is in the log of each poll that misses it, from a restart on, and stops nothing: $event',
		async (parameters) => {
			const trigger = activate(parameters, { activation: 'init' });
			for (const polls of [1, 2, 3]) {
				expect(await trigger.poll()).toBeNull();
				expect(trigger.warnings).toHaveLength(polls);
			}
			expect(new Set(trigger.warnings).size).toBe(1);
			expect(trigger.warnings[0]).toMatch(
				/^Trigger: The service sent no rate for ZAR\. It sent rates for USD, EUR\. Change /,
			);
			sandbox.setRates('otc', { USD: 1500, EUR: 1700, ZAR: 90 });
			expect(await trigger.poll()).toBeNull();
			expect(trigger.warnings).toHaveLength(3);
		},
	);

	it('keeps nobody from hearing of the others', async () => {
		const trigger = activate({ ...change, currencies: ['USD', 'EUR'] });
		await trigger.poll();
		sandbox.setRates('otc', { USD: 1530 });
		expect(await trigger.poll()).toMatchObject([{ currency: 'USD', rate: 1530 }]);
		expect(trigger.warnings).toEqual([expect.stringContaining('no rate for EUR')]);
	});

	it('is only logged where the setting is an old one and n8n calls each poll an update', async () => {
		const first = activate(crossing);
		await first.poll();
		sandbox.setRates('otc', { EUR: 1700 });
		const later = activate(crossing, { stored: first.stored() });
		expect(await later.poll()).toBeNull();
		expect(later.warnings).toHaveLength(1);
		const other = { ...crossing, currency: '={{ "zar" }}' };
		await expect(activate(other, { stored: first.stored() }).poll()).rejects.toThrow(words);
	});

	it('is not looked for where all are watched, and an empty code is one', async () => {
		const all = activate(change);
		await all.poll();
		sandbox.setRates('otc', { USD: 1500 });
		await all.poll();
		expect(all.warnings).toEqual([]);
		for (const [currency, words] of [
			['={{ "" }}', 'no rate for an empty code'],
			['={{ "USD,EUR" }}', 'no rate for USD, EUR'],
		]) {
			const trigger = activate({ ...crossing, currency });
			await expect(trigger.poll()).rejects.toThrow(words);
		}
	});
});

it.each([0.0000001, 1e-300, '={{ 1e-7 }}', '={{ "1e-7" }}'])(
	'takes a threshold of %s, and reports that it was crossed',
	async (threshold) => {
		const trigger = activate({ ...crossing, threshold, direction: 'below' });
		await trigger.poll();
		sandbox.setRates('otc', { USD: 1e-305 });
		expect(await trigger.poll()).toMatchObject([{ rate: 1e-305, direction: 'below' }]);
	},
);

it('takes a threshold that no rate will ever reach', async () => {
	expect(await activate({ ...crossing, threshold: 1e300 }).poll()).toBeNull();
});

it('says of an event when the answer came', async () => {
	const trigger = activate({ ...change, source: 'usdc' });
	await trigger.poll();
	sandbox.setRates('usdc', { USD: 2000 });
	const before = Date.now();
	const [event] = (await trigger.poll())!;
	const at = Date.parse(String(event!.fetchedAt));
	expect(at).toBeGreaterThanOrEqual(before);
	expect(at).toBeLessThanOrEqual(Date.now());
});

it('remembers some of very many currencies, and overflows nowhere', async () => {
	const many = (length: number, rate: number) =>
		Object.fromEntries(Array.from({ length }, (_, index) => [`C${index}`, rate]));
	const trigger = activate({ ...change, currencies: [] });
	const count = times(150_000);
	const last = `C${count - 1}`;
	sandbox.setRates('otc', many(count, 1));
	expect(await trigger.poll()).toBeNull();
	expect(trigger.stored().length).toBeLessThan(10_000);
	sandbox.setRates('otc', { ...many(1000, 2), [last]: 2 });
	expect(await trigger.poll()).toMatchObject([{ currency: last, rate: 2 }]);
});

it('compares as many vendors as it can remember, and refuses more in words', async () => {
	const many = (length: number) =>
		Array.from({ length }, (_, at) => ({ ...one, vendorNumber: String(at) }));
	const trigger = activate(vendors);
	sandbox.setVendors(many(5000));
	expect(await trigger.poll()).toBeNull();
	sandbox.setVendors([{} as never, ...many(4999)]);
	expect(await trigger.poll()).toEqual([expect.objectContaining({ change: 'removed' })]);
	sandbox.setVendors(many(5001));
	await expect(trigger.poll()).rejects.toThrow('5001 vendors, which are more than');
});

describe('over a restart', () => {
	const restarted = (parameters: INodeParameters, stored: string) =>
		activate(parameters, { stored, activation: 'init' });

	it('misses what the README says that it misses, and nothing else', async () => {
		const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
		expect(readme).toContain('it knows its last report, not its last look');

		// n8n stores on activation and with a report; a look without one is not stored.
		const above = activate(crossing);
		await above.poll();
		sandbox.setRates('otc', { USD: 1511 });
		expect(await above.poll()).toHaveLength(1);
		const atTheReport = above.stored();
		sandbox.setRates('otc', { USD: 1500 });
		expect(await above.poll()).toBeNull();
		const cameBack = restarted(crossing, atTheReport);
		sandbox.setRates('otc', { USD: 1511 });
		expect(await cameBack.poll()).toBeNull();

		// Had it looked while the rate was below, it would have reported.
		const looked = restarted(crossing, atTheReport);
		sandbox.setRates('otc', { USD: 1500 });
		expect(await looked.poll()).toBeNull();
		sandbox.setRates('otc', { USD: 1511 });
		expect(await looked.poll()).toHaveLength(1);
	});

	it.each(events)('reports what happened while n8n was down: $event', async (parameters) => {
		const before = activate(parameters);
		await before.poll();
		somethingHappens();
		const after = restarted(parameters, before.stored());
		expect(await after.poll()).toHaveLength(1);
		expect(await restarted(parameters, after.stored()).poll()).toBeNull();
	});
});

describe('what is known from the last polls', () => {
	describe("with n8n's durable scheduler, which hands each poll what is in the database", () => {
		// n8n writes to the database on activation and when a poll starts an execution.
		const scheduled = (parameters: INodeParameters) => {
			let stored: string | undefined;
			let workflowId: string | undefined;
			return async () => {
				const trigger = activate(parameters, { stored, workflowId });
				const events = await trigger.poll();
				if (stored === undefined || events) stored = trigger.stored();
				workflowId = trigger.workflowId;
				return events?.length ?? 0;
			};
		};

		it('reports a crossing again after the rate has silently come back', async () => {
			const poll = scheduled(crossing);
			const reported: number[] = [];
			for (const USD of [1500, 1511, 1512, 1500, 1501, 1511, 1512, 1500, 1511]) {
				sandbox.setRates('otc', { USD });
				reported.push(await poll());
			}
			expect(reported).toEqual([0, 1, 0, 0, 0, 1, 0, 0, 1]);
		});

		it('reports the change of a currency that has silently appeared', async () => {
			const poll = scheduled(change);
			const reported: number[] = [];
			for (const EUR of [undefined, 1700, 1800]) {
				sandbox.setRates('otc', { USD: 1500, ...(EUR && { EUR }) });
				reported.push(await poll());
			}
			expect(reported).toEqual([0, 0, 1]);
		});

		it('reports again what n8n could not store', async () => {
			const first = activate(crossing);
			await first.poll();
			const setting = { stored: first.stored(), workflowId: first.workflowId };
			sandbox.setRates('otc', { USD: 1511 });
			expect(await activate(crossing, setting).poll()).toHaveLength(1);
			expect(await activate(crossing, setting).poll()).toHaveLength(1);
		});

		it('believes the database when another process has been there since', async () => {
			const either = { ...crossing, direction: 'either' };
			const here = activate(either);
			await here.poll();
			const { workflowId } = here;
			const there = activate(either, { stored: here.stored(), activation: 'init' });
			sandbox.setRates('otc', { USD: 1511 });
			expect(await there.poll()).toHaveLength(1);
			const setting = { stored: there.stored(), workflowId };
			expect(await activate(either, setting).poll()).toBeNull();
		});
	});

	it.each(events)(
		'is what was reported, however the node was renamed since: $event',
		async (parameters) => {
			const first = activate(parameters);
			await first.poll();
			const { workflowId } = first;
			const named = (name: string, stored: string) =>
				activate(parameters, { stored, workflowId, name });
			somethingHappens();
			expect(await first.poll()).toHaveLength(1);

			const renamed = named('Watch', first.stored());
			expect(await renamed.poll()).toBeNull();
			asBefore();
			await renamed.poll();
			somethingHappens();
			expect(await renamed.poll()).toHaveLength(1);
			// What n8n has under the first name is older than that.
			expect(await named('Trigger', renamed.stored()).poll()).toBeNull();
		},
	);

	it.each(events)(
		'starts afresh when somebody activates the workflow again: $event',
		async (parameters) => {
			const before = activate(parameters);
			await before.poll();
			somethingHappens();
			const again = activate(parameters, { stored: before.stored(), activation: 'activate' });
			expect(await again.poll()).toBeNull();
			asBefore();
			await again.poll();
			somethingHappens();
			expect(await again.poll()).toHaveLength(1);
		},
	);

	it.each(events)(
		'is not written when there is nothing new to remember: $event',
		async (parameters) => {
			const first = activate(parameters);
			await first.poll();
			expect(first.isChanged()).toBe(true);
			const later = activate(parameters, { stored: first.stored() });
			sandbox.setRates('otc', { EUR: 1701, USD: 1501 });
			sandbox.setVendors([two, one]);
			await later.poll();
			expect(later.isChanged()).toBe(false);
		},
	);

	it.each([
		['event', crossing, change],
		['source', change, { ...change, source: 'usdc' }],
		['currencies', { ...change, currencies: ['EUR'] }, change],
		['currency', crossing, { ...crossing, currency: 'EUR' }],
		['threshold', crossing, { ...crossing, threshold: 1505 }],
		['source of a crossing', crossing, { ...crossing, source: 'usdc' }],
	])('of another %s is not used', async (_what, before, after) => {
		const active = activate(before);
		await active.poll();
		sandbox.setRates('otc', { USD: 3000, EUR: 3400 });
		sandbox.setRates('usdc', { USD: 3000, EUR: 3400 });
		const edited = activate(after, { stored: active.stored() });
		expect(await edited.poll()).toBeNull();

		const back = activate(before, { stored: edited.stored() });
		expect(await back.poll()).toBeNull();
	});

	it('of another service is not used', async () => {
		const other = await startSandbox();
		try {
			other.setVendors([]);
			const active = activate(vendors);
			await active.poll();
			const moved = { stored: active.stored(), credentials: { baseUrl: other.baseUrl } };
			expect(await activate(vendors, moved).poll()).toBeNull();
		} finally {
			await other.close();
		}
	});

	it('is used on when only the direction or the minimum change', async () => {
		const active = activate({ ...crossing, direction: 'below' });
		await active.poll();
		sandbox.setRates('otc', { USD: 1520 });
		const edited = activate(crossing, { stored: active.stored() });
		expect(await edited.poll()).toMatchObject([{ direction: 'above' }]);

		const strict = activate({ ...change, minimumChange: 5 });
		await strict.poll();
		sandbox.setRates('otc', { USD: 1550 });
		expect(await strict.poll()).toBeNull();
		const loose = activate(change, { stored: strict.stored() });
		expect(await loose.poll()).toMatchObject([{ previousRate: 1520, rate: 1550 }]);
	});

	it.each([
		'null',
		'"above"',
		'[]',
		'{"version":1}',
		'{"version":0,"of":"","known":{"USD":1},"at":1}',
		'{"version":1,"known":{"USD":1,"EUR":1},"at":1}',
	])('that is damaged is none: %s', async (baseline) => {
		const stored = `{"node:Trigger":{"baseline":${baseline}}}`;
		for (const parameters of events) {
			const trigger = activate(parameters, { stored });
			expect(await trigger.poll()).toBeNull();
			somethingHappens();
			expect(await trigger.poll()).toHaveLength(1);
			asBefore();
		}
	});

	it('with its values damaged is none', async () => {
		const active = activate(change);
		await active.poll();
		const stored = active.stored().replace('1500', '"1500"');
		sandbox.setRates('otc', { USD: 3000, EUR: 3400 });
		expect(await activate(change, { stored }).poll()).toBeNull();
	});

	it.each(events)('holds no secret, and little else: $event', async (parameters) => {
		const trigger = activate(parameters);
		await trigger.poll();
		expect(trigger.stored()).not.toContain(sandbox.secretKey);
		expect(trigger.stored().length).toBeLessThan(500);
	});
});

it('has an output schema of just the fields that the three events and their examples have, with their types', async () => {
	// As n8n serves it to its editor for a node without a resource and an operation.
	const schema = loadOutputSchema({
		nodeDir: join(__dirname, '..', '..', 'dist', 'nodes', 'StablecoinRampTrigger'),
		version: 1,
	}) as { properties: object; version: number };
	const validate = new Ajv({ allErrors: true, allowUnionTypes: true })
		.addKeyword('version')
		.compile({ ...schema, additionalProperties: false });

	const items: IDataObject[] = [];
	sandbox.setRates('otc', { USD: 1500, EUR: 0 });
	for (const parameters of events) {
		items.push(...((await activate(parameters, { mode: 'manual' }).poll()) ?? []));
		const trigger = activate(parameters);
		await trigger.poll();
		sandbox.setRates('otc', { USD: 1530, EUR: 1700 });
		sandbox.setVendors([{ ...one, vendorName: 'Uno' }]);
		items.push(...((await trigger.poll()) ?? []));
		sandbox.setRates('otc', { USD: 1500, EUR: 0 });
		sandbox.setVendors([one, two]);
	}
	for (const item of items) {
		validate(item);
		expect(validate.errors ?? []).toEqual([]);
	}
	const fields = new Set(items.flatMap((item) => Object.keys(item)));
	expect(Object.keys(schema.properties).sort()).toEqual([...fields].sort());
	expect(schema.version).toBe(1);
});
