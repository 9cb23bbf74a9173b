import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { rowsInDatabase } from '../../../nodes/StablecoinRamp/submit/memory/rows.ts';
import { takeRounds, type Round } from './rounds.ts';

const text = (name: string): INodeProperties => ({
	displayName: name,
	name,
	type: 'string',
	default: '',
});

/** A node that does nothing but call the records, as it is told, and puts out what they said. */
export class RecordCalls implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Record Calls',
		name: 'recordCalls',
		group: ['transform'],
		version: 1,
		description: 'Calls the records of Stablecoin Ramp',
		defaults: { name: 'Record Calls' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: ['resource', 'operation', 'rounds'].map(text),
	};

	customOperations = {
		records: {
			async call(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
				const rounds = JSON.parse(this.getNodeParameter('rounds', 0) as string) as Round[];
				const said = await takeRounds(rowsInDatabase(this), rounds);
				return [[{ json: { said } as unknown as IDataObject }]];
			},
		},
	};
}
