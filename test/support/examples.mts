import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Row } from './n8n/dataTables.mts';

interface Condition {
	keyName: string;
	condition: string;
	keyValue: unknown;
}

interface Node {
	name: string;
	parameters: {
		jsCode?: string;
		matchType?: string;
		filters?: { conditions: Condition[] };
		orderByDirection?: string;
		assignments?: { assignments: Array<{ name: string; value: unknown }> };
		conditions?: { conditions: Array<{ leftValue: string }> };
		columns?: { value?: Record<string, string> };
		options?: { formDescription?: string };
		completionTitle?: string;
	};
}

/** What an expression can name, such as `$json`. */
export type Names = Record<string, unknown>;

/** What n8n makes of a text of a node's: the value of its expression, or a text with its expressions in place. */
export function evaluated(text: string, names: Names): unknown {
	if (!text.startsWith('=')) return text;
	const valueOf = (expression: string): unknown =>
		(
			new Function(...Object.keys(names), `return ${expression}`) as (
				...values: unknown[]
			) => unknown
		)(...Object.values(names));
	const parts = text.slice(1).split(/\{\{([^]*?)\}\}/);
	if (parts.length === 3 && parts[0] === '' && parts[2] === '') return valueOf(parts[1]!);
	return parts.map((part, index) => (index % 2 === 1 ? String(valueOf(part)) : part)).join('');
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
		/** The rows that a Data Table node finds among these, as n8n compares them. */
		rowsFoundBy(node: string, rows: Row[], names: Names): Row[] {
			const { filters, matchType, orderByDirection } = parametersOf(node);
			const tests = filters!.conditions.map(({ keyName, condition, keyValue }) => {
				const wanted = evaluated(String(keyValue), names);
				return (row: Row) => comparisons[condition]!(row[keyName] ?? null, wanted);
			});
			const found = rows.filter((row) =>
				matchType === 'anyCondition'
					? tests.some((test) => test(row))
					: tests.every((test) => test(row)),
			);
			const newestFirst = orderByDirection === 'DESC';
			return found.toSorted(
				(one, other) => (Number(one.id) - Number(other.id)) * (newestFirst ? -1 : 1),
			);
		},
	};
}

const isLike = (value: unknown, pattern: unknown, flags = '') => {
	const literal = String(pattern).replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
	return (
		value !== null && new RegExp(`^${literal.replaceAll('%', '[^]*')}$`, flags).test(String(value))
	);
};

const comparisons: Record<string, (value: unknown, wanted: unknown) => boolean> = {
	eq: (value, wanted) => value !== null && String(value) === String(wanted),
	neq: (value, wanted) => value === null || String(value) !== String(wanted),
	gt: (value, wanted) => value !== null && Number(value) > Number(wanted),
	isEmpty: (value) => value === null || value === '',
	like: (value, pattern) => isLike(value, pattern),
	ilike: (value, pattern) => isLike(value, pattern, 'i'),
};
