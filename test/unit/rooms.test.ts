import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

/** The pictures that are drawn in text, by the heading that they stand under. */
const drawing = (heading: string): string[] => {
	const section = contributing.split(`## ${heading}\n`)[1]!.split('\n## ')[0]!;
	return section.split('```')[1]!.trim().split('\n');
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

it('names every file on the way of the money', () => {
	const named =
		drawing('The way of the data')
			.join(' ')
			.match(/\w+\.ts/g) ?? [];
	expect(named.toSorted()).toEqual(
		readdirSync(join(root, 'nodes/StablecoinRamp/submit')).toSorted(),
	);
});
