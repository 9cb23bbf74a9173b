import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

const name = 'n8n-nodes-claim-calls';
const file = 'nodes/ClaimCalls.node.js';

export const claimCallsType = `${name}.claimCalls`;

/** Puts the node that calls the claims where n8n keeps community packages. */
export async function installClaimCallsInto(userFolder: string): Promise<void> {
	const folder = join(userFolder, '.n8n', 'nodes', 'node_modules', name);
	await mkdir(folder, { recursive: true });
	const n8n = { n8nNodesApiVersion: 1, credentials: [], nodes: [file] };
	await writeFile(join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', n8n }));
	await build({
		entryPoints: [join(import.meta.dirname, 'ClaimCalls.node.mts')],
		outfile: join(folder, file),
		bundle: true,
		platform: 'node',
		format: 'cjs',
		external: ['n8n-workflow'],
	});
}
