import fc from 'fast-check';

import { checkAccountNumber, lastFour } from '../../../nodes/StablecoinRamp/checks/account';
import { stellarSeed } from './arbitraries.mts';

const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));

describe('an account number', () => {
	it('of ten digits is accepted, as text or as a number', () => {
		fc.assert(
			fc.property(digits(10), (number) => expect(checkAccountNumber(number)).toEqual({ ok: true })),
		);
		expect(checkAccountNumber(1234567890)).toEqual({ ok: true });
	});

	it.each([
		['08012345678', "'Account Number' ••••5678 has 11 digits and looks like a phone number"],
		['2348012345678', "'Account Number' ••••5678 has 13 digits and looks like a phone number"],
		['123456789', "'Account Number' ••••6789 has 9 digits, not ten"],
		[12345678, "'Account Number' ••••5678 has 8 digits, not ten"],
		['1', "'Account Number' has 1 digit, not ten"],
		['12345678901', "'Account Number' ••••8901 has 11 digits, not ten"],
		['5399831234567890', "'Account Number' ••••7890 has 16 digits, not ten"],
		['908012345678', "'Account Number' ••••5678 has 12 digits, not ten"],
		['012345678901', "'Account Number' ••••8901 has 12 digits, not ten"],
		['92348012345678', "'Account Number' ••••5678 has 14 digits, not ten"],
		['23480123456789', "'Account Number' ••••6789 has 14 digits, not ten"],
		['012 345 6789', "'Account Number' ••••6789 has characters other than digits"],
		['01234-56789', "'Account Number' ••••6789 has characters other than digits"],
		['01234567a9', "'Account Number' has characters other than digits"],
		[' 0123456789', "'Account Number' ••••6789 has characters other than digits"],
		['٠١٢٣٤٥٦٧٨٩', "'Account Number' has characters other than digits"],
		[1.5, "'Account Number' has characters other than digits"],
		['', "'Account Number' is empty"],
		[null, "'Account Number' is empty"],
		[{}, "'Account Number' is empty"],
	])('%j is refused: %s', (value, message) => {
		expect(checkAccountNumber(value)).toMatchObject({ ok: false, message });
	});

	it.each([
		['', "Fill in 'Account Number', ten digits"],
		['x', "Write 'Account Number' as ten digits, with no spaces, dashes or letters"],
		['08012345678', "Set 'Account Number' to the ten digits of the bank account"],
		['12345678901', "Set 'Account Number' to the ten digits of the bank account"],
		[
			'123456789',
			"A spreadsheet usually drops leading zeros: format the column as text, and give 'Account Number' with all ten digits",
		],
	])('%j is refused with what to do next: %s', (value, description) => {
		expect(checkAccountNumber(value)).toMatchObject({ description });
	});

	it('is called by the name of its field', () => {
		expect(checkAccountNumber('1', 'Vendor Account Number')).toMatchObject({
			message: expect.stringMatching(/^Vendor Account Number /),
			description: expect.stringContaining('Vendor Account Number'),
		});
	});

	it('shows its last four digits at most, in every message', () => {
		fc.assert(
			fc.property(fc.stringMatching(/^[\d -]{1,20}$/), (number) => {
				const words = `${lastFour(number)} ${JSON.stringify(checkAccountNumber(number))}`;
				for (const run of words.match(/\d+/g) ?? []) expect(run.length).toBeLessThanOrEqual(4);
				if (number.replace(/\D/g, '').length < 5) expect(lastFour(number)).toBe('••••');
			}),
		);
		expect(lastFour('0123456789')).toBe('••••6789');
		expect(lastFour('12345')).toBe('••••2345');
		for (const other of ['1234', 'a12345', '12345a']) expect(lastFour(other)).toBe('••••');
	});

	it('that is a seed shows nothing of it', () => {
		fc.assert(
			fc.property(stellarSeed, (seed) => {
				expect(lastFour(seed)).toBe('••••');
				expect(checkAccountNumber(seed)).toMatchObject({
					message: "'Account Number' has characters other than digits",
				});
			}),
		);
	});

	it('of any kind yields a verdict and no exception', () => {
		fc.assert(
			fc.property(fc.anything(), (value) => {
				expect(typeof checkAccountNumber(value).ok).toBe('boolean');
				expect(lastFour(value)).toMatch(/^••••/);
			}),
		);
	});
});
