import fc from 'fast-check';

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
	type ListName,
	type Month,
	type RegisterRow,
} from '../../support/month.mts';

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
	match({ month, zone, statement: statementOf(lines), rows, words: noWords, ...more });

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
			fc.property(fc.date({ min: new Date('2001-01-01'), max: new Date('2098-01-01') }), (date) => {
				const iso = date.toISOString().slice(0, 10);
				const [year = '', number = '', day = ''] = iso.split('-');
				const written = [
					`${day}/${number}/${year}`,
					`${Number(day)}-${Number(number)}-${year.slice(2)}`,
					`${day}-${names[Number(number) - 1]}-${year}`,
					iso,
				];
				expect(written.map((text) => dayOf(text, zone))).toEqual(written.map(() => iso));
			}),
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
	])('lists what it cannot read: %j', (rows, why) => {
		expect(read(rows).unread).toEqual([expect.objectContaining({ at: 2, why })]);
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
		expect(read('01/11/2026,5,,x', own as typeof columns).assumed).toBe('out');
		expect(read('01/11/2026,-5,,x', own as typeof columns).assumed).toBeUndefined();
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
		['%PDF-1.7', 'is not a CSV file'],
		['Date,Amount\n01/11/2026,"5', 'a quotation mark in line 2 that is never closed'],
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
		expect(lists.several.map(({ isEven, note }) => [isEven, note])).toEqual([
			[
				true,
				'2 lines for 2 transactions, the same sum: nothing is missing, but which belongs to which cannot be told',
			],
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
			isEven: false,
			note: '2 lines for 1 transaction, ₦20,000.00 more than was submitted: which belongs to which cannot be told',
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
		// without the payment, its charge is no payment of another amount
		expect(shown(compare([lines[1]!], rows, { words }))).toEqual({
			notPaid: [[[], ['form-1-aaaaaa']]],
			other: [[[lines[1]!.at], []]],
		});
	});

	it('says by how much an amount differs', () => {
		const rows = [buy(5, 20_000, 'form-1-aaaaaa')];
		const { lists } = compare([line(5, 19_500, 'form-1-aaaaaa')], rows);
		expect(lists.differs[0]!.note).toBe('₦500.00 less than was submitted');
	});

	it('says that money came back', () => {
		const rows = [buy(5, 20_000, 'form-1-aaaaaa')];
		const lines = [
			line(5, 20_000, 'form-1-aaaaaa'),
			line(6, 20_000, 'RVSL form-1-aaaaaa', { way: 'in' }),
		];
		const { lists } = compare(lines, rows);
		expect(lists.differs).toHaveLength(1);
		expect(lists.differs[0]!.note).toBe('money came back; ₦20,000.00 less than was submitted');
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
		const received = (day: number, naira: number, text = '') =>
			line(day, naira, text, { way: 'in' });

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

		it('once for two buys is missing for both, because nobody can say for which', () => {
			const rows = [buy(5, 20_000, 'form-1-aaaaaa'), buy(6, 20_000, 'form-2-bbbbbb')];
			const payments = [line(5, 20_000, 'form-1-aaaaaa'), line(6, 20_000, 'form-2-bbbbbb')];
			const { lists } = compare(payments, rows, { wallet: statementOf([received(7, 20_000)]) });
			expect(lists.notArrived).toHaveLength(2);
		});
	});
});

describe('whatever is in the files and in the register', () => {
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
	const outcome = fc.constantFrom(
		'accepted',
		'accepted',
		'accepted',
		'unknown',
		'notSent',
		'closed',
	);
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
			const isRefusedSell = row.operation === 'sell' && row.outcome === 'notSent';
			return others.at(-1) === row && !isRefusedSell;
		});

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
			{ numRuns: 300 },
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
			{ numRuns: 200 },
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
					const days = Math.abs(Date.parse(one!.day) - Date.parse(other!.day)) / 86_400_000;
					expect(days <= 3 || one!.text.includes(other!.reference)).toBe(true);
				}
			}),
			{ numRuns: 200 },
		);
	});

	it('nothing is left over that would fit, and nothing was chosen among several', () => {
		fc.assert(
			fc.property(asked, (question) => {
				const { lists } = match(question);
				const leftLines = lists.notSubmitted.flatMap((entry) => entry.lines);
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
			{ numRuns: 300 },
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
				const { lines: all } = question.statement;
				const total = (way: Line['way']) =>
					all.filter((one) => one.way === way).reduce((so, { kobo }) => so + kobo, 0);
				expect([sum('paid'), sum('came in')]).toEqual([total('out'), total('in')]);
				const bought = entriesOf(answer)
					.flatMap((one) => one.transactions)
					.filter(({ operation }) => operation === 'buy')
					.reduce((so, { kobo }) => so + (kobo ?? 0), 0);
				expect(sum('bought')).toBe(bought);
			}),
			{ numRuns: 50 },
		);
	});
});

const drawn = (answer: Month) =>
	draw(answer, {
		month,
		title: 'November 2026',
		zone,
		register: 'Money register',
		files: ['statement.csv'],
		made: 'today',
		notes: [],
	});

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

	it('says that accepted is not yet arrived, unless there is a wallet’s list', () => {
		expect(drawn(answer).page).toContain('Accepted is not yet arrived');
		const { page } = drawn(compare([], rows, { wallet: statementOf([]) }));
		expect(page).toContain('Accepted and not arrived, in all lists: 1, ₦20,000.00.');
	});

	it('draws each day of the month', () => {
		const { page } = drawn(answer);
		const [, path = ''] = /<path class="paid" d="M([^"]*)"/.exec(page)!;
		expect(path.split('L')).toHaveLength(30);
	});

	it('has a title and a sum for each list', () => {
		const names = Object.keys(answer.lists) as ListName[];
		const { page } = drawn(answer);
		expect(page.match(/<tr[^>]*><th>[^<]+<\/th><td/g)).toHaveLength(names.length + 1);
	});
});
