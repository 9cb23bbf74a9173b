import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import execa from 'execa';

import { withLock } from './lock.mts';

const root = join(import.meta.dirname, '..');
const inRoot = { cwd: root, preferLocal: true, localDir: root };

/** Installs this package, built and packed as it is published, where n8n keeps community packages. */
export async function installPackageInto(userFolder: string): Promise<void> {
	const tarball = await packed();
	const nodes = join(userFolder, '.n8n', 'nodes');
	await mkdir(nodes, { recursive: true });
	await writeFile(join(nodes, 'package.json'), '{"name":"installed-nodes","private":true}');
	// n8n itself provides the peer dependency, so nothing has to be fetched
	await npm(nodes, 'install', tarball, '--legacy-peer-deps', '--offline', '--no-package-lock');
}

/** The tarball of the sources as they are now; built once, however many ask for it. */
async function packed(): Promise<string> {
	const folder = join(root, 'node_modules', '.cache', 'packed');
	const tarball = join(folder, `${await sourcesHash()}.tgz`);
	await mkdir(folder, { recursive: true });
	await withLock(join(folder, 'lock'), async () => {
		if (existsSync(tarball)) return;
		await execa('gulp', ['--silent'], inRoot);
		const { stdout } = await npm(root, 'pack', '--json', '--pack-destination', folder);
		const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
		await rename(join(folder, filename), tarball);
	});
	return tarball;
}

async function sourcesHash() {
	const hash = createHash('sha256');
	const files = ['package.json', 'gulpfile.js'];
	const sources = '{client,credentials,icons,nodes}/**/*.{ts,json,svg}';
	for await (const file of glob(sources, { cwd: root })) files.push(file);
	for (const file of files.sort()) hash.update(file).update(await readFile(join(root, file)));
	return hash.digest('hex').slice(0, 16);
}

async function npm(cwd: string, ...args: string[]) {
	const quietly = ['--ignore-scripts', '--no-audit', '--no-fund'];
	return await execa('npm', [...args, ...quietly], { ...inRoot, cwd });
}
