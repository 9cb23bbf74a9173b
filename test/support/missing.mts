import { isMissing, tools, wrongPath, type ToolName } from '../../scripts/tools.mts';

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
