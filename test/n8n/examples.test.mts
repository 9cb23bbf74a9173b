import { freshFetch } from '../../playground/freshFetch.mts';
import { faultKinds, type FaultRule } from '../../sandbox/faults.mts';
import { columns } from '../../nodes/StablecoinRamp/submit/memory/register.ts';
import { owner } from '../../playground/provision.mts';
import type { Rest } from '../../playground/rest.mts';
import { findTool } from '../../scripts/tools.mts';
import { tell } from '../support/figures.mts';
import { counting, disagreements, openIn, type Way } from '../support/n8n/book.mts';
import {
	addRow,
	deleteRows,
	deleteTable,
	makeTable,
	renameTable,
	type Row,
} from '../support/n8n/dataTables.mts';
import { minutesLaterInCodeToo } from '../support/n8n/later.mts';
import { newUser, signedIn } from '../support/n8n/people.mts';
import { usePlayground } from '../support/n8n/playground.mts';
import { withoutVm } from '../support/n8n/userFolder.mts';
import { behindAProxy, visitor, type FormPage } from '../support/n8n/visitor.mts';
import { startServer } from '../support/servers.mts';
import { stellarWallet as wallet } from '../support/transactions.mts';
import { until } from '../support/waiting.mts';

// Every way through the examples that move money: the service fails at each request, each field is mistyped, each button
// is pressed twice and by two people, the tab is closed. Some of the ways here; all of them with `npm run ways`.

const isAll = process.env.WAYS === 'all';
const some = <T,>(ways: T[], every: number): T[] =>
	isAll ? ways : ways.filter((_, index) => index % every === 0);
/** A test that runs with all the ways only. */
const none = Object.assign(() => undefined, { each: () => () => undefined });
const more = (isAll ? it : none) as jest.It;

// Code nodes read the list of example 4, and decide at the desk and its watch.
// n8n's own VMs for expressions only with all the ways: they cost as much as everything else.
const env = {
	...behindAProxy,
	N8N_RUNNERS_MODE: 'internal',
	...(isAll ? {} : withoutVm),
};
const playground = usePlayground(() => ({ editor: true, env }));
if (isAll) jest.setTimeout(60 * 60_000);

const ways: Way[] = [];
let colleague: Rest;
/** By how much n8n's clock is ahead of ours, in minutes. */
let ahead = 0;

const has = (example: string) => !playground.leftOut.some(({ id }) => id === example);

beforeAll(async () => {
	const { rest, n8n } = playground;
	// n8n finds tables by a part of their names, the newest first.
	for (const name of ['Money register (old)', 'Money alerts 2026']) {
		await makeTable(rest, name, { text: 'string' });
	}
	if (has('StablecoinRamp06')) colleague = await newUser(rest, n8n.baseUrl, 'Efe');
});

afterAll(() => {
	const { lost, twice, false: untrue } = all;
	tell('examples', `${ways.length} ways, lost ${lost}, twice ${twice}, false ${untrue}`);
});

const all = { lost: 0, twice: 0, false: 0 };

const order = { 'Amount in naira': '₦20,000', Network: 'Stellar', 'Wallet address': wallet };
const paid = {
	'From my bank': 'Harbour Demo Bank',
	'Account number': '0123456789',
	'Account name': 'Ada Example',
};

const vendors = [
	{ vendorName: 'Sandbox Vendor One', vendorBank: 'Harbour Demo Bank', vendorNumber: '0011223344' },
	{ vendorName: 'Sandbox Vendor Two', vendorBank: 'Savanna Demo Bank', vendorNumber: '0055667788' },
];

const form = async () => await visitor(playground.n8n.baseUrl).open('/form/buy-stablecoin');

/** The page on which a person says what they paid, with the second vendor chosen. */
async function payingPage(): Promise<FormPage> {
	const page = await (await form()).submit(order);
	expect(page.title).toBe('Pay, then tell us');
	expect(page.text).toContain('Send exactly ₦20,000');
	return page;
}

const secondVendor = (page: FormPage) => ({ 'I paid into': page.fields[0]!.options![1]! });

const titles: Record<string, Way['said']> = {
	'Your purchase was accepted': 'accepted',
	'We do not know yet': 'unknown',
	'Not placed yet': 'not placed',
};

const referenceOn = ({ text }: FormPage) => /form-\d+-\w{6}/.exec(text)?.[0] ?? '';

const wayOf = (name: string, page: FormPage): Way => ({
	name,
	reference: referenceOn(page),
	said: titles[page.title]!,
	isPaid: true,
});

/** What to do, step by step, in a text. */
const stepsIn = (text: string) =>
	text.match(/(?<!\d)[1-4]\. (?:Look for|It is|Not sure)[^.]*\./g) ?? [];

const browserOf = (whose: Rest) => visitor(playground.n8n.baseUrl, whose.cookie());

const desk = async (whose: Rest = playground.rest) =>
	await (await browserOf(whose).open('/form/desk')).submit();

const listedOn = ({ fields }: FormPage) =>
	(fields[0]?.options ?? []).map((option) => option.split(',')[0]!);

const labelled = (page: FormPage, reference: string) =>
	page.fields[0]!.options!.find((option) => option.startsWith(`${reference},`))!;

const openNow = (rows: Row[]) => openIn(rows, Date.now() + ahead * 60_000).toSorted();

/** What the desk lists, or would list where n8n cannot run it. */
const onTheDesk = async () =>
	has('StablecoinRamp06')
		? listedOn(await desk()).toSorted()
		: openNow(await playground.rowsOf('Money register'));

/** Compares what was said of these with the register, the desk and the service. */
async function agree(taken: Way[]): Promise<void> {
	expect(taken.filter(({ reference, said }) => !reference || !said)).toEqual([]);
	ways.push(...taken);
	const rows = await playground.rowsOf('Money register');
	const listed = await onTheDesk();
	expect(listed).toEqual(openNow(rows));
	const accepted = playground.sandbox.transactions();
	const found = disagreements(taken, { rows, desk: listed, accepted });
	for (const kind of ['lost', 'twice', 'false'] as const) all[kind] += found[kind].length;
	expect(found).toEqual({ lost: [], twice: [], false: [] });
}

/** Each fault of the service, and where that is open, with the transaction accepted and not. */
const faults: FaultRule[] = faultKinds
	.filter(({ kind }) => kind !== 'delay')
	.flatMap(({ kind, accepts, choosable }) =>
		(choosable ? [true, false] : [accepts]).map((accept) => ({
			kind,
			...(choosable && { accept }),
		})),
	);

const nameOf = ({ kind, accept }: FaultRule) =>
	`${kind}${accept === undefined ? '' : accept ? ' after accepting' : ' without accepting'}`;

it('the desk and the watch have nothing to say at first', async () => {
	if (!has('StablecoinRamp06')) return;
	expect((await desk()).title).toBe('Nothing is open');
	expect(await watched()).toEqual([]);
});

