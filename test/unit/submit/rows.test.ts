import type { IExecuteFunctions } from 'n8n-workflow';

import { rowsInDatabase } from '../../../nodes/StablecoinRamp/submit/rows.ts';

/** n8n's helper, with a database that refuses the INSERT in its own words. */
const refusing = (thrown: Error) =>
	rowsInDatabase({
		node: { id: 'own' },
		helpers: { checkProcessedAndRecord: async () => await Promise.reject(thrown) },
	} as unknown as IExecuteFunctions);

it.each([
	['SQLite', new Error('SQLITE_CONSTRAINT: UNIQUE constraint failed: processed_data.context')],
	['PostgreSQL', new Error('duplicate key value violates unique constraint "PK_1"')],
	[
		'PostgreSQL in German',
		Object.assign(new Error('doppelter Schlüsselwert verletzt Unique-Constraint'), {
			code: '23505',
		}),
	],
	['MySQL', new Error("Duplicate entry '1' for key 'PRIMARY'")],
])('knows that another was first from what %s says', async (_, thrown) => {
	await expect(refusing(thrown).insert('a')).resolves.toBe(false);
});

it.each(['FOREIGN KEY constraint failed', 'Connection terminated'])(
	'takes nothing else for that: %s',
	async (message) => {
		await expect(refusing(new Error(message)).insert('a')).rejects.toThrow(message);
	},
);
