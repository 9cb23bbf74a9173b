import { codeOf, source } from '../simulation/n8n.mts';
import { simulate, type Findings } from '../simulation/simulate.mts';
import { times } from '../support/quick.mts';

const nothing = { twice: [], lost: [], false: [] };
const foundIn = ({ twice, lost, false: untrue }: Findings) => ({ twice, lost, false: untrue });
const seeds = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

it('sends nothing twice, loses nothing and says nothing false, whatever fails and whatever persons do', async () => {
	for (const seed of seeds(times(250))) {
		expect({ seed, ...foundIn(await simulate(seed)) }).toEqual({ seed, ...nothing });
	}
});

it('comes out the same by the same seed', async () => {
	for (const seed of seeds(5)) {
		const { story } = await simulate(seed);
		expect((await simulate(seed)).story).toEqual(story);
	}
});

it.each([
	[
		'what is unknown is released',
		'outcome === "accepted" || outcome === "unknown"',
		'outcome === "accepted"',
	],
	['every claim is granted', 'added.includes(mark)', 'true'],
])('notices where %s', async (_, good, bad) => {
	expect(source).toContain(good);
	const code = codeOf(source.replaceAll(good, bad));
	let found = 0;
	for (let seed = 1; found === 0 && seed <= 60; seed++)
		found = Object.values(foundIn(await simulate(seed, code))).flat().length;
	expect(found).toBeGreaterThan(0);
});
