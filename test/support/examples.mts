import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Node {
	name: string;
	parameters: {
		jsCode?: string;
		filters?: { conditions: Array<{ keyName: string; keyValue: unknown }> };
	};
}

/** The nodes of an example, out of its own file. */
export function nodesOf(file: string): Node[] {
	const path = join(import.meta.dirname, '../../examples', file);
	return (JSON.parse(readFileSync(path, 'utf8')) as { nodes: Node[] }).nodes;
}

/** A function that a Code node of an example declares, without what calls it. */
export function declaredIn<F>(file: string, node: string, name: string): F {
	const code = nodesOf(file).find((one) => one.name === node)!.parameters.jsCode!;
	const declarations = code.slice(0, code.indexOf('\n// ─── In the workflow'));
	return new Function(`${declarations}\nreturn ${name};`)() as F;
}