describe('example 2, buy from a form', () => {
	it.each([
		['100', 'below the minimum'],
		['15.000,00', 'separator'],
		['₦2,000,000', "above the 'Maximum Amount'"],
		['1,50,00', 'separator'],
		['NaN', '\'Amount\' is "NaN"'],
		['<i>20000</i>', '\'Amount\' is "<i>20000</i>"'],
	])('turns away an amount of %s before anybody pays', async (amount, why) => {
		const page = await (await form()).submit({ ...order, 'Amount in naira': amount });
		expect(page.title).toBe('This is not possible');
		expect(page.text).toContain(why);
		expect(page.text).toContain('there is nothing to pay');
	});

	it.each([
		['another network', { Network: 'Polygon' }],
		['a slip in the address', { 'Wallet address': `${wallet.slice(0, -1)}A` }],
	])('turns away a wallet with %s', async (_, mistake) => {
		const page = await (await form()).submit({ ...order, ...mistake });
		expect(page.title).toBe('This is not possible');
	});

	more('turns away an e-mail address that is none', async () => {
		const file = new File(['x'], 'receipt.txt');
		for (const email of [file, 'ada@example.com, efe@example.com']) {
			const page = await (await form()).submit({ ...order, 'E-mail address': email });
			expect(page.title).toBe('This is not possible');
			expect(page.text).toContain('The e-mail address cannot be right');
			expect(page.text).toContain('Please correct it');
		}
	});

	more.each(['20000', '20,000', '₦20,000.00', 'NGN 20 000', 'N20,000'])(
		'reads %s',
		async (amount) => {
			const page = await (await form()).submit({ ...order, 'Amount in naira': amount });
			expect(page.text).toContain('Send exactly ₦20,000');
		},
	);

	more('does not let a link fill in its pages', async () => {
		const opened = visitor(playground.n8n.baseUrl);
		const page = await (await opened.open('/form/buy-stablecoin?vendor=x')).submit(order);
		expect(page.title).toBe('This is not possible');
		expect(page.text).toContain('by its address alone');
	});

	more('asks nobody to pay when there is nobody to pay to', async () => {
		playground.sandbox.fault({ kind: 'serverError', on: 'liveVendors' });
		const page = await (await form()).submit(order);
		expect(page.title).toBe('This is not possible');
		expect(page.text).toContain('there is nothing to pay');
	});

	it('shows a mistake on the same page, with what was entered, until it is corrected', async () => {
		const taken: Way[] = [];
		const mistakes = [
			{ 'Account number': '123456789' },
			{ 'Account number': '08012345678' },
			{ 'Account name': ' ' },
			{ 'From my bank': 'x'.repeat(501) },
		];
		for (const mistake of some(mistakes, 4)) {
			const [field] = Object.keys(mistake);
			const page = await payingPage();
			const wrong = await page.submit({ ...paid, ...secondVendor(page), ...mistake });
			expect(wrong.title).toBe('Not placed yet');
			expect(wrong.text).toContain('Do not pay again');
			expect(Object.fromEntries(wrong.fields.map(({ label, value }) => [label, value]))).toEqual({
				...secondVendor(page),
				...paid,
				...mistake,
			});
			taken.push(wayOf(`closed after a mistake in ${field}`, wrong));
			await agree(taken.slice(-1));
			const right = await wrong.submit({ ...paid });
			taken.push(wayOf(`corrected ${field}`, right));
			expect(right.title).toBe('Your purchase was accepted');
			expect(right.text).toContain('Accepted is not yet arrived');
		}
		await agree(taken.filter(({ said }) => said === 'accepted'));
	});

	more('carries what people write through its pages, whatever is in it', async () => {
		const odd = {
			'From my bank': `$& $$ "B" 'a' \\ n${'`'}k & Sons`,
			'Account name': '₦ Ada O’Neil $1',
		};
		const page = await payingPage();
		const answers = { ...paid, ...odd, ...secondVendor(page) };
		const wrong = await page.submit({ ...answers, 'Account number': '1' });
		expect(wrong.fields.map(({ value }) => value)).toEqual([
			answers['I paid into'],
			odd['From my bank'],
			'1',
			odd['Account name'],
		]);
		const done = await wrong.submit({ 'Account number': paid['Account number'] });
		await agree([wayOf('odd characters', done)]);
		const { request } = playground.sandbox.transactions().at(-1)!;
		expect(request).toMatchObject({
			bank_name: odd['From my bank'],
			account_name: odd['Account name'],
		});
	});

	it('takes one text for each field of the payment, and no file', async () => {
		const notTexts = [new File(['x'], 'bank.txt'), ['A bank', 'B bank']];
		const mistakes = [
			...notTexts.map((one) => ({ 'From my bank': one })),
			{ 'Account number': ['0123456789'].concat('') },
			{ 'Account name': notTexts[0]! },
			{ 'I paid into': notTexts[0]! },
		];
		for (const mistake of some(mistakes, 3)) {
			const page = await payingPage();
			const answers = { ...paid, ...secondVendor(page) };
			const wrong = await page.submit({ ...answers, ...mistake });
			expect(wrong.title).toBe('Not placed yet');
			expect(wrong.text).toContain('Each field takes one text, and no file.');
			await agree([wayOf('no text', wrong)]);
			await agree([wayOf('a text', await wrong.submit(answers))]);
		}
	});

	it('submits the vendor as it was shown when it was paid, though it has left the list', async () => {
		const page = await payingPage();
		const { sandbox } = playground;
		sandbox.setVendors([]);
		const done = await page.submit({ ...paid, ...secondVendor(page) });
		sandbox.setVendors(vendors);
		await agree([wayOf('the vendor has left', done)]);
		expect(sandbox.transactions().at(-1)!.request).toMatchObject({
			vendor_name: 'Sandbox Vendor Two',
			vendor_bank: 'Savanna Demo Bank',
			vendor_number: '0055667788',
		});
	});

	it('tells truly what became of it, whatever the service does', async () => {
		const taken: Way[] = [];
		for (const fault of some(faults, 12)) {
			playground.sandbox.fault({ ...fault, on: 'buy' });
			const page = await payingPage();
			const first = await page.submit({ ...paid, ...secondVendor(page) });
			taken.push(wayOf(`${nameOf(fault)}, closed`, first));
			if (first.title !== 'Not placed yet') continue;
			await agree(taken.slice(-1));
			taken.pop();
			taken.push(wayOf(`${nameOf(fault)}, sent once more`, await first.submit()));
		}
		await agree(taken);
	});

	it('tells somebody at once of what nobody knows', async () => {
		playground.sandbox.fault({ kind: 'acceptThenDrop', on: 'buy' });
		const email = 'ada@example.com';
		const page = await (await form()).submit({ ...order, 'E-mail address': email });
		const done = await page.submit({ ...paid, ...secondVendor(page) });
		const alert = (await playground.rowsOf('Money alerts')).at(-1)!;
		expect(alert.references).toBe(referenceOn(done));
		expect(alert.text).toContain('Nobody knows what became of a buy from the form');
		for (const known of [email, wallet, '0055667788', '0123456789', '₦20,000']) {
			expect(alert.text).toContain(known);
		}
		expect(stepsIn(String(alert.text))).toHaveLength(4);
		await agree([wayOf('told at once', done)]);
	});

	more.each([
		['is another table', { other: 'string' }],
		['has a column of another kind', { ...columns, reference: 'number' }],
		[
			'lacks a column',
			Object.fromEntries(Object.entries(columns).filter(([name]) => name !== 'wallet_address')),
		],
	])(
		'asks nobody to pay when the register %s, and tells at once of who has paid',
		async (_, lacking) => {
			const page = await payingPage();
			await renameTable(playground.rest, 'Money register', 'Kept');
			await makeTable(playground.rest, 'Money register', lacking);
			const another = await (await form()).submit(order);
			const first = await page.submit({ ...paid, ...secondVendor(page) });
			const alert = (await playground.rowsOf('Money alerts')).at(-1)!;
			await deleteTable(playground.rest, 'Money register');
			await renameTable(playground.rest, 'Kept', 'Money register');
			expect(another.title).toBe('This is not possible');
			expect(another.text).toContain('We cannot write it down at the moment');
			expect(first.title).toBe('Not placed yet');
			expect(first.text).toContain(
				'We could not write it down, so please keep the reference form-',
			);
			expect(first.text).not.toContain('is not lost');
			expect(alert.references).toBe(referenceOn(first));
			expect(alert.text).toContain('the register could not be written');
			expect(alert.text).toContain('written down nowhere but here');
			expect(alert.text).not.toContain('See to it on the desk');
			const [, outcome, workflowId] = /outcome (\w+), workflowId (\w+)/.exec(String(alert.text))!;
			await addRow(playground.rest, 'Money register', {
				...row(referenceOn(first)),
				outcome,
				workflowId,
			});
			expect(await onTheDesk()).toContain(referenceOn(first));
			await agree([wayOf('written down in the end', await first.submit())]);
		},
	);

	it('buys once when the button is pressed twice, or in two tabs', async () => {
		const page = await payingPage();
		const answers = { ...paid, ...secondVendor(page) };
		const said = await Promise.all([page.submit(answers), page.submit(answers)]);
		const [shown] = said.filter(({ title }) => title in titles);
		await agree([wayOf('pressed twice', shown!)]);
	});
});

