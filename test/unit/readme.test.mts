import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';

const root = join(__dirname, '..', '..');
const documents = [
	'README.md',
	'CONTRIBUTING.md',
	'SECURITY.md',
	'docs/interface.md',
	'docs/operating.md',
	'examples/README.md',
	'sandbox/README.md',
	'playground/README.md',
	'test/bench/README.md',
	'test/queue/README.md',
];

const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** As GitHub names a heading. */
const anchor = (heading: string) =>
	heading
		.toLowerCase()
		.replace(/[`*]/g, '')
		.replace(/[^\p{L}\p{N}\s-]/gu, '')
		.trim()
		.replaceAll(' ', '-');

const anchorsOf = (file: string) =>
	[...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchor(heading!));

it.each(documents)('%s links to files and headings that are there', (file) => {
	const links = [...read(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
	const broken = links
		.filter((link) => !/^(https?|mailto):/.test(link))
		.filter((link) => {
			const [path = '', heading] = link.split('#');
			const target = path === '' ? file : join(dirname(file), path);
			if (!existsSync(join(root, target))) return true;
			return heading !== undefined && !anchorsOf(target).includes(heading);
		});
	expect(broken).toEqual([]);
});

it('has a README of at most 1,500 words, with the headings that messages and the credential link to', () => {
	const shown = read('README.md').replace(/<!--.*?-->/gs, '');
	expect(shown.split(/\s+/).length).toBeLessThanOrEqual(1500);
	expect(anchorsOf('README.md')).toEqual(
		expect.arrayContaining(['the-credential', 'an-unknown-outcome']),
	);
});

it('names the tarball that npm pack makes, and no other', () => {
	const { version } = JSON.parse(read('package.json')) as { version: string };
	const named = documents.flatMap((file) => [...read(file).matchAll(/ramp-(\d[\w.-]*)\.tgz/g)]);
	expect(named.map(([, packed]) => packed)).toEqual(named.map(() => version));
});

it('has an example of a new endpoint that can be applied as CONTRIBUTING says', async () => {
	await execa('git', ['apply', '--check', 'docs/new-endpoint.patch'], { cwd: root });
});
