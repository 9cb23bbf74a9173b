import { randomUUID } from 'crypto';
import {
	NodeOperationError,
	sleep,
	type ExecuteWorkflowData,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeProperties,
	type IWorkflowBase,
} from 'n8n-workflow';

/**
 * The small workflow that this node brings along.
 *
 * n8n keeps a row in its database for each node that remembers something (`processed_data`, by workflow and node id).
 * The first write of a row is an INSERT, and fails where anybody else was first: that is what a claim rests on. A node
 * cannot write rows of other nodes, so the node runs a workflow that has a node for each row, with the row's name as
 * its id. n8n runs it in the same process and under the id of the calling workflow, and keeps no execution of it.
 */
export interface Step {
	row: string;
	/** look: is it there? claim: insert it, as the first or not at all. put: see that it is there. */
	what: 'look' | 'claim' | 'put';
	/** What goes into the register along with it; along with a claim only where the claim is ours. */
	entry?: IDataObject;
}

/** Takes steps, in this order: for each, whether the row was there (look) or is ours (claim), or why that is not known. */
export type Rows = (steps: Step[]) => Promise<Array<boolean | Error>>;

/** The nodes that keep a register, behind the steps, and what to do where they did not work. */
export interface Book {
	/** A second time where it is not known how far the first one came. */
	nodes: (entries: IDataObject[], isSecondTime: boolean) => OwnNode[];
	failed: (steps: Step[]) => void;
}

/** A claim is ours, and could not be entered in the register: nothing may be sent. */
export class NotEntered extends Error {}

interface Job {
	steps: Step[];
	results: Array<boolean | Error>;
	/** Tells who waits for it that all steps are taken. */
	tell?: () => void;
}

const jobs = new Map<string, Job>();

/** Counted by what is there: n8n might take the last step before another. */
const areTaken = ({ steps, results }: Job) => Object.keys(results).length === steps.length;

/** Rows in n8n's database. */
export const rowsInDatabase =
	(context: IExecuteFunctions, book?: Book): Rows =>
	async (steps) => {
		const id = randomUUID();
		const job: Job = { steps, results: [] };
		const entries = steps.flatMap(({ entry }) => (entry ? [entry] : []));
		const nodes = (isSecondTime: boolean) =>
			[stepNodes(context.getNode(), steps), book?.nodes(entries, isSecondTime)] as const;
		jobs.set(id, job);
		const stopped = await runInTime(context, job, nodes, [{ json: { job: id } }]);
		jobs.delete(id);
		const { results } = job;
		if (stopped && book && areTaken(job)) return notEntered(steps, results, stopped, book);
		return steps.map((_, index) => results[index] ?? stopped ?? new Error('n8n gave no answer'));
	};

function notEntered(
	steps: Step[],
	results: Array<boolean | Error>,
	{ message }: Error,
	book: Book,
): Array<boolean | Error> {
	book.failed(steps.filter(({ what, entry }) => entry && what !== 'claim'));
	return results.map((result, index) => {
		const { what, entry } = steps[index]!;
		return entry && what === 'claim' && result === true ? new NotEntered(message) : result;
	});
}

const longestWait = 30_000;

/** Gives what stopped it, if anything did. */
async function runInTime(
	context: IExecuteFunctions,
	job: Job,
	nodes: (isSecondTime: boolean) => readonly [OwnNode[], OwnNode[]?],
	items: INodeExecutionData[],
): Promise<Error | undefined> {
	const stopped = await run(context, workflowOf(...nodes(false)), items).then(
		() => undefined,
		asError,
	);
	if (!stopped || !/timed out|cancel/i.test(stopped.message)) return stopped;
	// The calling execution has had its time, but what it has sent is still to be recorded. n8n gives more time only to
	// a workflow that nobody waits for, so the last step tells when it is done.
	const code = workflowOf(...nodes(true));
	const isDone = new Promise<void>((tell) => (job.tell = tell));
	return await context
		.executeWorkflow({ code }, items, undefined, { doNotWaitToFinish: true })
		.then(async () => await Promise.race([isDone, sleep(longestWait)]))
		.then(() => undefined, asError);
}

const asError = (thrown: unknown): Error =>
	thrown instanceof Error ? thrown : new Error(String(thrown));

/** Without it n8n takes the operation off a node that has this resource. It is in no list. */
export const stepField: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'hidden',
	default: 'step',
	displayOptions: { show: { resource: ['record'] } },
};

