import type { IExecuteFunctions, INode, INodeParameters, IRun } from 'n8n-workflow';

import type { Engine } from './engine.mts';

type CustomOperation = (this: IExecuteFunctions) => Promise<unknown>;

/** Runs `work` in an n8n whose execute context is different: an older one, or one that gets into trouble. */
export async function withContext<T>(
	engine: Engine,
	change: (context: IExecuteFunctions) => void,
	work: () => Promise<T>,
): Promise<T> {
	const { customOperations } = engine.nodeTypeOf('stablecoinRamp');
	const operations = customOperations!.transaction as unknown as Record<string, CustomOperation>;
	const originals = { ...operations };
	for (const [name, original] of Object.entries(originals)) {
		operations[name] = async function () {
			change(this);
			return await original.call(this);
		};
	}
	try {
		return await work();
	} finally {
		Object.assign(operations, originals);
	}
}

/** A stopped execution whose node somebody has edited before pressing Retry. */
export function edited(
	stopped: IRun,
	parameters: INodeParameters,
	node: Partial<INode> = {},
): IRun {
	const copy = JSON.parse(JSON.stringify(stopped)) as IRun;
	const [failed] = copy.data.executionData!.nodeExecutionStack;
	Object.assign(failed!.node.parameters, parameters);
	Object.assign(failed!.node, node);
	return copy;
}
