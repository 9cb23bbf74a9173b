import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';

import { withSomethingUnseen } from '../../../nodes/StablecoinRamp/submit/memory/register.ts';
import { notSentAgain } from '../../../nodes/StablecoinRamp/submit/notSent.ts';
import { jsonOf } from '../../../nodes/StablecoinRamp/submit/output.ts';
import { timeInWords } from '../../../nodes/StablecoinRamp/submit/steps.ts';
import {
	casesOf,
	desk,
	hindranceTo,
	messageOf,
	saidAfterSending,
	sentAgainBy,
	uploadedBy,
	watch,
	type Case,
	type Person,
} from '../../support/desk.mts';
import { wayThroughTheDesk } from '../../support/deskWay.mts';
import { evaluated } from '../../support/examples.mts';
import type { Row } from '../../support/n8n/dataTables.mts';
import { openIn } from '../../support/n8n/book.mts';
import { match } from '../../support/month.mts';
import { times } from '../../support/quick.mts';

const now = Date.parse('2026-11-17T21:00:00.000Z');
const long = '2026-11-17T18:00:00.000Z';

let made = 0;
const row = (more: Row = {}): Row => ({
	id: (made += 1),
	reference: `INV-${made}`,
	operation: 'buy',
	outcome: 'unknown',
	amount: 20_000,
	sentAt: long,
	createdAt: long,
	...more,
});
const listed = (...rows: Row[]) => casesOf(rows, now);

