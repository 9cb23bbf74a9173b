import { whatIsMissing, type Family } from '../support/missing.mts';

const families: Family[] = [
	{ name: 'unit' },
	{ name: 'n8n', wants: ['faketime'] },
	{ name: 'browser', needs: ['chromium'] },
	{ name: 'queue', needs: ['redis', 'postgres', 'faketime'] },
];

const { env } = process;
afterEach(() => (process.env = env));

it('says what is missing, what is not tested without it, and the one command that installs it', () => {
	process.env = { PATH: '', CHROMIUM: '/nowhere', POSTGRES: __filename };
	expect(whatIsMissing(families)).toEqual([
		'Missing: faketime, chromium (CHROMIUM names /nowhere, which is not there), redis',
		'  n8n is run without what needs faketime',
		'  browser is not run: it needs chromium',
		'  queue is not run: it needs redis, faketime',
		'Debian: apt-get install faketime chromium-headless-shell redis-server',
		'Or name what you have: FAKETIME=/path/to/it CHROMIUM=/path/to/it REDIS_SERVER=/path/to/it',
	]);
});

it('says nothing where all that is needed is there', () => {
	process.env = { PATH: '', CHROMIUM: __filename, FAKETIME: __filename };
	expect(whatIsMissing(families.slice(0, 3))).toEqual([]);
});
