// The answer is compared with what was sent.
import type { IDataObject } from 'n8n-workflow';

import { someTable } from '../support/engine/fakeDataTable.mts';
import { startProcess } from '../support/engine/processes.mts';
import { useSubmitting } from '../support/engine/submitting.mts';
import { startService } from '../support/servers.mts';
import { readAsHtml } from '../support/shown.mts';
import { outcomesOf } from '../support/told.mts';
import { operations, referencesTo, wallet } from '../support/transactions.mts';

const { engine, sandbox, submit, optionsFor } = useSubmitting();

const answering = async (different: (sent: IDataObject) => IDataObject) =>
	await startService((sent) => ({
		body: {
			status: 'success',
			transaction: { ...sent, transaction_id: 'T-1', ...different(sent) },
		},
	}));

describe.each(operations)('a %s', (operation) => {
	it('whose answer repeats what was sent says nothing of it', async () => {
		const { credentials } = await answering(({ amount, network, account_number: number }) => ({
			amount: `${amount}.00`,
			network: String(network).toUpperCase(),
			account_number: ` ${number} `,
		}));
		const { json, hints } = await submit(operation, wallet, { credentials });
		expect(json[0]).not.toHaveProperty('differs');
		expect(hints.filter((hint) => hint.includes('otherwise'))).toEqual([]);
	});

	it.each<[string, string | number]>([
		['reference', 'another'],
		['amount', 99999],
		['network', 'Another Network'],
		['wallet_address', 'GAAAA'],
		['bank_name', 'Another Bank'],
		['account_number', '9999999999'],
		['business_id', 'BUSINESS-2'],
		['link_tag', 'another'],
	])('whose answer has another %s is accepted, and says so', async (field, answered) => {
		const { credentials, received } = await answering(() => ({ [field]: answered }));
		const ran = await submit(operation, wallet, { credentials });
		expect(outcomesOf(ran)).toEqual(['accepted']);
		const sent = String(received[0]![field]);
		expect(ran.json[0]!.differs).toEqual([{ field, sent, answered: String(answered) }]);
		const [hint] = ran.hints.filter((one) => one.includes('answered otherwise than it was asked'));
		expect(hint).toMatch(
			/^The service accepted reference order-0, transaction T-1, and answered otherwise than it was asked: /,
		);
		if (field === 'account_number') expect(hint).not.toContain('9999999999');
	});

	it('whose answer has another wallet shows both, from the first letter to the last', async () => {
		const another = 'GBVK4VHMIK4PZ5BEKUFHO6FNNMURXKVB3NC7PYIYLN2WTE4WXFIUTQXZ';
		const { credentials, received } = await answering(() => ({ wallet_address: another }));
		const { hints } = await submit(operation, wallet, { credentials });
		expect(hints.join()).toContain(
			`wallet_address "${received[0]!.wallet_address}" became "${another}"`,
		);
	});

	it('whose answer has no id and another account number covers that', async () => {
		const { credentials } = await startService(() => ({
			body: { status: 'success', transaction: { account_number: '9876543210' } },
		}));
		const { hints } = await submit(operation, wallet, { credentials });
		expect(hints.join()).toContain('account_number');
		expect(hints.join()).not.toContain('9876543210');
	});
});

it('is nothing where the secret key was typed into a field, and does not show it', async () => {
	const { secretKey } = sandbox;
	const { json, hints } = await submit('buy', { bankName: `my key ${secretKey}` });
	expect(json[0]).toMatchObject({ outcome: 'accepted' });
	expect(json[0]).not.toHaveProperty('differs');
	expect(JSON.stringify([json, hints])).not.toContain(secretKey);
});

it('is shown as the service has said it, where the editor takes a hint for HTML', async () => {
	const { credentials } = await answering(() => ({ bank_name: '<b>Bank</b>  &amp; `co`' }));
	const { hints, json } = await submit('buy', wallet, { credentials });
	expect(hints.map(readAsHtml).join()).toContain(`became "<b>Bank</b>  &amp; \`co\`"`);
	expect(json[0]!.differs).toMatchObject([{ answered: '<b>Bank</b>  &amp; `co`' }]);
});

it('is told in the message of a run that stops', async () => {
	const { credentials } = await startService(({ reference }, index) =>
		index === 0
			? {
					body: { status: 'success', transaction: { transaction_id: 'T-1', reference, amount: 7 } },
				}
			: { status: 400 },
	);
	const { error } = await submit('buy', {}, { credentials, items: referencesTo(2) });
	expect(error?.description).toContain(
		'The service accepted reference order-0, transaction T-1, and answered otherwise than it was asked: amount "15000" became "7". Ask the service about it.',
	);
});

it('is written into the register', async () => {
	const { credentials } = await answering(() => ({ amount: 7 }));
	const table = someTable();
	const { executeWorkflow } = table;
	const process = startProcess(engine, (context) => Object.assign(context, { executeWorkflow }));
	await process.run(optionsFor('buy', { options: { register: 'Register' } }, { credentials }));
	const [{ differs, outcome, amount }] = table.rows() as [IDataObject];
	expect({ outcome, amount, differs: JSON.parse(String(differs)) as unknown }).toEqual({
		outcome: 'accepted',
		amount: 15000,
		differs: [{ field: 'amount', sent: '15000', answered: '7' }],
	});

	const options = { register: 'Register', ifAlreadySubmitted: 'skip' };
	const again = await process.run(optionsFor('buy', { options }, { credentials }));
	expect(again!.json[0]).toMatchObject({
		outcome: 'skipped',
		transaction_id: 'T-1',
		differs: [{ field: 'amount', sent: '15000', answered: '7' }],
	});
});
