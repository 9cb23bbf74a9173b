import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract } from '../../sandbox/contract.ts';
import { faultKinds } from '../../sandbox/server.ts';
import { withSandbox } from './client.ts';

const readme = readFileSync(join(__dirname, '../../sandbox/README.md'), 'utf8');
const section = (title: string) =>
	readme
		.split(/^## /m)
		.find((part) => part.startsWith(title))
		?.slice(title.length) ?? '';

function assumptions(part: unknown): string[] {
	if (typeof part !== 'object' || part === null) return [];
	return Object.entries(part).flatMap(([key, value]) =>
		key === 'x-assumption' ? [String(value)] : assumptions(value),
	);
}

it('lists every assumption of the contract, and no other', () => {
	const listed = section('Assumptions').match(/(?<=^- ).+$/gm);
	expect(listed).toEqual(assumptions(contract));
});

it('lists every fault with what it does and its amount', () => {
	const rows = section('Faults on demand').match(/^\| `\w+` .+$/gm);
	expect(rows).toEqual(
		faultKinds.map(({ kind, label, sees, accepts, choosable, amount }) => {
			const accepted = `${accepts ? 'yes' : 'no'}${choosable ? ', or as you say' : ''}`;
			return `| \`${kind}\` | ${label} | ${sees} | ${accepted} | ${amount} |`;
		}),
	);
});

it('gives the values that a sandbox starts with', () =>
	withSandbox({}, async ({ secretKey, headerName, businessId, linkTag }) => {
		for (const value of [secretKey, headerName, businessId, linkTag]) {
			expect(readme).toContain(`\`${value}\``);
		}
	}));
