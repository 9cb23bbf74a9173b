import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';

const root = join(import.meta.dirname, '..', '..');

const script = `
process.env.N8N_USER_FOLDER = process.argv[2];
process.env.N8N_ENCRYPTION_KEY = 'bench';
process.env.N8N_LOG_LEVEL = 'silent';
const { PackageDirectoryLoader } = require('n8n-core');
const started = performance.now();
void new PackageDirectoryLoader(process.argv[1]).loadAll().then(() => console.log(performance.now() - started));
`;

/** Milliseconds that n8n's loader takes for a package, in fresh processes, taken in turns. */
export async function loadingTimes(rounds: number): Promise<{ ours: number[]; empty: number[] }> {
	const folder = await mkdtemp(join(tmpdir(), 'stablecoin-ramp-loading-'));
	const emptyPackage = join(folder, 'empty');
	await mkdir(emptyPackage);
	await writeFile(
		join(emptyPackage, 'package.json'),
		JSON.stringify({
			name: 'n8n-nodes-empty',
			version: '1.0.0',
			n8n: { nodes: [], credentials: [] },
		}),
	);
	const load = async (packageFolder: string) => {
		const args = ['-e', script, packageFolder, folder];
		const { stdout } = await execa(process.execPath, args, { cwd: root });
		return Number(stdout);
	};
	const times = { ours: [] as number[], empty: [] as number[] };
	for (let round = 0; round < rounds; round++) {
		times.ours.push(await load(root));
		times.empty.push(await load(emptyPackage));
	}
	await rm(folder, { recursive: true, force: true });
	return times;
}
