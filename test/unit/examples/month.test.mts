import fc from 'fast-check';

import { openIn } from '../../support/n8n/book.mts';
import {
	amountOf,
	dayOf,
	draw,
	fieldsOf,
	linesOf,
	match,
	tableOf,
	type Asked,
	type Entry,
	type Line,
	type Lines,
	type Month,
	type RegisterRow,
} from '../../support/month.mts';
import { times } from '../../support/quick.mts';

const zone = 'Africa/Lagos';
const month = '2026-11';
const noWords = { only: '', without: '', wallet: '' };

const statementOf = (lines: Line[]): Lines => ({ lines, empty: [], unread: [] });

let made = 0;
const line = (day: number, naira: number, text = '', more: Partial<Line> = {}): Line => ({
	at: (made += 1),
	day: `${month}-${String(day).padStart(2, '0')}`,
	way: 'out',
	kobo: naira * 100,
	text,
	...more,
});

const buy = (
	day: number,
	naira: number,
	reference: string,
	more: Partial<RegisterRow> = {},
): RegisterRow => {
	const at = `${month}-${String(day).padStart(2, '0')}T10:00:00.000Z`;
	made += 1;
	return {
		id: made,
		reference,
		operation: 'buy',
		outcome: 'accepted',
		transaction_id: `T-${String(made).padStart(6, '0')}`,
		amount: naira,
		sentAt: at,
		answeredAt: at,
		createdAt: at,
		...more,
	};
};

const compare = (lines: Line[], rows: RegisterRow[], more: Partial<Asked> = {}): Month =>
	match({ month, zone, statement: statementOf(lines), rows, earlier: [], words: noWords, ...more });

/** Where each line and each transaction is: by list, the lines of an entry and its references. */
const shown = ({ lists }: Month) =>
	Object.fromEntries(
		Object.entries(lists)
			.filter(([, entries]) => entries.length > 0)
			.map(([name, entries]) => [
				name,
				entries.map(({ lines, transactions }) => [
					lines.map(({ at }) => at),
					transactions.map(({ reference }) => reference),
				]),
			]),
	);

describe('amounts', () => {
	it.each([
		['20,000.00', 2_000_000, ''],
		['20000', 2_000_000, ''],
		['NGN 20000', 2_000_000, ''],
		['₦20,000.50', 2_000_050, ''],
		['N20,000', 2_000_000, ''],
		['-20,000.00', 2_000_000, '-'],
		['−20,000.00', 2_000_000, '-'],
		['20,000.00-', 2_000_000, '-'],
		['(20,000.00)', 2_000_000, '-'],
		['20,000.00 DR', 2_000_000, '-'],
		['20,000.00CR', 2_000_000, '+'],
		['20000 DR', 2_000_000, '-'],
		['20,000 NGN', 2_000_000, ''],
		['500 cNGN', 50_000, ''],
		['Dr 20,000.00', 2_000_000, '-'],
		['20,000.00 (Cr)', 2_000_000, '+'],
		['+ NGN 20,000', 2_000_000, '+'],
		['20 000.00', 2_000_000, ''],
		['20000.0000000', 2_000_000, ''],
		['0.50', 50, ''],
		['1,234,567.89', 123_456_789, ''],
	])('reads %s', (text, kobo, sign) => {
		expect(amountOf(text)).toEqual({ kobo, sign });
	});

	it.each([
		'20.000',
		'20.000,00',
		'20,00',
		'2,0000',
		'1,00,000',
		'USD 20',
		'twenty',
		'',
		'1e5',
		'(20,000.00',
		'-20,000 DR',
		'9'.repeat(20),
	])('does not guess what %j is', (text) => {
		expect(amountOf(text)).toBeUndefined();
	});
});

describe('dates', () => {
	it.each([
		['07/11/2026', '2026-11-07'],
		['7-11-26', '2026-11-07'],
		['07.11.2026 14:05', '2026-11-07'],
		['07-Nov-2026', '2026-11-07'],
		['07-NOV-26 02:05 PM', '2026-11-07'],
		['Sat, 7 November 2026', '2026-11-07'],
		['7th Sept 2026', '2026-09-07'],
		['Nov 7, 2026', '2026-11-07'],
		['2026 Nov 07 10:11:12', '2026-11-07'],
		['07/11/2026 10:11 WAT', '2026-11-07'],
		['2026-11-07', '2026-11-07'],
		['2026-11-07 23:59:59', '2026-11-07'],
		// half past midnight in Lagos
		['2026-11-06T23:30:00Z', '2026-11-07'],
		['2026-11-06 23:30:00 UTC', '2026-11-07'],
		['1794008700', '2026-11-07'],
	])('reads %s', (text, day) => {
		expect(dayOf(text, zone)).toBe(day);
	});

	it.each(['11/17/2026', '31/02/2026', '7 Novemb 2026', '', 'Balance', '07/11', '00/11/2026'])(
		'does not guess what %j is',
		(text) => {
			expect(dayOf(text, zone)).toBeUndefined();
		},
	);

	it('reads every day of some years, however it is written', () => {
		const names = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
		fc.assert(
			fc.property(
				fc.date({ noInvalidDate: true, min: new Date('2001-01-01'), max: new Date('2098-01-01') }),
				(date) => {
					const iso = date.toISOString().slice(0, 10);
					const [year = '', number = '', day = ''] = iso.split('-');
					const written = [
						`${day}/${number}/${year}`,
						`${Number(day)}-${Number(number)}-${year.slice(2)}`,
						`${day}-${names[Number(number) - 1]}-${year}`,
						iso,
					];
					expect(written.map((text) => dayOf(text, zone))).toEqual(written.map(() => iso));
				},
			),
		);
	});
});

