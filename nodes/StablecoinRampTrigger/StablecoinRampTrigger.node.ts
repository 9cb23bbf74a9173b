import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { apiError, forTheEditor } from '../../client/n8nErrors';
import { readBody, type Fetched } from '../../client/readBody';
import { inOneLine } from '../../client/refusal';
import { credentialType } from '../../client/sendRequest';
import { requestTarget } from '../../client/addresses';
import { alreadySays, baselineOf, isOf, knownFrom, latest } from './baseline';
import { events, choiceOf, type Watch } from './events';
import { triggerFields } from './fields';

// n8n keeps one context for as long as a workflow is active, and polls for the first time on activation.
const activated = new WeakSet<IPollFunctions>();

// n8n writes static data to its database on activation and when a poll starts an execution, but not
// after a silent poll (a new currency, a rate that came back), and its durable scheduler hands every
// poll what is in the database. So what a silent poll learned is kept here as well, by workflow and
// node, for as long as the process lives.
const learnedSilently = new Map<string, unknown>();

// n8n keeps static data by the node's name, so one that was renamed has lost what it has reported. Under the name that
// it was reported by, the database knows better: what n8n could not store is to be reported again.
const reported = new Map<string, { name: string; baseline: unknown }>();

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
			'={{ { rateChanged: "Rate changed", rateCrossed: "Rate crossed a threshold", vendorsChanged: "Vendors changed" }[$parameter["event"]] }}',
		// n8n's list of nodes shows this one for the trigger and the node together.
		description: 'Buy and sell a naira stablecoin, and read or watch its rates and payment vendors',
		defaults: { name: 'Stablecoin Ramp Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: credentialType, required: true }],
		properties: triggerFields,
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		try {
			return await look(this);
		} catch (thrown) {
			throw forTheEditor(this.getNode(), thrown);
		}
	}
}

async function look(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const names = Object.keys(events) as Array<keyof typeof events>;
	const event = choiceOf(context, 'event', names);
	const watch = events[event](context);
	const fetched = await readBody(context, watch.endpoint);
	const missing = watch.missing?.(fetched);
	if (context.getMode() === 'manual') {
		if (missing) throw apiError(context.getNode(), missing);
		return [context.helpers.returnJsonArray(examplesOf(watch, fetched))];
	}

	const { address, path } = watch.endpoint;
	const credentials = await context.getCredentials(credentialType);
	const target = requestTarget({ baseURL: credentials[address], url: path });
	const watched = JSON.stringify([event, target, ...watch.settings]);
	const activation = context.getActivationMode();
	const startsAfresh = activation === 'activate' && !activated.has(context);
	activated.add(context);

	const staticData = context.getWorkflowStaticData('node');
	const { id, name } = context.getNode();
	const nodeKey = `${context.getWorkflow().id}/${id}`;
	const last = reported.get(nodeKey);
	const stored = latest(staticData.baseline, last?.name === name ? undefined : last?.baseline);
	const before = latest(stored, learnedSilently.get(nodeKey));
	// Whoever has just set this up is looking; later nobody is, and what is missing may come back. n8n's durable
	// scheduler calls every poll an update.
	const isNew = startsAfresh || (activation === 'update' && !isOf(before, watched));
	if (missing && isNew) throw apiError(context.getNode(), missing);
	if (missing) context.logger.warn(`${name}: ${inOneLine(missing)}`);

	const { happened, known } = watch.compare(fetched, (isIntact) =>
		startsAfresh ? undefined : knownFrom(before, watched, isIntact),
	);

	const after = alreadySays(before, watched, known)
		? before
		: baselineOf(watched, known, Date.now());
	if (after !== staticData.baseline) staticData.baseline = after;
	if (happened.length === 0) {
		learnedSilently.set(nodeKey, after);
		return null;
	}
	reported.set(nodeKey, { name, baseline: after });
	return [context.helpers.returnJsonArray(happened)];
}

/** For n8n's Fetch Test Event: the fields of an event to build with, and the word that it is none. */
const examplesOf = ({ example, notHappened }: Watch, fetched: Fetched) =>
	example(fetched).map((item) => ({
		isExample: true,
		note: `This is an example, made of the present values. It does not mean that ${notHappened}.`,
		...item,
	}));
