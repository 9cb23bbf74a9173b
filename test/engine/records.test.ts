import type { INodeType } from 'n8n-workflow';

import { useEngine } from '../support/engine.ts';
import { RecordCalls } from '../support/recordCalls/RecordCalls.node.ts';
import type { Said } from '../support/recordCalls/rounds.ts';
import { recordsSuite } from '../support/recordsSuite.ts';

describe("in n8n's table, through the workflow that the node brings along", () => {
	const { engine } = useEngine();
	const recordCalls = new RecordCalls() as unknown as INodeType;
	recordsSuite(() => ({
		take: async (rounds) => {
			const { json, error } = await engine.run({
				parameters: { resource: 'records', operation: 'call', rounds: JSON.stringify(rounds) },
				credentials: {},
				node: { credentials: undefined },
				nodeTypes: {
					...engine.nodeTypes,
					getByNameAndVersion: (type) =>
						type.endsWith('stablecoinRamp') ? recordCalls : engine.nodeTypeOf(type),
				},
			});
			if (error) throw error;
			return json[0]!.said as unknown as Said[][];
		},
		read: async () => engine.records.asText(),
	}));
});
