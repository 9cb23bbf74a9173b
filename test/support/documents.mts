import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';

import { tarball } from '../../playground/installPackage.mts';

const root = join(import.meta.dirname, '..', '..');

export const readDocument = (file: string): string => readFileSync(join(root, file), 'utf8');

/** What stands under a heading of a document, up to the next one. */
export const sectionOf = (text: string, heading: string): string => {
	const [, after] = text.split(`\n## ${heading}\n`);
	if (after === undefined) throw new Error(`There is no heading ${heading}.`);
	return after.split(/^## /m)[0]!;
};

/** The commands that a person is to copy from there, one for each block. */
export const commandsIn = (section: string): string[] =>
	[...section.matchAll(/^```sh\n(.+?)\n```$/gms)].map(([, commands]) => commands!);

const operating = readDocument('docs/operating.md');
const [pack, install] = commandsIn(sectionOf(operating, 'From a tarball'));
const [uninstall] = commandsIn(sectionOf(operating, 'Uninstalling'));

/** As whoever runs n8n is told to do it. A unit test says that the README has the same commands. */
export const documented = { pack: pack!, install: install!, uninstall: uninstall! };

/** Runs a command as it is written: only the folder and the home of the person are ours. */
export async function follow(
	command: string,
	{ home, folder = home }: { home: string; folder?: string },
): Promise<void> {
	// `npm test` tells those that it starts where they are, which is not where this person is.
	const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
	// A machine that reaches no registry would wait for one that only says what is new there.
	const quiet = { npm_config_audit: 'false', npm_config_update_notifier: 'false' };
	const env = { ...Object.fromEntries(own), ...quiet, HOME: home };
	await execa(command, { shell: true, cwd: folder, env, extendEnv: false });
}

/** Installs the packed package as documented, in an n8n that has this home. */
export async function installAsDocumented(home: string): Promise<void> {
	await follow(documented.install, { home, folder: dirname(await tarball()) });
}
