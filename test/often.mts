// The families of the real n8n again and again, with --busy while every core is kept busy by something else:
// npm run often -- [--rounds 5] [--busy] [family …]
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { execa } from 'execa';

import { keepFailure } from './support/keepFailure.mts';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		rounds: { type: 'string', default: '5' },
		busy: { type: 'boolean', default: false },
	},
});
const rounds = Number(values.rounds);
if (!(rounds >= 1)) throw new Error(`--rounds ${values.rounds} is no number of rounds`);
const real = ['browser', 'n8n', 'examples', 'processes', 'polls', 'queue'];
const families = positionals.length > 0 ? positionals : real;
// What is missing on this machine is a failure, not a reason to leave something out.
process.env.CI = 'true';

const inRow = (cells: string[]) => `| ${cells.join(' | ')} |`;
const header = ['round', ...families];
console.log([header, header.map(() => '---')].map(inRow).join('\n'));
if (values.busy) keepBusy();
for (let round = 1; round <= rounds; round++) {
	const run = ['run', '--silent', 'test:all', '--', ...families];
	const { all, exitCode } = await execa('npm', run, { all: true, reject: false });
	const became = families.map((name) => new RegExp(`^[✓✗] ${name} .*`, 'm').exec(all)?.[0] ?? '✗');
	console.log(inRow([String(round), ...became.map(withoutName)]));
	if (exitCode !== 0) {
		process.exitCode = 1;
		await keepFailure(all);
	}
}
process.exit();

function withoutName(line: string): string {
	return line.replace(/^(.) \S+ \((.*)\)/, '$1 $2');
}

/** A process for each core that never rests, until this one ends, however it does. */
function keepBusy(): void {
	const whileThisLives = `while (process.ppid === ${process.pid});`;
	for (let core = 0; core < availableParallelism(); core++) {
		void execa(process.execPath, ['-e', whileThisLives], { reject: false });
	}
}
