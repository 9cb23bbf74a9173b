// A long run of queue mode in which everything happens that may happen: npm run soak -- [--minutes 20] [--seed 7]
// In the end what the service has, what the register holds and what every execution said are compared one by one.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { parse } from 'flatted';
import type { IDataObject } from 'n8n-workflow';

import { freshFetch } from '../playground/freshFetch.mts';
import type { N8nProcess } from '../playground/n8n.mts';
import { activate } from '../playground/provision.mts';
import { faultKinds } from '../sandbox/server.mts';
import { mulberry32 } from '../sandbox/walk.mts';
import { startCluster, type Runs } from './support/queue/cluster.mts';
import { minutesLater } from './support/n8n/later.mts';
import { asAsked, submit } from './support/n8n/lists.mts';
import type { Execution } from './support/n8n/playground.mts';
import { repeated, watch } from './support/watch.mts';
import { compareRegister, rowsOf } from './support/n8n/dataTables.mts';
import { toldInItem, toldInStop, type Told } from './support/told.mts';
import type { Operation } from './support/transactions.mts';
import { until } from './support/waiting.mts';
import type { Step } from './support/workflows.mts';

const { values } = parseArgs({
	options: { minutes: { type: 'string', default: '20' }, seed: { type: 'string' } },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!(minutes > 0) || !Number.isInteger(seed)) {
	console.error('Write it like this: npm run soak -- --minutes 20 --seed 7');
	process.exit(1);
}

const random = mulberry32(seed);
const between = (least: number, most: number) => least + random() * (most - least);
const oneOf = <T,>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;

const register = 'Register of the soak';
const parallel = { parallelRequests: 3 };
const kinds: Array<{ operation: Operation; options?: object; node: Partial<Step> }> = [
	{ operation: 'buy', node: { onError: 'continueRegularOutput' } },
	{ operation: 'buy', options: parallel, node: {} },
	{ operation: 'sell', options: parallel, node: { onError: 'continueErrorOutput' } },
	{ operation: 'sell', node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 } },
];
/** Everything the sandbox can do wrong, with and without accepting. */
const faults = faultKinds.flatMap(({ kind, accepts, choosable, delayMs }) =>
	(choosable ? [true, false] : [accepts]).map((accept) => ({
		kind,
		accept,
		...(delayMs > 0 && { delayMs: 2000 }),
	})),
);

/** What people do meanwhile. */
const requests = [
	async () => await askFor('cancelled', 'running', 'stop'),
	async () => await askFor('retried', 'error', 'retry', { loadWorkflow: false }),
	sendWhatIsNotThere,
];
const disturbances = [
	killWorker,
	async () => await killServer('redis'),
	async () => await killServer('postgres'),
	shutDoor,
];

/** How often something was named. */
class Tally {
	private readonly times = new Map<string, number>();
	add = (name: string) => this.times.set(name, this.of(name) + 1);
	of = (name: string) => this.times.get(name) ?? 0;
}

interface Workflow extends Runs {
	operation: Operation;
	given: string[];
}

const mostAtOnce = 12;
const oneMinute = 60_000;
/** How often each reference was submitted. */
const asked = new Tally();
const counted: Record<string, number> = {};
const count = (what: string) => (counted[what] = (counted[what] ?? 0) + 1);

console.log(`Soak: ${minutes} minutes, seed ${seed}`);
// n8n ends itself when Redis was gone for ten seconds, and here nobody starts it again.
const cluster = await startCluster(2, { QUEUE_BULL_REDIS_TIMEOUT_THRESHOLD: '120000' });
const { sandbox, main } = cluster;
let broken: string[] = ['The soak did not come to its end.'];
const workflows: Workflow[] = [];
try {
	for (const { operation, options, node } of kinds) {
		const more = { register, ifAlreadySubmitted: asAsked };
		const runs = await cluster.publishRuns(submit(operation, { ...options, ...more }, node));
		workflows.push({ ...runs, operation, given: [] });
	}
	const deadline = Date.now() + minutes * oneMinute;
	await Promise.all([
		stream(workflows, deadline),
		takeTurns(deadline, [400, 1500], requests),
		takeTurns(deadline, [4000, 12_000], disturbances),
	]);
	await comeToRest();
	broken = await compare(workflows);
} finally {
	await cluster.close();
}
console.log(
	Object.entries(counted)
		.map(([what, times]) => `${times} ${what}`)
		.join(', '),
);
for (const line of broken) console.log(line);
process.exit(broken.length > 0 ? 1 : 0);