describe('files', () => {
	const layouts = {
		'debit and credit in two columns, with an address above and a sum below': `\ufeffEXAMPLE LTD,Account 0123456789
Period,"01/11/2026 - 30/11/2026"

Trans. Date,Narration,Debit,Credit,Balance
02/11/2026,"TO VENDOR ONE, form-000001-aaaaaa","20,000.00",,"480,000.00"
03/11/2026,REVERSAL,,"5,000.00","485,000.00"
04/11/2026,TO VENDOR TWO,"35,500.50",0.00,"449,499.50"
,Total,"55,500.50","5,000.00",
`,
		'one column with a minus, separated by semicolons':
			'Date;Details;Amount\r\n02-Nov-2026;TO VENDOR ONE, form-000001-aaaaaa;-NGN 20,000.00\r\n03-Nov-2026;REVERSAL;NGN 5,000.00\r\n04-Nov-2026;TO VENDOR TWO;-NGN 35,500.50\r\n;Total;x1\r\n',
		'one column and another that says which way, in tabs':
			'Value Date\tType\tAmount\tDescription\n2026-11-02\tDR\t20000\t"TO VENDOR ONE, form-000001-aaaaaa"\n2026-11-03\tCR\t5000.00\tREVERSAL\n2026-11-04\tDR\t35500.5\tTO VENDOR TWO\nTotal\tDR\t55500.50\t\n',
	};

	/** As the page that asks for the columns guesses them. */
	function readAs(text: string): Lines {
		const statement = tableOf(Buffer.from(text));
		const guessed = Object.fromEntries(
			fieldsOf({ statement }, []).map(({ fieldName, defaultValue }) => [fieldName, defaultValue]),
		);
		const column = (choice: string) =>
			choice === 'None' ? undefined : choice.charCodeAt(0) - 'A'.charCodeAt(0);
		const columns = {
			date: column(String(guessed.date))!,
			amount: column(String(guessed.amount))!,
			in: column(String(guessed.in)),
			type: column(String(guessed.type)),
			text: (guessed.text as string[]).map((choice) => column(choice)!),
		};
		return linesOf(statement, columns, { zone, usually: 'out' });
	}

	it.each(Object.entries(layouts))('%s', (_, text) => {
		const { lines, unread } = readAs(text);
		expect(lines.map(({ day, way, kobo, text: words }) => [day, way, kobo, words])).toEqual([
			['2026-11-02', 'out', 2_000_000, 'TO VENDOR ONE, form-000001-aaaaaa'],
			['2026-11-03', 'in', 500_000, 'REVERSAL'],
			['2026-11-04', 'out', 3_550_050, 'TO VENDOR TWO'],
		]);
		expect(unread).toHaveLength(1);
		expect(unread[0]!.text).toContain('Total');
	});

	const columns = { date: 0, amount: 1, in: 2, text: [3] };
	const read = (rows: string, own = columns) =>
		linesOf(tableOf(Buffer.from(`Date,Out,In,Text\n${rows}`)), own, { zone, usually: 'out' });

	it.each([
		['13/13/2026,5,,x', '“13/13/2026” is no date with the day first'],
		['01/11/2026,5.000,,x', '“5.000” is no amount that can be read for certain'],
		['01/11/2026,5,6,x', 'it has money out and money in'],
		['01/11/2026,-5,,x\n01/11/2026,5,,y', 'its amount has a minus'],
		['01/11/2026,,-5,x', 'its amount has a minus'],
		[',5,,x', 'it has no date'],
		[
			'01/11/2026,5,,to John, Lagos',
			'it has more cells than there are columns: is there a comma in a text or an amount?',
		],
		[
			'11/05/2026,5,,x\n11/17/2026,6,,y',
			'the dates of this file have the month first: save it with the day first, or as 2026-11-17',
		],
	])('lists what it cannot read: %j', (rows, why) => {
		expect(read(rows).unread[0]).toMatchObject({ at: 2, why });
	});

	it('takes a minus before every debit for the way in which that bank writes debits', () => {
		const { lines, unread } = read('01/11/2026,-5,,x\n02/11/2026,-6,,y');
		expect(lines.map(({ way, kobo }) => [way, kobo])).toEqual([
			['out', 500],
			['out', 600],
		]);
		expect(unread).toEqual([]);
	});

	it('keeps a line without an amount apart from those that cannot be read', () => {
		const { empty, unread } = read('01/11/2026,,,Opening balance');
		expect(empty).toEqual([expect.objectContaining({ at: 2 })]);
		expect(unread).toEqual([]);
	});

	it('says what it took each line for, where no line says which way it went', () => {
		const own = { date: 0, amount: 1, text: [3] };
		expect(read('01/11/2026,5,,x', own as typeof columns).taken).toContain(
			'each amount was taken as money out',
		);
		expect(read('01/11/2026,-5,,x', own as typeof columns).taken).toContain(
			'a minus or DR was taken as money out',
		);
	});

	it('does not let what is no line decide which way the lines went', () => {
		const [own, how] = [
			{ date: 0, amount: 2, text: [1] },
			{ zone, usually: 'out' as const },
		];
		const lines = 'Date,Text,Amount\n17/11/2026,x,20000\n,Closing balance,-5000\n';
		expect(linesOf(tableOf(Buffer.from(lines)), own, how).lines).toEqual([
			expect.objectContaining({ way: 'out' }),
		]);
		const debits = 'Date,Text,Debit\n17/11/2026,x,20000\n18/11/2026,reversal,-20000\n';
		const { lines: read1, unread } = linesOf(tableOf(Buffer.from(debits)), own, how);
		expect(read1).toEqual([expect.objectContaining({ at: 2, way: 'out' })]);
		expect(unread).toEqual([expect.objectContaining({ at: 3, why: 'its amount has a minus' })]);
	});

	it('finds the names of the columns below a summary', () => {
		const text = `Opening,1000,Total debit,2000,Total credit,3000,Closing,4000
Date,Narration,Debit,Credit,,Balance,Branch
17/11/2026,x,5,,,1,Lagos
`;
		expect(tableOf(Buffer.from(text)).heading.at).toBe(2);
	});

	it('drops no line with a date that stands above what it takes for the names', () => {
		const text = 'Date,Text,Amount,\n17/11/2026,RENT,20.000,x y\n';
		const { unread } = linesOf(
			{ ...tableOf(Buffer.from(text)), heading: { at: 3, cells: ['a', 'b', 'c', 'd'] } },
			{ date: 0, amount: 2, text: [1] },
			{ zone, usually: 'out' },
		);
		expect(unread).toEqual([expect.objectContaining({ at: 2 })]);
	});

	it.each([
		['17/11/2026,TRF TO ADA, LAGOS,,-20000,5', 'more cells than there are columns'],
		['17/11/2026,,,TRF TO ADA, \n17/11/2026,5,,y', 'more cells than there are columns'],
		['17/11/2026,\n,,TRF TO ADA', 'it is part of a line'],
		['17/11/2026,20,000,TRF TO ADA', '“000” is no amount'],
		['17/11/2026,twenty,,x', '“twenty” is no amount'],
		['17/11/2026,5 CR,,x', 'it says credit among the debits'],
	])('does not read %j for something else', (rows, why) => {
		const { lines, unread } = read(rows);
		expect(lines.filter(({ at }) => at === 2)).toEqual([]);
		expect(unread[0]!.why).toContain(why);
	});

	it('lists all parts of a line that has a line end in a text, with their amount', () => {
		const text =
			'Date,Narration,Debit,Credit\n17/11/2026,TRANSFER TO\nADA,20000.00,\n18/11/2026,FOR\nONE\nTWO,5,\nTotal,20000\n';
		const found = linesOf(
			tableOf(Buffer.from(text)),
			{ date: 0, amount: 2, in: 3, text: [1] },
			{ zone, usually: 'out' },
		);
		const why = 'it is part of a line: is there a line end in a text?';
		expect(found.unread).toMatchObject([
			{ at: 2, text: '17/11/2026, TRANSFER TO', why },
			{ at: 3, text: 'ADA, 20000.00', why },
			...[4, 5, 6].map((at) => ({ at, why })),
		]);
		expect(found).toMatchObject({ lines: [], empty: [{ at: 7 }] });
	});

	it('reads a line whose last, empty cell is left out, whatever comes behind it', () => {
		const text = 'Date,Text,Debit,Credit\n17/11/2026,TRF,20000\nTotal,20000\n';
		const columns = { date: 0, amount: 2, in: 3, text: [1] };
		const found = linesOf(tableOf(Buffer.from(text)), columns, { zone, usually: 'out' });
		expect(found.lines).toMatchObject([{ at: 2, way: 'out', kobo: 2_000_000 }]);
	});

	it('reads files in which every line ends with a comma', () => {
		const { lines, unread } = read('17/11/2026,5,,x,\n18/11/2026,6,,y,\n');
		expect([lines.length, unread.length]).toEqual([2, 0]);
	});

	it('believes dates that can only have the day first', () => {
		const { lines, unread } = read('05/11/2026,5,,x\n17/11/2026,5,,x\n11/30/2026,6,,y');
		expect([lines.length, unread.length]).toEqual([2, 1]);
	});

	it('drops no line of a file without names, read or not', () => {
		const text = '31/11/2026,-,5000\n17/11/2026,ADA,20000\n';
		const { lines, unread } = linesOf(
			tableOf(Buffer.from(text)),
			{ date: 0, amount: 2, text: [1] },
			{ zone, usually: 'out' },
		);
		expect([...lines, ...unread].map(({ at }) => at).toSorted()).toEqual([1, 2]);
	});

	it('takes one column of debits and credits by its signs', () => {
		const text =
			'Date,Text,Debit/Credit\n17/11/2026,ADA,"-20,000.00"\n18/11/2026,BOB,"+3,000.00"\n19/11/2026,EFE,500\n';
		const { lines } = readAs(text);
		expect(lines.map(({ way, kobo }) => [way, kobo])).toEqual([
			['out', 2_000_000],
			['in', 300_000],
			['in', 50_000],
		]);
	});

	it.each([
		['Date,Text,Amount,Debit,Credit', { amount: 'D: Debit', in: 'E: Credit', type: 'None' }],
		['Date,Narration,Debit,Credit,', { amount: 'C: Debit', in: 'D: Credit', type: 'None' }],
		[
			'Updated By,Debit Card No,Date,Amount,Dr/Cr',
			{ date: 'C: Date', amount: 'D: Amount', type: 'E: Dr/Cr' },
		],
		['Date,Dr,Cr', { amount: 'B: Dr', in: 'C: Cr' }],
		['Date,Pay Out,Pay In', { amount: 'B: Pay Out', in: 'C: Pay In' }],
	])('proposes columns by their names: %s', (names, proposed) => {
		const statement = tableOf(Buffer.from(`${names}\n`));
		const fields = fieldsOf({ statement }, []).map(({ fieldName, defaultValue }) => [
			fieldName,
			defaultValue,
		]);
		expect(Object.fromEntries(fields)).toMatchObject(proposed);
	});

	it('proposes the column of a wallet that says received or sent', () => {
		const wallet = tableOf(Buffer.from('Date,Transaction Type,Amount,Value Date\n'));
		const fields = fieldsOf({ statement: wallet, wallet }, []);
		const proposed = Object.fromEntries(
			fields.map(({ fieldName, defaultValue }) => [fieldName, defaultValue]),
		);
		expect(proposed).toMatchObject({
			walletType: 'B: Transaction Type',
			walletAmount: 'C: Amount',
		});
	});

	it('proposes the month that the statement is of', () => {
		const months = ['2026-12, December', '2026-11, November', '2026-10, October'];
		for (const date of ['17/11/2026', '2026-11-17', '17-Nov-26', '17 November 2026']) {
			const statement = tableOf(Buffer.from(`Date,Amount\n31/10/2026,1\n${date},5\n${date},6\n`));
			expect(fieldsOf({ statement }, months)[0]!.defaultValue).toBe('2026-11, November');
		}
	});

	it('does not take the first line of a file without names for names', () => {
		const { lines } = linesOf(tableOf(Buffer.from('01/11/2026,5,,x\n02/11/2026,6,,y\n')), columns, {
			zone,
			usually: 'out',
		});
		expect(lines.map(({ at }) => at)).toEqual([1, 2]);
	});

	it.each([
		['PK\u0003\u0004', 'is not a CSV file'],
		['17/11/2026,"JOHN LTD,20000\n18/11/2026,"JANE,30000', 'a quotation mark in line 1'],
		['D\u0000a\u0000t\u0000e\u0000', 'cannot be read'],
		['%PDF-1.7', 'is not a CSV file'],
		['Date,Amount\n01/11/2026,"5', 'a quotation mark in line 2 that does not belong there'],
		['', 'has no columns'],
		['just words', 'has no columns'],
	])('says of %j what to do', (text, problem) => {
		expect(tableOf(Buffer.from(text)).problem).toContain(problem);
	});

	it('reads what spreadsheet programs write', () => {
		const text =
			'Date,Amount,Text\r\n01/11/2026,5,"two\r\nlines, ""quoted"""\r\n02/11/2026,6,é\r\n';
		const cells = [
			['Date', 'Amount', 'Text'],
			['01/11/2026', '5', 'two\r\nlines, "quoted"'],
			['02/11/2026', '6', 'é'],
		];
		for (const bytes of [
			Buffer.from(text),
			Buffer.from(`\ufeff${text}`),
			Buffer.from(`\ufeff${text}`, 'utf16le'),
			Buffer.from(text, 'latin1'),
		]) {
			const { lines } = tableOf(bytes);
			expect(lines.map((one) => one.cells)).toEqual(cells);
			expect(lines.map(({ at }) => at)).toEqual([1, 2, 4]);
		}
	});
});

