// What a release must not say: that the package is on no registry yet. Needs nothing installed, so it comes first.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const texts = ['README.md', 'CHANGELOG.md', ...docs.map((name) => `docs/${name}`)];
const saying = texts.filter((name) =>
	/on no registry yet/i.test(readFileSync(join(root, name), 'utf8')),
);

if (saying.length > 0) {
	console.error(`Not ready for a release: "On no registry yet" is still in ${saying.join(', ')}.
In README.md, under Install: put what the comment there has for the first release in the place of that note.
Elsewhere: take the sentence out.`);
	process.exitCode = 1;
}