/** What a case was left by, and how: its reference. */
const leaving: Record<string, () => Promise<string>> = {
	'a mistake': async () => {
		const page = await payingPage();
		const mistake = { 'Account number': '123456789' };
		return referenceOn(await page.submit({ ...paid, ...secondVendor(page), ...mistake }));
	},
	'a rejection': async () => await buyWith({ kind: 'badRequest' }),
	'a lost answer': async () => await buyWith({ kind: 'acceptThenDrop' }),
	'an error': async () => await buyWith({ kind: 'serverError', accept: false }),
	'a kill': async () => {
		const reference = `killed-${++killed}`;
		await addRow(playground.rest, 'Money register', {
			...row(reference),
			outcome: 'sending',
			sentAt: new Date(Date.now() - 26 * 60_000).toISOString(),
		});
		return reference;
	},
};
let killed = 0;

/** A buy of the form's, as the register has it. */
const row = (reference: string) => ({
	reference,
	operation: 'buy',
	amount: 20000,
	vendor_name: vendors[1]!.vendorName,
	vendor_bank: vendors[1]!.vendorBank,
	vendor_number: vendors[1]!.vendorNumber,
	bank_name: 'Harbour Demo Bank',
	account_number: '0123456789',
	account_name: 'Ada Example',
	network: 'Stellar',
	wallet_address: wallet,
	service: playground.sandbox.baseUrl,
	workflowId: 'StablecoinRamp02',
});

async function buyWith(fault: FaultRule): Promise<string> {
	playground.sandbox.fault({ ...fault, on: 'buy' });
	const page = await payingPage();
	return referenceOn(await page.submit({ ...paid, ...secondVendor(page) }));
}

const says: Array<[RegExp, Way['said']]> = [
	[/was sent, and is accepted|was accepted before|is accepted in the register/, 'accepted'],
	[/is still open/, 'open'],
	[/was not sent/, 'not sent'],
	[/is closed/, 'closed'],
	[/has changed since|nothing was done/, 'nothing'],
];

/** What the desk said of a case when somebody has dealt with it. */
const deskSaid = (name: string, reference: string, { text }: FormPage): Way => ({
	name,
	reference,
	said: says.find(([words]) => words.test(text.split('Look for each')[0]!))![1],
	isPaid: true,
});

interface Dealing {
	what: string;
	answers?: (reference: string) => Record<string, string>;
	/** What the service does when it is sent again. */
	fault?: FaultRule;
	/** What whoever has sent it is told. */
	words?: RegExp;
}

const send = 'It is not there: send it again';
const correct = 'Correct it and send it';
const right = () => ({ 'Account number of the payer': '0123456789' });

const idOf = (reference: string) =>
	playground.sandbox.transactions().find((one) => one.reference === reference)!.transaction_id;

const dealings: Record<string, Dealing> = {
	'is there': {
		what: 'It is there',
		answers: (reference) => ({ 'Its transaction id': idOf(reference) }),
	},
	'is sent again': { what: send },
	'is sent again, and rejected': {
		what: send,
		fault: { kind: 'badRequest' },
		// What was mistyped is refused by the checks.
		words:
			/was sent, and is still open\. The buy was rejected|was not sent now, and is still open\. 'Account Number'/,
	},
	'is sent again, and its answer is lost': { what: send, fault: { kind: 'acceptThenDrop' } },
	'is sent again, in an outage': { what: send, fault: { kind: 'unavailable', accept: false } },
	'is corrected': { what: correct, answers: right },
	'is corrected, and rejected': { what: correct, answers: right, fault: { kind: 'badRequest' } },
	'is corrected wrongly': {
		what: correct,
		answers: () => ({ 'Account number of the payer': '1' }),
	},
	'is closed': { what: 'Close it', answers: () => ({ 'Why?': 'Refunded' }) },
};

const isThere = (left: string) => left === 'a lost answer';

/** What a person does about a case is true: who finds it there says so, and what is there is not sent again. */
const fits = (left: string, dealing: string) => isThere(left) === (dealing === 'is there');

const meetings = ['once', 'pressed twice', 'by two people'];

async function dealWith(name: string, reference: string, dealing: Dealing, meeting: string) {
	const { what, answers = () => ({}), fault, words = /./ } = dealing;
	const reach = async (whose: Rest) => {
		const page = await desk(whose);
		expect(listedOn(page)).toContain(reference);
		return await page.submit({
			'Which one?': labelled(page, reference),
			'What is to be done?': what,
		});
	};
	const page = await reach(playground.rest);
	const second = meeting === 'by two people' ? await reach(colleague) : page;
	if (fault) playground.sandbox.fault({ ...fault, on: 'buy' });
	const yes = { ...answers(reference), 'Do it?': 'Yes' };
	const pressed = meeting === 'once' ? [page] : [page, second];
	const said = await Promise.all(pressed.map(async (one) => await one.submit(yes)));
	expect(said.map(({ text }) => text).join('\n')).toMatch(words);
	return said.map((one) => deskSaid(name, reference, one));
}

/** A list of payouts of these amounts, and its references. */
function payouts(amounts: Array<number | string>, mistake: Record<string, string> = {}) {
	const batch = `batch-${++batches}`;
	const rows = amounts.map((amount, index) => ({
		reference: `${batch}-${index}`,
		amount: String(amount),
		accountName: 'Ada Example',
		accountNumber: `012345678${index}`,
		bankName: 'Harbour Demo Bank',
		approved: 'TRUE',
		again: 'TRUE',
		...(index === 1 && mistake),
	}));
	return { rows, references: rows.map(({ reference }) => reference) };
}
let batches = 0;

const csv = (rows: Array<Record<string, string>>) =>
	[Object.keys(rows[0]!), ...rows.map((one) => Object.values(one))]
		.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
		.join('\n');

async function uploadFile(bytes: Buffer, whose = playground.rest, query = '') {
	const page = await browserOf(whose).open(`/form/pay-out-a-list${query}`);
	const file = new File([Uint8Array.from(bytes)], 'payouts.csv', { type: 'text/csv' });
	return await page.submit({ 'List of payouts': file });
}

const upload = async (rows: Array<Record<string, string>>, whose?: Rest, query?: string) =>
	await uploadFile(Buffer.from(csv(rows)), whose, query);

/** What the report said of each payout: those that it does not name were accepted. */
const reported = (name: string, references: string[], { title, text }: FormPage): Way[] =>
	references.map((reference) => {
		const outcome = new RegExp(`${reference} is (\\w+)`).exec(text)?.[1];
		const said = { unknown: 'unknown', rejected: 'not placed', notSent: 'not placed' }[
			outcome ?? ''
		];
		const isReport = /accepted|skipped|unknown|rejected|notSent/.test(title);
		return {
			name,
			reference,
			said: (said ?? (isReport ? 'accepted' : 'not paid out')) as Way['said'],
			isPaid: false,
		};
	});

const sells = () => playground.sandbox.requests().filter(({ path }) => path.endsWith('/offramp'));

/** The page whose link was sent to whoever approves. */
async function approvalFor(references: string[]): Promise<FormPage> {
	const asked = (await playground.rowsOf('Money alerts')).findLast(
		(alert) => alert.references === references.join(', '),
	);
	const link = /http\S+$/.exec(String(asked!.text))![0];
	return await browserOf(colleague).openAt(link);
}

