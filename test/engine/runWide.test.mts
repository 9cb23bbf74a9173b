import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import { someTable } from '../support/engine/fakeDataTable.mts';
import { credentialsFor, type Ran, type RunOptions } from '../support/engine/engine.mts';
import { startProcess } from '../support/engine/processes.mts';
import { startProxy } from '../support/servers.mts';
import { onErrors, useSubmitting } from '../support/engine/submitting.mts';
import { outcomesOf } from '../support/told.mts';
import { referencesTo } from '../support/transactions.mts';

const { engine, sandbox, optionsFor, accepted } = useSubmitting();

const buy = async (parameters: INodeParameters, different: Partial<RunOptions>): Promise<Ran> => {
	const { executeWorkflow } = someTable();
	const process = startProcess(engine, (context) => Object.assign(context, { executeWorkflow }));
	return (await process.run(optionsFor('buy', parameters, different)))!;
};

const itemsWith = (values: unknown[]): IDataObject[] =>
	referencesTo(values.length).map(
		(item, index) => ({ ...item, cap: values[index] }) as IDataObject,
	);

/** One that merely names a field, which this node reads by itself, and one that n8n has to evaluate. */
const expressions = ['={{ $json.cap }}', "={{ [$json.cap].concat('')[0] }}"];

interface RunWide {
	name: string;
	of: (value: string) => INodeParameters;
	/** Two values that are good in themselves. */
	good: unknown;
	other: unknown;
}

const runWide: RunWide[] = [
	{
		name: "'Maximum Total' in Options",
		of: (maximumTotal) => ({ options: { maximumTotal } }),
		good: 60000,
		other: 90000,
	},
	{
		name: "'Register' in Options",
		of: (register) => ({ options: { register } }),
		good: 'Register',
		other: 'Other',
	},
	{
		name: "'Parallel Requests' in Options",
		of: (parallelRequests) => ({ options: { parallelRequests } }),
		good: 1,
		other: 2,
	},
	{
		name: "'Timeout' under Request Options in Settings",
		of: (timeout) => ({ requestOptions: { timeout } }),
		good: 5000,
		other: 6000,
	},
	{
		name: "'Proxy' under Request Options in Settings",
		of: (proxy) => ({ requestOptions: { proxy } }),
		good: 'http://127.0.0.1:9',
		other: 'http://127.0.0.1:10',
	},
];

const marks = (text: unknown) => String(text).match(/\[item.*?\]/gi) ?? [];

/** Refused because of one item, which is named once and in the form that the editor knows. */
function expectRefused(ran: Ran, onError: (typeof onErrors)[number], because: number, why: string) {
	expect(outcomesOf(ran)).toEqual(['notSent', 'notSent', 'notSent']);
	expect(sandbox.requests()).toEqual([]);
	expect(engine.processedData.count()).toBe(0);
	if (onError === 'stopWorkflow') {
		expect(ran.error?.message).toBe(`${why} [item ${because}]`);
		expect(ran.error?.description).toMatch(/ Nothing was sent\.$/);
		expect(marks(ran.error?.description)).toEqual([]);
		return;
	}
	const output = onError === 'continueErrorOutput' ? ran.errorItems : ran.items;
	expect(output.map(({ json }) => json.error)).toEqual(
		[0, 1, 2].map((index) =>
			index === because
				? why
				: `Not sent, because the whole run was refused: ${why} [item ${because}]`,
		),
	);
	for (const { json } of output) expect(marks(json.message)).toEqual([]);
}

describe.each(runWide)('$name', ({ name, of, good, other }) => {
	describe.each(expressions)('as %s', (expression) => {
		it.each(onErrors)('that is empty for an item is refused (%s)', async (onError) => {
			for (const empty of ['', ' ', null, undefined]) {
				for (const because of [0, 2]) {
					const values = [good, good, good].with(because, empty);
					const ran = await buy(of(expression), { items: itemsWith(values), node: { onError } });
					expectRefused(ran, onError, because, `The expression in ${name} came out empty`);
				}
			}
		});

		it.each(onErrors)('that differs between items is refused (%s)', async (onError) => {
			const items = itemsWith([good, good, other]);
			const ran = await buy(of(expression), { items, node: { onError } });
			expectRefused(ran, onError, 2, `${name} is not the same as for the first item`);
		});

		it('that is not the same for every item comes with what to do', async () => {
			const tellsFor = async (last: unknown) =>
				(await buy(of(expression), { items: itemsWith([good, last]) })).error?.description;
			const instead =
				expression === expressions[0]
					? "give every item the same 'cap'"
					: 'let the expression give the same value for every item';
			expect(await tellsFor('')).toContain(
				`It holds for the whole run: write a fixed value there, or ${instead}. What a webhook`,
			);
			expect(await tellsFor(other)).toMatch(
				/^It holds for the whole run: write a fixed value there, or run the node once for each value, e\.g\. behind Loop Over Items\. (It could not be entered in the register: nothing of this run could be checked\. )?Nothing was sent\.$/,
			);
		});

		it('that is the same for every item holds', async () => {
			const proxy = await startProxy();
			const value = name.includes('Proxy') ? proxy.url : good;
			const ran = await buy(of(expression), { items: itemsWith([value, value, value]) });
			expect(outcomesOf(ran)).toEqual(['accepted', 'accepted', 'accepted']);
			expect(proxy.seen).toHaveLength(name.includes('Proxy') ? 3 : 0);
		});
	});

	it.each(onErrors)('whose expression cannot be evaluated is refused (%s)', async (onError) => {
		const ran = await buy(of("={{ $('Nowhere').item.json.cap }}"), {
			items: itemsWith([good, good, good]),
			node: { onError },
		});
		expectRefused(ran, onError, 0, `The expression in ${name} could not be evaluated`);
	});
});

