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
export class Records implements IDataDeduplicator {
	private readonly rows = new Map<string, string[]>();

	calls = 0;

	/** Thrown by the next calls, as a database that does not answer would. */
	outage: Error | undefined;

	/** The one call that fails, counted from here, before its write or after it, and what happens meanwhile. */
	blip: { call: number; when: 'before' | 'after'; meanwhile?: () => Promise<void> } | undefined;

	static async install(service: typeof DataDeduplicationService): Promise<Records> {
		const records = new Records();
		await service.init(records);
		return records;
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
		const id = await this.answer(scope, contextData);
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
		await this.failAt('after');
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
		const count = this.rows.get(await this.answer(scope, contextData))?.length ?? 0;
		await this.failAt('after');
		return count;
	}

	private async answer(
		scope: DeduplicationScope,
		{ node, workflow }: ICheckProcessedContextData,
	): Promise<string> {
		this.calls++;
		if (this.blip) this.blip.call--;
		await nextTurn();
		await this.failAt('before');
		if (this.outage) throw this.outage;
		if (!workflow.id) throw new Error('The expression evaluated to a falsy value');
		return `${workflow.id} ${scope === 'node' ? `n:${node!.id}` : ''}`;
	}

	private async failAt(moment: 'before' | 'after'): Promise<void> {
		if (this.blip?.call !== 0 || this.blip.when !== moment) return;
		const { meanwhile } = this.blip;
		this.blip = undefined;
		await meanwhile?.();
		throw new Error('the database blinked');
	}
}
