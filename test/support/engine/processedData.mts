import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DataDeduplicationService } from 'n8n-core';
import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	ICheckProcessedOptions,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';

/**
 * Where n8n's command line has the table `processed_data`, the engine alone has nothing. This keeps rows as that
 * table does: a read, then an INSERT that fails where another was first, or an update that looks at nothing. The table
 * itself is used by the tests in the real n8n.
 */
export class ProcessedData implements IDataDeduplicator {
	private readonly rows = new Map<string, string[]>();

	calls = 0;

	/** Thrown by the next calls, as a database that does not answer would. */
	outage: Error | undefined;

	/** The one call that fails, counted from here, before its write or after it, and what happens meanwhile. */
	blip: { call: number; when: 'before' | 'after'; meanwhile?: () => Promise<void> } | undefined;

	static async install(service: typeof DataDeduplicationService): Promise<ProcessedData> {
		const table = new ProcessedData();
		await service.init(table);
		return table;
	}

	/** How many rows there are, in all. */
	count(): number {
		return this.rows.size;
	}

	/** All that can be read in the table. */
	asText(): string {
		return JSON.stringify([...this.rows]);
	}

	clear(): void {
		this.rows.clear();
		this.calls = 0;
		this.outage = undefined;
		this.blip = undefined;
	}

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		contextData: ICheckProcessedContextData,
		{ maxEntries }: ICheckProcessedOptions,
	): Promise<IDeduplicationOutput> {
		if (maxEntries !== undefined) throw new Error('This package sets no limit');
		const { id, hasFailed } = await this.answer(scope, contextData);
		const found = this.rows.get(id)?.slice();
		await nextTurn();
		const isNew = (item: DeduplicationItemTypes) => !found?.includes(String(item));
		const fresh = items.filter(isNew);
		if (found) {
			if (this.rows.has(id)) this.rows.set(id, [...found, ...fresh.map(String)]);
		} else {
			if (this.rows.has(id)) throw new Error('UNIQUE constraint failed: processed_data');
			this.rows.set(id, items.map(String));
		}
		await hasFailed();
		return { new: fresh, processed: items.filter((item) => !isNew(item)) };
	}

	async removeProcessed(): Promise<void> {
		throw new Error('This package never changes a row');
	}

	async clearAllProcessedItems(): Promise<void> {
		throw new Error('This package never deletes a row');
	}

	async getProcessedDataCount(
		scope: DeduplicationScope,
		contextData: ICheckProcessedContextData,
	): Promise<number> {
		const { id, hasFailed } = await this.answer(scope, contextData);
		const count = this.rows.get(id)?.length ?? 0;
		await hasFailed();
		return count;
	}

	private async answer(
		scope: DeduplicationScope,
		{ node, workflow }: ICheckProcessedContextData,
	): Promise<{ id: string; hasFailed: () => Promise<void> }> {
		// As n8n does: read before anything else has a turn.
		const id = `${workflow.id} ${scope === 'node' ? `n:${node!.id}` : ''}`;
		this.calls++;
		const blip = this.blip && --this.blip.call === 0 ? this.blip : undefined;
		if (blip) this.blip = undefined;
		const failAt = async (moment: 'before' | 'after') => {
			if (blip?.when !== moment) return;
			await blip.meanwhile?.();
			throw new Error('the database blinked');
		};
		await nextTurn();
		await failAt('before');
		if (this.outage) throw this.outage;
		if (!workflow.id) throw new Error('The expression evaluated to a falsy value');
		return { id, hasFailed: async () => await failAt('after') };
	}
}
