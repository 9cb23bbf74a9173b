import { newUser } from '../../support/n8n/people.mts';
import { openSignedIn } from '../buyForm.mts';
import {
	desktop,
	expectToFit,
	expectWords,
	newContext,
	phone,
	picture,
	scene,
	signIn,
	stage,
} from '../stage.mts';

const list = `reference,amount,accountName,accountNumber,bankName
salary-11,620000,Ada Example,0123456789,Harbour Demo Bank
salary-12,580000,Efe Example,0123456780,Savanna Demo Bank
`;

describe('the list of payouts, example 4', () => {
	scene(
		'is paid out when somebody else has approved it, on a phone',
		async (page) => {
			const { playground } = stage;
			await openSignedIn(page, 'pay-out-a-list');
			const file = { name: 'payouts.csv', mimeType: 'text/csv', buffer: Buffer.from(list) };
			await page.getByLabel('List of payouts').setInputFiles(file);
			await page.getByRole('button', { name: 'Check it and pay out' }).click();
			await page.getByRole('heading', { name: 'Approve 2 payouts' }).waitFor();
			const asked = (await playground.rowsOf('Money alerts')).at(-1);

			const approver = await newUser(playground.rest, playground.n8n.baseUrl, 'Bola');
			const context = await newContext(phone);
			await signIn(context, approver);
			const theirs = await context.newPage();
			await theirs.goto(/http\S+$/.exec(String(asked!.text))![0]);
			await expectWords(theirs, '0123456789', '0123456780', '₦1,200,000', 'Playground Owner');
			await expectToFit(theirs);
			await picture(theirs, 'approval');
			await theirs.getByLabel('Approve', { exact: true }).check();
			await theirs.getByRole('button', { name: 'Decide' }).click();
			await theirs.getByRole('heading', { name: '2 accepted' }).waitFor();
			await expectToFit(theirs);
			await context.close();
			expect(playground.sandbox.transactions()).toHaveLength(2);
		},
		{ viewport: desktop },
	);
});
