import { execa } from 'execa';

import { findTool } from '../../../scripts/tools.mts';

/** The environment of a process for which it is so many minutes later. All processes of a test have it, or none. */
export async function minutesLater(minutes: number): Promise<Record<string, string>> {
	const { stdout } = await execa(findTool('faketime')!, ['-f', `+${minutes}m`, 'env']);
	const [preload = '', offset = ''] = ['LD_PRELOAD', 'FAKETIME'].map(
		(name) => new RegExp(`^${name}=(.*)$`, 'm').exec(stdout)?.[1],
	);
	return { LD_PRELOAD: preload, FAKETIME: offset };
}
