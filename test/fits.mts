// How many rows of a usual size fit into a register, and what happens when it is full: npm run fits
import { outputsOf, Playground } from './support/n8n/playground.mts';
import { addRows, type Row } from './support/n8n/dataTables.mts';
import { publishBuys, stoppedBy } from './support/n8n/buys.mts';
import { fromItem, wallet } from './support/transactions.mts';

const atOnce = 500;
const register = 'Money register';
const megabyte = 1024 ** 2;
/** So much n8n gives all data tables together, up to 2.20 at least; 2.41 gives 200 MB. */
const limit = 50 * megabyte;
const withLimit = (bytes: number) => ({
	N8N_DATA_TABLES_SIZE_CHECK_CACHE_DURATION_MS: '100',
	N8N_DATA_TABLES_MAX_SIZE_BYTES: String(bytes),
});

const playground = new Playground();
try {
	await playground.start({ env: withLimit(limit) });
	const parameters = { ...fromItem('reference'), ...wallet, options: { register } };
	const buys = await publishBuys(playground, 'Fits', parameters);
	await buys.run([{ reference: 'fits-0' }]);
	const [{ id: _id, createdAt: _created, updatedAt: _updated, ...usual }] =
		(await playground.rowsOf(register)) as [Row];
	console.log(`A row of a usual size, as JSON: ${JSON.stringify(usual).length} bytes`);

	let rows = 1;
	for (;;) {
		const more = Array.from({ length: atOnce }, (_, index) => ({
			...usual,
			reference: `order-${rows + index}`,
		}));
		const isFull = await addRows(playground.rest, register, more).then(
			() => false,
			(reason: unknown) => /size limit/i.test(String(reason)) || Promise.reject(reason),
		);
		if (isFull) break;
		rows += atOnce;
	}
	console.log(`Rows until 50 MB are full: ${rows.toLocaleString('en')}`);

	const stopped = stoppedBy(await buys.run([{ reference: 'fits-1' }]));
	console.log(`A buy then: ${stopped}`);
	const sent = playground.sandbox.transactions().map(({ reference }) => reference);
	if (sent.includes('fits-1')) throw new Error('It was sent though the register is full');

	await playground.n8n.stop();
	await playground.restart(withLimit(4 * limit));
	const later = await buys.run([{ reference: 'fits-1' }]);
	console.log(`With 200 MB: ${String(outputsOf(later, 'Buy')[0]?.[0]?.outcome)}`);
} finally {
	await playground.close();
}