describe('matching', () => {
	it('goes by the reference first, however the bank writes it', () => {
		const rows = [buy(5, 20_000, 'form-1794-abc'), buy(5, 20_000, 'form-1794-abd')];
		const lines = [line(9, 20_000, 'NIP/FORM 1794 ABD/REF'), line(20, 20_000, 'form1794abc')];
		expect(shown(compare(lines, rows))).toEqual({
			matched: [
				[[lines[1]!.at], ['form-1794-abc']],
				[[lines[0]!.at], ['form-1794-abd']],
			],
		});
	});

	it('does not find a reference within a longer one', () => {
		const rows = [buy(5, 20_000, 'order-1'), buy(5, 30_000, 'order-12')];
		const lines = [line(5, 30_000, 'order-12')];
		expect(shown(compare(lines, rows))).toEqual({
			matched: [[[lines[0]!.at], ['order-12']]],
			notPaid: [[[], ['order-1']]],
		});
	});

	it('then by amount and day, then by amount and a day near it', () => {
		const rows = [
			buy(5, 20_000, 'same-day'),
			buy(10, 20_000, 'two-days'),
			buy(20, 20_000, 'late-1'),
		];
		const lines = [line(5, 20_000), line(12, 20_000), line(24, 20_000)];
		expect(shown(compare(lines, rows))).toEqual({
			matched: [
				[[lines[0]!.at], ['same-day']],
				[[lines[1]!.at], ['two-days']],
			],
			notPaid: [[[], ['late-1']]],
			notSubmitted: [[[lines[2]!.at], []]],
		});
	});

	it('shows what could be either together, and says whether something is missing', () => {
		const rows = [
			buy(5, 20_000, 'one-aaaa'),
			buy(6, 20_000, 'two-bbbb'),
			buy(15, 5000, 'one-cccc'),
		];
		const lines = [line(7, 20_000), line(7, 20_000), line(15, 5000), line(16, 5000)];
		const { lists } = compare(lines, rows);
		expect(lists.several.map(({ isFine, note }) => [isFine, note])).toEqual([
			[true, '2 lines for 2 transactions, the same sum: which belongs to which cannot be told'],
		]);
		expect(shown({ lists } as Month)).toEqual({
			several: [
				[
					[lines[0]!.at, lines[1]!.at],
					['one-aaaa', 'two-bbbb'],
				],
			],
			matched: [[[lines[2]!.at], ['one-cccc']]],
			notSubmitted: [[[lines[3]!.at], []]],
		});
	});

	it('shows a payment that was made twice beside its one buy', () => {
		const rows = [buy(5, 20_000, 'form-1-aaaaaa')];
		const lines = [line(5, 20_000, 'form-1-aaaaaa'), line(5, 20_000, 'form-1-aaaaaa')];
		const { lists } = compare(lines, rows);
		expect(lists.several).toHaveLength(1);
		expect(lists.several[0]).toMatchObject({
			isFine: false,
			note: '2 lines for 1 transaction, ₦20,000.00 more than in the register: was it paid twice, or in parts?',
		});
	});

	it('tells a payment from the charges that name the same reference', () => {
		const rows = [buy(5, 20_000, 'form-1-aaaaaa')];
		const lines = [line(5, 20_000, 'form-1-aaaaaa'), line(5, 26.88, 'NIP CHARGE form-1-aaaaaa')];
		const words = { ...noWords, without: 'charge, VAT' };
		expect(shown(compare(lines, rows, { words }))).toEqual({
			matched: [[[lines[0]!.at], ['form-1-aaaaaa']]],
			other: [[[lines[1]!.at], []]],
		});
		// without the payment, whoever left that word out is shown what names it
		expect(shown(compare([lines[1]!], rows, { words }))).toEqual({
			differs: [[[lines[1]!.at], ['form-1-aaaaaa']]],
		});
	});

	it('says by how much an amount differs', () => {
		const rows = [buy(5, 20_000, 'form-1-aaaaaa')];
		const { lists } = compare([line(5, 19_500, 'form-1-aaaaaa')], rows);
		expect(lists.differs[0]!.note).toBe('₦500.00 less than in the register');
	});

	it('says that money came back', () => {
		const rows = [buy(5, 20_000, 'form-1-aaaaaa')];
		const lines = [
			line(5, 20_000, 'form-1-aaaaaa'),
			line(6, 20_000, 'RVSL form-1-aaaaaa', { way: 'in' }),
		];
		const { lists } = compare(lines, rows);
		expect(lists.differs).toHaveLength(1);
		expect(lists.differs[0]!.note).toBe('money came back; ₦20,000.00 less than in the register');
	});

	it('says of money in that is a reversal that somebody has to look', () => {
		const reversal = line(6, 20_000, 'RVSL NIP VENDOR', { way: 'in' });
		const sale = line(6, 20_000, 'From a customer', { way: 'in' });
		expect(shown(compare([reversal, sale], []))).toEqual({
			cameBack: [[[reversal.at], []]],
			other: [[[sale.at], []]],
		});
	});

	it('gives a line that names one thing to no other, whatever the amount', () => {
		const rows = [
			buy(5, 20_000, 'INV-1001'),
			buy(5, 30_000, 'INV-2002'),
			buy(5, 20_000, 'SELL-9001', { operation: 'sell' }),
		];
		const lines = [
			line(5, 20_000, 'INV-1001'),
			line(5, 30_000, 'INV-1001'),
			line(5, 20_000, 'RVSL INV-1001', { way: 'in' }),
		];
		const found = compare(lines, rows);
		expect(shown(found)).toEqual({
			differs: [[[lines[0]!.at, lines[2]!.at], ['INV-1001']]],
			notSubmitted: [[[lines[1]!.at], []]],
			notPaid: [[[], ['INV-2002']]],
			sold: [[[], ['SELL-9001']]],
		});
		expect(found.lists.notSubmitted[0]!.note).toBe('names INV-1001');
	});

	it('takes the longest name', () => {
		const rows = [buy(5, 20_000, 'INV-1001'), buy(5, 30_000, 'INV-1001-2')];
		const payment = line(5, 20_000, 'for/INV-1001-2/');
		expect(shown(compare([payment], rows))).toEqual({
			differs: [[[payment.at], ['INV-1001-2']]],
			notPaid: [[[], ['INV-1001']]],
		});
	});

	it('does not take a date for a reference', () => {
		const payment = line(17, 500, 'rent 2026-11-17');
		expect(shown(compare([payment], [buy(17, 20_000, '2026-11')]))).toEqual({
			notPaid: [[[], ['2026-11']]],
			notSubmitted: [[[payment.at], []]],
		});
	});

	it('lets no words hide a line that names a transaction', () => {
		const rows = [buy(5, 20_000, 'INV-1001')];
		const payment = line(5, 19_000, 'NIP INV-1001');
		const found = compare([payment], rows, { words: { ...noWords, only: 'vendor, vendr' } });
		expect(shown(found)).toEqual({ differs: [[[payment.at], ['INV-1001']]] });
		expect(found.warnings).toEqual([
			'No line has one of the words under “Only payments”: vendor, vendr.',
		]);
	});

	it('says that a statement is of another month', () => {
		expect(compare([line(1, 5, '', { day: '2026-10-05' })], []).warnings).toEqual([
			'No line of the statement is in this month.',
		]);
	});

	it('counts a payment for another month there, and says so', () => {
		const late = buy(1, 20_000, 'INV-1001', { sentAt: '2026-12-01T10:00:00.000Z' });
		const payment = line(30, 20_000, 'INV-1001');
		const found = compare([payment], [late]);
		expect(shown(found)).toEqual({ elsewhere: [[[payment.at], []]] });
		expect(found.lists.elsewhere[0]!.note).toBe('belongs to INV-1001 of 2026-12-01');
	});

	it('shows what is wrong with a payment for another month, where its line is', () => {
		const inOctober = { sentAt: '2026-10-30T10:00:00.000Z' };
		const names = ['INV-0990', 'INV-0991', 'INV-0992', 'INV-0993'];
		const rows = names.map((name) => buy(1, 20_000, name, inOctober));
		const lines = [
			line(5, 20_000, 'REFUND INV-0990', { way: 'in' }),
			line(1, 20_000, 'INV-0991', { day: '2026-10-30' }),
			line(6, 20_000, 'INV-0991 AGAIN'),
			line(7, 2000, 'INV-0992'),
			line(8, 20_000, 'INV-0993'),
		];
		expect(shown(compare(lines, rows))).toEqual({
			differs: [
				[[lines[0]!.at], []],
				[[lines[3]!.at], []],
			],
			several: [[[lines[2]!.at], []]],
			elsewhere: [[[lines[4]!.at], []]],
			outside: [[[lines[1]!.at], []]],
		});
	});

	it('takes a reversal for no payout of the same amount', () => {
		const reversal = line(18, 50_000, 'RVSL NIP TRANSFER', { way: 'in' });
		const rows = [buy(18, 50_000, 'pay-000001', { operation: 'sell' })];
		expect(shown(compare([reversal], rows))).toEqual({
			cameBack: [[[reversal.at], []]],
			sold: [[[], ['pay-000001']]],
		});
	});

	it('reads no longer name out of words that stand apart', () => {
		const rows = [buy(5, 20_000, 'INV-2026-1'), buy(5, 70_000, 'INV-2026-11')];
		const payment = line(5, 20_000, 'INV-2026-1 1/2');
		expect(shown(compare([payment], rows))).toMatchObject({
			matched: [[[payment.at], ['INV-2026-1']]],
		});
	});

	it('looks for payouts among all that came in, whatever the words for payments', () => {
		const payout = line(5, 50_000, 'NIP FROM SERVICE', { way: 'in' });
		const rows = [buy(5, 50_000, 'pay-000001', { operation: 'sell' })];
		const words = { ...noWords, only: 'ada' };
		expect(shown(compare([payout], rows, { words }))).toEqual({
			matched: [[[payout.at], ['pay-000001']]],
		});
	});

	it('has nothing fine about several of which one is open, or has not arrived', () => {
		const rows = [buy(5, 20_000, 'INV-1001'), buy(5, 20_000, 'INV-1002')];
		const lines = [line(5, 20_000), line(5, 20_000)];
		const isFine = (own: RegisterRow[], more: Partial<Asked> = {}) =>
			compare(lines, own, more).lists.several.map((entry) => entry.isFine);
		expect(isFine(rows)).toEqual([true]);
		expect(isFine([rows[0]!, { ...rows[1]!, outcome: 'unknown' }])).toEqual([false]);
		expect(isFine([rows[0]!, { ...rows[1]!, outcome: 'closed' }])).toEqual([false]);
		expect(isFine(rows, { wallet: statementOf([]) })).toEqual([false]);
	});

	it('takes only payments with the words that the person names', () => {
		const rows = [buy(5, 20_000, 'form-1-aaaaaa'), buy(6, 20_000, 'form-2-bbbbbb')];
		const lines = [
			line(5, 20_000, 'RENT'),
			line(6, 20_000, 'To Vendor One'),
			line(7, 1, 'VENDOR ONE'),
		];
		const words = { ...noWords, only: 'vendor one' };
		expect(shown(compare(lines, rows, { words }))).toEqual({
			matched: [[[lines[1]!.at], ['form-2-bbbbbb']]],
			notPaid: [[[], ['form-1-aaaaaa']]],
			other: [[[lines[0]!.at], []]],
			notSubmitted: [[[lines[2]!.at], []]],
		});
	});

	it('finds the payment of the last evening for the buy of the first morning', () => {
		const evening = line(1, 20_000, '', { day: '2026-10-31' });
		const rows = [buy(1, 20_000, 'form-1-aaaaaa')];
		expect(shown(compare([evening], rows))).toEqual({
			matched: [[[evening.at], ['form-1-aaaaaa']]],
		});
		const early = line(1, 7, '', { day: '2026-10-30' });
		expect(shown(compare([early], rows))).toEqual({
			notPaid: [[[], ['form-1-aaaaaa']]],
			outside: [[[early.at], []]],
		});
	});

	it('counts days by the zone', () => {
		const rows = [buy(1, 20_000, 'form-1-aaaaaa', { sentAt: '2026-10-31T23:30:00.000Z' })];
		expect(shown(compare([], rows))).toHaveProperty('notPaid');
		expect(shown(compare([], rows, { zone: 'UTC' }))).toEqual({});
	});

	it('pays sells out, and finds them among what came in', () => {
		const sell = { operation: 'sell' };
		const rows = [buy(5, 5000, 'pay-000001', sell), buy(5, 6000, 'pay-000002', sell)];
		const lines = [line(6, 5000, '', { way: 'in' }), line(5, 6000)];
		expect(shown(compare(lines, rows))).toEqual({
			matched: [[[lines[0]!.at], ['pay-000001']]],
			sold: [[[], ['pay-000002']]],
			notSubmitted: [[[lines[1]!.at], []]],
		});
	});

	describe('which rows count', () => {
		it('an accepted one, whatever came before and after', () => {
			const reference = 'form-1-aaaaaa';
			const rows = [
				buy(2, 20_000, reference, { outcome: 'unknown' }),
				buy(9, 20_000, reference),
				buy(10, 20_000, reference, { outcome: 'notSent' }),
			];
			// paid when it was first submitted
			const lines = [line(2, 20_000)];
			expect(shown(compare(lines, rows))).toEqual({ matched: [[[lines[0]!.at], [reference]]] });
		});

		it('otherwise the newest', () => {
			const rows = [
				buy(2, 20_000, 'form-1-aaaaaa', { outcome: 'unknown' }),
				buy(3, 20_000, 'form-1-aaaaaa', { outcome: 'closed' }),
				buy(2, 20_000, 'form-2-bbbbbb', { outcome: 'notSent' }),
				buy(4, 20_000, 'form-2-bbbbbb', { outcome: 'Sending ' }),
			];
			expect(shown(compare([], rows))).toEqual({
				closed: [[[], ['form-1-aaaaaa']]],
				open: [[[], ['form-2-bbbbbb']]],
			});
		});

		it('both of what was submitted twice on purpose, and one of what was written down twice', () => {
			const again = [buy(2, 20_000, 'form-1-aaaaaa'), buy(9, 20_000, 'form-1-aaaaaa')];
			expect(shown(compare([], again)).notPaid).toHaveLength(2);
			const twice = again.map((row) => ({ ...row, transaction_id: 'T-1' }));
			expect(shown(compare([], twice)).notPaid).toHaveLength(1);
		});

		it('each by its own address of the service, and by hand without one', () => {
			const at = (service: string | null) => ({ service });
			const rows = [
				buy(2, 20_000, 'form-1-aaaaaa', { ...at('https://one/'), outcome: 'unknown' }),
				buy(2, 20_000, 'form-1-aaaaaa', at('https://two')),
			];
			expect(shown(compare([], rows))).toMatchObject({
				open: [[[], ['form-1-aaaaaa']]],
				notPaid: [[[], ['form-1-aaaaaa']]],
			});
			const byHand = [rows[0]!, buy(3, 20_000, 'form-1-aaaaaa', at(null))];
			expect(shown(compare([], byHand))).toEqual({ notPaid: [[[], ['form-1-aaaaaa']]] });
		});

		it('one of another month only for when it was first submitted', () => {
			const first = buy(1, 20_000, 'form-1-aaaaaa', {
				outcome: 'unknown',
				createdAt: '2026-08-30T10:00:00.000Z',
				sentAt: '',
			});
			const accepted = buy(9, 20_000, 'form-1-aaaaaa');
			const payment = line(9, 20_000, 'form-1-aaaaaa');
			expect(shown(compare([payment], [accepted], { earlier: [first] }))).toEqual({
				elsewhere: [[[payment.at], []]],
			});
			// an old one whose accepted row was not read says nothing
			expect(shown(compare([payment], [], { earlier: [first] }))).toEqual({
				notSubmitted: [[[payment.at], []]],
			});
		});

		it('what was refused at first by the day on which it was paid at last', () => {
			const rows = [
				buy(2, 20_000, 'form-1-aaaaaa', { outcome: 'notSent' }),
				buy(12, 20_000, 'form-1-aaaaaa'),
			];
			const payment = line(12, 20_000);
			expect(shown(compare([payment], rows))).toEqual({
				matched: [[[payment.at], ['form-1-aaaaaa']]],
			});
		});

		it('one without a reference, which somebody has emptied', () => {
			const row = buy(2, 20_000, '');
			expect(shown(compare([], [row]))).toEqual({ notPaid: [[[], [`row ${row.id}`]]] });
		});

		it('no sell that was refused, and every buy that was', () => {
			const refused = { outcome: 'rejected' };
			const rows = [
				buy(2, 20_000, 'form-1-aaaaaa', refused),
				buy(2, 20_000, 'pay-1-aaaaaa', { ...refused, operation: 'sell' }),
			];
			expect(shown(compare([], rows))).toEqual({ open: [[[], ['form-1-aaaaaa']]] });
		});
	});

	describe('what arrived', () => {
		const received = (day: number, naira: number, text = '', more: Partial<Line> = {}) =>
			line(day, naira, text, { way: 'in', ...more });

		it('is found by the transaction id, the reference, or amount and day', () => {
			const rows = [
				buy(5, 20_000, 'form-1-aaaaaa', { transaction_id: 'SBX-000001' }),
				buy(6, 20_000, 'form-2-bbbbbb'),
				buy(20, 30_000, 'form-3-cccccc'),
				buy(25, 40_000, 'form-4-dddddd'),
			];
			const lines = rows.map(({ reference }, index) => line(5 + index, 1, reference));
			const payments = rows.map(({ reference, amount }, index) => ({
				...lines[index]!,
				kobo: amount! * 100,
				text: reference,
			}));
			const wallet = statementOf([
				received(7, 20_000, 'SBX-000001'),
				received(7, 20_000, 'form-2-bbbbbb'),
				received(21, 30_000),
				received(26, 9),
			]);
			const found = compare(payments, rows, { wallet });
			expect(shown(found)).toMatchObject({ notArrived: [[[payments[3]!.at], ['form-4-dddddd']]] });
			expect(found.lists.matched).toHaveLength(3);
			expect(found.wallet).toMatchObject({
				arrived: wallet.lines.slice(0, 3),
				unknown: [wallet.lines[3]],
			});
		});

		it('less than was bought is another amount', () => {
			const rows = [buy(5, 20_000, 'form-1-aaaaaa')];
			const wallet = statementOf([received(5, 19_900, 'form-1-aaaaaa')]);
			const { lists } = compare([line(5, 20_000)], rows, { wallet });
			expect(lists.differs[0]!.note).toBe('₦19,900.00 arrived');
		});

		it('in parts, or for two at once, counts by its sum', () => {
			const rows = [buy(5, 20_000, 'INV-1001'), buy(5, 1, 'INV-1002'), buy(5, 50_000, 'INV-1003')];
			const payments = rows.map(({ reference, amount }) => line(5, amount!, reference));
			const wallet = statementOf([
				received(5, 20_001, 'INV-1001 INV-1002'),
				received(5, 10_000, 'INV-1003'),
				received(6, 10_000, 'INV-1003'),
			]);
			const found = compare(payments, rows, { wallet });
			expect(shown(found)).toEqual({
				matched: [
					[[payments[0]!.at], ['INV-1001']],
					[[payments[1]!.at], ['INV-1002']],
				],
				differs: [[[payments[2]!.at], ['INV-1003']]],
			});
			expect(found.lists.differs[0]!.note).toBe('₦20,000.00 arrived');
			expect(found.missing).toBe(3_000_000);
		});

		it('for a buy of which nobody knows is beside it, and goes to no other', () => {
			const rows = [buy(5, 20_000, 'INV-1001'), buy(5, 20_000, 'INV-1002', { outcome: 'unknown' })];
			const payments = rows.map(({ reference, amount }) => line(5, amount!, reference));
			const found = compare(payments, rows, {
				wallet: statementOf([received(5, 20_000, 'INV-1002')]),
			});
			expect(shown(found)).toEqual({
				notArrived: [[[payments[0]!.at], ['INV-1001']]],
				open: [[[payments[1]!.at], ['INV-1002']]],
			});
			expect(found.lists.open[0]!.transactions[0]!.arrival!.is).toBe('yes');
		});

		it('is found about the day it was sent, however late somebody settled it', () => {
			const row = buy(3, 50_000, 'INV-1001', { answeredAt: '2026-11-10T10:00:00.000Z' });
			const wallet = statementOf([received(3, 50_000)]);
			expect(compare([line(3, 50_000)], [row], { wallet }).lists.matched).toHaveLength(1);
		});

		it('more often than it was bought has to be seen to', () => {
			const rows = [buy(3, 50_000, 'INV-1001'), buy(3, 50_000, 'INV-1002')];
			const wallet = statementOf([received(3, 50_000), received(3, 50_000), received(3, 50_000)]);
			const found = compare([], rows, { wallet });
			expect(found.wallet!.tooMuch).toEqual(wallet.lines);
			expect(drawn(found).page).toContain('5 things to see to');
		});

		it('for what was closed is something to see to', () => {
			const rows = [buy(3, 50_000, 'INV-1001', { outcome: 'closed' })];
			const wallet = statementOf([received(3, 50_000, 'INV-1001')]);
			for (const payments of [[line(3, 50_000)], []]) {
				const { lists } = compare(payments, rows, { wallet });
				expect(lists.differs[0]!.note).toBe('closed, and it has arrived');
			}
		});

		it('is of the token that was named, and of this month', () => {
			const rows = [buy(3, 50_000, 'INV-1001')];
			const other = received(3, 20, 'XLM INV-1001');
			const words = { ...noWords, wallet: 'cNGN' };
			const found = compare([line(3, 50_000)], rows, { wallet: statementOf([other]), words });
			expect(shown(found)).toHaveProperty('notArrived');
			expect(found.wallet!.other).toEqual([other]);
			const late = statementOf([received(1, 5, '', { day: '2026-12-20' })]);
			expect(compare([line(3, 50_000)], rows, { wallet: late }).warnings).toEqual([
				'No line of the wallet’s list is in this month.',
			]);
		});

		it('days before it was accepted is for something else', () => {
			const wallet = statementOf([received(3, 20_000)]);
			const found = compare([], [buy(5, 20_000, 'INV-1001')], { wallet });
			expect(found.missing).toBe(2_000_000);
			expect(found.wallet!.unknown).toEqual(wallet.lines);
		});

		it('for a buy of another month is listed as that', () => {
			const earlier = buy(1, 20_000, 'INV-1001', {
				sentAt: '2026-10-31T10:00:00.000Z',
				answeredAt: '',
			});
			const wallet = statementOf([received(1, 20_000)]);
			expect(compare([], [earlier], { wallet }).wallet!.elsewhere).toEqual(wallet.lines);
		});

		it('once for two buys is missing for both, because nobody can say for which', () => {
			const rows = [buy(5, 20_000, 'form-1-aaaaaa'), buy(6, 20_000, 'form-2-bbbbbb')];
			const payments = [line(5, 20_000, 'form-1-aaaaaa'), line(6, 20_000, 'form-2-bbbbbb')];
			const { lists, missing } = compare(payments, rows, {
				wallet: statementOf([received(7, 20_000)]),
			});
			expect(lists.notArrived).toHaveLength(2);
			expect(missing).toBe(2_000_000);
		});
	});
});