it.each<[string, INodeParameters]>([
	['Register', { options: { register: '' } }],
	['Proxy', { requestOptions: { proxy: '' } }],
	['everything', { options: {}, requestOptions: {} }],
])('%s that is left empty by hand is none', async (_, parameters) => {
	const ran = await buy(parameters, { items: referencesTo(3) });
	expect(outcomesOf(ran)).toEqual(['accepted', 'accepted', 'accepted']);
});

describe('a credential with an expression in it', () => {
	const given = (different: ICredentialDataDecryptedObject = {}) => ({
		...credentialsFor(sandbox),
		...different,
	});
	const items = referencesTo(3);

	it.each(onErrors)('that differs between items is refused (%s)', async (onError) => {
		for (const [name, value] of [
			['secretKey', ''],
			['secretKey', 'another'],
			['businessId', 'ANOTHER'],
			['baseUrl', 'http://127.0.0.1:9'],
		] as const) {
			const credentialsOf = (index: number) => given(index === 2 ? { [name]: value } : {});
			const ran = await buy({}, { credentialsOf, items, node: { onError } });
			expectRefused(ran, onError, 2, 'The credential is not the same as for the first item');
		}
	});

	it.each(onErrors)('that is empty for the first item alone is refused (%s)', async (onError) => {
		const credentialsOf = (index: number) => given(index === 0 ? { secretKey: '' } : {});
		const ran = await buy({}, { credentialsOf, items, node: { onError } });
		expectRefused(ran, onError, 1, 'The credential is not the same as for the first item');
	});

	it.each(onErrors)('that n8n cannot read for an item is refused (%s)', async (onError) => {
		const credentialsOf = (index: number) => {
			if (index === 2) throw new Error('The secret was not found');
			return given();
		};
		const ran = await buy({}, { credentialsOf, items, node: { onError } });
		expectRefused(ran, onError, 2, 'The secret was not found');
	});

	it('is found in the last of many items', async () => {
		const many = referencesTo(120);
		const credentialsOf = (index: number) => given(index === 119 ? { linkTag: 'another' } : {});
		const { error } = await buy({}, { credentialsOf, items: many });
		expect(error?.message).toBe('The credential is not the same as for the first item [item 119]');
		expect(error?.description).toBe(
			'It holds for the whole run: use one without expressions, or run the node once for each value, e.g. behind Loop Over Items. Nothing was sent.',
		);
		expect(sandbox.requests()).toEqual([]);
	});

	it('that comes out the same for every item is used', async () => {
		const credentialsOf = () => given();
		const ran = await buy({}, { credentialsOf, credentials: {}, items });
		expect(outcomesOf(ran)).toEqual(['accepted', 'accepted', 'accepted']);
		expect(accepted()).toEqual(['order-0', 'order-1', 'order-2']);
	});
});

it('a register is known by its name, whatever spaces are around it', async () => {
	const { executeWorkflow, outcomes } = someTable();
	const process = startProcess(engine, (context) => Object.assign(context, { executeWorkflow }));
	await process.run(optionsFor('buy', { options: { register: '={{ "  Register " }}' } }));
	expect(outcomes()).toEqual(['order-0 accepted']);
});

it.each<[string, ICredentialDataDecryptedObject, string]>([
	['address', { baseUrl: 'nowhere' }, 'Base URL'],
	['key', { secretKey: '' }, 'Secret Key'],
])('a credential without a good %s stops before anything is claimed', async (_, bad, name) => {
	const credentials = { ...credentialsFor(sandbox), ...bad };
	const { error } = await buy({}, { credentials });
	expect(error?.message).toContain(name);
	expect(engine.processedData.calls).toBe(0);
	expect(sandbox.requests()).toEqual([]);
});
