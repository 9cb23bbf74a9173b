import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { findTool } from '../../scripts/tools.mts';
import { whatIsMissing, type Family } from '../support/missing.mts';

const families: Family[] = [
	{ name: 'unit' },
	{ name: 'n8n', wants: ['faketime'] },
	{ name: 'browser', needs: ['chromium'] },
	{ name: 'queue', needs: ['redis', 'postgres', 'faketime'] },
];

const { env } = process;
afterEach(() => (process.env = env));

it('says what is missing, what is not tested without it, and the one command that installs it', () => {
	process.env = { PATH: '', CHROMIUM: '/nowhere', POSTGRES: __filename };
	expect(whatIsMissing(families)).toEqual([
		'Missing: faketime, chromium (CHROMIUM names /nowhere, which is not there), redis',
		'  n8n is run without what needs faketime',
		'  browser is not run: it needs chromium',
		'  queue is not run: it needs redis, faketime',
		'Debian: apt-get install faketime chromium-headless-shell redis-server',
		'Or name what you have: FAKETIME=/path/to/it CHROMIUM=/path/to/it REDIS_SERVER=/path/to/it',
	]);
});

it('says nothing where all that is needed is there', () => {
	process.env = { PATH: '', CHROMIUM: __filename, FAKETIME: __filename };
	expect(whatIsMissing(families.slice(0, 3))).toEqual([]);
});

it('finds the program that suits best, in whichever folder it is', () => {
	const folders = ['one', 'other'].map((name) => mkdtempSync(join(tmpdir(), name)));
	const programs = ['chromium', 'chromium-headless-shell'].map((name, at) =>
		join(folders[at]!, name),
	);
	for (const program of programs) writeFileSync(program, '');
	process.env = { PATH: folders.join(delimiter) };
	expect(findTool('chromium')).toBe(programs[1]);
	rmSync(programs[1]!);
	expect(findTool('chromium')).toBe(programs[0]);
	for (const folder of folders) rmSync(folder, { recursive: true });
});
