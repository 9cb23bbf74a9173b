import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
	type NodeHint,
} from 'n8n-workflow';

import { declaredAddress, type TransactionOperation } from '../../client/endpoints';
import { refuseUnguarded } from './guard';
import { rateDescription } from './resources/rate';
import { transactionDescription, transactionOperations } from './resources/transaction';
import { vendorDescription } from './resources/vendor';
import { searchVendors } from './methods/searchVendors';
import { testCredential } from './methods/testCredential';

export class StablecoinRamp implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Stablecoin Ramp',
		name: 'stablecoinRamp',
		icon: {
			light: 'file:../../icons/stablecoinRamp.svg',
			dark: 'file:../../icons/stablecoinRamp.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle:
			'={{ { otc: "Get OTC rates", usdc: "Get USDC rates", buy: "Buy stablecoin", sell: "Sell stablecoin", live: "Get live vendors", test: "Get test vendors", list: "Get vendors by other path" }[$parameter["operation"]] + ($parameter["options"]?.dryRun === true ? " (dry run)" : "") }}',
		description: 'Move between naira bank money and a naira stablecoin, and read vendors and rates',
		defaults: { name: 'Stablecoin Ramp' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'stablecoinRampApi', required: true, testedBy: 'testCredential' }],
		hints: [beforeItCostsMoney],
		requestDefaults: { baseURL: declaredAddress('baseUrl') },
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Rate', value: 'rate' },
					{ name: 'Transaction', value: 'transaction' },
					{ name: 'Vendor', value: 'vendor' },
				],
				default: 'rate',
				routing: { send: { preSend: [refuseUnguarded] } },
			},
			...rateDescription,
			...transactionDescription,
			...vendorDescription,
		],
	};

	customOperations = {
		transaction: Object.fromEntries(transactionOperations.map((name) => [name, submit(name)])),
	};

	methods = {
		credentialTest: { testCredential },
		listSearch: { searchVendors },
	};
}

/** A hint of the editor cannot see the credential, so it says both; what really happened is said after the run. */
const beforeItCostsMoney: NodeHint = {
	message:
		"<b>Execute step really submits</b>, also while you build: to the service that the credential names, or to the sandbox if it points at this machine. Add 'Dry Run' in Options to see the request instead.",
	type: 'warning',
	location: 'ndv',
	whenToDisplay: 'beforeExecution',
	displayCondition:
		'={{ $parameter["resource"] === "transaction" && $parameter["options"]?.dryRun !== true }}',
};

/** What submits, with its checks of wallets, is set up when it is first needed: n8n loads the package faster. */
function submit(operation: TransactionOperation) {
	return async function (this: IExecuteFunctions) {
		const submitting = await import('./submit/submit');
		return await submitting.submit(this, operation);
	};
}
