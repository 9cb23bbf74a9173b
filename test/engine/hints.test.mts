import { credentialsFor } from '../support/engine/engine.mts';
import { goingOn, useSubmitting } from '../support/engine/submitting.mts';
import { startServer } from '../support/servers.mts';
import { operations, referencesTo } from '../support/transactions.mts';

const { sandbox, submit } = useSubmitting();

const sandboxed = "This went to the sandbox: the 'Base URL' of the credential is on this machine.";
const made = expect.stringMatching(
	/^Without a 'Reference' of your own, this is submitted once for this execution and its retries\./,
) as string;
const batched = expect.stringMatching(
	/^'Batching' under Request Options in Settings does not apply to buys and sells.*'Parallel Requests'/,
) as string;
const unsaved = expect.stringMatching(
	/^The workflow is not saved yet.* Save the workflow\.$/,
) as string;

const continuing = { node: goingOn };

describe.each(operations)('a %s', (operation) => {
	it('with a Reference of its own says no more than that it went to the sandbox', async () => {
		expect((await submit(operation)).hints).toEqual([sandboxed]);
	});

	it('without a Reference says that another execution would submit it again', async () => {
		expect((await submit(operation, { reference: '' })).hints).toEqual([sandboxed, made]);
	});

	it('without a Reference says so also when its outcome is unknown', async () => {
		sandbox.fault({ kind: 'serverError', on: operation });
		const { hints } = await submit(operation, { reference: '' }, continuing);
		expect(hints).toEqual([sandboxed, made]);
	});

	it('says nothing of either when nothing can have moved', async () => {
		sandbox.fault({ kind: 'badRequest', on: operation });
		expect((await submit(operation, { reference: '' }, continuing)).hints).toEqual([]);
		const dryRun = { reference: '', options: { dryRun: true } };
		expect((await submit(operation, dryRun)).hints).toEqual([]);
	});

	it('says that Batching in Request Options does not apply', async () => {
		const batching = { batch: { batchSize: 2, batchInterval: 1 } };
		const { hints } = await submit(operation, { requestOptions: { batching } });
		expect(hints).toEqual([batched, sandboxed]);
	});
});

it('a workflow that was never saved submits, and says once what that means', async () => {
	const { hints, json } = await submit('buy', {}, { workflowId: '', items: referencesTo(12) });
	expect(json).toHaveLength(12);
	expect(hints).toEqual([unsaved, sandboxed]);
});

it('hints stand beside the output: what a person has to mend as a warning, the rest as information', async () => {
	const batching = { batch: { batchSize: 2, batchInterval: 1 } };
	const { run } = await submit(
		'buy',
		{ reference: '', requestOptions: { batching } },
		{ workflowId: '' },
	);
	const [task] = run.data.resultData.runData.Ramp!;
	expect(task!.hints?.map(({ type, location }) => [type, location])).toEqual([
		['warning', 'outputPane'],
		['info', 'outputPane'],
		['info', 'outputPane'],
		['info', 'outputPane'],
	]);
});

it.each([null, false, ''])(
	'a receipt with %j for an error is kept, because an n8n may run the node once more for it',
	async (error) => {
		const answer = { error, transaction: { transaction_id: 'T-1' } };
		const { url: baseUrl } = await startServer(() => ({ body: answer }));
		const credentials = { ...credentialsFor(sandbox), baseUrl };
		const { run } = await submit('buy', { simplify: false }, { credentials });
		const { submitted } = run.data.executionData!.contextData['node:Ramp']!;
		expect(submitted).toEqual({ 0: { 0: expect.objectContaining({ id: 'T-1' }) } });
	},
);
