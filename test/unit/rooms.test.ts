import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(__dirname, '..', '..');
const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

/** The pictures that are drawn in text, by the heading that they stand under. */
const drawing = (heading: string, index = 0): string[] => {
	const section = contributing.split(`## ${heading}\n`)[1]!.split('\n## ')[0]!;
	return section.split('```')[2 * index + 1]!.trim().split('\n');
};

const first = (line: string) => line.trimStart().split(/[ ;]/)[0]!;

it('draws every room that there is', () => {
	const lines = drawing('The rooms');
	const top = lines.filter((line) => !line.startsWith(' ')).map(first);
	const inNode = lines.filter((line) => line.startsWith('  ')).map(first);
	for (const room of top) expect(existsSync(join(root, room))).toBe(true);
	const folders = readdirSync(root, { withFileTypes: true })
		.filter((one) => one.isDirectory() && !/^\.|^(node_modules|dist)$/.test(one.name))
		.map(({ name }) => name);
	expect(top.map((room) => room.split('/')[0])).toEqual(expect.arrayContaining(folders));
	const there = readdirSync(join(root, 'nodes/StablecoinRamp'), { withFileTypes: true });
	expect(inNode.sort()).toEqual(
		there.flatMap((one) => (one.isDirectory() ? [`${one.name}/`] : [])).sort(),
	);
});

const imported = /^(?:import|\} from|import .* from) .*'(\..*)';$/gm;

it('says which room imports from which', () => {
	const lines = drawing('The way of the data', 1);
	const rooms = Object.fromEntries(lines.map((line) => [first(line), line]));
	const all = ['checks', 'credentials', 'service', 'resources', 'submit'];
	for (const room of all) {
		const folder = join(root, room === 'credentials' ? '' : 'nodes/StablecoinRamp', room);
		const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
		const sources = files.filter((file) => file.endsWith('.ts'));
		const targets = sources.flatMap((file) => {
			const text = readFileSync(join(folder, file), 'utf8');
			return [...text.matchAll(imported)].map(([, path]) =>
				relative(folder, join(folder, file, '..', path!)),
			);
		});
		const others = targets
			.filter((path) => path.startsWith('..'))
			.map(
				(path) => /^[./]*(?:nodes\/StablecoinRamp\/)?(\w+)\//.exec(path.replaceAll('\\', '/'))?.[1],
			);
		const named = (rooms[room] ?? '').replace(/\(.*\)/, '').match(/\w+/g) ?? [];
		expect(named).toEqual([
			room,
			...(others.length > 0 ? all.filter((one) => others.includes(one)) : ['nothing']),
		]);
	}
});

it('names every file on the way of the money', () => {
	const named =
		drawing('The way of the data')
			.join(' ')
			.match(/\w+\.ts/g) ?? [];
	expect(named.toSorted()).toEqual(
		readdirSync(join(root, 'nodes/StablecoinRamp/submit')).toSorted(),
	);
});
