import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { faultKinds } from '../../sandbox/server.mts';
import { assumptions } from './assumptions.mts';
import { withSandbox } from './client.mts';

const readme = readFileSync(join(__dirname, '../../sandbox/README.md'), 'utf8');
const section = (title: string) =>
	readme
		.split(/^## /m)
		.find((part) => part.startsWith(title))
		?.slice(title.length) ?? '';

it('points to the contract for what is assumed, and repeats none of it', () => {
	expect(section('Assumptions')).toContain('](openapi.yaml)');
	expect(assumptions.length).toBeGreaterThan(30);
	for (const assumption of assumptions) expect(readme).not.toContain(assumption);
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
