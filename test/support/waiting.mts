import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for a machine that has much else to do: who waits for what never comes loses only time. */
export const patience = 180_000;
const longestPause = 2000;

type Found<T> = Exclude<T, undefined | null | false | 0 | ''>;

/** Asserts again and again until it holds; fails as the last time it did not. */
export async function soon(assert: () => Promise<void>): Promise<void> {
	let failure: unknown;
	const holds = async () => {
		try {
			await assert();
			return true;
		} catch (reason) {
			failure = reason;
			return false;
		}
	};
	await until(holds).catch(() => {
		throw failure;
	});
}

/** Asks again and again until the answer is yes, or something; gives up aloud after `within` milliseconds. */
export async function until<T>(
	ask: () => T | Promise<T>,
	{ within = patience } = {},
): Promise<Found<T>> {
	const deadline = performance.now() + within;
	for (;;) {
		const asked = performance.now();
		const answer = await ask();
		if (answer) return answer as Found<T>;
		const now = performance.now();
		if (now > deadline) throw new Error(`Not so after ${within / 1000} s: ${ask}`);
		// What takes long to answer is not asked all the time: the n8n that answers has something else to do.
		await sleep(Math.min(Math.max(5, 9 * (now - asked)), longestPause, deadline - now));
	}
}
