import type { INodeType } from 'n8n-workflow';

import type { Rows } from '../../nodes/StablecoinRamp/submit/ownWorkflow.ts';
import { openRecords, rowsInExecution } from '../../nodes/StablecoinRamp/submit/records.ts';
import { useEngine } from '../support/engine.ts';
import { RecordCalls } from '../support/recordCalls/RecordCalls.node.ts';
import { takeRounds, type Said } from '../support/recordCalls/rounds.ts';
import { times } from '../support/quick.ts';
import { recordsSuite } from '../support/recordsSuite.ts';

describe('in the execution', () => {
	const kept: { rows?: string[] } = {};
	recordsSuite(() => ({
		take: async (rounds) => await takeRounds(openRecords(rowsInExecution(kept)), rounds),
		read: async () => JSON.stringify(kept),
	}));
});

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

const many = times(100_001);

it(`does not let the last of ${many} push out the first`, async () => {
	const there = new Set<string>();
	const rows: Rows = async (steps) =>
		steps.map(({ row, what }) => {
			const wasThere = there.has(row);
			if (what !== 'look') there.add(row);
			return what === 'look' ? wasThere : !wasThere;
		});
	const records = openRecords(rows);
	const numbered = (key: number) => ({ key: String(key), payload: '' });
	await Promise.all(
		Array.from({ length: many }, async (_, key) => await records.claim(numbered(key), 'never')),
	);
	expect(await records.claim(numbered(0), 'never')).toMatchObject({ isMine: false });
	expect(there.size).toBe(many);
}, 60_000);