const references = ['form-1-aaaaaa', 'form-2-bbbbbb', 'pay-33-cccccc', 'x'];
const day = fc
	.integer({ min: 28, max: 36 })
	.map((number) => new Date(Date.UTC(2026, 9, number)).toISOString().slice(0, 10));
const naira = fc.constantFrom(20_000, 20_000, 30_000, 26.88);
const text = fc.constantFrom(
	'',
	'',
	'NIP',
	'rent',
	...references,
	`${references[0]} ${references[1]}`,
);
const lines = fc
	.array(fc.record({ day, naira, text, way: fc.constantFrom<Line['way']>('out', 'out', 'in') }), {
		maxLength: 9,
	})
	.map((all) =>
		all.map(({ naira: amount, ...one }, index): Line => ({
			...one,
			at: index + 2,
			kobo: Math.round(amount * 100),
		})),
	);
const outcome = fc.constantFrom('accepted', 'accepted', 'accepted', 'unknown', 'notSent', 'closed');
const rows = fc
	.array(
		fc.record({
			day,
			amount: fc.oneof(
				{ arbitrary: naira, weight: 9 },
				{ arbitrary: fc.constant(null), weight: 1 },
			),
			reference: fc.constantFrom(...references),
			outcome,
			operation: fc.constantFrom('buy', 'buy', 'buy', 'sell'),
		}),
		{ maxLength: 9 },
	)
	.map((all) =>
		all.map(({ day: on, ...row }, index): RegisterRow => ({
			...row,
			id: index + 1,
			transaction_id: row.outcome === 'accepted' ? `T-00000${index}` : null,
			createdAt: `${on}T12:00:00.000Z`,
		})),
	);
