import { sleep } from 'n8n-workflow';

const turns = new Map<string, Promise<unknown>>();

/**
 * n8n reads all records of a node, then writes them all back. Executions in one process take turns with that, and
 * after each turn there is a pause: whoever had read before it, in another process, has written before the next one.
 */
export async function inTurn<T>(node: string, work: () => Promise<T>): Promise<T> {
	const timed = async () => {
		const began = Date.now();
		try {
			return await work();
		} finally {
			lately = (3 * lately + Date.now() - began) / 4;
		}
	};
	const mine = (turns.get(node) ?? Promise.resolve()).then(timed);
	const turn: Promise<unknown> = mine
		.catch(() => {})
		.then(async () => await sleep(pauseAfterTurn(node)))
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

const contended = new Set<string>();

/** Another process was seen to overwrite the records of the node. */
export const setContended = (node: string) => contended.add(node);
export const isContended = (node: string) => contended.has(node);

/** How long reading and writing takes in this process lately, which stands for the others. */
let lately = 0;

const shortestPause = { alone: 15, contended: 30 };

/** Of no fixed length, so that two processes do not overwrite each other in step. */
function pauseAfterTurn(node: string): number {
	const shortest = shortestPause[isContended(node) ? 'contended' : 'alone'];
	return Math.max(shortest, 3 * lately) * (1 + Math.random());
}
