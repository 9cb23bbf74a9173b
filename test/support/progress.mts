import { createLogUpdate } from 'log-update';

export interface Took {
	seconds: number;
	/** Only of a family of tests. */
	tests?: number;
}

export interface Running {
	name: string;
	after: string[];
	/** In milliseconds, as `now`. */
	began?: number;
	/** What is said of it in the end. */
	said?: string;
	/** How many tests have ended so far. */
	done?: number;
	failed?: number;
	/** What it took when everything was green. */
	lastTime?: Took;
}

export interface Run {
	began: number;
	/** Those of which nothing is printed yet. */
	steps: Running[];
	/** What is said as long as nobody knows how long it took here. */
	usually?: string;
}

/** One line for each that runs, and one for all of them. */
export function progressLines({ began, steps, usually }: Run, now: number): string[] {
	const shown = steps.filter((step) => step.began !== undefined);
	const waiting = steps.filter((step) => step.began === undefined && step.said === undefined);
	const width = Math.max(...shown.map(({ name }) => name.length), 'all'.length);
	const row = (name: string, ...says: string[]) => `  ${name.padEnd(width)}  ${says.join(', ')}`;
	const toCome =
		waiting.length > 0 ? `; to come: ${waiting.map(({ name }) => name).join(', ')}` : '';
	return [
		...shown.map((step) => step.said ?? row(step.name, ...testsOf(step), timeOf(step, now))),
		row('all', wholeTime(steps, began, now, usually) + toCome),
	];
}

/** The same in one line, for a log. */
export function progressLine({ began, steps, usually }: Run, now: number): string {
	const running = steps.filter((step) => step.began !== undefined && step.said === undefined);
	const each = running.map((step) => [step.name, ...testsOf(step)].join(' '));
	return `${wholeTime(steps, began, now, usually)}: ${each.join('; ')}`;
}

function testsOf({ done, failed, lastTime }: Running): string[] {
	if (done === undefined) return [];
	const of = lastTime?.tests === undefined ? '' : ` of ${lastTime.tests}`;
	return [`${done}${of} tests`, ...(failed ? [`${failed} failed`] : [])];
}

function timeOf({ began = 0, lastTime }: Running, now: number): string {
	const took = (now - began) / 1000;
	if (!lastTime) return clock(took);
	return took > lastTime.seconds
		? `${clock(took)}, last time ${clock(lastTime.seconds)}`
		: `${clock(took)} of about ${clock(lastTime.seconds)}`;
}

function wholeTime(steps: Running[], began: number, now: number, usually?: string): string {
	const took = (now - began) / 1000;
	const left = Math.max(0, ...steps.map((step) => secondsLeft(step, steps, now)));
	if (Number.isNaN(left)) return clock(took) + (usually ? ` of ${usually}` : '');
	return left > 0
		? `${clock(took)} of about ${clock(took + left)}`
		: `${clock(took)}, longer than last time`;
}

/** NaN, if nobody knows. */
function secondsLeft(step: Running, steps: Running[], now: number): number {
	if (step.said !== undefined) return 0;
	const whole = step.lastTime?.seconds ?? NaN;
	if (step.began !== undefined) return Math.max(0, whole - (now - step.began) / 1000);
	const before = steps.filter(({ name }) => step.after.includes(name));
	return whole + Math.max(0, ...before.map((one) => secondsLeft(one, steps, now)));
}

function clock(seconds: number): string {
	const whole = Math.floor(seconds);
	return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** Redrawn each second on a terminal; a line each minute in a log. `look` says how things are. */
export function showProgress(look: () => Run): { print(text: string): void; end(): void } {
	const { stdout } = process;
	if (!stdout.isTTY) {
		const timer = setInterval(() => console.log(progressLine(look(), Date.now())), 60_000);
		return { print: (text) => console.log(text), end: () => clearInterval(timer) };
	}
	const log = createLogUpdate(stdout);
	const timer = setInterval(() => log(progressLines(look(), Date.now()).join('\n')), 1000);
	return {
		print: (text) => {
			log.clear();
			console.log(text);
		},
		end: () => {
			clearInterval(timer);
			log.clear();
			log.done();
		},
	};
}