const words = fc.record({
	only: fc.constantFrom('', '', 'nip'),
	without: fc.constantFrom('', 'rent'),
	wallet: fc.constant(''),
});
const asked = fc
	.record({ lines, rows, words, wallet: fc.option(lines) })
	.map(({ lines: all, rows: own, words: some, wallet }): Asked => ({
		month,
		zone,
		statement: statementOf(all),
		wallet: wallet ? statementOf(wallet) : undefined,
		rows: own,
		earlier: [],
		words: some,
	}));

const entriesOf = ({ lists }: Month): Array<Entry & { list: string }> =>
	Object.entries(lists).flatMap(([list, entries]) => entries.map((one) => ({ ...one, list })));
const sorted = (numbers: number[]) => numbers.toSorted((one, other) => one - other);

/** By the rule of the register, told once more and otherwise. */
const counting = (own: RegisterRow[]) =>
	own.filter((row) => {
		const others = own.filter(
			(one) => one.reference === row.reference && one.operation === row.operation,
		);
		if (row.outcome === 'accepted') return true;
		if (others.some((one) => one.outcome === 'accepted')) return false;
		const inDoubt = others.some(
			(one) => one.outcome === 'unknown' && one.id < row.id && one.sentAt !== row.sentAt,
		);
		const isRefusedSell = row.operation === 'sell' && row.outcome === 'notSent' && !inDoubt;
		return others.at(-1) === row && !isRefusedSell;
	});

