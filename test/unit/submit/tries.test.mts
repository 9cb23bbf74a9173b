import type { IExecuteFunctions } from 'n8n-workflow';

import { openTries } from '../../../nodes/StablecoinRamp/submit/memory/tries.ts';

const triesIn = (kept: object, $runIndex = 0) =>
	openTries<string>(
		{
			getContext: () => kept,
			getWorkflowDataProxy: () => ({ $runIndex }),
		} as unknown as IExecuteFunctions,
		(one) => one !== 'does not count',
	);

it('gives what was kept of an item, if it counts', () => {
	const kept = {};
	triesIn(kept).keep(3, 'a receipt');
	triesIn(kept).keep(4, 'does not count');
	expect([2, 3, 4].map(triesIn(kept).before)).toEqual([undefined, 'a receipt', undefined]);
});

it('knows when the first try of each run began', () => {
	const kept = {};
	const first = triesIn(kept, 0).beganAt;
	jest.useFakeTimers({ now: first + 60_000 });
	try {
		expect(triesIn(kept, 0).beganAt).toBe(first);
		expect(triesIn(kept, 1).beganAt).toBe(first + 60_000);
	} finally {
		jest.useRealTimers();
	}
});

it('says where what is kept was sent, if that is elsewhere', () => {
	const kept = {};
	expect(triesIn(kept).sendTo('here')).toBeUndefined();
	triesIn(kept).keep(0, 'does not count');
	expect(triesIn(kept).sendTo('there')).toBeUndefined();
	triesIn(kept).keep(0, 'a receipt');
	expect(triesIn(kept).sendTo('there')).toBeUndefined();
	expect(triesIn(kept).sendTo('here')).toBe('there');
	// It is still so when it is asked once more.
	expect(triesIn(kept).sendTo('here')).toBe('there');
	expect(triesIn(kept, 1).sendTo('here')).toBeUndefined();
});

it('tells one run of a loop from another, and forgets one at a time', () => {
	const kept = {};
	triesIn(kept, 0).keep(0, 'first');
	triesIn(kept, 1).keep(0, 'second');
	expect(triesIn(kept, 0).before(0)).toBe('first');
	triesIn(kept, 1).forget();
	expect(triesIn(kept, 1).before(0)).toBeUndefined();
	expect(triesIn(kept, 0).before(0)).toBe('first');
	triesIn(kept, 0).forget();
	triesIn(kept, 1).forget();
	expect(kept).toMatchObject({ submitted: {} });
});
