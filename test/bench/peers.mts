import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';

const root = join(import.meta.dirname, '..', '..');
const unguarded = 'nodes/Unguarded.node.js';

/** Installs what ours is compared with as a community package: two nodes of its own, and ours without claims. */
export async function installPeersInto(userFolder: string): Promise<void> {
	const folder = join(userFolder, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-bench-peers');
	await mkdir(folder, { recursive: true });
	await cp(join(import.meta.dirname, 'peers'), join(folder, 'nodes'), { recursive: true });
	await writeFile(
		join(folder, 'package.json'),
		JSON.stringify({
			name: 'n8n-nodes-bench-peers',
			version: '1.0.0',
			n8n: {
				n8nNodesApiVersion: 1,
				credentials: [],
				nodes: ['nodes/Floor.node.js', 'nodes/Plain.node.js', unguarded],
			},
		}),
	);
	await build({
		stdin: { contents: unguardedNode, resolveDir: root, loader: 'ts' },
		outfile: join(folder, unguarded),
		bundle: true,
		platform: 'node',
		format: 'cjs',
		external: ['n8n-workflow'],
		plugins: [withoutRows],
	});
}

/** Rows that are never there: every claim is new, and nothing is kept. */
const withoutRows: Plugin = {
	name: 'without rows',
	setup(building) {
		building.onLoad({ filter: /memory[\\/]rows\.ts$/ }, () => ({ contents: noRows, loader: 'ts' }));
	},
};

const noRows = `
export const rowsInDatabase = () => ({ numberOf: async () => 0, insert: async () => true });
export const rowsInExecution = rowsInDatabase;
export const areKeptApart = async () => true;`;

const unguardedNode = `
import { StablecoinRamp } from './nodes/StablecoinRamp/StablecoinRamp.node';

export class Unguarded extends StablecoinRamp {
	constructor() {
		super();
		this.description = { ...this.description, name: 'unguarded', displayName: 'Unguarded', icon: undefined };
	}
}`;