describe('what is open', () => {
	it.each([
		[{ outcome: 'acepted' }, 'Its outcome says “acepted”, which is none of accepted, closed,'],
		[{ outcome: '' }, 'Its outcome is empty, which is none of'],
		[{ outcome: null }, 'Its outcome is empty, which is none of'],
		[{ outcome: 'refunded' }, 'Its outcome says “refunded”'],
		[{ outcome: 'not sent', operation: 'sell' }, 'Its outcome says “not sent”'],
		[{ outcome: 'sending', sentAt: '' }, 'Its sentAt is empty, which is no time'],
		[{ outcome: 'sending', sentAt: null }, 'Its sentAt is empty, which is no time'],
		[{ outcome: 'sending', sentAt: '17/11/2026 18:00' }, 'Its sentAt says “17/11/2026 18:00”'],
		[{ outcome: 'sending', sentAt: '2062-11-17T18:00:00Z' }, 'which is still to come'],
		[{ sentAt: '17/11/2026 18:00' }, 'Its sentAt says “17/11/2026 18:00”'],
		[{ reference: '' }, 'Its reference is empty'],
		[{ reference: ' ' }, 'Its reference is empty'],
		[{ reference: null }, 'Its reference is empty'],
		[{ operation: null }, 'Its operation is empty, which is neither buy nor sell'],
	])('has what nobody can read, and says what to correct: %j', (odd, words) => {
		const own = row(odd);
		const [found] = listed(own);
		expect(found).toMatchObject({ id: own.id, wrong: expect.stringContaining(words) as string });
		expect(found!.wrong).toContain('Correct it in the data table');
		expect(found!.standing).toMatch(/since 18:00 UTC on 17 Nov$/);
		expect(found!.name).toBe(String(own.reference ?? '').trim() || `row ${String(own.id)}`);
	});

	it('has nothing that is settled or may be on its way', () => {
		const young = new Date(now - 24 * 60_000).toISOString();
		expect(
			listed(
				row({ outcome: 'accepted' }),
				row({ outcome: ' Closed' }),
				row({ outcome: 'rejected', operation: 'Sell' }),
				row({ outcome: 'sending', sentAt: young }),
			),
		).toEqual([]);
	});

	it('has a sell that was refused if an attempt before it may have been paid', () => {
		const reference = 'SELL-twice';
		const later = new Date(now - 60 * 60_000).toISOString();
		const refused = { operation: 'sell', outcome: 'rejected', sentAt: later };
		for (const outcome of ['unknown', 'Sending ', 'acepted', null]) {
			const before = row({ reference, operation: 'sell', outcome });
			const after = row({ reference, ...refused });
			const [found, ...others] = listed(before, after);
			expect(found).toMatchObject({ id: after.id, isDoubtful: true });
			expect(found!.standing).toMatch(/, after an attempt whose outcome nobody knows$/);
			expect(others).toEqual([]);
			expect(listed(before, after, row({ reference, ...refused, outcome: 'closed' }))).toEqual([]);
			// Of the same attempt: n8n was killed before the row that said `sending` was deleted.
			expect(listed({ ...before, sentAt: later }, after)).toEqual([]);
		}
		// Of another service, or later, or known.
		const unknown = { reference, operation: 'sell', outcome: 'unknown' };
		const service = 'https://one.example';
		const other = row({ ...unknown, service: 'https://two.example' });
		expect(listed(other, row({ reference, ...refused, service })).map(({ id }) => id)).toEqual([
			other.id,
		]);
		expect(listed(row({ reference, ...refused }), row({ ...unknown }))).toHaveLength(1);
		expect(listed(row({ ...unknown, outcome: 'notSent' }), row({ reference, ...refused }))).toEqual(
			[],
		);
	});

	it('tells a buy that was refused after an attempt that may have moved from one that was not', () => {
		const reference = 'INV-twice';
		const later = new Date(now - 60 * 60_000).toISOString();
		const [refused] = listed(row({ reference, outcome: 'rejected', sentAt: later }));
		expect(refused).toMatchObject({ isDoubtful: false, lookFrom: 0 });
		const [doubtful] = listed(
			row({ reference }),
			row({ reference, outcome: 'rejected', sentAt: later }),
		);
		expect(doubtful).toMatchObject({ isDoubtful: true });
		expect(doubtful!.lookFrom).toBeGreaterThan(Date.parse(later));
	});

	it('finds nothing wrong with what the node writes', () => {
		const refused = row({ outcome: 'notSent', sentAt: null });
		const all = listed(row(), row({ outcome: 'sending' }), refused);
		expect(all.map(({ wrong }) => wrong)).toEqual(['', '', '']);
	});

	it('knows a reference by a row that has a space before or behind it', () => {
		const open = row();
		const byHand = row({ reference: ` ${String(open.reference)} `, outcome: 'accepted' });
		expect(listed(open, byHand)).toEqual([]);
		expect(listed({ ...open, reference: `${String(open.reference)} ` })).toEqual([
			expect.objectContaining({ reference: open.reference }),
		]);
	});

	it('loses nothing to a row without a service that another service has settled', () => {
		const reference = 'INV-shared';
		const own = row({ reference, service: 'https://one.example' });
		const byHand = row({ reference });
		const other = row({ reference, service: 'https://two.example', outcome: 'accepted' });
		expect(listed(own, byHand, other).map(({ id }) => id)).toEqual([own.id]);
	});

	it('is the same for the desk, the watch and the month, whatever is in the rows', () => {
		expect(watch.declarationsIn('Cases')).toBe(desk.declarationsIn('Cases'));
		const typed = [' INV-1001', 'INV-1001 ', 'INV-1001\n', '\tINV-1001', 'ＩＮＶ-1001\u00a0'];
		const references = ['INV-1001', ...typed, 'INV-1002', '', ' ', null];
		const outcomes = ['accepted', 'Accepted ', 'acepted', '', null, 'refunded', 'not sent'];
		const known = ['notSent', 'rejected', 'unknown', 'sending', 'closed'];
		const rows = fc
			.array(
				fc.record({
					reference: fc.constantFrom(...references),
					outcome: fc.constantFrom(...outcomes, ...known),
					sentAt: fc.constantFrom(long, '', null, '17/11/2026 18:00'),
				}),
				{ maxLength: 12 },
			)
			.chain((all) =>
				fc
					.constantFrom('buy', 'sell')
					.map((operation) => all.map((one, index) => row({ ...one, operation, id: index + 1 }))),
			);
		fc.assert(
			fc.property(rows, (own) => {
				const names = casesOf(own, now).map(({ name }) => name);
				expect(names.toSorted()).toEqual(openIn(own, now).toSorted());
				const { lists } = match({
					month: '2026-11',
					zone: 'UTC',
					statement: { lines: [], empty: [], unread: [] },
					rows: own as never,
					earlier: [],
					words: { only: '', without: '', wallet: '' },
				});
				const open = lists.open.flatMap(({ transactions }) => transactions);
				expect(open.map(({ reference }) => reference).toSorted()).toEqual(names.toSorted());
			}),
			{ numRuns: times(300) },
		);
	});

	it('is found among thousands in a time that grows with them, and not with their square', () => {
		// Processor time of this process: other processes add nothing to it.
		const took = (count: number) => {
			const many = Array.from({ length: count }, () => row());
			const begun = process.cpuUsage();
			expect(casesOf(many, now)).toHaveLength(count);
			const { user, system } = process.cpuUsage(begun);
			return user + system;
		};
		const best = (count: number) => Math.min(took(count), took(count), took(count));
		// First, so that no part of the others' time is spent on compiling.
		const many = best(3000);
		// Ten times as many: of what grows with their square, a hundred times as much.
		expect(many / best(300)).toBeLessThan(30);
	});
});

