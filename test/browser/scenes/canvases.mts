import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

import { soon } from '../../support/waiting.mts';
import { goTo, openCanvas } from '../editor.mts';
import { picture, scene } from '../stage.mts';

interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** What this asks of an element, all of it at once: a question to the browser for each takes longer. */
interface Drawn {
	getBoundingClientRect(): Box;
	querySelectorAll(selector: string): Iterable<Drawn>;
	innerText: string;
}

const folder = join(__dirname, '../../../examples');
const examples = readdirSync(folder)
	.filter((file) => file.endsWith('.json'))
	.map((file) => file.replace('.json', ''));

interface Node {
	type: string;
	parameters: { content?: string };
}

/** How many nodes an example has, and the heading of its note. */
function expected(example: string) {
	const { nodes } = JSON.parse(readFileSync(join(folder, `${example}.json`), 'utf8'));
	const note = (nodes as Node[]).find(({ type }) => type.endsWith('stickyNote'));
	const heading = /^## (.*)/.exec(note!.parameters.content!)![1]!;
	return { heading, nodes: (nodes as Node[]).length };
}

// names below the nodes, and what sticks out to the left and right of them
const around = { left: 60, top: 40, right: 100, bottom: 110 };

const canvasOf = (example: string) => `StablecoinRamp${example.slice(0, 2)}`;

scene('the canvas of each example has room for everything on it', async (page) => {
	await page.setViewportSize({ width: 2000, height: 1200 });
	await openCanvas(page, canvasOf(examples[0]!));
	const nodes = page.getByTestId('canvas-node').or(page.getByTestId('sticky'));
	for (const example of examples) {
		await goTo(page, canvasOf(example));
		const { heading, nodes: count } = expected(example);
		await page.getByTestId('sticky').getByRole('heading', { name: heading, exact: true }).waitFor();
		let placed: Box[] = [];
		// n8n moves and scales everything until it is all in view
		await soon(async () => {
			const boxes = await nodes.evaluateAll((all: Drawn[]) =>
				all.map((one) => {
					const { x, y, width, height } = one.getBoundingClientRect();
					return { x, y, width, height };
				}),
			);
			placed = boxes.filter(({ width }) => width > 0);
			expect({
				example,
				nodes: placed.length,
				overlaps: overlapsOf(placed),
				cutOff: await cutOffIn(page),
			}).toEqual({ example, nodes: count, overlaps: [], cutOff: [] });
		});
		await nodes.first().hover({ trial: true });
		await picture(page, example, boxAround(placed));
	}
});

/** The lines of notes that lie outside them. */
async function cutOffIn(page: Page): Promise<string[]> {
	return await page.getByTestId('sticky').evaluateAll((notes: Drawn[]) =>
		notes.flatMap((note) => {
			const { y, height } = note.getBoundingClientRect();
			const isOutside = (line: Drawn) => {
				const box = line.getBoundingClientRect();
				return box.height === 0 || box.y < y || box.y + box.height > y + height;
			};
			return [...note.querySelectorAll('h2, p, li')]
				.filter(isOutside)
				.map((line) => line.innerText);
		}),
	);
}

const overlapsOf = (placed: Box[]) =>
	placed.flatMap((one, index) => placed.slice(index + 1).filter((other) => overlap(one, other)));

const overlap = (one: Box, other: Box) =>
	one.x < other.x + other.width &&
	other.x < one.x + one.width &&
	one.y < other.y + other.height &&
	other.y < one.y + one.height;

function boxAround(boxes: Box[]): Box {
	const x = Math.min(...boxes.map((box) => box.x)) - around.left;
	const y = Math.min(...boxes.map((box) => box.y)) - around.top;
	const right = Math.max(...boxes.map((box) => box.x + box.width)) + around.right;
	const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + around.bottom;
	return { x, y, width: right - x, height: bottom - y };
}
