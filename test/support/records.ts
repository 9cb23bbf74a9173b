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
 * Where n8n's command line has a database table, the engine alone has nothing. This keeps the same records, by node,
 * in two steps (read, then write) as the table does; the table itself is used by the tests in the real n8n.
 */
export class Records implements IDataDeduplicator {
	private readonly byNode = new Map<string, string[]>();

	calls = 0;

	/** Thrown by the next calls, as a database that does not answer would. */
	outage: Error | undefined;

	/** The one call that fails, counted from here, before its write or after it. */
	blip: { call: number; when: 'before' | 'after' } | undefined;

	static async install(service: typeof DataDeduplicationService): Promise<Records> {
		const records = new Records();
		await service.init(records);
		return records;
	}

	of(nodeId: string): readonly string[] {
		return this.byNode.get(nodeId) ?? [];
	}

	clear(): void {
		this.byNode.clear();
		this.calls = 0;
		this.outage = undefined;
		this.blip = undefined;
	}

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		_scope: DeduplicationScope,
		{ node, workflow }: ICheckProcessedContextData,
		{ maxEntries = Infinity }: ICheckProcessedOptions,
	): Promise<IDeduplicationOutput> {
		await this.answer(workflow.id);
		const known = [...this.of(node!.id)];
		await new Promise(setImmediate);
		const isKnown = new Set(known);
		const fresh = items.filter((item) => !isKnown.has(String(item)));
		const kept = [...known, ...fresh.map(String)];
		this.byNode.set(node!.id, kept.slice(-maxEntries));
		this.failAt('after');
		return { new: fresh, processed: items.filter((item) => isKnown.has(String(item))) };
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		_scope: DeduplicationScope,
		{ node, workflow }: ICheckProcessedContextData,
	): Promise<void> {
		await this.answer(workflow.id);
		const kept = [...this.of(node!.id)];
		for (const item of items) {
			const index = kept.indexOf(String(item));
			if (index !== -1) kept.splice(index, 1);
		}
		this.byNode.set(node!.id, kept);
		this.failAt('after');
	}

	async clearAllProcessedItems(): Promise<void> {
		this.clear();
	}

	async getProcessedDataCount(): Promise<number> {
		return [...this.byNode.values()].flat().length;
	}

	private async answer(workflowId: string): Promise<void> {
		this.calls++;
		if (this.blip) this.blip.call--;
		this.failAt('before');
		if (this.outage) throw this.outage;
		if (!workflowId) throw Object.assign(new Error('no workflow id'), { code: 'ERR_ASSERTION' });
	}

	private failAt(moment: 'before' | 'after'): void {
		if (this.blip?.call === 0 && this.blip.when === moment) throw new Error('the database blinked');
	}
}