describe('example 4, a list of payouts', () => {
	it('pays nothing out of a list with one bad row, and says which', async () => {
		const before = sells().length;
		const mistakes: Array<Record<string, string>> = [
			{ amount: '60,000' },
			{ amount: '' },
			{ accountNumber: '123' },
			{ accountName: '' },
			{ bankName: '' },
			{ reference: '' },
			{ amount: '5000001' },
		];
		for (const mistake of some(mistakes, 4)) {
			const page = await upload(payouts([20000, 30000], mistake).rows);
			expect(page.title).toBe('Nothing was paid out');
			expect(page.text).toContain('Row 2');
		}
		expect(sells()).toHaveLength(before);
	});

	const names = 'reference,amount,accountName,accountNumber,bankName';
	const odd = 'odd-1,30000,José Example,0123456789,Harbour Demo Bank';
	const files: Array<[string, Buffer, string]> = [
		['in Latin-1', Buffer.from(`${names}\n${odd}`, 'latin1'), 'Row 1, odd-1, has a letter'],
		['in UTF-16', Buffer.from(`\ufeff${names}\n${odd}`, 'utf16le'), 'save it as “CSV UTF-8'],
		['of nothing', Buffer.alloc(0), 'The file is empty'],
		['of names alone', Buffer.from(names), 'The list has no rows'],
		[
			'with a thousands comma',
			Buffer.from(`${names}\n${odd.replace('30000', '30,000')}`),
			'Row 1, odd-1, has 6 cells',
		],
		[
			'with two columns of one name',
			Buffer.from(`${names},amount\n${odd},40000`),
			'more than one column amount',
		],
	];

	it.each(some(files, 2))('pays nothing out of a file %s, and says why', async (_, bytes, why) => {
		const before = sells().length;
		const page = await uploadFile(bytes);
		expect(page.title).toBe('Nothing was paid out');
		expect(page.text).toContain(why);
		expect(sells()).toHaveLength(before);
	});

	it('pays out a list as spreadsheets save it in UTF-8', async () => {
		const { rows, references } = payouts([20000], {});
		const text = csv(rows.map((one) => ({ ...one, accountName: 'José Example' })));
		const page = await uploadFile(Buffer.from(`\ufeff${text.replaceAll('\n', '\r\n')}\r\n`));
		await agree(reported('with a byte order mark', references, page));
		expect(playground.sandbox.transactions().at(-1)!.request).toMatchObject({
			account_name: 'José Example',
		});
	});

	more('shows what is in a list as it stands there', async () => {
		const reference = `SELL "B${++batches}" <i>&amp;</i>`;
		const rows = payouts([20000]).rows.map((one) => ({ ...one, reference }));
		const refused = await upload(rows.map((one) => ({ ...one, amount: '1' })).concat(rows));
		expect(refused.text).toContain(reference);
		playground.sandbox.fault({ kind: 'badRequest', on: 'sell' });
		const page = await upload(rows);
		expect(page.text).toContain(`${reference} is rejected`);
	});

	more('says so of a link that would fill in a page', async () => {
		const { rows } = payouts([500001]);
		const linked = await upload(rows, playground.rest, '?decision=Approve');
		expect(linked.title).toBe('Nothing was paid out');
		expect(linked.text).toContain('by its address alone');
	});

	it('pays nothing out of a list in which a reference comes twice', async () => {
		const before = sells().length;
		for (const amount of ['20000', '30000']) {
			const { rows } = payouts([20000, 20000]);
			const page = await upload(
				rows.map((row) => ({ ...row, reference: rows[0]!.reference, amount })),
			);
			expect(page.title).toBe('Nothing was paid out');
			expect(page.text).toContain('is also the reference of row 1');
		}
		expect(sells()).toHaveLength(before);
	});

	it('reports truly what became of each, whatever the service does', async () => {
		const taken: Way[] = [];
		for (const fault of some(faults, 12)) {
			const { rows, references } = payouts([20000, 30000, 40000]);
			playground.sandbox.fault({ ...fault, on: 'sell', skip: 1 });
			taken.push(...reported(nameOf(fault), references, await upload(rows)));
		}
		await agree(taken);
	});

	it('says once what to do about all that is unknown', async () => {
		const { rows, references } = payouts([20000, 30000]);
		playground.sandbox.fault({ kind: 'acceptThenDrop', on: 'sell', times: 2 });
		const page = await upload(rows);
		const alert = (await playground.rowsOf('Money alerts')).at(-1)!;
		for (const text of [page.text, String(alert.text)]) {
			for (const reference of references) {
				expect(text).toMatch(
					new RegExp(`${reference} is unknown\\. .* at or after \\d\\d:\\d\\d UTC`),
				);
			}
			expect(stepsIn(text)).toHaveLength(4);
		}
		await agree(reported('two unknown', references, page));
	});

	it('pays each out once, however often the list is uploaded', async () => {
		const { rows, references } = payouts([20000, 30000]);
		const said = await Promise.all([upload(rows), upload(rows, colleague)]);
		for (const page of said) {
			// What the other has under way may be told as unknown to this one: that is for a person to look for.
			const told = reported('two uploads', references, page);
			for (const { said } of told) expect(['accepted', 'unknown']).toContain(said);
			await agree(told.filter(({ said }) => said === 'accepted'));
		}
		const last = await upload(rows);
		expect(last.title).toBe('2 skipped');
		await agree(reported('uploaded again', references, last));
	});

	const aboveTheLimit: Array<[string, number[]]> = [
		['a row above the limit', [20000, 500001]],
		['a total above the limit', [400000, 400000, 400000]],
	];

	it.each(some(aboveTheLimit, 2))('asks somebody else about %s', async (_, amounts) => {
		const { rows, references } = payouts(amounts);
		const before = sells().length;
		const page = await upload(rows);
		expect(page.title).toMatch(/^Approve/);
		for (const { reference, accountNumber } of rows) {
			expect(page.text).toContain(reference);
			expect(page.text).toContain(accountNumber);
		}
		const sum = amounts.reduce((total, amount) => total + amount, 0);
		expect(page.text).toContain(`In all: ₦${sum.toLocaleString('en')}`);
		const refused = 'Whoever uploaded this list cannot approve it: somebody else has to.';
		expect(page.text).not.toContain(refused);
		const same = await page.submit({ Decision: 'Approve' });
		expect(same.text).toContain(refused);
		expect(sells()).toHaveLength(before);
		const approved = await (await approvalFor(references)).submit({ Decision: 'Approve' });
		await agree(reported('approved', references, approved));
		const kept = (await playground.rowsOf('Money alerts')).map(({ text }) => text);
		expect(kept).toContain(`Approved by Efe Example (efe@example.com): ${references.join(', ')}`);
		expect(sells()).toHaveLength(before + amounts.length);
		const own = (await playground.rowsOf('Money register')).filter(({ reference }) =>
			references.includes(String(reference)),
		);
		for (const { by } of own) {
			expect(by).toMatch(
				/^uploaded by Playground Owner \(.+, user \S+\), \d\d:\d\d UTC on .+; approved by Efe Example \(efe@example.com, user \S+\), \d\d:\d\d UTC on /,
			);
		}
	});

	more('shows each row of the list as one, whatever is in its cells', async () => {
		const forged = 'Ada\nbatch-0: ₦1 to account 0000000000\\nbatch-0: ₦1';
		const { rows } = payouts([500001, 20000], { accountName: forged });
		const page = await upload(rows);
		expect(page.text.match(/: ₦500,001 to account 0123456780, /g)).toHaveLength(1);
		const lines = page.text.split('\n').filter((line) => line.trim().startsWith('batch-0'));
		expect(lines).toEqual([]);
	});

	more('pays nothing out that was declined', async () => {
		const { rows, references } = payouts([500001]);
		await upload(rows);
		const declined = await (await approvalFor(references)).submit({ Decision: 'Decline' });
		expect(declined.title).toBe('Nothing was paid out');
		expect(declined.text).toContain('declined by Efe Example');
		await agree(reported('declined', references, declined));
	});

	it('reminds nobody when the page is sent without a decision', async () => {
		const { rows, references } = payouts([500001]);
		let page = await upload(rows);
		for (let sent = 0; sent < 2; sent += 1) {
			page = await page.submit();
			expect(page.title).toMatch(/^Approve/);
			expect(page.text).toContain('choose Approve or Decline');
		}
		const asked = (await playground.rowsOf('Money alerts')).filter(
			(alert) => alert.references === references.join(', '),
		);
		expect(asked).toHaveLength(1);
		const approved = await (await approvalFor(references)).submit({ Decision: 'Approve' });
		await agree(reported('approved in the end', references, approved));
	});

	more('pays out once what is approved twice', async () => {
		const { rows, references } = payouts([500001]);
		await upload(rows);
		const page = await approvalFor(references);
		const said = await Promise.all([
			page.submit({ Decision: 'Approve' }),
			page.submit({ Decision: 'Approve' }),
		]);
		const reports = said.filter(({ title }) => title === '1 accepted');
		expect(reports.length).toBeGreaterThan(0);
		await agree(reports.flatMap((one) => reported('approved twice', references, one)));
	});
});