/** Whatever JavaScript takes off the ends of a text. */
const unseen = [
	...'\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff\u200b',
];
/** Those that come with what is pasted from a sheet or a page. */
const pasted = [...'\t\n\r \u00a0\u200b\ufeff\u200e', '\r\n'];

describe('a reference that was pasted', () => {
	it.each(unseen.flatMap((one) => [`${one}INV-7`, `INV-7${one}`, `${one}INV-7${one}${one}`]))(
		'is on the desk: %j',
		(reference) => {
			const way = wayThroughTheDesk([row({ reference, outcome: 'notSent' })]);
			expect(way.listed).toEqual(['INV-7']);
		},
	);

	it('is one with the same reference, typed otherwise', () => {
		for (const reference of [...pasted.flatMap((one) => [`${one}É-7`, `É-7${one}`]), 'E\u0301-7']) {
			const settled = row({ id: 2, reference, outcome: 'accepted', transaction_id: 'TX-7' });
			for (const own of ['É-7', 'É-7\t', 'Ｅ\u0301-7']) {
				const rows = [row({ id: 1, reference: own, outcome: 'rejected' })];
				expect(wayThroughTheDesk([...rows, settled]).listed).toEqual([]);
				const way = wayThroughTheDesk(rows);
				expect(way.listed).toEqual(['É-7']);
				rows.push(settled);
				const page = way.choose(1, 'Close it');
				expect(page.text).toContain('it has become accepted, as transaction TX-7');
				expect(page.goOn({ why: 'Refunded' }).isTaken).toBe(false);
				rows.pop();
				const { said } = page.goOn({ why: 'Refunded' }, () => void rows.push(settled));
				expect(said).toContain('was submitted once more at this moment');
			}
		}
	});

	it('is listed as if the whole register had been read', () => {
		const about = fc.constantFrom('', '', ...pasted);
		const reference = fc
			.tuple(about, fc.constantFrom('INV-1', 'É-2', 'E\u0301-2', '', null), about)
			.map(([before, name, behind]) => (name === null ? null : `${before}${name}${behind}`));
		const rows = fc
			.array(
				fc.record({
					reference,
					outcome: fc.constantFrom('accepted', 'Accepted ', 'closed', 'rejected', 'unknown', ''),
					operation: fc.constantFrom('buy', 'sell', null),
				}),
				{ maxLength: 8 },
			)
			.map((all) => all.map((one, index) => row({ ...one, id: index + 1 })));
		fc.assert(
			fc.property(rows, (all) => {
				expect(wayThroughTheDesk(all).listed).toEqual(casesOf(all, now).map(({ name }) => name));
			}),
			{ numRuns: times(300) },
		);
	});

	it('is looked for as the node looks for it', () => {
		for (const node of ['Rows with a space', 'Its likes', 'As it is now', 'Its rows now']) {
			const patterns = desk
				.parametersOf(node)
				.filters!.conditions.filter(
					(one) => one.keyName === 'reference' && one.condition === 'like',
				)
				.map(({ keyValue }) => evaluated(String(keyValue), {}));
			expect(patterns).toEqual(withSomethingUnseen);
		}
	});

	it('is looked for in the same way by the watch', () => {
		for (const node of [
			'Rows not accepted',
			'What may be open',
			'All its rows',
			'Rows with a space',
		]) {
			expect(watch.parametersOf(node)).toEqual(desk.parametersOf(node));
		}
		const callIn = (one: typeof desk) =>
			/const cases = casesOf.*/.exec(one.parametersOf('Cases').jsCode!)![0];
		expect(callIn(watch)).toBe(callIn(desk));
	});
});

