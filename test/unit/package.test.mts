import { createHash } from 'node:crypto';
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { execa } from 'execa';

import { documented, follow } from '../support/documents.mts';
import { allOperations } from '../support/operations.mts';

const root = join(__dirname, '..', '..');

interface Manifest {
	name: string;
	version: string;
	scripts: Record<string, string>;
	peerDependencies: Record<string, string>;
	devDependencies: Record<string, string>;
	'//': { pinned: Record<string, string> };
	n8n: { nodes: string[]; credentials: string[] };
}

const readJson = <T,>(...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8')) as T;

/** A checkout of its own, so that a build under test does not disturb the one that other tests use. */
const temporary = mkdtempSync(join(tmpdir(), 'stablecoin-ramp-package-'));
const checkout = join(temporary, 'checkout');
const unpacked = join(temporary, 'package');

// Some of the rules take every file for Test.node.ts when this says test.
const inProduction = { NODE_ENV: 'production' };

const manifest = readJson<Manifest>(root, 'package.json');
let packed: { file: string; files: string[] };

beforeAll(async () => {
	mkdirSync(checkout);
	const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'gulpfile.js'];
	const texts = ['README.md', 'LICENSE.md', 'CHANGELOG.md', 'eslint.config.mjs'];
	const folders = ['client', 'credentials', 'icons', 'nodes', 'scripts'];
	for (const name of [...files, ...texts, ...folders]) {
		cpSync(join(root, name), join(checkout, name), { recursive: true });
	}
	// What takes minutes in a fresh clone, to fetch these, is done. If it were not, the command would empty that folder.
	const locked = createHash('sha256')
		.update(readFileSync(join(root, 'package-lock.json')))
		.digest('hex');
	expect(readFileSync(join(root, 'node_modules', '.installed'), 'utf8')).toBe(locked);
	symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'), 'junction');

	await follow(documented.pack, { home: temporary, folder: checkout });
	const file = join(checkout, `${manifest.name}-${manifest.version}.tgz`);
	const { stdout } = await execa('tar', ['-xzvf', file], { cwd: temporary });
	packed = { file, files: stdout.split('\n').map((path) => path.replace(/^package\//, '')) };
});

afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** What the pattern finds in the code that ships, each once. */
const inCode = (pattern: RegExp): string[] => {
	const code = packed.files.filter((path) => path.endsWith('.js'));
	const texts = code.map((path) => readFileSync(join(unpacked, path), 'utf8'));
	const found = texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name!));
	return [...new Set(found)].sort();
};

it('holds exactly what n8n needs, and nothing of tests or tools', () => {
	const node = 'dist/nodes/StablecoinRamp';
	const schemas = `${node}/__schema__/v1.0.0`;
	expect(packed.files.toSorted()).toEqual(
		[
			'LICENSE.md',
			'README.md',
			'dist/THIRD-PARTY-LICENSES.txt',
			'dist/credentials/StablecoinRampApi.credentials.js',
			'dist/icons/stablecoinRamp.dark.svg',
			'dist/icons/stablecoinRamp.svg',
			`${node}/StablecoinRamp.node.js`,
			`${node}/StablecoinRamp.node.json`,
			`${node}/submit/submit.js`,
			...allOperations.map(([resource, name]) => `${schemas}/${resource}/${name}.json`),
			'dist/nodes/StablecoinRampTrigger/StablecoinRampTrigger.node.js',
			'dist/nodes/StablecoinRampTrigger/StablecoinRampTrigger.node.json',
			'dist/nodes/StablecoinRampTrigger/__schema__/v1.0.0.json',
			'package.json',
		].sort(),
	);
});

it('is smaller than 90 kB', () => {
	expect(statSync(packed.file).size).toBeLessThan(90_000);
});

it('depends on nothing but the n8n that loads it', () => {
	const shipped = readJson<Manifest>(unpacked, 'package.json');
	const kinds = ['dependencies', 'optionalDependencies', 'bundleDependencies', 'overrides'];
	expect(Object.keys(shipped).filter((key) => kinds.includes(key))).toEqual([]);
	expect(shipped.peerDependencies).toEqual({ 'n8n-workflow': '*' });

	expect(inCode(/\brequire\("([^"]+)"\)/g)).toEqual([
		'./submit/submit.js',
		'crypto',
		'n8n-workflow',
	]);
});