describe('example 6, the desk', () => {
	// It makes the register.
	beforeAll(async () => void (await onTheDesk()));

	it('lists what a person has to see to, and nobody else sees it', async () => {
		const references = await leaveAll();
		const page = await desk();
		for (const reference of references) expect(page.text).toContain(reference);
		const stranger = await visitor(playground.n8n.baseUrl).open('/form/desk');
		for (const reference of references) expect(stranger.text).not.toContain(reference);
		expect(stranger.fields).toEqual([]);
		const waiting = await visitor(playground.n8n.baseUrl).openAt(page.url);
		for (const reference of references) expect(waiting.text).not.toContain(reference);
		const posted = await freshFetch(page.url, { method: 'POST', body: new FormData() });
		expect(posted.status).toBe(401);
		expect((await desk()).text).toContain(references[0]);
	});

	it('names four steps for what is unknown, on the list and beside each, in the words of its choices', async () => {
		const reference = await leaving['a lost answer']!();
		const page = await desk();
		const steps = stepsIn(page.text);
		expect(steps).toHaveLength(4);
		expect(steps[0]).toContain('at or after the time if one is named');
		const choices = page.fields[1]!.options!;
		expect(choices).toContain(/choose (.*), and fill in its transaction id\./.exec(steps[1]!)![1]);
		expect(choices).toContain(/right after that look, choose (.*)\./.exec(steps[2]!)![1]);
		const asked = await page.submit({
			'Which one?': labelled(page, reference),
			'What is to be done?': 'It is there',
		});
		const [look, ...others] = stepsIn(asked.text);
		expect(look).toMatch(
			/at or after \d\d:\d\d UTC on \d+ \w+ \(\d\d:\d\d in Lagos\): a look before that proves nothing\./,
		);
		expect(others).toEqual(steps.slice(1));
		expect(asked.text).not.toContain('in the register, set its');
		const answers = { 'Its transaction id': idOf(reference), 'Do it?': 'Yes' };
		await agree([deskSaid('by its steps', reference, await asked.submit(answers))]);

		const other = await leaving['a mistake']!();
		const listed = await desk();
		const mistyped = await listed.submit({
			'Which one?': labelled(listed, other),
			'What is to be done?': correct,
		});
		expect(stepsIn(mistyped.text)).toEqual([]);
	});

	it('lists what nobody can read, and says what to correct', async () => {
		const odd = {
			'odd-1': { outcome: 'acepted' },
			'odd-2': { outcome: null },
			'odd-3': { outcome: 'sending', sentAt: '17/11/2026 18:00' },
			'odd-4': { outcome: 'not sent', operation: 'sell' },
		};
		for (const [reference, wrong] of Object.entries(odd)) {
			await addRow(playground.rest, 'Money register', { ...row(reference), ...wrong });
		}
		const page = await desk();
		expect(listedOn(page)).toEqual(expect.arrayContaining(Object.keys(odd)));
		for (const words of [
			'Its outcome says “acepted”, which is none of accepted, closed, notSent, rejected, sending, unknown.',
			'Its outcome is empty',
			'Its sentAt says “17/11/2026 18:00”, which is no time',
			'Its outcome says “not sent”',
		]) {
			expect(page.text).toContain(words);
		}
		expect(page.text).not.toContain('Invalid');
		await agree(
			Object.keys(odd).map((reference) => ({
				name: 'odd',
				reference,
				said: 'open' as const,
				isPaid: true,
			})),
		);
		for (const reference of Object.keys(odd)) {
			const listed = await desk();
			const which = labelled(listed, reference);
			const asked = await listed.submit({ 'Which one?': which, 'What is to be done?': 'Close it' });
			const done = await asked.submit({ 'Why?': 'Mistyped', 'Do it?': 'Yes' });
			await agree([deskSaid('odd', reference, done)]);
		}
	});

	it('sends a payout above the limit again for somebody else than who uploaded it, and for nobody where that is not known', async () => {
		const before = sells().length;
		const sell = (by: string | null) => ({
			operation: 'sell',
			outcome: 'unknown',
			amount: 4_000_000,
			account_name: 'Mallory',
			account_number: '0999999999',
			bank_name: 'Harbour Demo Bank',
			service: playground.sandbox.baseUrl,
			workflowId: 'StablecoinRamp04',
			sentAt: new Date(Date.now() - 60 * 60_000).toISOString(),
			by,
		});
		const { id } = await playground.rest.get<{ id: string }>('/login');
		const uploaded = `uploaded by Playground Owner (${owner.email}, user ${id}), 10:00 UTC on 17 November 2026`;
		const rows = { 'forged-1': sell(null), 'edited-1': sell(uploaded) };
		for (const [reference, one] of Object.entries(rows)) {
			await addRow(playground.rest, 'Money register', { ...one, reference });
		}
		const ask = async (reference: string, whose: Rest) => {
			const listed = await desk(whose);
			const which = labelled(listed, reference);
			return await listed.submit({ 'Which one?': which, 'What is to be done?': send });
		};
		for (const [reference, why, whose] of [
			['edited-1', 'and that was you', playground.rest],
			['forged-1', 'and its column by names nobody who did', playground.rest],
			['forged-1', 'and its column by names nobody who did', colleague],
		] as const) {
			const asked = await ask(reference, whose);
			expect(asked.text).toContain('₦4,000,000');
			expect(asked.text).toContain(
				`is sent again only by somebody else than who uploaded it, ${why}`,
			);
			expect(asked.fields[0]!.options).toEqual(['No, back to the list']);
			const done = await asked.submit({ 'Do it?': 'Yes' });
			expect(done.text).toContain(why);
			await agree([{ ...deskSaid('above the limit', reference, done), isPaid: false }]);
		}
		expect(sells()).toHaveLength(before);
		const asked = await ask('edited-1', colleague);
		expect(asked.text).toContain('It is sent as it stands here, whatever was on the list');
		const done = await asked.submit({ 'Do it?': 'Yes' });
		await agree([{ ...deskSaid('by somebody else', 'edited-1', done), isPaid: false }]);
		expect(sells()).toHaveLength(before + 1);
		await deleteRows(playground.rest, 'Money register', 'forged-1');
	});

	it('knows who uploaded a payout, whatever they call themselves', async () => {
		const mallory = await newUser(playground.rest, playground.n8n.baseUrl, 'Mallory');
		const email = 'mallory@example.com';
		const odd = { email, firstName: 'Mallory (a@b), 09:00 UTC', lastName: 'Example' };
		await mallory.patch('/me', odd);
		const { rows, references } = payouts([500001]);
		const [reference = ''] = references;
		await upload(rows, mallory);
		playground.sandbox.fault({ kind: 'serverError', accept: false, on: 'sell' });
		const approved = await (await approvalFor(references)).submit({ Decision: 'Approve' });
		await agree(reported('under another name', references, approved));
		const { by } = counting(await playground.rowsOf('Money register'), reference)!;
		expect(by).toMatch(
			/^uploaded by Mallory a@b 09:00 UTC Example \(mallory@example.com, user \S+\), /,
		);

		const other = { email: 'new@example.com', firstName: 'New', lastName: 'Example' };
		await mallory.patch('/me', { ...other, currentPassword: owner.password });
		const ask = async (whose: Rest) => {
			const listed = await desk(whose);
			const which = labelled(listed, reference);
			return await listed.submit({ 'Which one?': which, 'What is to be done?': send });
		};
		const asked = await ask(mallory);
		expect(asked.text).toContain('and that was you');
		expect(asked.fields[0]!.options).toEqual(['No, back to the list']);
		const done = await asked.submit({ 'Do it?': 'Yes' });
		expect(done.text).toContain('and that was you');
		await agree([{ ...deskSaid('under another name', reference, done), isPaid: false }]);
		expect((await ask(colleague)).text).not.toContain('than who uploaded it');
	});

	it('knows a reference with a space about it, and a transaction id in other capitals', async () => {
		const bare = { outcome: 'unknown', sentAt: null };
		await addRow(playground.rest, 'Money register', { ...row('spaced-1'), ...bare });
		await addRow(playground.rest, 'Money register', { ...row('spaced-2'), ...bare });
		await addRow(playground.rest, 'Money register', {
			reference: ' spaced-1 ',
			outcome: 'accepted',
			transaction_id: 'SBX-77 A',
		});
		const listed = await desk();
		expect(listedOn(listed)).not.toContain('spaced-1');
		const asked = await listed.submit({
			'Which one?': labelled(listed, 'spaced-2'),
			'What is to be done?': 'It is there',
		});
		const done = await asked.submit({ 'Its transaction id': ' sbx-77a', 'Do it?': 'Yes' });
		expect(done.text).toContain('has transaction SBX-77 A as');
		for (const reference of ['spaced-1', ' spaced-1 ', 'spaced-2']) {
			await deleteRows(playground.rest, 'Money register', reference);
		}
	});

	it('knows a reference that was pasted with something before or behind it', async () => {
		const open = ['line-1\n', 'tab-1\t', 'nbsp-1\u00a0', '\r\nbefore-1', 'ｗｉｄｅ-1'];
		const settled = ['line-2\n', '\ttab-2', 'nbsp-2\u00a0', 'before-2\r\n'];
		const names = [...open, ...settled].map((one) => one.normalize('NFKC').trim());
		const rows = [
			...open.map((reference) => ({ ...row(reference), outcome: 'notSent' })),
			...settled.flatMap((reference) => [
				{ ...row(reference.trim()), outcome: 'unknown', sentAt: null },
				{ ...row(reference), outcome: 'accepted' },
			]),
		];
		for (const one of rows) await addRow(playground.rest, 'Money register', one);
		const listed = await desk();
		const isNew = (reference: string) => names.includes(reference);
		expect(listedOn(listed).filter(isNew)).toEqual(names.slice(0, open.length));
		const asked = await listed.submit({
			'Which one?': labelled(listed, 'tab-1'),
			'What is to be done?': 'Close it',
		});
		const done = await asked.submit({ 'Why?': 'Refunded', 'Do it?': 'Yes' });
		expect(done.text).toContain('tab-1 is closed. Nothing was sent.');
		expect(listedOn(done)).not.toContain('tab-1');
		for (const { reference } of rows) {
			await deleteRows(playground.rest, 'Money register', reference);
		}
	});

	it('keeps apart a buy and a sell that have one reference', async () => {
		const [reference, id] = ['both-1', 'SBX-78'];
		const buy = { ...row(reference), outcome: 'rejected' };
		await addRow(playground.rest, 'Money register', buy);
		const sell = { reference, operation: 'sell', outcome: 'accepted', transaction_id: id };
		await addRow(playground.rest, 'Money register', sell);
		const say = async (what: string, answers: Record<string, string>) => {
			const listed = await desk();
			const which = labelled(listed, reference);
			const asked = await listed.submit({ 'Which one?': which, 'What is to be done?': what });
			expect(asked.text).not.toContain('Since the list was made');
			return await asked.submit({ ...answers, 'Do it?': 'Yes' });
		};
		const lent = await say('It is there', { 'Its transaction id': id });
		expect(lent.text).toContain(
			`${reference}: nothing was done, because the register has transaction ${id} as ${reference} already`,
		);
		const closed = await say('Close it', { 'Why?': 'Refunded' });
		expect(closed.text).toContain(`${reference} is closed. Nothing was sent.`);
		expect(listedOn(closed)).not.toContain(reference);
		await deleteRows(playground.rest, 'Money register', reference);
	});

	more('does not let a link fill in its pages', async () => {
		const page = await (
			await browserOf(playground.rest).open('/form/desk?why=Refunded&sure=Yes')
		).submit();
		expect(page.title).toBe('Open the desk anew');
	});

	more('says when to look for what is young, and does not send it', async () => {
		const reference = await leaving['an error']!();
		const page = await desk();
		const asked = await page.submit({
			'Which one?': labelled(page, reference),
			'What is to be done?': send,
		});
		expect(asked.text).toMatch(/at or after \d\d:\d\d UTC/);
		const [sure] = asked.fields.filter(({ label }) => label === 'Do it?');
		expect(sure!.options).toEqual(['No, back to the list']);
		// As a page would that was opened later.
		const done = await asked.submit({ 'Do it?': 'Yes' });
		expect(done.text).toContain('was not sent now, and is still open');
		expect(done.text).toMatch(/at or after \d\d:\d\d UTC/);
		await agree([deskSaid('young', reference, done)]);
		expect(playground.sandbox.transactions().map((one) => one.reference)).not.toContain(reference);
	});

	more('says how to send what came from a workflow without an entry for it', async () => {
		const reference = 'elsewhere-1';
		await addRow(playground.rest, 'Money register', {
			reference,
			operation: 'buy',
			outcome: 'rejected',
			amount: 20000,
			service: playground.sandbox.baseUrl,
			workflowId: 'StablecoinRamp01',
		});
		const page = await desk();
		const which = labelled(page, reference);
		const asked = await page.submit({ 'Which one?': which, 'What is to be done?': send });
		const done = await asked.submit({ 'Do it?': 'Yes' });
		for (const { text } of [asked, done]) {
			expect(text).toContain('came from workflow StablecoinRamp01, which is not among the entries');
			expect(text).toContain('Submit Unknown Again');
		}
		await agree([deskSaid('no entry', reference, done)]);
	});

	const meanwhile: Array<[string, Record<string, string>, string, Way['said']]> = [
		[
			correct,
			{ ...right(), 'Name of the payer': 'Ada Corrected' },
			'Your purchase was accepted',
			'accepted',
		],
		['Close it', { 'Why?': 'Refunded' }, 'We have seen to it', 'closed'],
	];

	it.each(some(meanwhile, 2))(
		'agrees with a page that a customer has open: %s',
		async (what, answers, title, said) => {
			const page = await payingPage();
			const mistake = { ...paid, ...secondVendor(page), 'Account number': '123' };
			const open = await page.submit(mistake);
			const reference = referenceOn(open);
			const listed = await desk();
			const which = labelled(listed, reference);
			const asked = await listed.submit({ 'Which one?': which, 'What is to be done?': what });
			const done = await asked.submit({ ...answers, 'Do it?': 'Yes' });
			const last = await open.submit({ 'Account number': paid['Account number'] });
			expect(last.title).toBe(title);
			await agree([
				deskSaid('a customer’s page is open', reference, done),
				{ name: 'the customer', reference, said, isPaid: true },
			]);
		},
	);

	more.each([
		['another address of the service', 'sandbox-1', { service: 'https://sandbox.example.com' }],
		['an address that begins alike', 'sandbox-2', { service: 'http://127.0.0.1:4' }],
		['another business', 'sandbox-3', { business_id: 'another' }],
	])('sends nothing to %s than before', async (_, reference, different) => {
		await addRow(playground.rest, 'Money register', {
			...row(reference),
			outcome: 'rejected',
			...different,
		});
		const listed = await desk();
		const which = labelled(listed, reference);
		const asked = await listed.submit({ 'Which one?': which, 'What is to be done?': send });
		const [belongsTo = ''] = Object.values(different);
		const done = await asked.submit({ 'Do it?': 'Yes' });
		expect(done.text).toContain('was not sent: it belongs to');
		expect(done.text).toContain(belongsTo);
		await agree([deskSaid('another address', reference, done)]);
	});

	more('does not correct a payout, which was approved as it is', async () => {
		const { rows, references } = payouts([20000]);
		const [reference = ''] = references;
		playground.sandbox.fault({ kind: 'serverError', accept: false, on: 'sell' });
		await upload(rows);
		const listed = await desk();
		const which = labelled(listed, reference);
		const asked = await listed.submit({ 'Which one?': which, 'What is to be done?': correct });
		expect(asked.fields.map(({ label }) => label)).toEqual(['Do it?']);
		const done = await asked.submit({ 'Do it?': 'Yes' });
		expect(done.text).toContain('was not sent. A payout is not corrected here');
		await agree([{ ...deskSaid('a payout', reference, done), isPaid: false }]);
	});

	more('does what a page says to the case that it shows, and to no other', async () => {
		const [first, second] = [await leaving['a mistake']!(), await leaving['a mistake']!()];
		const listed = await desk();
		const choose = async (page: FormPage, reference: string) =>
			await page.submit({
				'Which one?': labelled(page, reference),
				'What is to be done?': 'Close it',
			});
		const stale = await choose(listed, first);
		await choose(await stale.submit({ 'Why?': '', 'Do it?': 'No, back to the list' }), second);
		const done = await stale.submit({ 'Why?': 'Refunded', 'Do it?': 'Yes' });
		expect(done.text).toContain('has changed since you opened the page');
		for (const reference of [first, second]) expect(listedOn(done)).toContain(reference);
	});

	more('does what a page says, and nothing else', async () => {
		const reference = await leaving['a mistake']!();
		const choose = async (page: FormPage, what: string) =>
			await page.submit({
				'Which one?': labelled(page, reference),
				'What is to be done?': what,
			});
		const stale = await choose(await desk(), 'Close it');
		const back = await stale.submit({ 'Why?': '', 'Do it?': 'No, back to the list' });
		await choose(back, 'It is there');
		const done = await stale.submit({ 'Why?': 'Refunded', 'Do it?': 'Yes' });
		expect(done.text).toContain('has changed since you opened the page');
		expect(listedOn(done)).toContain(reference);
	});

	more(
		'takes no transaction id that another has, and closes nothing without a reason',
		async () => {
			const page = await payingPage();
			const other = referenceOn(await page.submit({ ...paid, ...secondVendor(page) }));
			const reference = await leaving['a mistake']!();
			const say = async (what: string, answers: Record<string, string>) => {
				const listed = await desk();
				const which = labelled(listed, reference);
				const asked = await listed.submit({ 'Which one?': which, 'What is to be done?': what });
				return await asked.submit({ ...answers, 'Do it?': 'Yes' });
			};
			const taken = await say('It is there', { 'Its transaction id': ` ${idOf(other)}` });
			expect(taken.text).toContain(`has transaction ${idOf(other)} as ${other} already`);
			for (const [what, field] of [
				['It is there', 'Its transaction id'],
				['Close it', 'Why?'],
			] as const) {
				const without = await say(what, { [field]: ' ' });
				expect(without.text).toContain(`${reference}: nothing was done, because`);
			}
			await agree([deskSaid('without a reason', reference, taken)]);
		},
	);

	more('keeps who did what, and reads an amount as people write it', async () => {
		const reference = await leaving['a mistake']!();
		const change = async (answers: Record<string, string>) => {
			const listed = await desk();
			const which = labelled(listed, reference);
			const asked = await listed.submit({ 'Which one?': which, 'What is to be done?': correct });
			return await asked.submit({ ...answers, 'Do it?': 'Yes' });
		};
		const wrong = await change({ 'Amount in naira': '20.000,00' });
		expect(wrong.text).toContain('was not sent now, and is still open');
		expect(labelled(wrong, reference)).toContain('₦20,000');
		const done = await change({ ...right(), 'Amount in naira': '₦20,500' });
		expect(done.text).toContain('Corrected: amount from 20000 to 20500.');
		await agree([deskSaid('corrected twice', reference, done)]);
		const row = counting(await playground.rowsOf('Money register'), reference)!;
		expect(String(row.by).match(/corrected it and asked to send it/g)).toHaveLength(2);
	});

	more('says what may be the same payment, entered twice', async () => {
		const amount = { ...order, 'Amount in naira': '₦31,000' };
		const enter = async (mistake: object) => {
			const page = await (await form()).submit(amount);
			return await page.submit({ ...paid, ...secondVendor(page), ...mistake });
		};
		const open = referenceOn(await enter({ 'Account number': '123' }));
		const accepted = referenceOn(await enter({}));
		const listed = await desk();
		const which = labelled(listed, open);
		const asked = await listed.submit({ 'Which one?': which, 'What is to be done?': send });
		expect(asked.text).toContain(
			`was entered within a day of it and accepted, as ${accepted}, transaction`,
		);
	});

	more('counts rows that people have written by hand', async () => {
		const bare = { amount: 20000, sentAt: null };
		for (const one of [
			{ reference: 'by-hand-1', outcome: 'Unknown ' },
			{ reference: 'by-hand-2', outcome: 'Rejected', operation: 'Buy' },
			{
				reference: 'by-hand-3',
				outcome: 'unknown',
				operation: 'buy',
				service: 'https://x.example/',
			},
			{ reference: 'by-hand-3', outcome: 'Accepted', transaction_id: 'T-1' },
			{ reference: 'by-hand-4', outcome: 'unknown', operation: 'sell' },
			{ reference: 'by-hand-4', outcome: 'accepted', operation: 'buy' },
			{ reference: null, outcome: 'unknown' },
		]) {
			await addRow(playground.rest, 'Money register', { ...bare, ...one });
		}
		const listed = listedOn(await desk()).filter((one) => one.startsWith('by-hand'));
		expect(listed).toEqual(['by-hand-1', 'by-hand-2', 'by-hand-4']);
		for (const reference of ['by-hand-1', 'by-hand-2', 'by-hand-3', 'by-hand-4']) {
			await deleteRows(playground.rest, 'Money register', reference);
		}
	});

	more('does nothing when nobody is sure', async () => {
		const reference = await leaving['a mistake']!();
		const page = await desk();
		const which = labelled(page, reference);
		const asked = await page.submit({ 'Which one?': which, 'What is to be done?': send });
		const done = await asked.submit({ 'Do it?': 'No, back to the list' });
		expect(done.text).toContain('nothing was done');
		expect(labelled(done, reference)).toBe(which);
		await agree([deskSaid('not sure', reference, done)]);
	});

	if (isAll && findTool('faketime')) {
		it('settles what is open, whoever presses what, and whatever the service does', async () => {
			const combinations = Object.keys(leaving).flatMap((left) =>
				Object.keys(dealings)
					.filter((dealing) => fits(left, dealing))
					.flatMap((dealing) => meetings.map((meeting) => ({ left, dealing, meeting }))),
			);
			const cases: Array<{ name: string; reference: string; dealing: Dealing; meeting: string }> =
				[];
			for (const { left, dealing, meeting } of combinations) {
				cases.push({
					name: `${left} ${dealing}, ${meeting}`,
					reference: await leaving[left]!(),
					dealing: dealings[dealing]!,
					meeting,
				});
			}
			cases.push(...(await killedWithAClaim()));
			await startLater(25);
			const said: Way[] = [];
			for (const { name, reference, dealing, meeting } of cases) {
				said.push(...(await dealWith(name, reference, dealing, meeting)));
			}
			await agree(said);
		});
	}

	/** n8n is killed while the service has a buy in hand: after it was accepted, and before. */
	async function killedWithAClaim() {
		const cases = [];
		for (const dealing of ['is there', 'is sent again']) {
			const before = (await playground.rowsOf('Money register')).length;
			const page = await payingPage();
			playground.sandbox.fault(
				dealing === 'is there'
					? { kind: 'delay', delayMs: 20_000, on: 'buy' }
					: { kind: 'unavailable', accept: false, delayMs: 20_000, on: 'buy' },
			);
			const pressed = page.submit({ ...paid, ...secondVendor(page) }).catch(() => undefined);
			const [sending] = await until(async () => {
				const rows = (await playground.rowsOf('Money register')).slice(before);
				return rows.length > 0 && rows;
			});
			await playground.n8n.kill();
			await pressed;
			await playground.restart();
			cases.push({
				name: `a kill with a claim ${dealing}`,
				reference: String(sending!.reference),
				dealing: dealings[dealing]!,
				meeting: 'once',
			});
		}
		return cases;
	}

	const leaveAll = async () => {
		const references: string[] = [];
		for (const leave of some(Object.values(leaving), 2)) references.push(await leave());
		return references;
	};
});