describe('what may be the same payment, entered twice', () => {
	const wallet_address = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
	const friday = (more: Row) => row({ wallet_address, outcome: 'notSent', ...more });
	const other = {
		reference: 'form-1',
		wallet_address,
		outcome: 'accepted',
		transaction_id: 'TX-1',
	};
	const sendIt = 'It is not there: send it again';
	const said = (...rows: Row[]) => wayThroughTheDesk(rows).choose(6, sendIt).text;
	const both = [
		friday({ id: 5, reference: 'form-1' }),
		friday({ id: 6, reference: 'form-2', createdAt: '2026-11-17T18:20:00.000Z' }),
	];
	const words = 'was entered within a day of it and accepted, as form-1, transaction TX-1.';

	it.each(['2026-11-17T18:40:00.000Z', '2026-11-24T09:00:00.000Z'])(
		'is named, also where the other was sent again later: accepted at %s',
		(createdAt) => {
			expect(said(...both, row({ ...other, id: 7, createdAt }))).toContain(words);
		},
	);

	it('is named, also where this one was sent again later, or the other was pasted', () => {
		const again = friday({ id: 8, reference: 'form-2', createdAt: '2026-11-24T09:00:00.000Z' });
		const accepted = row({ ...other, id: 7, createdAt: '2026-11-24T09:00:00.000Z' });
		const pages = [
			wayThroughTheDesk([...both, { ...accepted, createdAt: long }, again]).choose(8, sendIt),
			wayThroughTheDesk([
				{ ...both[0]!, reference: 'form-1\u200e' },
				both[1]!,
				{ ...accepted, reference: ' form-1' },
			]).choose(6, sendIt),
		];
		for (const { text } of pages) expect(text).toContain(words);
	});

	it('is not named where it was entered days before or after, or is not accepted', () => {
		const late = { createdAt: '2026-11-24T09:00:00.000Z' };
		expect(said(both[1]!, row({ ...other, id: 7, ...late }))).not.toContain('entered twice');
		const sell = { ...both[0]!, operation: 'sell', amount: 1 };
		expect(said(sell, both[1]!, row({ ...other, id: 7, ...late }))).not.toContain('entered twice');
		const nameless = { ...both[0]!, reference: null, amount: 1 };
		const found = said(nameless, both[1]!, row({ ...other, id: 7, reference: null, ...late }));
		expect(found).not.toContain('entered twice');
		expect(said(...both)).not.toContain('entered twice');
	});
});

it.each(['buy', 'sell'])('a closed %s is listed again as the README says', (operation) => {
	const readme = readFileSync(join(import.meta.dirname, '../../../examples/README.md'), 'utf8');
	const [, outcome] = /To open it again, set its `outcome` in the register to `(\w+)`/.exec(
		readme,
	)!;
	const closed = row({ operation, outcome: 'closed', by: 'Ada closed it' });
	expect(listed(closed)).toEqual([]);
	expect(listed({ ...closed, outcome })).toMatchObject([{ isDoubtful: true, wrong: '' }]);
	const { description } = notSentAgain('INV-1', {
		attempt: 0,
		state: 'closed',
		hasSameValues: true,
	}) as {
		description: string;
	};
	expect(description).toContain(`sets its 'outcome' in the register to ${outcome}`);
});

