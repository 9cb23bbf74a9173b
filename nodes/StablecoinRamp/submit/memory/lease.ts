const minute = 60_000;
const step = 5 * minute;
/** After this many steps the numbers begin anew. */
const stepsInARound = 24;

/** Who has claimed a transaction may begin to send it for so long. */
export const leaseTime = step;

/** A request of a buy or sell has ended after this time, whatever came. */
export const longestRequest = 4 * minute;

/** A claim that nobody has settled is old after so many steps: its request has ended, also where clocks differ by a step. */
const oldAfter = 4;

const stepAt = (time: number) => Math.floor(time / step);

/** The five minutes in which a claim is made, as a number from 1 to 24. */
export const numberAt = (time: number): number => (stepAt(time) % stepsInARound) + 1;

/** Whether the owner of a claim may still begin to send; not where its clock has gone back, which proves nothing. */
export const holds = (claimedAt: number, now: number): boolean =>
	now >= claimedAt && now < claimedAt + leaseTime;

/**
 * From when on a claim with this number is old; by then somebody can look for its transaction and take it over. A
 * number one step ahead comes from a clock that differs. Numbers come again after two hours, so an old claim may look
 * young for a while: it has to wait, and nothing worse.
 */
export function oldFrom(number: number, now: number): number {
	const behind = (stepAt(now) - (number - 1) + stepsInARound) % stepsInARound;
	const isAhead = behind === stepsInARound - 1;
	return (stepAt(now) - (isAhead ? -1 : behind) + oldAfter) * step;
}

/** The same of a claim that is made at this time. */
export const oldFromClaimAt = (time: number): number => oldFrom(numberAt(time), time);
