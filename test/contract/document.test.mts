import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	authenticationHeader,
	buyMinimum,
	buyRequestFields,
	buyType,
	endpoints,
	networks,
	rateCurrencies,
	sellRequestFields,
	statuses,
	transactionFields,
	vendorFields,
} from '../support/interface.mts';
import { assumptions } from './assumptions.mts';

const root = join(__dirname, '..', '..');
const document = readFileSync(join(root, 'docs', 'interface.md'), 'utf8');

const section = (title: string) =>
	document.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';

/** The cells of a section's tables, without headings and without the numbers of what is not shown. */
const rowsOf = (title: string) =>
	section(title)
		.split('\n')
		.filter((line, at, lines) => line.startsWith('| ') && !lines[at + 1]?.startsWith('|---'))
		.map((line) => line.split('|').slice(1, -1))
		.map((cells) => cells.map((cell) => cell.replace(/`| \(\d+\)/g, '').trim()));

const gaps = rowsOf('What is not shown').map(([number]) => Number(number));

/** The numbers in brackets after a mark: "(6, 7)" is 6 and 7. */
const numbersIn = (text: string, mark: string) =>
	[...text.matchAll(new RegExp(`${mark}\\(([\\d, ]+)\\)`, 'g'))].flatMap(([, numbers]) =>
		numbers!.split(', ').map(Number),
	);

describe('docs/interface.md', () => {
	it('has the fields of a buy, of its transaction and of a sell, with their types', () => {
		const asked = rowsOf('A buy').slice(0, buyRequestFields.length);
		const answered = rowsOf('A buy').slice(buyRequestFields.length);
		const inOurWords: Record<string, string> = {
			'yes per the request-body table': 'one table says yes',
			'see note': 'tables disagree',
		};
		const cells = ({ name, type, required }: (typeof buyRequestFields)[0]) => [
			name,
			type,
			inOurWords[required] ?? required,
		];
		expect(asked.map((row) => row.slice(0, 3))).toEqual(buyRequestFields.map(cells));
		expect(answered.map((row) => row.slice(0, 2))).toEqual(
			transactionFields.map(({ name, type }) => [name, type]),
		);
		expect(rowsOf('A sell')).toEqual(sellRequestFields.map(cells));
	});

	it('has the paths, the header, the statuses, and what else is named', () => {
		const paths = rowsOf('Addresses and key').map(([, request, at]) => `${request} ${at}`);
		const known = endpoints.map(({ method, path, at }) => `${method} ${path} ${at}`);
		expect(paths.map((path) => path.replace('OTC', 'otc')).toSorted()).toEqual(known.toSorted());
		expect(rowsOf('Errors').map(([status]) => status)).toEqual(
			statuses.map(({ status }) => status),
		);
		const named = [
			authenticationHeader,
			buyType,
			String(buyMinimum),
			...networks,
			...rateCurrencies,
			...vendorFields.map(({ name }) => name),
		];
		const isThere = (word: string) => new RegExp(`(?<!\\w)${word}(?!\\w)`).test(document);
		expect(named.filter((word) => !isThere(word))).toEqual([]);
	});

	it('numbers what is not shown, and refers to those numbers alone', () => {
		expect(gaps).toEqual(gaps.map((_, at) => at + 1));
		expect(gaps).toEqual(expect.arrayContaining(numbersIn(document, ' ')));
	});
});

it('says with every assumption of the sandbox which of these it fills', () => {
	for (const assumption of assumptions) {
		const filled = numbersIn(assumption, '^');
		expect({ assumption, filled }).toEqual({
			assumption,
			filled: expect.arrayContaining([expect.any(Number)]),
		});
		expect(gaps).toEqual(expect.arrayContaining(filled));
	}
});

it('says in the code which of these a choice fills', () => {
	const files = globSync('{client,credentials,nodes}/**/*.ts', { cwd: root });
	const named = files.flatMap((file) =>
		numbersIn(readFileSync(join(root, file), 'utf8'), String.raw`docs/interface\.md `),
	);
	// Of the others nothing is chosen: what is there is passed on, or nothing is there.
	const isNoChoice = [12, 16, 17, 19];
	const chosen = gaps.filter((gap) => !isNoChoice.includes(gap));
	expect([...new Set(named)].toSorted((a, b) => a - b)).toEqual(chosen);
});