it('ships the licence of every package that is in its code', () => {
	// The bundler writes above each file where it came from.
	const bundled = inCode(/^\/\/ .*node_modules\/((?:@[^/]+\/)?[^/]+)\//gm);
	expect(bundled).toContain('@noble/hashes');
	const shipped = readFileSync(join(unpacked, 'dist', 'THIRD-PARTY-LICENSES.txt'), 'utf8');
	for (const name of bundled) {
		const { version } = readJson<Manifest>(root, 'node_modules', name, 'package.json');
		const licence = readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8').trim();
		expect(shipped).toContain(`${name} ${version}\n\n${licence}`);
	}
});

it('runs no script when it is installed', () => {
	const whenInstalled = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish'];
	expect(Object.keys(manifest.scripts).filter((name) => whenInstalled.includes(name))).toEqual([]);
});

describe('installed as documented', () => {
	const home = join(temporary, 'home');
	const nodes = join(home, '.n8n', 'nodes');
	const inNodes = (name: string) => join(nodes, 'node_modules', name);
	const installed = (inHome: string) => {
		const folder = join(inHome, '.n8n', 'nodes');
		const noted = Object.keys(
			readJson<{ dependencies: object }>(folder, 'package.json').dependencies,
		);
		const there = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
		expect(there).toEqual(noted);
		return there;
	};

	/** A package as n8n's editor installs it: unpacked, with what it needs inside, and noted. */
	const installInEditor = (name: string) => {
		const writeManifest = (folder: string, content: object) => {
			mkdirSync(folder, { recursive: true });
			writeFileSync(join(folder, 'package.json'), JSON.stringify(content));
		};
		const needed = { name: `${name}-needs`, version: '1.0.0' };
		const own = {
			name,
			version: '1.0.0',
			dependencies: { [needed.name]: '^1.0.0' },
			peerDependencies: manifest.peerDependencies,
		};
		writeManifest(inNodes(name), own);
		writeManifest(join(inNodes(name), 'node_modules', needed.name), needed);
		writeManifest(nodes, { private: true, dependencies: { [name]: own.version } });
	};

	beforeAll(async () => {
		installInEditor('n8n-nodes-other');
		// What an earlier commit would have packed: the same version, with something else in it.
		const earlier = join(temporary, 'earlier');
		const { name, version } = manifest;
		mkdirSync(earlier);
		writeFileSync(join(earlier, 'package.json'), JSON.stringify({ name, version }));
		writeFileSync(join(earlier, 'gone.js'), '');
		await execa('npm', ['pack'], { cwd: earlier });
		await follow(documented.install, { home, folder: earlier });
		expect(readdirSync(inNodes(name))).toContain('gone.js');

		await follow(documented.install, { home, folder: checkout });
	});

	it('replaces an earlier package of the same version', () => {
		const there = readdirSync(inNodes(manifest.name), { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map(({ parentPath, name }) => relative(inNodes(manifest.name), join(parentPath, name)));
		expect(there.sort()).toEqual(packed.files.toSorted());
	});

	it('brings nothing else along, and leaves other packages as they are', () => {
		expect(installed(home)).toEqual(['n8n-nodes-other', manifest.name]);
		expect(readdirSync(join(inNodes('n8n-nodes-other'), 'node_modules'))).toEqual([
			'n8n-nodes-other-needs',
		]);
	});

	it('is gone when it is uninstalled as documented, also without its tarball', async () => {
		const emptied = join(temporary, 'emptied');
		cpSync(home, emptied, { recursive: true });
		const away = `${packed.file}.away`;
		renameSync(packed.file, away);
		await follow(documented.uninstall, { home: emptied });
		renameSync(away, packed.file);
		expect(installed(emptied)).toEqual(['n8n-nodes-other']);
	});
});

describe("n8n's verification rules", () => {
	const spoilt = join(temporary, 'spoilt');
	let verdicts: unknown[];

	beforeAll(async () => {
		mkdirSync(spoilt);
		writeFileSync(join(spoilt, 'spoilt.js'), 'console.log(process.env.HOME);');
		const scan = join(__dirname, 'scan.mjs');
		const folders = [checkout, unpacked, spoilt];
		const { stdout } = await execa(process.execPath, [scan, ...folders], { env: inProduction });
		verdicts = JSON.parse(stdout) as unknown[];
	});

	it('are kept by the sources', () => {
		expect(verdicts[0]).toEqual({ passed: true });
	});

	it('are kept by what ships', () => {
		expect(verdicts[1]).toEqual({ passed: true });
	});

	it('find something where there is something to find', () => {
		expect(verdicts[2]).toMatchObject({ passed: false });
	});
});

describe('n8n-node lint, strict as package.json says', () => {
	const lint = async () => {
		const { exitCode, all } = await execa('n8n-node', ['lint'], {
			cwd: checkout,
			env: inProduction,
			preferLocal: true,
			localDir: root,
			all: true,
			reject: false,
		});
		return { exitCode, said: all };
	};

	it('finds nothing', async () => {
		const { exitCode, said } = await lint();
		expect(exitCode === 0 ? '' : said).toBe('');
	});

	it("takes no configuration but n8n's own", async () => {
		const [own, its] = [root, checkout].map((folder) => join(folder, 'eslint.config.mjs'));
		writeFileSync(its!, 'export default [];');
		const verdict = await lint();
		cpSync(own!, its!);
		expect(verdict).toEqual({
			exitCode: 1,
			said: expect.stringContaining('Strict mode violation'),
		});
	});
});

it('keeps what raises versions away from those that are pinned', () => {
	const dependabot = readFileSync(join(root, '.github', 'dependabot.yml'), 'utf8');
	const ignored = [...dependabot.matchAll(/dependency-name: '(.+)'/g)].map(([, name]) => name);
	expect(ignored).toEqual(Object.keys(manifest['//'].pinned));
});

it('says beside every pinned version why it is pinned, and of no other', () => {
	const pinned = Object.entries(manifest.devDependencies).filter(([, range]) => /^\d/.test(range));
	expect(Object.keys(manifest['//'].pinned)).toEqual(pinned.map(([name]) => name));
});

it("is developed with one copy of n8n-workflow, beside what n8n's command line has of its own", () => {
	const { packages } = readJson<{ packages: object }>(root, 'node_modules', '.package-lock.json');
	expect(Object.keys(packages).filter((path) => /(^|\/)n8n-workflow$/.test(path))).toEqual([
		'node_modules/@n8n/ai-utilities/node_modules/n8n-workflow',
		'node_modules/n8n-workflow',
	]);
});

it('has one version: in package.json, in the lock file, and as the newest in CHANGELOG.md', () => {
	const locked = readJson<Manifest>(root, 'package-lock.json');
	const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
	const [, newest] = /^## \[(\d[^\]]*)\]/m.exec(changelog) ?? [];
	expect([locked.version, newest]).toEqual([manifest.version, manifest.version]);
});

describe('release:check', () => {
	const folder = join(temporary, 'release');
	const check = async (readme: string) => {
		for (const name of ['docs', 'scripts']) mkdirSync(join(folder, name), { recursive: true });
		cpSync(join(root, 'scripts', 'release.mjs'), join(folder, 'scripts', 'release.mjs'));
		writeFileSync(join(folder, 'README.md'), readme);
		writeFileSync(join(folder, 'CHANGELOG.md'), '');
		const [first] = manifest.scripts['release:check']!.split(' && ');
		const how = { shell: true, cwd: folder, all: true, reject: false } as const;
		const { exitCode, all } = await execa(first!, how);
		return { exitCode, said: all };
	};

	it('fails while the README says that the package is on no registry, and says where', async () => {
		expect(await check('# Title\n\n> **On no registry yet.** Until then …')).toEqual({
			exitCode: 1,
			said: expect.stringContaining('README.md, under Install'),
		});
	});

	it('goes on without that note', async () => {
		expect(await check('# Title\n\nnpm install …')).toEqual({ exitCode: 0, said: '' });
	});
});