const stepNodes = ({ type, typeVersion }: INode, steps: Step[]): OwnNode[] =>
	steps.map(({ row }, index) => ({
		id: row,
		name: String(index),
		type: type.replace(/Tool$/, ''),
		typeVersion,
		parameters: { resource: 'record', operation: 'step' },
	}));

/** Takes one step, as the node of the small workflow whose name is the step's number. The last one hands on the entries. */
export async function takeStep(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = this.getInputData();
	const job = jobs.get(String(items[0]?.json.job));
	const index = Number(this.getNode().name);
	const step = job?.steps[index];
	if (!job || !step) {
		throw new NodeOperationError(this.getNode(), 'This operation is for the node itself', {
			description: "Choose 'Resource' and 'Operation' from their lists.",
		});
	}
	// What a first time has done is not asked again: a claim would find itself.
	if (typeof job.results[index] !== 'boolean') {
		job.results[index] = await take[step.what](this.helpers).catch(asError);
	}
	if (index < job.steps.length - 1) return [[]];
	if (!areTaken(job)) throw new Error('n8n took the last step first');
	job.tell?.();
	const entries = job.steps.flatMap(({ what, entry }, at) =>
		entry && (what !== 'claim' || job.results[at] === true) ? [{ json: entry }] : [],
	);
	return [entries];
}

type Helpers = IExecuteFunctions['helpers'];

const mode = { mode: 'entries' } as const;
const mark = 'here';

async function insert(helpers: Helpers): Promise<boolean> {
	// Where n8n finds the row, it updates it without looking again. All rows hold the same mark, so that changes nothing.
	return await helpers.checkProcessedAndRecord([mark], 'node', mode).then(
		({ new: added }) => added.includes(mark),
		async (thrown: Error) => (isTaken(thrown) ? false : await Promise.reject(thrown)),
	);
}

/** SQLite, PostgreSQL, and MySQL in older n8n. */
const isTaken = ({ message }: Error) => /unique constraint|duplicate (key|entry)/i.test(message);

const take: Record<Step['what'], (helpers: Helpers) => Promise<boolean>> = {
	look: async (helpers) => (await helpers.getProcessedDataCount('node', mode)) > 0,
	claim: insert,
	put: async (helpers) => (await insert(helpers)) || true,
};

export type OwnNode = Pick<INode, 'name' | 'type' | 'typeVersion' | 'parameters'> & Partial<INode>;

/** Runs a workflow of one node, and gives what that put out. */
export async function runOwn(context: IExecuteFunctions, node: OwnNode): Promise<IDataObject[]> {
	const { data } = await run(context, workflowOf([node]), [{ json: {} }]);
	return (data[0] ?? []).map(({ json }) => json);
}

const run = async (
	context: IExecuteFunctions,
	code: IWorkflowBase,
	items: INodeExecutionData[],
): Promise<ExecuteWorkflowData> => await context.executeWorkflow({ code }, items);

const start: OwnNode = {
	name: 'Start',
	type: 'n8n-nodes-base.executeWorkflowTrigger',
	typeVersion: 1.1,
	parameters: { inputSource: 'passthrough' },
};

/** Nodes side by side, which n8n runs from top to bottom faster than in a row; others in a row behind the last of them. */
function workflowOf(nodes: OwnNode[], behind: OwnNode[] = []): IWorkflowBase {
	const all = [start, ...nodes, ...behind];
	const to = ({ name }: OwnNode) => ({ node: name, type: 'main' as const, index: 0 });
	const inRow = [nodes.at(-1)!, ...behind];
	const connections = Object.fromEntries([
		[start.name, { main: [nodes.map(to)] }],
		...behind.map((node, index) => [inRow[index]!.name, { main: [[to(node)]] }]),
	]) as IWorkflowBase['connections'];
	return {
		name: 'Record of Stablecoin Ramp',
		nodes: all.map((node, index) => ({ id: node.name, ...node, position: [0, index] })),
		connections,
		// Of its own, so that it has neither the error workflow of the calling one nor an entry in the list of executions.
		settings: {
			executionOrder: 'v1',
			saveDataSuccessExecution: 'none',
			saveDataErrorExecution: 'none',
			saveExecutionProgress: false,
			executionTimeout: -1,
		},
	} as unknown as IWorkflowBase;
}
