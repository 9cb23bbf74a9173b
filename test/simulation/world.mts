// A world in which nothing happens by itself: one clock, and steps that wait until they are chosen. By one seed it is
// chosen in the same way each time.
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';

export const minute = 60_000;

export interface Chance {
	/** From 0 to below the limit. */
	below(limit: number): number;
	/** True once in so many times. */
	onceIn(times: number): boolean;
	pick<T>(all: readonly T[]): T;
}

function chanceOf(seed: number): Chance {
	const [numbers] = fc.sample(fc.infiniteStream(fc.noBias(fc.nat(2 ** 30))), { seed, numRuns: 1 });
	const below = (limit: number) => Math.floor((numbers!.next().value! / (2 ** 30 + 1)) * limit);
	return {
		below,
		onceIn: (times) => below(times) === 0,
		pick: (all) => all[below(all.length)]!,
	};
}

/** A process of n8n. */
export interface Place {
	name: string;
	isDead: boolean;
	/** Nothing of it runs before this moment. */
	frozenUntil: number;
	/** By how much its clock is wrong. */
	skew: number;
}

interface Step {
	/** Who waits for it; nobody, for what goes on by itself. */
	by?: Place;
	what: string;
	/** It does not happen before or after these moments. */
	from: number;
	until: number;
	take(): Promise<void>;
	/** What happens when it was not chosen in time. */
	miss(): void;
}

export class World {
	now = Date.UTC(2026, 10, 16, 10);
	private steps: Step[] = [];
	readonly story: string[] = [];
	/** How long a step takes at most. */
	slowness = 0;

	readonly chance: Chance;

	constructor(seed: number) {
		this.chance = chanceOf(seed);
	}

	/** Waits to be chosen, then does it. */
	async step<T>(
		by: Place | undefined,
		what: string,
		work: () => Promise<T> | T,
		{ from = 0, until = Infinity } = {},
	): Promise<T> {
		return await new Promise<T>((resolve, reject) => {
			const take = async () => {
				try {
					resolve(await work());
				} catch (thrown) {
					reject(thrown as Error);
				}
			};
			const miss = () => reject(new Error(`${what} came too late`));
			this.steps.push({ by, what, from, until, take, miss });
		});
	}

	async sleep(by: Place | undefined, milliseconds: number): Promise<void> {
		await this.step(by, 'sleep', () => {}, { from: this.now + milliseconds });
	}

	/** What it waits for never comes. What has left it goes on. */
	kill(place: Place): void {
		place.isDead = true;
		this.tell(`${place.name} is killed`);
		this.steps = this.steps.filter(({ by }) => by !== place);
	}

	tell(what: string): void {
		this.story.push(`${new Date(this.now).toISOString().slice(11, 19)} ${what}`);
	}

	/** Chooses steps until there are none left. */
	async run(meanwhile: () => void): Promise<void> {
		for (let count = 0; ; count++) {
			await nextTurn();
			if (count > 20_000) throw new Error('It does not end');
			for (const late of this.steps.filter(({ until }) => until < this.now)) {
				this.remove(late);
				late.miss();
			}
			const ready = this.steps.filter((step) => this.readyAt(step) <= this.now);
			if (ready.length > 0) {
				meanwhile();
				const open = ready.filter(
					(step) => this.steps.includes(step) && this.readyAt(step) <= this.now,
				);
				if (open.length === 0) continue;
				const step = this.chance.pick(open);
				this.remove(step);
				this.now += this.chance.below(this.slowness + 1);
				await step.take();
				continue;
			}
			if (this.steps.length === 0) return;
			this.now = Math.min(...this.steps.map((step) => this.readyAt(step)));
		}
	}

	private readyAt({ from, by }: Step): number {
		return Math.max(from, by?.frozenUntil ?? 0);
	}

	private remove(step: Step): void {
		this.steps.splice(this.steps.indexOf(step), 1);
	}
}
