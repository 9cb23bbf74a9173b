import { writeFile } from 'node:fs/promises';
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

/** The same, but it can become later while the process runs. What it waits for takes as long as ever. */
export async function settableClock(file: string) {
	const { LD_PRELOAD = '' } = await minutesLater(0);
	return {
		env: {
			LD_PRELOAD,
			FAKETIME_TIMESTAMP_FILE: file,
			FAKETIME_NO_CACHE: '1',
			FAKETIME_DONT_FAKE_MONOTONIC: '1',
		},
		set: async (minutes: number) => await writeFile(file, `+${minutes}m`),
	};
}
