import { contract } from '../../sandbox/contract.mts';

/** What the sandbox assumes, wherever its contract says so. */
export const assumptions = assumptionsIn(contract);

function assumptionsIn(part: unknown): string[] {
	if (typeof part !== 'object' || part === null) return [];
	return Object.entries(part).flatMap(([key, value]) =>
		key === 'x-assumption' ? [String(value)] : assumptionsIn(value),
	);
}
