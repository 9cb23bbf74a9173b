import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const github = join(__dirname, '..', '..', '.github');
const read = (...path: string[]) => readFileSync(join(github, ...path), 'utf8');

interface Form {
	name: string;
	description: string;
	body: Array<{
		type: string;
		id?: string;
		attributes: { label?: string; value?: string; options?: unknown[] };
	}>;
}

interface Workflow {
	on: Record<string, unknown>;
	jobs: Record<string, Job>;
}

interface Job {
	uses?: string;
	needs?: string | string[];
	strategy?: { matrix: { image: string[] } };
	steps?: Array<{ run?: string }>;
}

describe('what an issue asks for', () => {
	const forms = readdirSync(join(github, 'ISSUE_TEMPLATE')).filter((name) => name !== 'config.yml');

	it.each(forms)('%s is a form that GitHub can show', (file) => {
		const { name, description, body } = parse(read('ISSUE_TEMPLATE', file)) as Form;
		const fields = body.filter(({ type }) => type !== 'markdown');
		expect([name, description]).toEqual([expect.any(String), expect.any(String)]);
		for (const { type, attributes } of fields) {
			expect(['input', 'textarea', 'dropdown']).toContain(type);
			expect(attributes.label).toEqual(expect.any(String));
			// GitHub takes no option that YAML reads as something else than a text.
			for (const option of attributes.options ?? []) expect(option).toEqual(expect.any(String));
		}
		const ids = fields.map(({ id }) => id);
		expect(ids).toEqual([...new Set(ids.filter(Boolean))]);
	});

	it.each(forms)('%s begins with the warning that a key must not be in it', (file) => {
		const { body } = parse(read('ISSUE_TEMPLATE', file)) as Form;
		expect(body[0]?.attributes.value).toContain('Never put your Secret Key here');
	});

	it('is not for what should be private', () => {
		const config = parse(read('ISSUE_TEMPLATE', 'config.yml'));
		expect(config).toEqual({
			blank_issues_enabled: false,
			contact_links: [
				{
					name: expect.any(String),
					about: expect.stringContaining('SECURITY.md'),
					url: expect.stringMatching(/\/security\/policy$/),
				},
			],
		});
	});
});

describe('a release', () => {
	const workflow = (name: string) => parse(read('workflows', name)) as Workflow;

	it('is published only when CI has passed on the tagged commit itself', () => {
		const { jobs } = workflow('publish.yml');
		expect([jobs.publish?.needs, jobs.ci?.uses]).toEqual(['ci', './.github/workflows/ci.yml']);
		expect(workflow('ci.yml').on).toHaveProperty('workflow_call');
	});

	it('CI is told to start in Docker as compose.yaml says, on its n8n and on n8n 3', () => {
		const { docker } = workflow('ci.yml').jobs;
		expect(docker?.strategy?.matrix.image).toEqual(['', expect.stringMatching(/^n8nio\/n8n:3\./)]);
		expect(docker?.steps?.map(({ run }) => run)).toContain('npm run compose -- --check');
		const compose = read('..', 'playground', 'compose.yaml');
		expect(compose).toContain('#   npm run compose\n');
		expect(parse(compose).services.n8n.image).toMatch(/^\$\{N8N_IMAGE:-/);
	});

	it('runs no action that somebody else can change', () => {
		const used = readdirSync(join(github, 'workflows'))
			.flatMap((name) => [...read('workflows', name).matchAll(/uses: (\S+)/g)])
			.map(([, action]) => action!)
			.filter((action) => !action.startsWith('./'));
		expect(used.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
		expect(used).not.toEqual([]);
	});
});
