// Just enough of n8n to run the built node in: its database, a data table, executions. Each process has its own copy
// of the node's modules, and its own clock.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ICredentialDataDecryptedObject, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { someTable } from '../support/engine/fakeDataTable.mts';
import { shown } from '../support/shown.mts';
import { toldInItem, toldInStop, type Told } from '../support/told.mts';
import { fromItem, submitting } from '../support/transactions.mts';
import type { Service } from './service.mts';
import type { Place, World } from './world.mts';

const file = join(import.meta.dirname, '../../dist/nodes/StablecoinRamp/submit/submit.js');

type Submit = (context: unknown, operation: 'buy' | 'sell') => Promise<INodeExecutionData[][]>;

/** What somebody asks the node for. */
export interface Order {
	items: Array<{ reference: string; amount: number }>;
	choice: 'stop' | 'skip' | 'submitUnknownAgain' | 'submitAgain';
	onError: 'stopWorkflow' | 'continueRegularOutput';
	retryOnFail: boolean;
	parallelRequests: number;
	hasRegister: boolean;
}

/** What an execution keeps for its retries. */
type Kept = Record<string, unknown>;

export interface Ran {
	run: number;
	order: Order;
	kept: Kept;
	isStopped: boolean;
	told: Told[];
	/** What was said of each item, as people read it. */
	said: string[];
}

const credentials: ICredentialDataDecryptedObject = {
	secretKey: 'simulated-secret-key',
	baseUrl: 'https://service.example',
	otcBaseUrl: '',
	businessId: 'BUSINESS-1',
	linkTag: 'business-one',
	headerName: 'svc-sec-key',
};

export class N8n {
	readonly table = someTable();
	readonly processes: Array<{ place: Place; submit: Submit }> = [];
	/** One call of the database or the register in so many fails, before it was done or after it. */
	databaseFailsOnceIn = Infinity;
	registerFailsOnceIn = Infinity;

	private readonly rows = new Map<string, number>();
	private runs = 0;
	private readonly world: World;
	private readonly service: Service;

	private readonly code: Code;

	constructor(world: World, service: Service, code = asBuilt) {
		this.world = world;
		this.service = service;
		this.code = code;
	}

	start(skew: number): Place {
		const name = `process ${this.processes.length + 1}`;
		const place: Place = { name, isDead: false, frozenUntil: 0, skew };
		this.processes.push({ place, submit: loadSubmit(this.world, place, this.code) });
		return place;
	}

	/** Runs the node in a process, as often as Retry On Fail says. Nothing comes back where that is killed. */
	async execute(place: Place, order: Order, kept: Kept = {}): Promise<Ran> {
		const run = ++this.runs;
		const { submit } = this.processes.find((one) => one.place === place)!;
		const context = this.contextOf(place, run, order, kept);
		const given = order.items.length;
		for (let tries = order.retryOnFail ? 3 : 1; ; tries--) {
			try {
				const [items] = await submit(context, 'sell');
				const told = items!.map(({ json }) => toldInItem(json));
				return {
					run,
					order,
					kept,
					isStopped: false,
					told,
					said: items!.map(({ json }) => `${json.error} ${json.message}`),
				};
			} catch (thrown) {
				if (tries > 1) continue;
				const { message, description } = thrown as { message: string; description: string };
				const told = toldInStop({ message, description }, given);
				return {
					run,
					order,
					kept,
					isStopped: true,
					told,
					said: order.items.map((_, index) => saidInStop(message, description, index)),
				};
			}
		}
	}

