import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

const name = 'n8n-nodes-record-calls';
const file = 'nodes/RecordCalls.node.js';

export const recordCallsType = `${name}.recordCalls`;

/** Puts the node that calls the records where n8n keeps community packages. */
export async function installRecordCallsInto(userFolder: string): Promise<void> {
	const folder = join(userFolder, '.n8n', 'nodes', 'node_modules', name);
	await mkdir(folder, { recursive: true });
	const n8n = { n8nNodesApiVersion: 1, credentials: [], nodes: [file] };
	await writeFile(join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', n8n }));
	await build({
		entryPoints: [join(import.meta.dirname, 'RecordCalls.node.ts')],
		outfile: join(folder, file),
		bundle: true,
		platform: 'node',
		format: 'cjs',
		external: ['n8n-workflow'],
	});
}
