const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';

export interface Progress {
	done(): void;
	stopped(): void;
}

/** A line that lives while something takes long: redrawn on a terminal, repeated in a log. */
export function showProgress(title: string, usually: string): Progress {
	const { stderr } = process;
	const began = Date.now();
	const elapsed = () => {
		const seconds = Math.round((Date.now() - began) / 1000);
		return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
	};
	if (!stderr.isTTY) {
		stderr.write(`${title} (${usually})\n`);
		const timer = setInterval(() => stderr.write(`  ${elapsed()} so far\n`), 30_000);
		const stop = () => clearInterval(timer);
		return { done: stop, stopped: stop };
	}
	let frame = 0;
	const draw = (mark: string, note: string) =>
		stderr.write(`\r\x1b[K${`${mark} ${title} ${elapsed()}${note}`.slice(0, stderr.columns - 1)}`);
	const timer = setInterval(
		() => draw(frames[frame++ % frames.length] ?? '', ` (${usually})`),
		200,
	);
	const finish = (mark: string) => () => {
		clearInterval(timer);
		draw(mark, '');
		stderr.write('\n');
	};
	return { done: finish('✔'), stopped: finish('✖') };
}
