/** Something that happens next in a world: a step of somebody, or a fault. */
export interface Move {
	name: string;
	take(): Promise<void>;
}

/** A world that can be begun anew, and goes the same way when the same moves are taken. */
export interface World {
	moves(): Move[];
	/** All that decides what can still happen. Two worlds that are alike go on alike. */
	state(): string;
	/** Asked when there are no more moves. */
	end(): Promise<void>;
	/** Lets go of everything that still waits. */
	close(): Promise<void>;
}

/**
 * Takes every sequence of moves that is possible, and gives how many there are. What follows from a state is looked at
 * once, however many ways lead to it.
 */
export async function everySchedule(begin: () => Promise<World>): Promise<number> {
	const schedules = new Map<string, number>();
	let world = await begin();

	async function replay(way: string[]): Promise<void> {
		await world.close();
		world = await begin();
		for (const name of way)
			await world
				.moves()
				.find((move) => move.name === name)!
				.take();
	}

	async function from(way: string[]): Promise<number> {
		const state = world.state();
		const known = schedules.get(state);
		if (known !== undefined) return known;
		const names = world.moves().map(({ name }) => name);
		let count = names.length === 0 ? 1 : 0;
		if (names.length === 0) await check(way, async () => await world.end());
		for (const [index, name] of names.entries()) {
			// The first goes on in the same world.
			if (index > 0) await replay(way);
			const move = world.moves().find((one) => one.name === name)!;
			await check([...way, name], move.take);
			count += await from([...way, name]);
		}
		schedules.set(state, count);
		return count;
	}

	const count = await from([]);
	await world.close();
	return count;
}

/** Whatever is thrown says which way led to it. */
async function check(way: string[], work: () => Promise<void>): Promise<void> {
	try {
		await work();
	} catch (thrown) {
		throw new Error(`${(thrown as Error).message}\nafter ${way.join(', ')}`);
	}
}
