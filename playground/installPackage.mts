import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';

import { withLock } from './lock.mts';

const root = join(import.meta.dirname, '..');
const inRoot = { cwd: root, preferLocal: true, localDir: root };

const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
	name: string;
	version: string;
};

/** Puts this package, built and packed as it is published, where n8n keeps community packages. */
export async function installPackageInto(userFolder: string, signal?: AbortSignal): Promise<void> {
	const unpacked = join(await packed(signal), 'node_modules', name);
	const nodes = join(userFolder, '.n8n', 'nodes');
	const target = join(nodes, 'node_modules', name);
	// Not by npm, which would bring the other packages there in line with what it thinks of them.
	await rm(target, { recursive: true, force: true });
	await cp(unpacked, target, { recursive: true });
	const known = await readManifest(join(nodes, 'package.json'));
	const manifest = { ...known, dependencies: { ...known.dependencies, [name]: version } };
	// In one go: cut off, it would have forgotten the others.
	const file = join(nodes, 'package.json');
	await writeFile(`${file}.new`, JSON.stringify(manifest, undefined, 2));
	await rename(`${file}.new`, file);
}

/** n8n's list of the packages that are installed, or a new one. */
async function readManifest(file: string): Promise<{ dependencies?: Record<string, string> }> {
	try {
		return JSON.parse(await readFile(file, 'utf8'));
	} catch {
		return { name: 'installed-nodes', private: true } as object;
	}
}

/** The package of the sources as they are now, as `npm pack` makes it. */
export async function tarball(): Promise<string> {
	return join(await packed(), `${name}-${version}.tgz`);
}

/** A folder with that file, and with the package as npm unpacks it; made once, however many ask for it. */
async function packed(signal?: AbortSignal): Promise<string> {
	const cache = join(root, 'node_modules', '.cache', 'packed');
	const folder = join(cache, await sourcesHash());
	await mkdir(cache, { recursive: true });
	const who = 'another process, which packs the node';
	await withLock(cache, { who, signal }, async () => {
		if (existsSync(folder)) return;
		const partial = `${folder}.partial`;
		await rm(partial, { recursive: true, force: true });
		await mkdir(partial);
		await execa('gulp', ['--silent'], inRoot);
		const { stdout } = await npm(root, 'pack', '--json', '--pack-destination', partial);
		const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
		await writeFile(join(partial, 'package.json'), '{"private":true}');
		// n8n itself provides the peer dependency, so nothing has to be fetched
		await npm(partial, 'install', filename, '--legacy-peer-deps', '--offline', '--no-package-lock');
		await rename(partial, folder);
	});
	return folder;
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
