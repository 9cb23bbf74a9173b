import { decisionsIn, evaluated } from '../../support/examples.mts';
import type { Row } from '../../support/n8n/dataTables.mts';

const form = decisionsIn('02-buy-from-a-form.json');

/** The title of the last page of example 2, after the buy had this outcome and left these rows. */
function titleAfter(outcome: string, rows: Row[]): unknown {
	const outputs: Record<string, Row[]> = { Buy: [{ outcome }], 'Its row': rows };
	const $ = (name: string) => {
		const all = outputs[name]!.map((json) => ({ json }));
		return { all: () => all, first: () => all[0] };
	};
	return evaluated(form.parametersOf('The end').completionTitle!, { $ });
}

it.each([
	['Closed ', 'We have seen to it'],
	['CLOSED', 'We have seen to it'],
	[' Accepted', 'Your purchase was accepted'],
	['Unknown', 'We do not know yet'],
])('a row in which a person has written "%s" counts, however it was typed', (outcome, title) => {
	const before = { id: 1, outcome: 'notSent' };
	expect(titleAfter('notSent', [before, { id: 2, outcome }])).toBe(title);
});