describe('whatever is in the files and in the register', () => {
	it('each line and each row that counts is in exactly one list, and the sums are those of the files', () => {
		fc.assert(
			fc.property(asked, (question) => {
				const answer = match(question);
				const entries = entriesOf(answer);
				const all = entries.flatMap((one) => one.lines);
				expect(sorted(all.map(({ at }) => at))).toEqual(
					question.statement.lines.map(({ at }) => at),
				);
				const ids = sorted(entries.flatMap((one) => one.transactions).map(({ id }) => id));
				expect(new Set(ids).size).toBe(ids.length);
				const should = new Set(counting(question.rows).map(({ id }) => id));
				expect(ids.filter((id) => !should.has(id))).toEqual([]);
				// those that are in no list have nothing to do with this month
				const inMonth = (id: number) => {
					const { reference, operation } = question.rows[id - 1]!;
					return question.rows
						.filter((one) => one.reference === reference && one.operation === operation)
						.every(({ createdAt }) => createdAt.startsWith(month));
				};
				expect([...should].filter((id) => inMonth(id) && !ids.includes(id))).toEqual([]);
				if (question.wallet) {
					const arrived = Object.values(answer.wallet!).flat();
					expect(sorted(arrived.map(({ at }) => at))).toEqual(
						question.wallet.lines.map(({ at }) => at),
					);
				}
			}),
			{ numRuns: times(300) },
		);
	});

	it('the order of lines and rows changes nothing', () => {
		fc.assert(
			fc.property(
				asked.chain((question) =>
					fc.record({
						question: fc.constant(question),
						lines: fc.shuffledSubarray(question.statement.lines, {
							minLength: question.statement.lines.length,
						}),
						rows: fc.shuffledSubarray(question.rows, { minLength: question.rows.length }),
					}),
				),
				({ question, lines: shuffled, rows: others }) => {
					expect(match({ ...question, statement: statementOf(shuffled), rows: others })).toEqual(
						match(question),
					);
				},
			),
			{ numRuns: times(200) },
		);
	});

	it('what is matched is one line and one transaction of the same amount, by name or within three days', () => {
		fc.assert(
			fc.property(asked, (question) => {
				for (const entry of match(question).lists.matched) {
					const [one] = entry.lines;
					const [other] = entry.transactions;
					expect([entry.lines.length, entry.transactions.length]).toEqual([1, 1]);
					expect(one!.kobo).toBe(Math.round(other!.amount! * 100));
					expect(one!.way).toBe(other!.operation === 'sell' ? 'in' : 'out');
					const days = other!.days.map((day) => Math.abs(Date.parse(one!.day) - Date.parse(day)));
					const isNear = Math.min(...days) <= 3 * 86_400_000;
					expect(isNear || one!.text.includes(other!.reference)).toBe(true);
				}
			}),
			{ numRuns: times(200) },
		);
	});

	it('nothing is left over that would fit, and nothing was chosen among several', () => {
		fc.assert(
			fc.property(asked, (question) => {
				const { lists } = match(question);
				const leftLines = lists.notSubmitted
					.filter(({ note }) => !note.startsWith('names'))
					.flatMap((entry) => entry.lines);
				const leftOnes = [...lists.notPaid, ...lists.open, ...lists.closed]
					.filter((entry) => entry.lines.length === 0)
					.flatMap((entry) => entry.transactions)
					.filter(({ operation }) => operation === 'buy');
				const near = (one: { day: string }, other: { day: string }, days: number) =>
					Math.abs(Date.parse(one.day) - Date.parse(other.day)) <= days * 86_400_000;
				for (const one of leftLines) {
					for (const other of leftOnes) {
						expect(one.kobo === other.kobo && near(one, other, 3)).toBe(false);
					}
				}
				for (const { lines: own, transactions: ones, how } of Object.values(lists).flat()) {
					const [[paid], [done]] = [own, ones];
					const isChosen = own.length === 1 && ones.length === 1 && how !== 'its reference';
					if (!isChosen || done!.operation !== 'buy') continue;
					const days = how === 'amount and day' ? 0 : 3;
					const rivals = [
						...leftLines.filter((one) => one.kobo === paid!.kobo && near(one, done!, days)),
						...leftOnes.filter((one) => one.kobo === done!.kobo && near(one, paid!, days)),
					];
					expect(rivals).toEqual([]);
				}
			}),
			{ numRuns: times(300) },
		);
	});

	it('what is open is what the desk lists', () => {
		const outcomes = ['accepted', 'closed', 'notSent', 'rejected', 'sending', 'unknown'];
		const ofOneMonth = fc
			.array(
				fc.record({
					reference: fc.constantFrom('buy-1', 'buy-2', 'sell-1', 'sell-2'),
					outcome: fc.constantFrom(...outcomes),
				}),
			)
			.map((all) =>
				all.map(({ reference, outcome: said }, index) =>
					buy(9, 20_000, reference, {
						id: index + 1,
						operation: reference.split('-')[0]!,
						outcome: said,
					}),
				),
			);
		fc.assert(
			fc.property(ofOneMonth, (own) => {
				const open = entriesOf(compare([], own))
					.flatMap((one) => one.transactions)
					.filter(({ state }) => state === 'open')
					.map(({ reference }) => reference);
				expect(open.toSorted()).toEqual(openIn(own, Date.parse(`${month}-30`)).toSorted());
			}),
		);
	});

	it('the page and the file have all of it, and the sums add up', () => {
		fc.assert(
			fc.property(asked, (question) => {
				const answer = match(question);
				const { csv } = drawn(answer);
				const records = readCsv(csv);
				const sum = (column: string) =>
					records.reduce(
						(total, record) => total + Math.round(Number(record[column] ?? 0) * 100),
						0,
					);
				const isOwn = (one: { day: string }) => one.day.startsWith(month);
				const all = question.statement.lines.filter(isOwn);
				const total = (way: Line['way']) =>
					all.filter((one) => one.way === way).reduce((so, { kobo }) => so + kobo, 0);
				expect([sum('paid'), sum('came in')]).toEqual([total('out'), total('in')]);
				const bought = entriesOf(answer)
					.flatMap((one) => one.transactions)
					.filter((one) => one.operation === 'buy' && isOwn(one))
					.reduce((so, { kobo }) => so + (kobo ?? 0), 0);
				expect(sum('bought')).toBe(bought);
			}),
			{ numRuns: times(50) },
		);
	});
});

