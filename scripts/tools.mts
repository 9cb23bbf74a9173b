import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs that the playground and some tests need and that npm cannot install. */
export type ToolName = 'chromium' | 'redis' | 'postgres' | 'faketime';

const tools: Record<ToolName, { programs: string[]; variable: string; packages: string }> = {
	chromium: {
		programs: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
		variable: 'CHROMIUM',
		packages: 'chromium',
	},
	redis: { programs: ['redis-server'], variable: 'REDIS_SERVER', packages: 'redis-server' },
	postgres: { programs: ['postgres'], variable: 'POSTGRES', packages: 'postgresql' },
	faketime: { programs: ['faketime'], variable: 'FAKETIME', packages: 'faketime' },
};

/** The path of a tool, from its environment variable, the PATH or where Debian hides it. */
export function findTool(name: ToolName): string | undefined {
	const { programs, variable } = tools[name];
	const named = process.env[variable];
	if (named) return existsSync(named) ? named : undefined;
	const folders = [...(process.env.PATH ?? '').split(delimiter), ...postgresFolders()];
	return folders
		.flatMap((folder) => programs.map((program) => join(folder, program)))
		.find((path) => existsSync(path));
}

/** What a family of tests cannot do without, and what only some of its tests need. */
export interface Family {
	name: string;
	/** Without these it is not run. */
	needs?: ToolName[];
	/** Without these it is run, and the tests that need them skip themselves. */
	wants?: ToolName[];
}

/** What is missing, what is not tested without it, and what installs it; no lines where nothing is missing. */
export function whatIsMissing(families: Family[]): string[] {
	const lines = families.flatMap(({ name, needs = [], wants = [] }) => {
		const [needed, wanted] = [needs.filter(isMissing), wants.filter(isMissing)];
		if (needed.length > 0) return `  ${name} is not run: it needs ${needed.join(', ')}`;
		if (wanted.length > 0) return `  ${name} is run without what needs ${wanted.join(', ')}`;
		return [];
	});
	if (lines.length === 0) return [];
	const named = families.flatMap(({ needs = [], wants = [] }) => [...needs, ...wants]);
	const missing = [...new Set(named)].filter(isMissing);
	const nameOf = (name: ToolName) => (wrongPath(name) ? `${name} (${wrongPath(name)})` : name);
	const install = missing.map((name) => tools[name].packages).join(' ');
	const paths = missing.map((name) => `${tools[name].variable}=/path/to/it`).join(' ');
	return [
		`Missing: ${missing.map(nameOf).join(', ')}`,
		...lines,
		`Debian: apt-get install ${install}`,
		`Or name what you have: ${paths}`,
	];
}

/** One sentence for each tool that is missing. */
export function missingTools(names: ToolName[]): string[] {
	return names.filter(isMissing).map((name) => {
		const { packages, variable } = tools[name];
		const wrong = wrongPath(name);
		if (wrong) return `${wrong}.`;
		return `${name} was not found. Install it (Debian: apt-get install ${packages}) or set ${variable} to its path.`;
	});
}

export function isMissing(name: ToolName): boolean {
	return findTool(name) === undefined;
}

function wrongPath(name: ToolName): string | undefined {
	const { variable } = tools[name];
	const path = process.env[variable];
	return path && `${variable} names ${path}, which is not there`;
}

function postgresFolders(): string[] {
	const base = '/usr/lib/postgresql';
	return existsSync(base) ? readdirSync(base).map((version) => join(base, version, 'bin')) : [];
}