/** Enables it as a person does, with a Telegram at this address, or disables it. */
async function setTelegram(id: string, baseUrl?: string): Promise<void> {
	const { rest } = playground;
	const { nodes, connections, settings, versionId } = await playground.workflow(id);
	const node = nodes.find(({ type }) => type.endsWith('.telegram'))!;
	node.disabled = baseUrl === undefined;
	if (baseUrl !== undefined) {
		const name = 'Telegram of the test';
		const data = { accessToken: 'token', baseUrl };
		const made = { name, type: 'telegramApi', data };
		const credential = await rest.post<{ id: string }>('/credentials', made);
		node.parameters.chatId = '1';
		node.credentials = { telegramApi: { id: credential.id, name } };
	}
	await rest.patch(`/workflows/${id}`, { nodes, connections, settings, versionId });
}

/** What the watch tells, when its time has come. */
async function watched() {
	const before = (await playground.rowsOf('Money alerts')).length;
	const { status } = await playground.run('StablecoinRamp08', 'Every fifteen minutes');
	expect(status).toBe('success');
	return (await playground.rowsOf('Money alerts')).slice(before);
}

/** What it tells one time after the other, until there is nothing more. */
async function allWatched() {
	const told = [];
	for (let more = await watched(); more.length > 0; more = await watched()) told.push(...more);
	return told;
}