/** Buys and sells as they come, most of them new, some a second time. */
async function stream(workflows: Workflow[], deadline: number): Promise<void> {
	const waiting = new Set<Promise<unknown>>();
	for (let turn = 0; Date.now() < deadline; turn++) {
		const { operation, given, submit } = oneOf(workflows);
		const references = Array.from({ length: Math.ceil(between(0, 6)) }, (_, index) => {
			if (given.length > 0 && random() < 0.2) return oneOf(given);
			given.push(`${operation}-${turn}-${index}`);
			return given.at(-1)!;
		});
		if (random() < 0.6)
			sandbox.fault({ ...faults[count('faults') % faults.length]!, on: operation });
		// n8n does not answer where Redis was gone meanwhile; what became of it is in the execution
		const answer = Promise.race([submit([...new Set(references)]), sleep(oneMinute / 2)])
			.catch(() => {})
			.then((given) => count(given ? `answered with ${given.status}` : 'not answered'))
			.finally(() => waiting.delete(answer));
		waiting.add(answer);
		for (const reference of new Set(references)) asked.add(reference);
		count('lists');
		await sleep(between(100, 500));
		if (waiting.size >= mostAtOnce) await Promise.race(waiting);
	}
	await Promise.all(waiting);
}

/** One thing after the other until the time is over, with pauses between them. */
async function takeTurns(
	deadline: number,
	[least, most]: [number, number],
	things: Array<() => Promise<unknown>>,
): Promise<void> {
	for (;;) {
		await sleep(between(least, most));
		if (Date.now() > deadline) return;
		await oneOf(things)();
	}
}

async function killWorker(): Promise<void> {
	count('times a worker killed');
	const [worker] = cluster.workers.splice(random() < 0.5 ? 0 : 1, 1);
	await worker!.kill();
	await cluster.startWorkers(1);
}

async function killServer(name: 'redis' | 'postgres'): Promise<void> {
	const server = cluster.queue.servers[name];
	if (!server) return;
	count(`times ${name} killed`);
	await server.kill();
	await sleep(between(500, 4000));
	// PostgreSQL does not start while something of the old one is left
	await until(
		async () =>
			await server.start().then(
				() => true,
				() => false,
			),
	);
}

async function shutDoor(): Promise<void> {
	count('times the service gone');
	await cluster.door.shut();
	await sleep(between(500, 4000));
	await cluster.door.open();
}

async function someExecution(status: string): Promise<string | undefined> {
	const filter = encodeURIComponent(JSON.stringify({ status: [status] }));
	const { results } = await main.rest.get<{ results: Array<{ id: string }> }>(
		`/executions?filter=${filter}&limit=20`,
	);
	return results.length > 0 ? oneOf(results).id : undefined;
}

/** A person who is told that an outcome is unknown looks for it, and sends it if it is not there; too early, as often as not. */
async function sendWhatIsNotThere(): Promise<void> {
	try {
		const { workflowId, operation, submit } = oneOf(workflows);
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const { results } = await main.rest.get<{ results: Array<{ id: string }> }>(
			`/executions?filter=${filter}&limit=20`,
		);
		if (results.length === 0) return;
		const execution = await storedExecution(oneOf(results).id);
		const told = toldIn(execution, referencesIn(execution).length) ?? [];
		const unknown = told.filter(({ outcome }) => outcome === 'unknown');
		if (unknown.length === 0) return;
		const { reference } = oneOf(unknown);
		const isThere = sandbox
			.transactions()
			.some((one) => one.kind === operation && one.reference === reference);
		count(isThere ? 'times looked for and found' : 'times sent again because it was not there');
		if (isThere) return;
		asked.add(reference!);
		await Promise.race([submit([reference!], 'submitUnknownAgain'), sleep(oneMinute / 2)]);
	} catch {
		count('not possible just then');
	}
}

