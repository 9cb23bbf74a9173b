// npm run simulate -- [--runs 50000] [--seed 1]: how often something went wrong, and the story of the first time.
import { parseArgs } from 'node:util';

import { simulate } from './simulate.mts';

const { values } = parseArgs({
	options: { runs: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
});
const [runs, first] = [Number(values.runs), Number(values.seed)];
const sums = { twice: 0, lost: 0, false: 0 };
let worst: string | undefined;
for (let seed = first; seed < first + runs; seed++) {
	const { story, ...found } = await simulate(seed);
	for (const [kind, all] of Object.entries(found)) {
		sums[kind as keyof typeof sums] += all.length;
		if (all.length > 0)
			worst ??= [`seed ${seed}`, ...story, `${kind}: ${all.join('; ')}`].join('\n');
	}
}
if (worst) console.log(worst);
console.log(`${runs} runs: twice ${sums.twice}, lost ${sums.lost}, false ${sums.false}`);
if (worst) process.exitCode = 1;
