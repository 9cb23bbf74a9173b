const minute = 60_000;
const step = 5 * minute;
/** After this many steps the numbers begin anew. */
const steps = 24;

/** Who has claimed a transaction may begin to send it for so long. */
export const leaseTime = step;

/** A request of a buy or sell has ended after this time, whatever came. */
export const longestRequest = 4 * minute;

/** A claim that nobody has settled is old after so many steps: its request has ended, also where clocks differ by a step. */
const oldAfter = 4;

const stepAt = (time: number) => Math.floor(time / step);

/** The five minutes in which a claim is made, as a number from 1 to 24. */
export const numberAt = (time: number): number => (stepAt(time) % steps) + 1;

/** Whether the owner of a claim may still begin to send; not where its clock has gone back, which proves nothing. */
export const holds = (claimedAt: number, now: number): boolean =>
	now >= claimedAt && now < claimedAt + leaseTime;

/**
 * From when on a claim with this number is old; by then somebody can look for its transaction and take it over. A
 * number one step ahead comes from a clock that differs. Numbers come again after two hours, so an old claim may look
 * young for a while: it has to wait, and nothing worse.
 */
export function oldFrom(number: number, now: number): number {
	const behind = (stepAt(now) - (number - 1) + steps) % steps;
	const isAhead = behind === steps - 1;
	return (stepAt(now) - (isAhead ? -1 : behind) + oldAfter) * step;
}

/** When to look for what is claimed at this moment. */
export const oldFromNow = (now: number): number => oldFrom(numberAt(now), now);

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });

const inLagos = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Africa/Lagos' });

/** 10:40 UTC on 16 November (11:40 in Lagos), where those who use naira are. */
export const inWords = (time: number): string =>
	`${new Date(time).toISOString().slice(11, 16)} UTC on ${day.format(time)} (${inLagos.format(time)} in Lagos)`;