describe('a reference that another operation, or another service, has too', () => {
	const [reference, id] = ['INV-both', 'TX-77'];
	const taken = { id: 2, outcome: 'accepted', transaction_id: id };
	const buy = () => row({ id: 1, reference, outcome: 'rejected' });
	const others: Array<[string, Row, Row]> = [
		['operation', buy(), row({ ...taken, reference, operation: 'sell' })],
		[
			'service',
			{ ...buy(), service: 'https://one.example/' },
			row({ ...taken, reference, service: 'https://two.example' }),
		],
	];
	const itself: Array<[string, Row, Row]> = [
		['a row without operation and service', buy(), row({ ...taken, reference, operation: null })],
		[
			'a row of the same service, typed otherwise',
			{ ...buy(), service: 'https://One.example/' },
			row({
				...taken,
				reference: ` ${reference}`,
				operation: ' Buy',
				service: 'https://one.example',
			}),
		],
	];

	it.each(others)('is not mixed up with it on the page of a case: another %s', (_, own, other) => {
		const way = wayThroughTheDesk([own, other]);
		expect(way.listed).toEqual([reference]);
		expect(way.choose(1, 'It is there').text).not.toContain('Since the list was made');
	});

	it.each(itself)('is known by %s, if that is written meanwhile', (_, own, other) => {
		const rows = [own];
		const way = wayThroughTheDesk(rows);
		rows.push(other);
		const page = way.choose(1, 'It is there');
		expect(page.text).toContain(
			`Since the list was made it has become accepted, as transaction ${id}: go back to the list.`,
		);
		const { isTaken, said } = page.goOn({ transactionId: 'TX-1' });
		expect(isTaken).toBe(false);
		expect(said).toContain('has changed since you opened the page');
	});

	it.each(others)('does not lend it its transaction id: another %s', (_, own, other) => {
		const page = wayThroughTheDesk([own, other]).choose(1, 'It is there');
		const { isTaken, said } = page.goOn({ transactionId: ' tx-7 7' });
		expect(said).toBe(
			`${reference}: nothing was done, because the register has transaction ${id} as ${reference} already, in row 2.`,
		);
		expect(isTaken).toBe(false);
		expect(page.goOn({ transactionId: 'TX-1' }).isTaken).toBe(true);
	});

	it.each(others)('is not what was submitted once more: another %s', (_, own, other) => {
		const page = wayThroughTheDesk([own, other]).choose(1, 'Close it');
		const { isTaken, said } = page.goOn({ why: 'Refunded' });
		expect(said).toBe(`${reference} is closed. Nothing was sent.`);
		expect(isTaken).toBe(true);
	});

	it('is not signed by who sends this one again', () => {
		const [service, kind] = ['https://one.example/', 'buy'];
		const names = {
			$: (node: string) => ({
				first: () => ({ json: { Case: { row: { id: 1, reference, kind, service } } }[node] }),
				all: () => [{ json: { name: 'Money register', id: 'table' } }],
			}),
		};
		const signed = (own: Row) =>
			desk.rowsFoundBy('Sign its new row', [{ id: 2, reference, operation: kind, ...own }], names);
		expect(signed({ service: 'https://ONE.example' })).toHaveLength(1);
		expect(signed({ service: 'https://two.example' })).toEqual([]);
		expect(signed({ service, operation: 'sell' })).toEqual([]);
		expect(signed({ service, by: 'Ada' })).toEqual([]);
	});

	it('is submitted once more, if it is, while a person closes it', () => {
		const rows = [buy()];
		const page = wayThroughTheDesk(rows).choose(1, 'Close it');
		const newer = [2, 3].map((one) => row({ id: one, reference, outcome: 'rejected' }));
		newer[1]!.outcome = 'unknown';
		const { said } = page.goOn({ why: 'Refunded' }, () => void rows.push(...newer));
		expect(said).toContain('was submitted once more at this moment, by somebody else');
		expect(said).toContain('It says unknown.');
	});

	it('is compared in the same words wherever it is', () => {
		const nodes = ['Say it', 'Still so?', 'Said'];
		const words = nodes.map(
			(node) =>
				/\(one, row\) => one\.id === row\.id .+?\)\)\)\)\)(?=[,)])/.exec(
					JSON.stringify(desk.parametersOf(node)),
				)?.[0],
		);
		expect(words[0]).toContain("['operation', 'service']");
		expect(words).toEqual(nodes.map(() => words[0]));
	});
});

