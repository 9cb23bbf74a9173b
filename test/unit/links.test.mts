import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(__dirname, '..', '..');
const ours = 'https://github.com/n8n-nodes-stablecoin-ramp/n8n-nodes-stablecoin-ramp';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Every file of the repository that people read, or that shows them a link. */
function filesIn(folder: string): string[] {
	return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((one) => {
		const path = join(folder, one.name);
		if (one.isDirectory()) {
			return /^(\.(?!github)|node_modules$|dist$)/.test(one.name) ? [] : filesIn(path);
		}
		return hasLinks.test(path.replaceAll('\\', '/')) ? [path] : [];
	});
}

const hasLinks =
	/\.md$|\.node\.json$|^\.github\/|^(client|credentials|nodes)\/.*\.ts$|^examples\/.*\.json$|^sandbox\/(page\/|openapi\.yaml$)|^package\.json$/;

/** As GitHub names the headings of a page; the second of the same name has a number. */
function anchorsIn(text: string): string[] {
	const headings = [...text.replace(/^```.*?^```/gms, '').matchAll(/^#+ (.+)$/gm)];
	const seen = new Map<string, number>();
	return headings.map(([, heading]) => {
		const name = heading!
			.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
			.toLowerCase()
			.trim()
			.replace(/[^\p{L}\p{N}\s_-]/gu, '')
			.replaceAll(' ', '-');
		const before = seen.get(name) ?? 0;
		seen.set(name, before + 1);
		return before === 0 ? name : `${name}-${before}`;
	});
}

/** The texts of a file in which a link may stand in square and round brackets. */
function markdownIn(file: string): string {
	if (file.endsWith('.md')) return read(file);
	if (!file.startsWith('examples')) return '';
	const { nodes } = JSON.parse(read(file)) as { nodes: Array<{ parameters: object }> };
	return nodes
		.flatMap(({ parameters }) => ('content' in parameters ? [parameters.content] : []))
		.join('\n');
}

function linksIn(file: string): string[] {
	const bracketed = markdownIn(file).matchAll(/\]\(([^)\s]+)\)/g);
	const quoted = /\.(md|html)$/.test(file) ? read(file).matchAll(/ (?:href|src)="([^"]+)"/g) : [];
	// One with a value to be filled in is made when it is needed.
	const bare = read(file).match(/\bhttps?:\/\/(?!\$)[^\s"'`<>()\\|]+/g) ?? [];
	const named = [...bracketed, ...quoted].map(([, link]) => link!);
	return [...new Set([...named, ...bare.map((link) => link.replace(/[.,;:*]+$/, ''))])];
}

/** Whether a file, and a heading if one is named, is there. */
function isIn(path: string, heading: string | undefined): boolean {
	if (!existsSync(join(root, path))) return false;
	return heading === undefined || anchorsIn(read(path)).includes(heading);
}

/** What GitHub has at the address of a repository, besides its files. */
const pages = ['', '.git', '#readme', '/issues', '/security/policy', '/security/advisories/new'];
const ownMachine = /^http:\/\/(127\.0\.0\.1|host\.docker\.internal|myproxy):\d+(\/|$)/;
/** The name of a language, which nobody opens. */
const namespace = 'http://www.w3.org/2000/svg';

function leadsSomewhere(link: string, file: string): boolean {
	const [address = '', heading] = link.split('#');
	if (link.startsWith(ours)) {
		if (pages.includes(link.slice(ours.length))) return true;
		const [, path = ''] = /^\/(?:blob|tree)\/main\/(.+)$/.exec(address.slice(ours.length)) ?? [];
		return address === ours ? isIn('README.md', heading) : path !== '' && isIn(path, heading);
	}
	if (link === namespace || ownMachine.test(link)) return true;
	if (!/^[a-z]+:/.test(link)) {
		return isIn(address === '' ? file : join(dirname(file), address), heading);
	}
	return URL.canParse(link) && /^https:\/\/[^/]+\.[a-z]+(\/|$)/.test(link);
}

const files = filesIn('.').filter((file) => linksIn(file).length > 0);

it('finds links in what people read', () => {
	expect(files).toEqual(
		expect.arrayContaining(
			[
				'README.md',
				'CHANGELOG.md',
				'docs/operating.md',
				'test/queue/README.md',
				'nodes/StablecoinRamp/StablecoinRamp.node.json',
				'credentials/StablecoinRampApi.credentials.ts',
				'nodes/StablecoinRamp/submit/steps.ts',
				'sandbox/page/index.html',
				'package.json',
			].map((file) => join(file)),
		),
	);
});

it.each(files)('%s links to what is there', (file) => {
	expect(linksIn(file).filter((link) => !leadsSomewhere(link, file))).toEqual([]);
});

it.each([
	['README.md', '#install'],
	['examples/README.md', '../README.md#an-unknown-outcome'],
	['README.md', 'examples/README.md#6--the-desk'],
	['README.md', 'examples'],
	['README.md', ours],
	['README.md', `${ours}#the-credential`],
	['README.md', `${ours}/blob/main/docs/operating.md`],
	['README.md', 'https://n8n.io'],
	['README.md', 'http://127.0.0.1:4010/'],
])('in %s, %s leads somewhere', (file, link) => {
	expect(leadsSomewhere(link, file)).toBe(true);
});

it.each([
	['README.md', '#operations'],
	['README.md', 'examples/09-none.json'],
	['README.md', 'examples/README.md#9--none'],
	['examples/README.md', 'README.md#an-unknown-outcome'],
	['README.md', `${ours}#operations`],
	['README.md', `${ours}/blob/main/none.md`],
	['README.md', `${ours}/blob/main/README.md#operations`],
	['README.md', `${ours}/wiki`],
	['README.md', `${ours}s`],
	['README.md', 'http://n8n.io'],
	['README.md', 'https://n8n'],
	['README.md', 'https://'],
])('in %s, %s leads nowhere', (file, link) => {
	expect(leadsSomewhere(link, file)).toBe(false);
});

it('names headings as GitHub does', () => {
	const page =
		'# 6 · The desk\n## `a_b`, and **c**\n## Same\n```sh\n# no heading\n```\n## Same\n## [Link](x)\n';
	expect(anchorsIn(page)).toEqual(['6--the-desk', 'a_b-and-c', 'same', 'same-1', 'link']);
});