/** While a server is gone n8n answers that it cannot; then there is a next time. */
async function askFor(what: string, status: string, path: string, body = {}): Promise<void> {
	try {
		const id = await someExecution(status);
		if (!id) return;
		await main.rest.post(`/executions/${id}/${path}`, body);
		count(what);
	} catch {
		count('not possible just then');
	}
}

/**
 * Everybody finishes what they have begun, and nobody begins anything for longer than n8n takes to give a job up. Then it
 * is twenty minutes later: what killed workers have claimed is old.
 */
async function comeToRest(): Promise<void> {
	await freshFetch(`${sandbox.baseUrl}/_sandbox/faults`, { method: 'DELETE' });
	await cluster.restart(await minutesLater(20));
	const { workers } = cluster;
	let since = Date.now();
	let before = '';
	await until(
		() => {
			const now = workers.map(stateOf).join();
			if (now !== before || /open/.test(now)) since = Date.now();
			before = now;
			return Date.now() - since > 40_000;
		},
		{ within: 5 * oneMinute },
	);
}

function stateOf({ logs }: N8nProcess): string {
	const said = (what: string) => logs().split(`Worker ${what} execution`).length - 1;
	const open = said('started') - said('finished') - said('errored while running');
	return `${said('started')}${open > 0 ? ' open' : ''}`;
}

/** One sentence for each thing that is not as it should be. */
async function compare(workflows: Workflow[]): Promise<string[]> {
	const promised = watch(sandbox);
	const known = new Set(sandbox.transactions().map(({ reference }) => reference));
	const said: Told[] = [];
	const lost: string[] = [];
	const wrong: string[] = [];
	const told = new Tally();
	const cutOff = new Tally();
	for (const { workflowId } of workflows) {
		for await (const execution of executionsOf(workflowId)) {
			const references = referencesIn(execution);
			const toldOf = toldIn(execution, references.length);
			count(toldOf ? 'executions told' : 'executions cut off');
			said.push(...(toldOf ?? []));
			const tally = toldOf ? told : cutOff;
			if (!toldOf || execution.mode !== 'retry') references.forEach(tally.add);
		}
	}
	const admitted = new Set(
		said
			.filter(({ outcome }) => ['accepted', 'unknown', 'skipped'].includes(outcome))
			.map(({ reference }) => reference),
	);
	for (const reference of known) {
		const allTold = told.of(reference) >= asked.of(reference) && cutOff.of(reference) === 0;
		if (allTold && !admitted.has(reference)) {
			wrong.push(`${reference} is there, and every execution says that it is not`);
		}
	}

	const again: Told[] = [];
	for (const workflow of workflows) again.push(...(await submitTheRest(workflow, known)));
	wrong.push(...promised([...said, ...again], { killed: true, duplicates: true }));

	const there = sandbox.transactions();
	const names = there.map(({ kind, reference }) => `${kind} ${reference}`);
	const duplicates = repeated(names);
	const isThere = new Set(names);
	for (const { operation, given } of workflows) {
		for (const reference of given.filter((one) => !isThere.has(`${operation} ${one}`))) {
			const last = again.filter((one) => one.reference === reference).map(({ outcome }) => outcome);
			lost.push(`${reference}, in the end told as ${last.join(', then ')}`);
		}
	}
	const rows = await rowsOf(main.rest, register);
	const held = compareRegister(rows, there);
	lost.push(...held.missing.map((reference) => `${reference} in the register`));
	wrong.push(
		...[...held.false, ...held.twice].map((row) => `the register says ${JSON.stringify(row)}`),
	);
	console.log(
		`${there.length} transactions are there; ${rows.length} rows are in the register, ${held.sending.length} of them ` +
			`sending; ${said.length} items were told of.`,
	);
	console.log(`duplicates ${duplicates.length}, lost ${lost.length}, false ${wrong.length}`);
	return [
		...duplicates.map((one) => `Duplicate: ${one}`),
		...lost.map((one) => `Lost: ${one}`),
		...wrong.map((one) => `False: ${one}`),
	];
}

