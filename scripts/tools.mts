import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs that the playground and some tests need and that npm cannot install. */
export type ToolName = 'chromium' | 'redis' | 'postgres' | 'faketime';

export const tools: Record<ToolName, { programs: string[]; variable: string; packages: string }> = {
	chromium: {
		// The first is made for pages that nobody looks at, which costs less.
		programs: [
			'chromium-headless-shell',
			'chromium',
			'chromium-browser',
			'google-chrome',
			'google-chrome-stable',
		],
		variable: 'CHROMIUM',
		packages: 'chromium-headless-shell',
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
	return programs
		.flatMap((program) => folders.map((folder) => join(folder, program)))
		.find((path) => existsSync(path));
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

/** Says so where a variable names a path that is not there. */
export function wrongPath(name: ToolName): string | undefined {
	const { variable } = tools[name];
	const path = process.env[variable];
	return path && `${variable} names ${path}, which is not there`;
}

function postgresFolders(): string[] {
	const base = '/usr/lib/postgresql';
	return existsSync(base) ? readdirSync(base).map((version) => join(base, version, 'bin')) : [];
}