describe('two months', () => {
	const both = ['2026-10', '2026-11'];

	/** The last line of the sums on the page, by the names of their columns. */
	function sumsOn(page: string): Record<string, number> {
		const [, table = ''] = /<table class="sums">([^]*?)<\/table>/.exec(page)!;
		const labels = [...table.matchAll(/<th class="n">([^<]+)</g)].map(([, label]) => label!);
		const [, cells = ''] = /All, each once<\/th>(.*?)<\/tr>/.exec(table)!;
		const values = [...cells.matchAll(/<td class="n">([^<]*)</g)].map(([, value]) => value!);
		return Object.fromEntries(
			labels.map((label, index) => [label, Number(values[index]!.replaceAll(',', ''))]),
		);
	}

	const pagesOf = (question: Asked) =>
		both.map((one) => draw(match({ ...question, month: one }), { ...told, month: one }));

	it('count what fits across their border once, each its own', () => {
		const on = (day: string, more = {}) => ({ sentAt: `${day}T12:00:00Z`, ...more });
		const rows = [
			buy(1, 77_000, 'CROSS-OCT', on('2026-10-31')),
			buy(1, 77_000, 'CROSS-NOV', on('2026-11-01')),
		];
		const lines = [line(1, 77_000, '', { day: '2026-10-30' }), line(2, 77_000)];
		const wallet = statementOf([line(3, 77_000, '', { way: 'in' })]);
		const question = {
			month,
			zone,
			statement: statementOf(lines),
			wallet,
			rows,
			earlier: [],
			words: noWords,
		};
		for (const { page } of pagesOf(question)) {
			expect(sumsOn(page)).toEqual({
				lines: 1,
				'out, ₦': 77_000,
				transactions: 1,
				'bought, ₦': 77_000,
			});
			for (const { reference } of rows) expect(page).toContain(reference);
			expect(page).toContain('of another month, in no sum');
		}
		const missing = both.map((one) => match({ ...question, month: one }).missing);
		expect(missing).toEqual([7_700_000, 0]);
	});

	it('count each line and each transaction in the sums of exactly one of them', () => {
		fc.assert(
			fc.property(asked, (question) => {
				const pages = pagesOf(question);
				const sums = pages.map(({ page }) => sumsOn(page));
				const inBoth = (label: string) => sums.reduce((so, one) => so + (one[label] ?? 0), 0);
				const { lines: all } = question.statement;
				const kobo = (naira: number) => Math.round(naira * 100);
				const paid = (way: Line['way']) =>
					all.filter((one) => one.way === way).reduce((so, one) => so + one.kobo, 0);
				const own = counting(question.rows);
				const done = (operation: string) =>
					own.reduce(
						(so, one) => so + (one.operation === operation ? kobo(one.amount ?? 0) : 0),
						0,
					);
				expect({
					lines: inBoth('lines'),
					out: kobo(inBoth('out, ₦')),
					in: kobo(inBoth('in, ₦')),
					transactions: inBoth('transactions'),
					bought: kobo(inBoth('bought, ₦')),
					sold: kobo(inBoth('sold, ₦')),
				}).toEqual({
					lines: all.length,
					out: paid('out'),
					in: paid('in'),
					transactions: own.length,
					bought: done('buy'),
					sold: done('sell'),
				});
				const records = pages.flatMap(({ csv }) => readCsv(csv));
				const inFiles = (column: string) =>
					records.reduce((so, one) => so + kobo(Number(one[column] ?? 0)), 0);
				expect([inFiles('paid'), inFiles('came in'), inFiles('bought'), inFiles('sold')]).toEqual([
					paid('out'),
					paid('in'),
					done('buy'),
					done('sell'),
				]);
				if (!question.wallet) return;
				const received = question.wallet.lines.filter(({ way }) => way === 'in');
				expect(inFiles('arrived')).toBe(received.reduce((so, one) => so + one.kobo, 0));
			}),
			{ numRuns: times(200) },
		);
	});
});

