import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** What takes the place of npm: it notes how it was called, and fetches nothing. */
const program = `#!/usr/bin/env node
const { appendFileSync, mkdirSync } = require('node:fs');
const { NPM_CALLS, NPM_HANGS_AT, NPM_SAYS } = process.env;
const [command, what] = process.argv.slice(2);
if (command === 'ping') process.exit(0);
appendFileSync(NPM_CALLS, command + ' ' + what + ' ' + process.pid + '\\n');
mkdirSync('node_modules', { recursive: true });
if (NPM_SAYS) { console.error(NPM_SAYS); process.exit(NPM_SAYS.startsWith('npm warn') ? 0 : 1); }
if (NPM_HANGS_AT === command + ' ' + what) setInterval(() => {}, 1000);
`;

export interface FakeNpm {
	/** A folder of its own for what a test makes. */
	folder: string;
	/** For what is to find it in place of npm. */
	env: Record<string, string>;
	/** What it was asked for since it was last looked at. */
	calls(): string[];
	/** The ids of the processes that it was. */
	pids(): number[];
}

export function useFakeNpm(): FakeNpm {
	const folder = mkdtempSync(join(tmpdir(), 'stablecoin-ramp-start-'));
	const calls = join(folder, 'calls');
	const file = join(folder, 'npm');
	writeFileSync(file, program);
	chmodSync(file, 0o755);
	writeFileSync(calls, '');
	afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
	const pids: number[] = [];
	return {
		folder,
		env: {
			PATH: [folder, dirname(process.execPath), process.env.PATH].join(delimiter),
			NPM_CALLS: calls,
			npm_config_user_agent: '',
		},
		calls: () => {
			// Whole lines only: it may be writing the next one.
			const lines = readFileSync(calls, 'utf8').split('\n').slice(pids.length, -1);
			pids.push(...lines.map((line) => Number(line.split(' ').at(-1))));
			return lines.map((line) => line.replace(/ \d+$/, ''));
		},
		pids: () => pids,
	};
}
