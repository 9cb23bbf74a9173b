import { differencesIn } from '../../../nodes/StablecoinRamp/resources/transaction/answer.ts';
import { judge } from '../../../nodes/StablecoinRamp/submit/judge.ts';
import { differencesInWords } from '../../../nodes/StablecoinRamp/submit/stopError.ts';
import { entry } from './entry.mts';

const sent = {
	reference: 'order-1',
	amount: 15000,
	network: 'Polygon',
	wallet_address: '0xAbC',
	bank_name: 'Harbour Demo Bank',
	account_number: '0123456789',
	account_name: 'Ada Example',
	business_id: 'B-1',
	link_tag: 'tag',
};
const fields = Object.keys(sent);
const fieldsOf = (answer: object, asked: object = sent) =>
	differencesIn({ transaction: answer } as never, asked as never).map(({ field }) => field);

describe('an answer and what was sent', () => {
	it('do not differ where it repeats what was sent, in other capitals and with spaces', () => {
		const loud = Object.fromEntries(
			Object.entries(sent).map(([name, value]) => [name, ` ${String(value).toUpperCase()} `]),
		);
		expect(fieldsOf(sent)).toEqual([]);
		expect(fieldsOf(loud)).toEqual([]);
	});

	it.each(fields)('differ in %s alone where it has another', (field) => {
		expect(differencesIn({ transaction: { ...sent, [field]: '7' } }, sent)).toEqual([
			{ field, sent: String(sent[field as keyof typeof sent]), answered: '7' },
		]);
	});

	it.each([undefined, null, ''])(
		'do not differ where it has %j, or nothing was sent',
		(nothing) => {
			const none = Object.fromEntries(fields.map((field) => [field, nothing]));
			expect(fieldsOf(none)).toEqual([]);
			expect(fieldsOf(sent, none)).toEqual([]);
		},
	);

	it('have the same amount in another form, and not one that is no number', () => {
		for (const amount of ['15000', '15000.00', ' 15000 ', '1.5e4']) {
			expect(fieldsOf({ amount })).toEqual([]);
		}
		for (const amount of ['15,000', 'fifteen', ' ', 15000.01, 0]) {
			expect(fieldsOf({ amount })).toEqual(['amount']);
		}
	});

	it('differ in a capital letter of an address on Stellar and Solana alone', () => {
		const wallet = { wallet_address: '0xABC' };
		for (const network of ['Stellar', 'Solana']) {
			expect(fieldsOf(wallet, { ...sent, network })).toEqual(['wallet_address']);
			expect(fieldsOf({ bank_name: 'harbour demo bank' }, { ...sent, network })).toEqual([]);
		}
		for (const network of ['Polygon', 'Avalanche']) {
			expect(fieldsOf(wallet, { ...sent, network })).toEqual([]);
		}
	});

	it('are compared wherever the answer tells of it', () => {
		for (const answer of [
			{ amount: 7 },
			{ data: { amount: 7 } },
			{ data: { transaction: { amount: 7 } } },
			{ transaction: { amount: 7 } },
		]) {
			expect(differencesIn(answer, sent)).toHaveLength(1);
		}
		expect(differencesIn({ transaction: { business: { business_id: 'B-2' } } }, sent)).toEqual([
			{ field: 'business_id', sent: 'B-1', answered: 'B-2' },
		]);
		expect(differencesIn({ transaction: { bank_name: { name: 'x' } } }, sent)).toEqual([
			{ field: 'bank_name', sent: 'Harbour Demo Bank', answered: '{"name":"x"}' },
		]);
	});
});

describe('what differs', () => {
	const judged = (answer: object) =>
		judge(
			{ statusCode: 200, body: { status: 'success', transaction: answer } as never },
			'buy',
			{ ...entry('order-1'), body: sent },
			'secret-key',
		);

	it('is in the receipt and in the result, and nowhere where nothing does', () => {
		const differs = [{ field: 'amount', sent: '15000', answered: '7' }];
		expect(judged({ transaction_id: 'T-1', amount: 7 })).toMatchObject({
			outcome: 'accepted',
			differs,
			receipt: { differs },
		});
		const same = judged({ transaction_id: 'T-1', amount: 15000 });
		expect(same).not.toHaveProperty('differs');
		expect(same).not.toHaveProperty('receipt.differs');
	});

	it('has account numbers covered where the answer has no id to be known by', () => {
		const { knownAs } = judged({ account_number: '0009876543', bank_name: 'Other Bank' });
		expect(knownAs).toContain('••••6543');
		expect(knownAs).toContain('Other Bank');
		expect(knownAs).not.toContain('9876543');
	});

	it('is said of each that differs, with account numbers covered and long texts cut', () => {
		const differs = [
			{ field: 'account_number', sent: '0123456789', answered: '9876543210' },
			{ field: 'bank_name', sent: 'x'.repeat(150), answered: 'y' },
		];
		const done = { outcome: 'accepted', standing: 'accepted', receipt: {} } as const;
		expect(
			differencesInWords([
				{ ...done, reference: 'a' },
				{ ...done, reference: 'b', differs: [] },
				{ ...done, reference: 'c', differs, knownAs: 'transaction T-1' },
				{ ...done, reference: 'd', differs: differs.slice(0, 1) },
			]),
		).toEqual([
			`The service accepted reference c, transaction T-1, and answered otherwise than it was asked: account_number ••••6789 became ••••3210; bank_name "${'x'.repeat(100)}" became "y". Ask the service about it.`,
			'The service accepted reference d and answered otherwise than it was asked: account_number ••••6789 became ••••3210. Ask the service about it.',
		]);
	});
});