const referencesIn = (alerts: Row[]) =>
	alerts.flatMap(({ references }) => String(references).split(', ')).toSorted();

describe('example 8, the watch', () => {
	// What stays unknown for a quarter of an hour is told again, so what the tests before have left is taken out.
	beforeAll(async () => {
		for (const { reference, outcome } of await playground.rowsOf('Money register')) {
			const isOpen = outcome === 'unknown' || outcome === 'sending';
			if (isOpen) await deleteRows(playground.rest, 'Money register', String(reference));
		}
	});

	it('tells what the desk lists, once', async () => {
		await leaving['a mistake']!();
		await leaving['a lost answer']!();
		const pasted = { ...row('pasted-1\n'), outcome: 'notSent' };
		await addRow(playground.rest, 'Money register', pasted);
		const told = await allWatched();
		const listed = await onTheDesk();
		expect(listed).toContain('pasted-1');
		expect(referencesIn(told)).toEqual(listed);
		for (const reference of listed) {
			expect(told.filter(({ text }) => String(text).includes(`${reference}: `))).toHaveLength(1);
		}
		expect(await watched()).toEqual([]);
		const reference = await leaving['a rejection']!();
		expect((await watched()).map(({ references }) => references)).toEqual([reference]);
	});

	more('tells what one message does not hold in the next', async () => {
		await allWatched();
		const references = Array.from({ length: 60 }, (_, index) => `many-${index}`);
		for (const reference of references) {
			await addRow(playground.rest, 'Money register', { ...row(reference), outcome: 'rejected' });
		}
		const told = await allWatched();
		expect(told.length).toBeGreaterThan(1);
		for (const { text } of told) expect(String(text).length).toBeLessThan(3500);
		expect(referencesIn(told)).toEqual(references.toSorted());
		expect(told[0]!.text).toContain('follow in fifteen minutes');
		expect(await watched()).toEqual([]);
		for (const reference of references) {
			await deleteRows(playground.rest, 'Money register', reference);
		}
	});

	more('tells again what Telegram did not take', async () => {
		const texts: string[] = [];
		const answers = [500, 200];
		const telegram = await startServer(({ body }) => {
			texts.push((body as { text: string }).text);
			return { status: answers.shift() ?? 200, body: { ok: true, result: {} } };
		});
		await setTelegram('StablecoinRamp08', telegram.url);
		const reference = await leaving['a mistake']!();
		for (const rows of ['', `${reference}`]) {
			const [told] = await watched();
			expect(told!.references).toBe(reference);
			expect(String(told!.rows ?? '').replace(/^\d+ /, '')).toBe(rows);
		}
		expect(await watched()).toEqual([]);
		expect(texts).toHaveLength(2);
		for (const text of texts) expect(text).toContain(reference);
		await setTelegram('StablecoinRamp08');
		await telegram.close();
	});
});

