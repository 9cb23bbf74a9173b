import { payableVendors, vendorsOfAnyShape, vendorsIn } from '../../../client/vendors';

const ada = { vendorName: 'Ada', vendorNumber: '0000000012', vendorBank: 'Bank of Ada' };

const noList = (what: string) => ({
	ok: false,
	message: 'The service sent no vendor list',
	description: `It answered with ${what}. Open the credential and check the 'Base URL'.`,
});
const failed = {
	ok: false,
	message: 'The service sent no vendor list',
	description: 'Its answer says "failed". Try again later. If it goes on, ask the service.',
};

it.each([vendorsIn, vendorsOfAnyShape])(
	'takes a list apart, and refuses what is none: %p',
	(read) => {
		expect(read({ VendorList: [ada] })).toEqual({ ok: true, value: [ada] });
		expect(read({ VendorList: [] })).toEqual({ ok: true, value: [] });
		expect(read({ VendorList: {} })).toEqual(noList('an object of another shape'));
		expect(read(null)).toEqual(noList('null'));
		expect(read({ VendorList: null, message: 'at lunch' })).toMatchObject({
			description: expect.stringMatching(/The service says: at lunch$/) as string,
		});
		expect(read([null])).toEqual(noList('a list'));
		expect(read([ada, null])).toEqual(noList('a list'));
		const odd = [{}, { error: 'db' }, { vendorName: {}, vendorNumber: ['1'] }, { vendorName: ' ' }];
		for (const VendorList of [[ada, 7], ...odd.map((one) => [one]), odd]) {
			expect(read({ VendorList })).toEqual({
				ok: false,
				message: 'The service sent a vendor list with entries that are not vendors',
				description: 'Ask the service. Pay into no account until its list is back.',
			});
		}
		expect(read({ VendorList: [{}, { vendorNumber: 12 }] })).toMatchObject({ ok: true });
	},
);

it.each([vendorsIn, vendorsOfAnyShape])('refuses an answer that says no: %p', (read) => {
	for (const body of [{}, { VendorList: [] }, { VendorList: [ada] }]) {
		expect(read({ ...body, status: 'failed' })).toEqual(failed);
	}
});

it('passes other shapes of test vendors on, and no others', () => {
	for (const body of [{}, { accounts: [ada] }]) {
		expect(vendorsOfAnyShape(body)).toEqual({ ok: true, value: [body] });
		expect(vendorsIn(body)).toEqual(noList('an object of another shape'));
	}
	expect(vendorsOfAnyShape([ada, {}])).toEqual({ ok: true, value: [ada, {}] });
	expect(vendorsIn([ada])).toEqual(noList('a list'));
});

it.each(['live', 'test'] as const)(
	'knows the %s vendors that a buy can be paid to: those with all three values',
	(source) => {
		const VendorList = [
			{ ...ada, vendorNumber: 12, more: true },
			{ ...ada, vendorBank: ' ' },
			{ ...ada, vendorName: null },
			{},
		];
		const value = [{ ...ada, vendorNumber: '12' }];
		expect(payableVendors(source, { VendorList })).toEqual({ ok: true, value });
		expect(payableVendors(source, { VendorList: VendorList.slice(1) })).toEqual({
			ok: true,
			value: [],
		});
		expect(payableVendors(source, { VendorList: [] })).toEqual({ ok: true, value: [] });
	},
);

it('does not know whom to pay from test vendors of another shape, and says what to do', () => {
	expect(payableVendors('test', { accounts: [ada] })).toEqual({
		ok: false,
		message: 'No vendors could be read from the list of test vendors',
		description:
			"The service answered in a shape that this node does not know. Set 'Vendor Source' to Enter by Hand, and fill in the name, the bank and the number that were paid",
	});
	expect(payableVendors('test', [ada, {}])).toEqual({ ok: true, value: [ada] });
	expect(payableVendors('test', [])).toEqual({ ok: true, value: [] });
});
