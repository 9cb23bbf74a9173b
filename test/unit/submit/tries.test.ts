import type { IExecuteFunctions } from 'n8n-workflow';

import type { Result } from '../../../nodes/StablecoinRamp/submit/result.ts';
import { earlierTries } from '../../../nodes/StablecoinRamp/submit/memory/tries.ts';

const triesIn = (kept: object, $runIndex = 0) =>
	earlierTries({
		getContext: () => kept,
		getWorkflowDataProxy: () => ({ $runIndex }),
	} as unknown as IExecuteFunctions);

const result = (outcome: string) => ({ outcome, reference: 'order-1' }) as Result;

it.each([
	['accepted', true],
	['unknown', true],
	['skipped', true],
	['rejected', false],
	['notSent', false],
	['dryRun', false],
])('of an item that was %s it is %s that it is not sent again', (outcome, isKept) => {
	const kept = {};
	triesIn(kept).keep(3, result(outcome));
	expect(triesIn(kept).before(3)).toEqual(isKept ? result(outcome) : undefined);
	expect(triesIn(kept).before(2)).toBeUndefined();
});

it('tells one run of a loop from another, and forgets one at a time', () => {
	const kept = {};
	triesIn(kept, 0).keep(0, result('accepted'));
	triesIn(kept, 1).keep(0, result('unknown'));
	expect(triesIn(kept, 0).before(0)).toEqual(result('accepted'));
	triesIn(kept, 1).forget();
	expect(triesIn(kept, 1).before(0)).toBeUndefined();
	expect(triesIn(kept, 0).before(0)).toEqual(result('accepted'));
	triesIn(kept, 0).forget();
	triesIn(kept, 1).forget();
	expect(kept).toEqual({ submitted: {} });
});
