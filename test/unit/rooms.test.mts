import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

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
		there
			.filter(({ name }) => !name.startsWith('StablecoinRamp.node.'))
			.map((one) => (one.isDirectory() ? `${one.name}/` : one.name))
			.sort(),
	);
});

const node = 'nodes/StablecoinRamp';
const rooms = {
	client: 'client/',
	credentials: 'credentials/',
	checks: `${node}/checks/`,
	resources: `${node}/resources/`,
	methods: `${node}/methods/`,
	memory: `${node}/submit/memory/`,
	submit: `${node}/submit/`,
	'guard.ts': `${node}/guard.ts`,
	'the node': `${node}/StablecoinRamp.node.ts`,
	'the trigger': 'nodes/StablecoinRampTrigger/',
};
const names = Object.keys(rooms) as Array<keyof typeof rooms>;

const sourcesIn = (folder: string): string[] =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join(folder, file).replaceAll('\\', '/'));

const roomOf = (file: string) => names.find((name) => file.startsWith(rooms[name])) ?? 'elsewhere';

/** The rooms of the files that a file imports, now or later. */
const importedBy = (file: string) =>
	[...readFileSync(join(root, file), 'utf8').matchAll(/(?:from |import\()'(\.[^']*)'/g)].map(
		([, path]) => roomOf(`${join(file, '..', path!).replaceAll('\\', '/')}.ts`),
	);

it('says which room imports from which', () => {
	const sources = ['client', 'credentials', 'nodes'].flatMap(sourcesIn);
	expect(sources.filter((file) => roomOf(file) === 'elsewhere')).toEqual([]);
	const lines = names.map((room) => {
		const targets = sources.filter((file) => roomOf(file) === room).flatMap(importedBy);
		const others = [...names, 'elsewhere' as const].filter(
			(one) => one !== room && targets.includes(one),
		);
		return `${room.padEnd(13)}${others.join(', ') || 'nothing'}`;
	});
	const drawn = drawing('The way of the data', 1).map((line) => line.replace(/ \(.*\)/, ''));
	expect(drawn).toEqual(lines);
});

it('names every file on the way of the money', () => {
	const named =
		drawing('The way of the data')
			.join(' ')
			.match(/\w+\.ts/g) ?? [];
	const files = sourcesIn(`${node}/submit`).map((file) => basename(file));
	expect(named.toSorted()).toEqual(files.toSorted());
});
