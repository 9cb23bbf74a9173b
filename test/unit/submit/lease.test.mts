import {
	holds,
	leaseTime,
	longestRequest,
	oldFromClaimAt,
	numberAt,
	oldFrom,
} from '../../../nodes/StablecoinRamp/submit/memory/lease.ts';

const at = (time: string) => Date.parse(`2026-11-${time}Z`);
const said = (time: number) => new Date(time).toISOString().slice(5, 19);

const minute = 60_000;
const step = 5 * minute;
const noon = at('16T12:00:00');

describe('the number of five minutes', () => {
	it.each([
		['16T00:00:00', 1],
		['16T00:04:59.999', 1],
		['16T00:05:00', 2],
		['16T01:59:59.999', 24],
		['16T02:00:00', 1],
		['16T23:59:59.999', 24],
		['17T00:00:00', 1],
	])('at %s is %i', (time, number) => {
		expect(numberAt(at(time))).toBe(number);
	});

	it('goes on from 24 with 1 at the new year', () => {
		const newYear = Date.parse('2027-01-01T00:00:00Z');
		expect([numberAt(newYear - 1), numberAt(newYear)]).toEqual([24, 1]);
	});
});

describe('who has claimed', () => {
	it.each([
		['may begin to send in the same millisecond', 0, true],
		['may begin to send a millisecond before five minutes are over', leaseTime - 1, true],
		['may not when five minutes are over', leaseTime, false],
		['may not an hour later', 60 * minute, false],
		['may not when the clock has gone back by a millisecond', -1, false],
		['may not when the clock has gone back by an hour', -60 * minute, false],
	])('%s', (_, later, mayBegin) => {
		expect(holds(noon, noon + later)).toBe(mayBegin);
	});
});

describe('a claim', () => {
	const claimedAt = at('16T12:00:00');
	const number = numberAt(claimedAt);
	const isOld = (now: number) => oldFrom(number, now) <= now;

	it('is young for twenty minutes from the step in which it was made, and then old', () => {
		expect(said(oldFrom(number, claimedAt))).toBe('11-16T12:20:00');
		expect(isOld(at('16T12:19:59.999'))).toBe(false);
		expect(isOld(at('16T12:20:00'))).toBe(true);
	});

	it('is old at the same time, whenever in its step it was made and whenever somebody asks', () => {
		for (let later = 0; later < 20 * minute; later += 59_999) {
			expect(said(oldFrom(number, claimedAt + later))).toBe('11-16T12:20:00');
		}
		expect(numberAt(at('16T12:04:59.999'))).toBe(number);
	});

	it('of a clock that is one step ahead is young, and old twenty-five minutes from now', () => {
		const now = claimedAt - 1;
		expect(said(oldFrom(number, now))).toBe('11-16T12:20:00');
		expect(isOld(now)).toBe(false);
	});

	it('that is 22 steps behind is old, and that is 23 behind counts as one step ahead', () => {
		expect(isOld(claimedAt + 22 * step)).toBe(true);
		expect(isOld(claimedAt + 23 * step - 1)).toBe(true);
		expect(isOld(claimedAt + 23 * step)).toBe(false);
		expect(said(oldFrom(number, claimedAt + 23 * step))).toBe('11-16T14:20:00');
	});

	it('that is two hours old looks as if it had just been made, and is old again after twenty minutes', () => {
		expect(said(oldFrom(number, claimedAt + 24 * step))).toBe('11-16T14:20:00');
		expect(isOld(at('16T14:19:59.999'))).toBe(false);
		expect(isOld(at('16T14:20:00'))).toBe(true);
	});

	it('that was made before midnight is old after it', () => {
		expect(said(oldFrom(numberAt(at('16T23:59:00')), at('17T00:01:00')))).toBe('11-17T00:15:00');
		expect(said(oldFrom(numberAt(at('17T00:00:00')), at('16T23:59:59')))).toBe('11-17T00:20:00');
	});

	it('is never old before its request must have ended, also where clocks differ by five minutes', () => {
		const ended = leaseTime + longestRequest;
		const tooEarly: string[] = [];
		for (let made = noon; made < noon + 2 * 60 * minute; made += 7000) {
			for (const differs of [-step, 0, step]) {
				for (let later = 0; later < ended; later += 10_000) {
					const now = made + later + differs;
					if (oldFrom(numberAt(made), now) <= now) tooEarly.push(`${said(made)} at ${said(now)}`);
				}
			}
		}
		expect(tooEarly).toEqual([]);
	});
});

it('what is claimed at this moment is to be looked for when it is old', () => {
	expect(said(oldFromClaimAt(at('16T12:00:00')))).toBe('11-16T12:20:00');
	expect(said(oldFromClaimAt(at('16T12:04:59.999')))).toBe('11-16T12:20:00');
	expect(said(oldFromClaimAt(at('16T23:45:00')))).toBe('11-17T00:05:00');
	expect(said(oldFromClaimAt(Date.parse('2026-12-31T23:59:59Z')))).toBe('01-01T00:15:00');
});
