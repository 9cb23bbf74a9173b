import { columns } from '../../../nodes/StablecoinRamp/submit/memory/register.ts';
import { decisionsIn } from '../../support/examples.mts';

type Read = { rows: Array<Record<string, string>>; problem?: never } | { problem: string };

const { declaredIn } = decisionsIn('04-pay-out-a-list.json');
const listOf = declaredIn<(bytes: Buffer) => Read>('Rows', 'listOf');

const names = 'reference,amount,accountName,accountNumber,bankName';
const good = 'LA-11,30000,José Example,0123456789,Harbour Demo Bank';
const row = {
	reference: 'LA-11',
	amount: '30000',
	accountName: 'José Example',
	accountNumber: '0123456789',
	bankName: 'Harbour Demo Bank',
};

describe('a list of payouts, example 4', () => {
	it.each([
		['with a line end of any kind', `${names}\r\n${good}\r\n`, [row]],
		['with a byte order mark, as “CSV UTF-8” has it', `\ufeff${names}\n${good}`, [row]],
		['with empty lines', `${names}\n\n${good}\n,,,,\n`, [row]],
		['in quotation marks', `"${names.replaceAll(',', '","')}"\n${good}`, [row]],
		['with other columns', `note,${names}\n"a, ""b""\nc",${good}`, [row]],
		['with spaces around', `${names}\n${good.replaceAll(',', ' , ')}`, [row]],
		[
			'with a comma in a name',
			`${names}\n${good.replace('José Example', '"Example, José"')}`,
			[{ ...row, accountName: 'Example, José' }],
		],
		['with two rows', `${names}\n${good}\n${good}`, [row, row]],
	])('is read %s', (_, text, rows) => {
		expect(listOf(Buffer.from(text))).toEqual({ rows });
	});

	it.each([
		['an empty file', '', 'The file is empty'],
		['a file with nothing but a byte order mark', '\ufeff\n', 'The file is empty'],
		['a list that is only names', `${names}\n`, 'The list has no rows'],
		['a list without a column', 'reference,amount\nLA-11,30000', 'no column accountName,'],
		['a list with semicolons', `${names}\n${good}`.replaceAll(',', ';'), 'with commas between'],
		[
			'a thousands comma',
			`${names}\n${good}\n${good.replace('30000', '30,000')}`,
			'Row 2, LA-11, has 6 cells, and the first line has 5',
		],
		['a row that is too short', `${names}\nLA-11,30000`, 'Row 1, LA-11, has 2 cells'],
		[
			'two columns of one name',
			`${names},amount\n${good},40000`,
			'more than one column amount, and',
		],
		[
			'two columns that differ in their capitals',
			`${names},Amount\n${good},40000`,
			'more than one column amount, and',
		],
		[
			'a quotation mark in a cell',
			`${names}\n${good}\nLA-12,1,Ada "A",0,B`,
			'Row 2 has a quotation mark',
		],
		['a quotation mark without an end', `${names}\n"${good}`, 'Row 1 has a quotation mark'],
		['a letter that was lost before', `${names}\n${good.replace('é', '\ufffd')}`, 'Jos\ufffd'],
	])('is refused for %s', (_, text, why) => {
		expect(listOf(Buffer.from(text)).problem).toContain(why);
	});

	it.each([
		['Latin-1', 'latin1', /^Row 2, LA-11, has a letter .* Jos\ufffd Example\..*CSV UTF-8/],
		['UTF-16', 'utf16le', /^The file is not a CSV file in UTF-8\..*CSV UTF-8/],
	] as const)('is refused in %s, and told how to be saved', (_, encoding, why) => {
		const plain = good.replace('é', 'e');
		const text = `\ufeff${names}\n${plain}\n${good}`.slice(encoding === 'latin1' ? 1 : 0);
		expect(listOf(Buffer.from(text, encoding)).problem).toMatch(why);
	});
});

it.each(['02-buy-from-a-form.json', '04-pay-out-a-list.json'])(
	'%s tries every column of a register before anybody pays',
	(file) => {
		const { filters } = decisionsIn(file).parametersOf('It can be written');
		const tried = filters!.conditions.filter(({ keyName }) => keyName !== 'id');
		expect(
			Object.fromEntries(tried.map(({ keyName, keyValue }) => [keyName, typeof keyValue])),
		).toEqual(columns);
	},
);
