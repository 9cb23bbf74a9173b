import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';

const root = join(import.meta.dirname, '..', '..');

const script = `
process.env.N8N_USER_FOLDER = process.argv[2];
process.env.N8N_ENCRYPTION_KEY = 'bench';
process.env.N8N_LOG_LEVEL = 'silent';
const begun = performance.now();
const { PackageDirectoryLoader } = require('n8n-core');
const started = performance.now();
void new PackageDirectoryLoader(process.argv[1]).loadAll().then(() => {
	console.log(performance.now() - started, started - begun);
});
`;

/** Milliseconds that n8n's loader takes for a package, in fresh processes, taken in turns; and what n8n-core takes there. */
export async function loadingTimes(
	rounds: number,
): Promise<Record<'ours' | 'empty' | 'core', number[]>> {
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
		return stdout.split(' ').map(Number) as [number, number];
	};
	const times = { ours: [] as number[], empty: [] as number[], core: [] as number[] };
	for (let round = 0; round < rounds; round++) {
		for (const [name, folderOf] of [
			['ours', root],
			['empty', emptyPackage],
		] as const) {
			const [own, core] = await load(folderOf);
			times[name].push(own);
			times.core.push(core);
		}
	}
	await rm(folder, { recursive: true, force: true });
	return times;
}
