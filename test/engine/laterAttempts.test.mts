// An attempt does not deny an earlier one under the same reference that may have moved.
import { goingOn, useSubmitting } from '../support/engine/submitting.mts';
import { startService } from '../support/servers.mts';
import { outcomesOf } from '../support/told.mts';
import { operations } from '../support/transactions.mts';

const { sandbox, submit, submitLater, accepted, posts } = useSubmitting();

const continuing = { node: goingOn };
const later = { submitUnknownAgain: 'unknown', submitAgain: 'rejected' } as const;

describe.each(operations)('a %s', (operation) => {
	const again = async (ifAlreadySubmitted: string) =>
		await submitLater(operation, { options: { ifAlreadySubmitted } }, continuing);

	describe.each(Object.entries(later))(
		'that is unknown, then rejected under %s',
		(choice, outcome) => {
			beforeEach(async () => {
				sandbox.fault({ kind: 'acceptThenDrop', on: operation });
				expect(outcomesOf(await submit(operation, {}, continuing))).toEqual(['unknown']);
				sandbox.fault({ kind: 'badRequest', on: operation });
			});

			it(`is ${outcome}, and the one before it is told`, async () => {
				const ran = await again(choice);
				expect(outcomesOf(ran)).toEqual([outcome]);
				const words = `${ran.json[0]!.error} ${ran.json[0]!.message}`;
				expect(words).toContain(`The ${operation} was rejected. The service refused the request`);
				expect(words).not.toContain('was not accepted and may be submitted again');
				expect(words).toMatch(
					choice === 'submitAgain'
						? /one before it, under reference order-0, may have been accepted\.$/
						: /Reference order-0 was submitted before, and its outcome is unknown: it left n8n/,
				);
			});

			it('is still unknown to who comes after', async () => {
				await again(choice);
				for (const next of ['stop', 'skip']) {
					expect(outcomesOf(await again(next))).toEqual(['unknown']);
				}
				expect(posts()).toHaveLength(2);
				expect(accepted()).toEqual(['order-0']);
			});
		},
	);

	it('that was accepted, then rejected under submitAgain, is still accepted', async () => {
		await submit(operation);
		sandbox.fault({ kind: 'badRequest', on: operation });
		const ran = await again('submitAgain');
		expect(outcomesOf(ran)).toEqual(['rejected']);
		expect(ran.json[0]!.message).toMatch(/under reference order-0, was accepted\.$/);
		expect(outcomesOf(await again('skip'))).toEqual(['skipped']);
	});
});

it('one that did not leave does not deny the one before it either', async () => {
	const service = await startService(() => ({ status: 503 }));
	const there = { credentials: service.credentials, ...continuing };
	expect(outcomesOf(await submit('buy', {}, there))).toEqual(['unknown']);
	await service.close();
	const options = { ifAlreadySubmitted: 'submitUnknownAgain' };
	const ran = await submitLater('buy', { options }, there);
	expect(outcomesOf(ran)).toEqual(['unknown']);
	expect(ran.json[0]!.error).toContain('The buy was not sent. Nothing answers');
	expect(ran.json[0]!.message).not.toContain('Nothing was submitted for reference');
});
