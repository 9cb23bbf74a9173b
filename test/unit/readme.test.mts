import { commandsIn, documented, readDocument as read, sectionOf } from '../support/documents.mts';

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

/** Without comments, which nobody sees. */
const wordsIn = (text: string) => text.replace(/<!--.*?-->/gs, '').split(/\s+/).length;

it('has a README of at most 1,500 words', () => {
	expect(wordsIn(read('README.md'))).toBeLessThanOrEqual(1500);
});

it('names the tarball that npm pack makes, and no other', () => {
	const { version } = JSON.parse(read('package.json')) as { version: string };
	const named = documents.flatMap((file) => [
		...read(file).matchAll(/ramp(?:-|","version":")(\d[\w.-]*)(?:\.tgz|")/g),
	]);
	expect(named.map(([, packed]) => packed)).toEqual(named.map(() => version));
});

describe('how to install', () => {
	/** The README of the first release: its comment in place of what is shown until then. */
	const released = read('README.md').replace(
		/<!-- until the first release -->.*?<!-- at the first release[^\n]*\n(.*?)-->/s,
		'$1',
	);

	it('is one change of the README at the first release, to text that is in it already', () => {
		expect(released).not.toMatch(/on no registry yet|first release|\.tgz/i);
		expect(commandsIn(sectionOf(released, 'Install'))).toEqual([]);
		expect(sectionOf(released, 'Install')).toContain('**Settings > Community nodes > Install**');
		expect(wordsIn(released)).toBeLessThanOrEqual(1500);
	});

	it('is the same in the README, until then, and for whoever runs n8n', () => {
		const untilThen = commandsIn(sectionOf(read('README.md'), 'Install'));
		const { pack, install } = documented;
		expect(untilThen).toEqual(released === read('README.md') ? [] : [pack, install]);
	});

	it('is said nowhere else', () => {
		const said: Record<string, string[]> = {
			'README.md': ['Install'],
			'docs/operating.md': ['From a tarball', 'Docker'],
		};
		const others = [...documents, 'CHANGELOG.md'].filter((file) => {
			const sections = (said[file] ?? []).map((heading) => sectionOf(read(file), heading));
			const rest = sections.reduce((text, section) => text.replace(section, ''), read(file));
			return /npm (i|install|pack)\b|\.tgz|Community nodes > Install/.test(rest);
		});
		expect(others).toEqual([]);
	});
});