const told = {
	month,
	title: 'November 2026',
	zone,
	register: 'Money register',
	files: ['statement.csv'],
	made: 'today',
	notes: [],
	chosen: [],
};
const drawn = (answer: Month) => draw(answer, told);

function readCsv(csv: string): Array<Record<string, string>> {
	const { lines } = tableOf(Buffer.from(csv));
	const [names, ...records] = lines.map(({ cells }) => cells);
	return records.map((cells) =>
		Object.fromEntries(names!.map((name, index) => [name, cells[index] ?? ''])),
	);
}

describe('the page and the file', () => {
	const rows = [
		buy(5, 20_000, '0012345', {
			account_number: '0123456789',
			account_name: '=HYPERLINK("x")',
			vendor_number: '0011223344',
			transaction_id: '1e5',
		}),
	];
	const answer = compare([line(5, 20_000, '<script>alert(1)</script> & "more"')], rows);

	it('has no script and nothing from elsewhere, whatever a bank writes', () => {
		const { page } = drawn(answer);
		expect(page).not.toMatch(/<script|https?:|<img|@import|url\(/i);
		expect(page).toContain('&#60;script&#62;alert(1)');
	});

	it('has amounts as numbers, and what must stay as it is as texts', () => {
		const [record] = readCsv(drawn(answer).csv);
		expect(record).toMatchObject({
			paid: '20000.00',
			bought: '20000.00',
			reference: '="0012345"',
			'transaction id': '="1e5"',
			'account number': '="0123456789"',
			'vendor number': '="0011223344"',
			'account name': '\'=HYPERLINK("x")',
		});
	});

	it.each(['3-MAR-26', '17 Nov 2026', '1.5e3', '(123)', 'TRUE', 'MAR-12', '00123', '12/11'])(
		'keeps %s as it is written',
		(reference) => {
			const [record] = readCsv(drawn(compare([], [buy(5, 20_000, reference)])).csv);
			expect(record!.reference).toBe(`="${reference}"`);
		},
	);

	it.each(['MAYFAIR-001', 'form-1-aaaaaa', 'order 17'])('leaves %s alone', (reference) => {
		const [record] = readCsv(drawn(compare([], [buy(5, 20_000, reference)])).csv);
		expect(record!.reference).toBe(reference);
	});

	it('says what was chosen, for whoever finds it in a file', () => {
		const { page } = draw(answer, { ...told, chosen: ['Statement: date: A: Date'] });
		expect(page).toContain('Statement: date: A: Date.');
	});

	it('says what is known of one that is open in whole words, and leaves the steps to the desk', () => {
		const known = `The service answered 500. ${'It said a lot. '.repeat(30)}`;
		const message = (said: string) =>
			`${said}\n1. Look for it on the dashboard at or after 21:00 UTC.`;
		const open = (said: string) =>
			drawn(compare([], [buy(5, 20_000, 'a', { outcome: 'unknown', message: message(said) })]))
				.page;
		expect(open('The service answered 500.')).toContain(' The service answered 500.<');
		expect(open(known)).toContain('It said a lot. It said a lot. …<');
		expect(open(known)).not.toContain('21:00');
	});

	it('says that accepted is not yet arrived, unless there is a wallet’s list', () => {
		expect(drawn(answer).page).toContain('Accepted is not yet arrived');
		const { page } = drawn(compare([], rows, { wallet: statementOf([]) }));
		expect(page).toContain('too little arrived ₦20,000.00;');
	});

	it('draws each day of the month', () => {
		const { page } = drawn(answer);
		const [, path = ''] = /<path class="paid" d="M([^"]*)"/.exec(page)!;
		expect(path.split('L')).toHaveLength(30);
	});

	it('has a sum for each list that somebody has to see to, and for each other that has something in it', () => {
		const sums = drawn(answer).page.match(/(?<=<tr[^>]*><th>)[^<]+(?=<\/th><td)/g);
		expect(sums).toEqual([
			'Paid and not submitted',
			'Submitted and not paid',
			'Amount differs',
			'Several fit',
			'Accepted and not arrived',
			'Open on the desk',
			'Came back',
			'Could not be read',
			'Matched',
			'All, each once',
		]);
	});
});
