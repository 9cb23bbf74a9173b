import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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

it('has a README of at most 1,500 words', () => {
	const shown = read('README.md').replace(/<!--.*?-->/gs, '');
	expect(shown.split(/\s+/).length).toBeLessThanOrEqual(1500);
});

it('names the tarball that npm pack makes, and no other', () => {
	const { version } = JSON.parse(read('package.json')) as { version: string };
	const named = documents.flatMap((file) => [...read(file).matchAll(/ramp-(\d[\w.-]*)\.tgz/g)]);
	expect(named.map(([, packed]) => packed)).toEqual(named.map(() => version));
});

it('has an example of a new endpoint that can be applied as CONTRIBUTING says', async () => {
	await execa('git', ['apply', '--check', 'docs/new-endpoint.patch'], { cwd: root });
});