describe('sending again', () => {
	const again = 'It is not there: send it again';
	const entries = { buys: 'A, B', payouts: 'C', approvedAbove: 500_000 };
	const ada = { id: '1a-2b', email: 'ada@example.com', firstName: 'Ada', lastName: 'Example' };
	const efe = { id: '3c-4d', email: 'efe@example.com', firstName: 'Efe', lastName: 'Example' };
	const by = uploadedBy(ada);
	const payout = (more: Row = {}): Case =>
		listed(
			row({ operation: 'sell', workflowId: 'C', amount: 500_001, by, executionId: '7', ...more }),
		)[0]!;
	const whyNot = (one: Partial<Case>, user: Person | undefined = ada, what = again) =>
		hindranceTo(what, one, user, entries);

	it('of a payout above the limit is for somebody else than who uploaded it', () => {
		expect(whyNot(payout())).toContain('and that was you');
		expect(whyNot(payout(), efe)).toBe('');
		expect(whyNot(payout({ amount: 500_000 }))).toBe('');
		const both = uploadedBy(ada, efe);
		expect(both).toBe(
			'uploaded by Ada Example (ada@example.com, user 1a-2b), 12:00 UTC on 18 November 2026; approved by Efe Example (efe@example.com, user 3c-4d), 12:00 UTC on 18 November 2026',
		);
		expect(whyNot(payout({ by: both }))).toContain('and that was you');
		expect(whyNot(payout({ by: both }), efe)).toBe('');
		const asked = sentAgainBy(efe, both);
		expect(asked).toContain('; Efe Example (efe@example.com, user 3c-4d) asked to send it again, ');
		expect(whyNot(payout({ by: asked }))).toContain('and that was you');
		expect(whyNot(payout({ by: asked }), efe)).toBe('');
	});

	it('of a payout above the limit is not for who uploaded it under another name or address', () => {
		const names = [
			'Ada (a@b), 09:00 UTC',
			'Ada (a@b); ',
			'Ada (efe@example.com, user 3c-4d)',
			'x; uploaded by Efe (efe@example.com, user 3c-4d)',
			'approved by Efe; uploaded by',
			'uploaded by',
		];
		const text = fc.oneof(fc.constantFrom(...names), fc.string({ unit: 'grapheme' }));
		fc.assert(
			fc.property(text, text, text, (firstName, lastName, email) => {
				const odd = { ...ada, firstName, lastName, email };
				for (const own of [uploadedBy(odd), uploadedBy(odd, efe), sentAgainBy(odd, by)]) {
					expect(whyNot(payout({ by: own }))).toContain('and that was you');
					expect(whyNot(payout({ by: own }), { ...ada, email: 'new@example.com' })).toContain(
						'and that was you',
					);
					expect(whyNot(payout({ by: own }), efe)).toBe('');
				}
				// Nobody has signed it, and what one writes at the desk is no upload by another.
				expect(whyNot(payout({ by: sentAgainBy({ ...odd, id: '5e-6f' }, null) }))).not.toBe('');
			}),
			{ numRuns: times(500) },
		);
	});

	it.each([
		null,
		'',
		'approved by Efe Example (efe@example.com)',
		'uploaded by somebody, 10:00 UTC',
		'uploaded by Ada Example (ada@example.com), 10:00 UTC',
	])(
		'of a payout above the limit is refused where nobody is named who uploaded it: %j',
		(nobody) => {
			const why = whyNot(payout({ by: nobody }), efe);
			expect(why).toContain('its column by names nobody who did');
			expect(why).toContain('Execution 7 in n8n may say who it was');
		},
	);

	it('of a payout whose amount cannot be read is as of one above the limit', () => {
		expect(whyNot(payout({ amount: null }))).toContain('and that was you');
	});

	it('is done by nobody else than who chose it, by the id that n8n has given them', () => {
		const buy = row({ outcome: 'rejected', workflowId: 'StablecoinRamp02' });
		const page = wayThroughTheDesk([buy]).choose(Number(buy.id), again, { ...ada });
		expect(page.goOn({ user: { ...efe, email: ada.email } }).isTaken).toBe(false);
		expect(page.goOn({ user: { ...ada, email: efe.email } }).isTaken).toBe(true);
	});

	it('of a payout above the limit is refused where nobody is signed in', () => {
		expect(hindranceTo(again, payout(), undefined, entries)).toContain('does not know who you are');
	});

	it('goes to a workflow that buys for a buy, and to one that pays out for a payout', () => {
		expect(whyNot(payout({ operation: 'buy', workflowId: 'B' }))).toBe('');
		expect(whyNot(payout({ operation: 'buy' }))).toContain('not among the entries of the desk');
		expect(whyNot(payout({ amount: 1, workflowId: 'A' }))).toContain('not among the entries');
		expect(whyNot(payout({ amount: 1, workflowId: null }))).toContain('nobody knows which');
		expect(whyNot(payout({ amount: 1, operation: '' }))).toContain('a buy or a sell');
	});

	it('needs a reference', () => {
		expect(whyNot(payout({ reference: '' }))).toContain('It has no reference');
	});

	it('is no condition for what is written down alone', () => {
		for (const what of ['It is there', 'Close it']) {
			expect(whyNot(payout({ reference: null, operation: null }), ada, what)).toBe('');
		}
	});

	it('has the limit that example 4 has for one row', () => {
		const limit = desk.assignedIn('Entries', 'approvedAbove');
		const path = join(import.meta.dirname, '../../../examples/04-pay-out-a-list.json');
		const limits = readFileSync(path, 'utf8').match(/(?<=amount > )\d+/g)!;
		expect([...new Set(limits)]).toEqual([String(limit)]);
	});
});