if (isAll && findTool('faketime')) {
	// The last of all, because n8n's clock is a day ahead then.
	it('example 4, a list of payouts, reminds once of what nobody approves, and gives up after a day', async () => {
		await allWatched();
		const { rows, references } = payouts([500001]);
		await upload(rows);
		const before = sells().length;
		const asked = async () =>
			(await playground.rowsOf('Money alerts')).filter(
				(alert) => alert.references === references.join(', '),
			);
		expect(await asked()).toHaveLength(1);
		// Some minutes before: what is due while n8n starts, n8n comes to before it has its data tables.
		await startLater(ahead + 12 * 60 - 3);
		const [, reminder] = await until(
			async () => {
				const alerts = await asked();
				return alerts.length > 1 && alerts;
			},
			{ within: 300_000 },
		);
		expect(reminder!.text).toMatch(/^Reminder: Please approve/);
		await startLater(ahead + 12 * 60);
		await until(
			async () => {
				const all = await playground.executionsOf('StablecoinRamp04');
				const ended = await Promise.all(all.map((id) => playground.ended(id)));
				return ended.some(
					(one) => one?.data.resultData.lastNodeExecuted === 'Nothing was paid out',
				);
			},
			{ within: 200_000 },
		);
		expect(await asked()).toHaveLength(2);
		expect(sells()).toHaveLength(before);
		// A day later it is past eight o'clock once more.
		expect(referencesIn(await allWatched())).toEqual(await onTheDesk());
	});
}

async function startLater(minutes: number): Promise<void> {
	await playground.n8n.stop();
	await playground.restart(await minutesLaterInCodeToo(minutes, playground.userFolder));
	ahead = minutes;
	colleague = await signedIn(playground.n8n.baseUrl, 'Efe');
}
