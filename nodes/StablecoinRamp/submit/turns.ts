import { sleep } from 'n8n-workflow';

const turns = new Map<string, Promise<unknown>>();

/**
 * n8n reads all records of a node, then writes them all back. Executions in one process take turns with that; where
 * there are other processes, each turn is followed by a pause, so that they find room for theirs.
 */
export async function inTurn<T>(node: string, work: () => Promise<T>): Promise<T> {
	const timed = async () => {
		const began = Date.now();
		try {
			return await work();
		} finally {
			// However long it took, what waits for it must not stand still, nor run ahead of a clock that was set back.
			lately = (3 * lately + Math.min(Math.max(Date.now() - began, 0), longest)) / 4;
		}
	};
	const mine = (turns.get(node) ?? Promise.resolve()).then(timed);
	const turn: Promise<unknown> = mine
		.catch(() => {})
		.then(async () => hasOthers && (await othersHaveWritten()))
		.then(() => turns.get(node) === turn && turns.delete(node));
	turns.set(node, turn);
	return await mine;
}

const upcoming = new Map<string, { wanted: Set<string>; known: Promise<Set<string>> }>();

/** What waits for the same turn is recorded in one go: the fewer writes, the less is overwritten. */
export async function recordTogether(
	node: string,
	wanted: string[],
	record: (together: string[]) => Promise<Set<string>>,
): Promise<Set<string>> {
	let next = upcoming.get(node);
	if (!next) {
		const together = new Set<string>();
		const known = inTurn(node, async () => {
			upcoming.delete(node);
			return await record([...together]);
		});
		next = { wanted: together, known };
		upcoming.set(node, next);
	}
	for (const one of wanted) next.wanted.add(one);
	return await next.known;
}

/** Whether another process was seen to overwrite records: then this n8n has several, and goes on having them. */
let hasOthers = false;

export const seeOthers = () => {
	hasOthers = true;
};
export const seesOthers = () => hasOthers;

const longest = 1000;

/**
 * How long reading and writing takes in this process lately, which stands for the others. To begin with a guess: what
 * has just started is slow.
 */
let lately = 50;

/**
 * Waits until whoever had read before, in another process, has written. Of no fixed length, so that two processes do
 * not overwrite each other in step.
 */
export async function othersHaveWritten(): Promise<void> {
	const shortest = hasOthers ? 30 : 10;
	await sleep(Math.max(shortest, 2 * lately) * (1 + Math.random()));
}