describe('what the desk says of what it has sent', () => {
	const sell = listed(row({ operation: 'sell', reference: 'SELL-A1' }))[0]!;
	const buy = { ...sell, kind: 'buy', operation: 'buy' };
	const before = 'Reference SELL-A1 was submitted before, and its outcome is unknown: it left n8n';
	const left = { id: sell.id + 1 };

	it.each<[string, Case, Row, Row, string]>([
		[
			'accepted',
			sell,
			{ outcome: 'accepted', transaction_id: 'T-1' },
			left,
			'was sent, and is accepted as transaction T-1.',
		],
		[
			'accepted before',
			sell,
			{ outcome: 'skipped', transaction_id: 'T-1' },
			{},
			'was accepted before as transaction T-1: nothing was sent.',
		],
		['for another service', sell, { outcome: 'dryRun' }, {}, 'was not sent: it belongs to'],
		[
			'refused by the service, after one that may have moved',
			sell,
			{ outcome: 'unknown', httpCode: '400', error: `The sell was rejected. ${before}` },
			{ ...left, outcome: 'unknown' },
			'was sent, and is still open. The sell was rejected.',
		],
		[
			'refused by the service, a buy',
			buy,
			{ outcome: 'rejected', httpCode: '400', error: 'No' },
			{ ...left, outcome: 'rejected' },
			'was sent, and is still open. No.',
		],
		[
			'refused by the service, a payout',
			sell,
			{ outcome: 'rejected', httpCode: '400', error: 'No' },
			{ ...left, outcome: 'rejected' },
			'was sent, and is still open. No.',
		],
		[
			'answered with a 500',
			sell,
			{ outcome: 'unknown', httpCode: '500', error: 'Hm' },
			{ ...left, outcome: 'unknown' },
			'was sent, and is still open. Hm.',
		],
		[
			'without an answer',
			sell,
			{ outcome: 'unknown', httpCode: null, error: 'It is not known' },
			{ ...left, outcome: 'unknown' },
			'is still open. It is not known.',
		],
		[
			'entered, and not sent, after one that may have moved',
			sell,
			{ outcome: 'unknown', httpCode: null, error: `The sell was not sent. ${before}` },
			{ ...left, outcome: 'unknown' },
			'is still open. The sell was not sent.',
		],
		[
			'too young',
			sell,
			{ outcome: 'unknown', httpCode: null, error: before },
			{},
			'was not sent now, and is still open. Reference',
		],
		[
			'of which the register says nothing, because it could not be read',
			sell,
			{ outcome: 'unknown', httpCode: null, error: before },
			{ error: 'database' },
			'is still open. Reference',
		],
		[
			'refused by the checks',
			sell,
			{ outcome: 'notSent', httpCode: null, error: 'No' },
			{},
			'was not sent now, and is still open. No.',
		],
		[
			'not sent, a payout that nobody has',
			sell,
			{ outcome: 'notSent', httpCode: null, error: 'No' },
			{ ...left, outcome: 'notSent' },
			'was not sent now, and is still open. No.',
		],
		[
			'closed meanwhile',
			sell,
			{ outcome: 'notSent', error: 'Reference SELL-A1 was closed by a person and is not sent' },
			{},
			'was not sent now. Reference SELL-A1 was closed by a person',
		],
	])('%s', (_, one, sent, row, words) => {
		expect(saidAfterSending(one, { reference: 'SELL-A1', ...sent }, row)).toContain(
			`SELL-A1 ${words}`,
		);
	});

	it('names the time where it is too early, and no other reference', () => {
		const young = { attempt: 1, state: 'unknown', hasSameValues: true, lookFrom: now } as const;
		const told = jsonOf(notSentAgain('SELL-A1', young, true), true);
		const said = saidAfterSending(sell, told, {});
		expect(said).toContain(
			`begin with step 1, at the time that it names. Look for reference SELL-A1 on the service's dashboard at or after ${timeInWords(now)}: a look before that proves nothing.`,
		);
		expect(said).not.toMatch(/A payment keeps|[12]\. /);
	});

	it('says so where the workflow did not say what became of it', () => {
		expect(saidAfterSending(sell, { error: 'not published' }, {})).toContain(
			'did not say what became of it',
		);
	});
});

describe('what the watch tells', () => {
	const how = { now, desk: 'https://n8n.example/form/desk', rows: 0, fits: 10, isMorning: false };

	it('says what is wrong with a row', () => {
		const { text } = messageOf(listed(row({ reference: 'INV-odd', outcome: 'acepted' })), [], how);
		expect(text).toContain(
			'INV-odd: buy of ₦20,000, acepted since 18:00 UTC on 17 Nov. Its outcome says “acepted”',
		);
	});

	it('tells all of thousands, one message after the other, each once', () => {
		const cases = listed(...Array.from({ length: 3000 }, () => row({ outcome: 'x'.repeat(9) })));
		const told: string[] = [];
		for (let next = messageOf(cases, told, how); next.text; next = messageOf(cases, told, how)) {
			expect(next.text.length).toBeLessThan(3500);
			expect(next.rows).not.toBe('');
			told.push(...next.rows.split('\n'));
		}
		expect(new Set(told).size).toBe(3000);
		expect(told).toHaveLength(3000);
	});

	it('tells of a row however long it is', () => {
		const cases = listed(row({ outcome: 'x'.repeat(9000) }), row());
		expect(messageOf(cases, [], how).references.split(', ')).toHaveLength(2);
	});
});