	/** What n8n gives the node. */
	private contextOf(place: Place, run: number, order: Order, kept: Kept): unknown {
		const { world, service, table } = this;
		const options = {
			ifAlreadySubmitted: order.choice,
			parallelRequests: order.parallelRequests,
			...(order.hasRegister && { register: 'Register' }),
		};
		const parameters = submitting('sell', { ...fromItem('reference', 'amount'), options });
		const node = { id: 'node', type: 'stablecoinRamp', onError: order.onError, parameters };
		const called = async <T,>(what: string, onceIn: number, work: () => Promise<T> | T) =>
			await world.step(place, what, async () => await this.failing(what, onceIn, work));
		return {
			node,
			getNode: () => node,
			getMode: () => 'trigger',
			getWorkflow: () => ({ id: 'workflow' }),
			getExecutionId: () => String(run),
			getContext: () => kept,
			getWorkflowDataProxy: () => ({ $runIndex: 0 }),
			getInputData: () => order.items.map((json) => ({ json })),
			getNodeParameter: (path: string, _: number, fallback: unknown) =>
				path
					.split('.')
					.reduce<unknown>((inner, name) => (inner as IDataObject)?.[name], parameters) ?? fallback,
			getCredentials: async () => credentials,
			getExecutionCancelSignal: () => undefined,
			continueOnFail: () => order.onError !== 'stopWorkflow',
			addExecutionHints: () => {},
			executeWorkflow: table.executeWorkflowBy(
				(work) =>
					async (...args) =>
						await called('register', this.registerFailsOnceIn, async () => await work(...args)),
			),
			helpers: {
				httpRequestWithAuthentication: async (_: string, request: IDataObject) =>
					await service.request(place, run, request),
				getProcessedDataCount: async () => {
					const { id } = node;
					return await called('count', this.databaseFailsOnceIn, () => this.rows.get(id) ?? 0);
				},
				// A read, then a write: an INSERT that fails where another was first.
				checkProcessedAndRecord: async (marks: string[]) => {
					const { id } = node;
					const found = await called('find', this.databaseFailsOnceIn, () => this.rows.has(id));
					return await called('record', this.databaseFailsOnceIn, () => {
						if (found) return { new: [], processed: marks };
						if (this.rows.has(id)) throw new Error('UNIQUE constraint failed: processed_data');
						this.rows.set(id, marks.length);
						return { new: marks, processed: [] };
					});
				},
			},
		};
	}

	private async failing<T>(what: string, onceIn: number, work: () => Promise<T> | T): Promise<T> {
		const { chance } = this.world;
		const fails = chance.onceIn(onceIn) && chance.pick(['before', 'after']);
		if (fails === 'before') throw new Error(`${what} failed, and was not done`);
		const done = await work();
		if (fails === 'after') throw new Error(`${what} failed, and was done`);
		return done;
	}
}

/** The row of an item under its heading, and what stopped the run where that was it. */
function saidInStop(message: string, description: string, index: number): string {
	const [step, ...lines] = shown(description).split('\n');
	const mark = `[item ${index}]`;
	const isCause = message.endsWith(mark) || !message.endsWith(']');
	const at = lines.findIndex((line) => line.endsWith(mark));
	const heading = lines.slice(0, at + 1).findLast((line) => /^[A-Z].* \(\d+\):$/.test(line));
	// One item alone has no line of its own: what to do about it stands in numbered steps.
	const told = at < 0 ? lines.filter((line) => /^\d\. /.test(line)) : [heading, lines[at]];
	return [...(isCause ? [message, step] : []), ...told].join('\n');
}

const outside: (name: string) => object = createRequire(import.meta.url);
/** The built node, ready to be loaded by any number of processes. */
export type Code = (...given: unknown[]) => void;

const parameters = ['module', 'exports', 'require', 'Date', 'AbortSignal'];
export const codeOf = (source: string) => new Function(...parameters, source) as Code;
export const source = readFileSync(file, 'utf8');
const asBuilt = codeOf(source);

function loadSubmit(world: World, place: Place, evaluate: Code): Submit {
	const clock = () => world.now + place.skew;
	class OwnDate extends Date {
		constructor(...given: [] | [number | string]) {
			super(...((given.length === 0 ? [clock()] : given) as [number]));
		}
		static override now() {
			return clock();
		}
	}
	const own = {
		...outside('n8n-workflow'),
		sleep: async (time: number) => await world.sleep(place, time),
	};
	const requireOwn = (name: string) => (name === 'n8n-workflow' ? own : outside(name));
	const module = { exports: {} as { submit: Submit } };
	const noSignal = { timeout: () => undefined };
	evaluate(module, module.exports, requireOwn, OwnDate, noSignal);
	return module.exports.submit;
}
