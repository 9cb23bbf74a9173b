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
import { takeRounds, type Round } from './rounds.mts';

const text = (name: string): INodeProperties => ({
	displayName: name,
	name,
	type: 'string',
	default: '',
});

/** A node that does nothing but call the claims, as it is told, and puts out what they said. */
export class ClaimCalls implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Claim Calls',
		name: 'claimCalls',
		group: ['transform'],
		version: 1,
		description: 'Calls the claims of Stablecoin Ramp',
		defaults: { name: 'Claim Calls' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: ['resource', 'operation', 'rounds'].map(text),
	};

	customOperations = {
		claims: {
			async call(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
				const rounds = JSON.parse(this.getNodeParameter('rounds', 0) as string) as Round[];
				const said = await takeRounds(rowsInDatabase(this), rounds);
				return [[{ json: { said } as unknown as IDataObject }]];
			},
		},
	};
}
