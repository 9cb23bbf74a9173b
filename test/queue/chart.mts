const width = 640;
const height = 280;
const floor = height - 30;
const highest = 170;
const bar = 46;
const colours = ['#2f81f7', '#3fb950', '#8b949e'];

/** Bars in groups, as an SVG that can be read on a light and on a dark page. */
export function chart(
	title: string,
	groups: string[],
	series: Array<{ name: string; values: number[] }>,
): string {
	const most = Math.max(...series.flatMap(({ values }) => values));
	const text = (x: number, y: number, words: string, anchor = 'middle') =>
		`<text x="${x}" y="${y}" text-anchor="${anchor}">${words}</text>`;
	const box = (x: number, y: number, wide: number, high: number, of: number) =>
		`<rect x="${x}" y="${y}" width="${wide}" height="${high}" fill="${colours[of]}"/>`;
	const middle = (group: number) => (width * (group + 0.5)) / groups.length;
	const left = (group: number, of: number) => middle(group) + (of - series.length / 2) * (bar + 4);
	const bars = series.flatMap(({ values }, of) =>
		values.flatMap((value, group) => {
			const high = Math.round((highest * value) / most);
			const x = left(group, of);
			return [
				box(x, floor - high, bar, high, of),
				text(x + bar / 2, floor - high - 6, value.toFixed(1)),
			];
		}),
	);
	const lines = [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img">`,
		`<title>${title}</title>`,
		'<style>text { font: 13px sans-serif; fill: #57606a } @media (prefers-color-scheme: dark) { text { fill: #9ea7b3 } }</style>',
		text(10, 20, title, 'start'),
		...series.flatMap(({ name }, of) => {
			const before = series.slice(0, of).reduce((sum, one) => sum + one.name.length, 0);
			const x = 10 + 36 * of + 7 * before;
			return [box(x, 32, 10, 10, of), text(x + 16, 42, name, 'start')];
		}),
		...bars,
		...groups.map((name, group) => text(middle(group), height - 10, name)),
		'</svg>',
	];
	return `${lines.join('\n')}\n`;
}
