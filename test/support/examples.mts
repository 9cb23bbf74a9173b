import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Node {
	name: string;
	parameters: {
		jsCode?: string;
		filters?: { conditions: Array<{ keyName: string; keyValue: unknown }> };
		assignments?: { assignments: Array<{ name: string; value: unknown }> };
	};
}

/** What the nodes of an example decide, out of the example's own file. */
export function decisionsIn(file: string) {
	const path = join(import.meta.dirname, '../../examples', file);
	const { nodes } = JSON.parse(readFileSync(path, 'utf8')) as { nodes: Node[] };
	const parametersOf = (name: string) => nodes.find((one) => one.name === name)!.parameters;

	/** What a Code node declares, without what calls it. */
	const declarationsIn = (node: string): string => {
		const code = parametersOf(node).jsCode!;
		return code.slice(0, code.indexOf('\n// ─── In the workflow'));
	};

	return {
		parametersOf,
		declarationsIn,
		/** A function that a Code node declares. */
		declaredIn: <F,>(node: string, name: string): F =>
			new Function(`${declarationsIn(node)}\nreturn ${name};`)() as F,
		/** A value of an Edit Fields node, as it is typed there. */
		assignedIn: (node: string, name: string): unknown =>
			parametersOf(node).assignments!.assignments.find((one) => one.name === name)!.value,
	};
}
