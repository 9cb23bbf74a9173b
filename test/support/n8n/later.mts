import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';

import { ensureN8n } from '../../../playground/installN8n.mts';
import { findTool } from '../../../scripts/tools.mts';

/** The environment of a process for which it is so many minutes later. All processes of a test have it, or none. */
export async function minutesLater(minutes: number): Promise<Record<string, string>> {
	const { stdout } = await execa(findTool('faketime')!, ['-f', `+${minutes}m`, 'env']);
	const [preload = '', offset = ''] = ['LD_PRELOAD', 'FAKETIME'].map(
		(name) => new RegExp(`^${name}=(.*)$`, 'm').exec(stdout)?.[1],
	);
	return { LD_PRELOAD: preload, FAKETIME: offset };
}

/**
 * As minutesLater, in Code nodes too. They run in a process of their own, which gets few of n8n's variables: n8n starts it
 * with the "node" that it finds on its PATH, so ours comes first there, and sets the clock.
 */
export async function minutesLaterInCodeToo(
	minutes: number,
	userFolder: string,
): Promise<Record<string, string>> {
	const later = await minutesLater(minutes);
	const { node } = await ensureN8n();
	const variables = Object.entries(later).map(([name, value]) => `'${name}=${value}'`);
	const folder = join(userFolder, 'later');
	await mkdir(folder, { recursive: true });
	const starts = `#!/bin/sh\nexec env ${variables.join(' ')} '${node}' "$@"\n`;
	await writeFile(join(folder, 'node'), starts, { mode: 0o755 });
	return { ...later, PATH: [folder, process.env.PATH].join(delimiter) };
}

/** As minutesLater, but it can become later while the process runs. What it waits for takes as long as ever. */
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
