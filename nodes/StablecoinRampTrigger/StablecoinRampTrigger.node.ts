import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { readBody } from '../StablecoinRamp/service/readBody';
import { credentialType } from '../StablecoinRamp/service/sendRequest';
import { requestTarget } from '../../credentials/addresses';
import { events, oneOf } from './events';
import { triggerFields } from './fields';
import { recall, remember } from './memory';

// n8n keeps one context for as long as a workflow is active, and polls for the first time on activation.
const activated = new WeakSet<IPollFunctions>();

export class StablecoinRampTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Stablecoin Ramp Trigger',
		name: 'stablecoinRampTrigger',
		icon: {
			light: 'file:../../icons/stablecoinRamp.svg',
			dark: 'file:../../icons/stablecoinRamp.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ { rateChanged: "Rate changed", rateCrossed: "Rate crossed a line", vendorsChanged: "Vendors changed" }[$parameter["event"]] }}',
		description:
			'Starts the workflow when a rate moves or crosses a line, or the payment vendors change',
		defaults: { name: 'Stablecoin Ramp Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: credentialType, required: true }],
		properties: triggerFields,
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const names = Object.keys(events) as Array<keyof typeof events>;
		const event = oneOf(this, 'event', 'Event', names);
		const watch = events[event](this);
		const body = await readBody(this, watch.endpoint);
		if (this.getMode() === 'manual') return [this.helpers.returnJsonArray(watch.example(body))];

		const { address, path } = watch.endpoint;
		const credentials = await this.getCredentials(credentialType);
		const target = requestTarget({ baseURL: credentials[address], url: path });
		const of = JSON.stringify([event, target, ...watch.settings]);
		const startsAfresh = this.getActivationMode() === 'activate' && !activated.has(this);
		activated.add(this);

		// n8n stores this on activation and with each execution that a poll starts; what a silent poll
		// remembers (a new currency, a return over the line) lives only until n8n is restarted.
		const staticData = this.getWorkflowStaticData('node');
		const { happened, known } = watch.compare(body, (isIntact) =>
			startsAfresh ? undefined : recall(staticData.memory, of, isIntact),
		);

		const memory = remember(of, known);
		if (JSON.stringify(memory) !== JSON.stringify(staticData.memory)) staticData.memory = memory;
		return happened.length > 0 ? [this.helpers.returnJsonArray(happened)] : null;
	}
}