/** What a person does in the end: submit all again, look up what is unknown, and send what is not there. */
async function submitTheRest(workflow: Workflow, known: Set<string>): Promise<Told[]> {
	await goOnWhenItStops(workflow);
	const all = async (references: string[], how: string) => {
		const told: Told[] = [];
		for (let at = 0; at < references.length; at += 200) {
			const some = references.slice(at, at + 200);
			const receipts = await until(async () => {
				const answer = await workflow.submit(some, how);
				// n8n answers with one output: where there are two, some are missing
				return answer.receipts.length === some.length && answer.receipts;
			});
			told.push(...receipts.map(toldInItem));
		}
		return told;
	};
	const first = await all(workflow.given, 'skip');
	const notSent = first.filter(({ outcome }) => outcome === 'notSent');
	const second = await all(
		notSent.map(({ reference }) => reference!),
		'skip',
	);
	const missing = [...first, ...second].filter(
		({ outcome, reference }) => outcome === 'unknown' && !known.has(reference!),
	);
	const last = await all(
		missing.map(({ reference }) => reference!),
		'submitUnknownAgain',
	);
	return [...first, ...second, ...last];
}

/** Lets the node tell of each item, whatever it did before. */
async function goOnWhenItStops({ workflowId: id, ready }: Workflow): Promise<void> {
	await activate(main.rest, id, 'off');
	const workflow = await main.rest.get<{ nodes: Array<{ name: string }> }>(`/workflows/${id}`);
	const nodes = workflow.nodes.map((node) =>
		node.name === 'Submit' ? { ...node, onError: 'continueRegularOutput' } : node,
	);
	await main.rest.patch(`/workflows/${id}`, { ...workflow, nodes });
	await activate(main.rest, id);
	await ready();
}

type Stored = Execution & { mode: string };

async function* executionsOf(workflowId: string): AsyncGenerator<Stored> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	for (let cursor: string | null = ''; cursor !== null;) {
		const page: { results: Array<{ id: string }>; nextCursor: string | null } = await main.rest.get(
			`/executions?filter=${filter}&limit=100${cursor && `&cursor=${cursor}`}`,
		);
		for (const { id } of page.results) yield await storedExecution(id);
		cursor = page.nextCursor;
	}
}

async function storedExecution(id: string): Promise<Stored> {
	const { data, ...execution } = await main.rest.get<Omit<Stored, 'data'> & { data: string }>(
		`/executions/${id}`,
	);
	return { ...execution, data: parse(data) as Execution['data'] };
}

function referencesIn({ data }: Execution): string[] {
	const [items] = data.resultData.runData.References?.at(-1)?.data?.main ?? [];
	return (items ?? []).map(({ json }) => String(json.reference));
}

/** What an execution said of each of its items; nothing where it was cut off. */
function toldIn({ id, data }: Stored, given: number): Told[] | undefined {
	const run = data.resultData.runData.Submit?.at(-1);
	// n8n makes something up for a node whose process was killed, and may then hide what it made up
	if (/isArtificialRecoveredEventItem|"redacted":true/.test(JSON.stringify(run?.data ?? ''))) {
		return undefined;
	}
	if (run?.error?.message === 'Execution stopped at this node') return undefined;
	try {
		if (run?.error) return toldInStop(run.error as Parameters<typeof toldInStop>[0], given);
		return run?.data?.main.flatMap((items) =>
			(items ?? []).map(({ json }) => toldInItem(json as IDataObject)),
		);
	} catch (reason) {
		console.log(`Execution ${id} says something else: ${(reason as Error).message}`);
		return undefined;
	}
}
