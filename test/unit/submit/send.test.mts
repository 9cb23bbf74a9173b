import { setTimeout as wait } from 'node:timers/promises';

import { openClaims } from '../../../nodes/StablecoinRamp/submit/memory/claims.ts';
import { rowsInExecution } from '../../../nodes/StablecoinRamp/submit/memory/rows.ts';
import { pause, type Run } from '../../../nodes/StablecoinRamp/submit/run.ts';
import { sendEntries } from '../../../nodes/StablecoinRamp/submit/send.ts';
import { entry } from './entry.mts';

it('does not wait for a moment that has become far because the clock was set back', async () => {
	const run = {
		context: { getExecutionCancelSignal: () => undefined },
		pausedUntil: Date.now() + 3_600_000,
	} as unknown as Run;
	const began = Date.now();
	await pause(run);
	expect(Date.now() - began).toBeLessThan(10_000);
	run.pausedUntil = Date.now() + 300;
	await pause(run);
	expect(Date.now() - began).toBeGreaterThanOrEqual(300);
});

it('lets nothing leave after a run that has ended by something unexpected', async () => {
	let sent = 0;
	const httpRequestWithAuthentication = async () => {
		sent++;
		return await wait(20, { statusCode: 200, headers: {}, body: { status: 'success' } });
	};
	const run = {
		context: {
			continueOnFail: () => true,
			getNode: () => ({}),
			getExecutionCancelSignal: () => undefined,
			helpers: { httpRequestWithAuthentication },
		},
		operation: 'sell',
		settings: {
			credentials: { secretKey: 'key', baseUrl: 'https://service.example' },
			requestOptions: {},
			parallelRequests: 3,
		},
		memory: { claims: openClaims(rowsInExecution({})) },
		tries: {
			keep: (item: number) => {
				if (item === 1) throw new Error('unexpected');
			},
		},
		results: [],
		hadSetback: false,
		silences: 0,
		pausedUntil: 0,
	} as unknown as Run;
	const entries = Array.from({ length: 20 }, (_, itemIndex) => ({
		...entry(`order-${itemIndex}`),
		referenceFingerprint: `order-${itemIndex}`,
		itemIndex,
	}));
	await expect(sendEntries(run, entries)).rejects.toThrow('unexpected');
	const then = sent;
	await wait(100);
	expect({ then, now: sent }).toEqual({ then: 2, now: 2 });
});
