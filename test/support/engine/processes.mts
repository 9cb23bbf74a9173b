import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IExecuteFunctions, INodeType, INodeTypes } from 'n8n-workflow';

import type { Engine, Ran, RunOptions } from './engine.mts';

/** One of several processes that run the same workflows on the same database. */
export interface Process {
	/** What became of the run; nothing where the process has died meanwhile. */
	run(options: RunOptions): Promise<Ran | undefined>;
	/** It stops existing as soon as this is so. It is asked before and after everything that goes out of the process. */
	dieWhen(isTime: () => boolean): void;
}

const built = join(import.meta.dirname, '../../../dist/nodes/StablecoinRamp');

type Operation = (this: IExecuteFunctions) => Promise<unknown>;
type Operations = Record<string, Record<string, Operation>>;

const minute = 60_000;

/**
 * A process that has just started: the node has nothing in its memory. Its n8n may be a different one, and its clock
 * some minutes ahead, because it is later or because it is wrong; or it says what it is told to say.
 */
export function startProcess(
	engine: Engine,
	change: (context: IExecuteFunctions, goingOut: GoingOut) => void = () => {},
	{ ahead = 0, clock = () => Date.now() + ahead * minute } = {},
): Process {
	let isTime = () => false;
	let isDead = false;
	let tellDeath = () => {};
	const died = new Promise<void>((resolve) => (tellDeath = resolve));
	const underWay = new Set<Promise<unknown>>();

	const isOver = (): boolean => {
		isDead ||= isTime();
		if (isDead) tellDeath();
		return isDead;
	};
	const never = new Promise<never>(() => {});

	/** What has left a process goes on without it. */
	const goingOut: GoingOut = (work) =>
		async function (this: unknown, ...args: unknown[]): Promise<unknown> {
			if (isOver()) return await never;
			const going = work.apply(this, args);
			underWay.add(going);
			try {
				return await going;
			} finally {
				underWay.delete(going);
				if (isOver()) await never;
			}
		};

	function watch({ helpers }: IExecuteFunctions): void {
		for (const name of goesOut) {
			Object.assign(helpers, { [name]: goingOut(helpers[name] as GoesOut) });
		}
	}

	const operations = freshOperations(clock);
	for (const ofResource of Object.values(operations)) {
		for (const [name, original] of Object.entries(ofResource)) {
			ofResource[name] = async function () {
				change(this, goingOut);
				watch(this);
				return await original.call(this);
			};
		}
	}
	const inMemory = Object.create(engine.nodeTypeOf('stablecoinRamp'), {
		customOperations: { value: operations },
	}) as INodeType;
	const typeOf = (type: string) =>
		type.endsWith('stablecoinRamp') ? inMemory : engine.nodeTypeOf(type);
	const nodeTypes: INodeTypes = { ...engine.nodeTypes, getByNameAndVersion: typeOf };

	return {
		run: async (options) =>
			await Promise.race([
				engine.run({ ...options, nodeTypes }),
				died.then(async () => void (await Promise.allSettled(underWay))),
			]),
		dieWhen: (when) => {
			isTime = when;
		},
	};
}

type GoesOut = (...args: unknown[]) => Promise<unknown>;

/** What is done to something that goes out of a process: it may be the last thing that does, or no more. */
export type GoingOut = (work: GoesOut) => GoesOut;

const goesOut = [
	'httpRequestWithAuthentication',
	'checkProcessedAndRecord',
	'getProcessedDataCount',
] as const;

const given = ['module', 'exports', 'require', 'Date'];
type Body = (...given: unknown[]) => void;
const compiled = new Map<string, Body>();

/** What a file does when it is loaded: compiled once, done anew by each process. */
function bodyOf(file: string): Body {
	const body =
		compiled.get(file) ?? (new Function(...given, readFileSync(join(built, file), 'utf8')) as Body);
	compiled.set(file, body);
	return body;
}

/** The built files once more, past the cache of modules. */
function freshOperations(clock: () => number): Operations {
	class OwnDate extends Date {
		static override now() {
			return clock();
		}
	}
	const outside: (name: string) => unknown = require;
	const loaded = new Map<string, { exports: unknown }>();
	const load = (file: string): unknown => {
		const before = loaded.get(file);
		if (before) return before.exports;
		const module = { exports: {} };
		const requireFresh = (name: string): unknown =>
			name.startsWith('.') ? load(name) : outside(name);
		bodyOf(file)(module, module.exports, requireFresh, OwnDate);
		loaded.set(file, module);
		return module.exports;
	};
	const { StablecoinRamp } = load('StablecoinRamp.node.js') as {
		StablecoinRamp: new () => { customOperations: Operations };
	};
	return new StablecoinRamp().customOperations;
}
