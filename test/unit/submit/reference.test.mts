import type { IExecuteFunctions } from 'n8n-workflow';

import { isMade, referenceMaker } from '../../../nodes/StablecoinRamp/submit/reference.ts';

interface Where {
	workflow?: string;
	node?: string;
	execution?: string;
	run?: number;
	kept?: object;
}

const place = ({ workflow = 'w', node = 'n', execution = 'e', run = 0, kept = {} }: Where) =>
	({
		getContext: () => kept,
		getExecutionId: () => execution,
		getWorkflow: () => ({ id: workflow }),
		getNode: () => ({ id: node }),
		getWorkflowDataProxy: () => ({ $runIndex: run }),
	}) as unknown as IExecuteFunctions;

const make = (where: Where = {}, operation: 'buy' | 'sell' = 'buy', item = 0, payload = 'p') =>
	referenceMaker(place(where), operation, false)(item, payload);

const hash = '0123456789abcdef0123456789abcdef01234567';

it('knows its own references from all others', () => {
	expect(isMade(`n8n-${hash}`)).toBe(true);
	expect(isMade(make())).toBe(true);
	const others = [`xn8n-${hash}`, `n8n-${hash}0`, `n8n-${hash.slice(1)}`, `n8n-${hash.slice(1)}g`];
	for (const other of [...others, hash, 'order-1', '', undefined])
		expect(isMade(other)).toBe(false);
});

it('makes another one for whatever makes another transaction, and the same for the same', () => {
	const references = [
		make(),
		...[{ workflow: 'x' }, { node: 'x' }, { execution: 'x' }, { run: 1 }].map((where) =>
			make(where),
		),
		make({}, 'sell'),
		make({}, 'buy', 1),
		make({}, 'buy', 0, 'x'),
	];
	expect(new Set(references).size).toBe(references.length);
	expect(make()).toBe(references[0]);
});

it('makes the same one in a retry, which is an execution of its own with what the first has kept', () => {
	const kept = {};
	expect(make({ execution: 'first', kept })).toBe(make({ execution: 'first' }));
	expect(make({ execution: 'second', kept })).toBe(make({ execution: 'first' }));
});

it('makes one nobody else makes where n8n gives no id to an execution', () => {
	const kept = {};
	expect(make({ execution: '', kept })).not.toBe(make({ execution: '' }));
	expect(make({ execution: '', kept })).toBe(make({ execution: '', kept }));
});

it('makes one for all calls of a tool in an execution, whatever it says, and another in the next', () => {
	const call = (where: Where, item: number, payload: string) =>
		referenceMaker(place(where), 'buy', true)(item, payload);
	expect(call({ run: 1 }, 1, 'other')).toBe(call({}, 0, 'p'));
	expect(call({ execution: 'x' }, 0, 'p')).not.toBe(call({}, 0, 'p'));
	expect(call({}, 0, 'p')).not.toBe(make());
});

it('makes the same from version to version, because a retry may come after an update', () => {
	expect(make()).toBe('n8n-eba12158b1d7da9d00d0a77a33d09b0d344adc17');
	expect(referenceMaker(place({}), 'buy', true)(0, 'p')).toBe(
		'n8n-179fd199f5be3c4190ae9483421c0c0e1b1c9816',
	);
});
