import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An n8n that this package is run on: what it needs to be installed, and where it differs from the newest. */
export interface Version {
	n8n: string;
	/** The Node that runs it, one that the npm package "node" has for every platform. */
	node: string;
	/** What cannot be installed as this n8n asks for it. */
	overrides: Record<string, string>;
	/** Native modules, which have to fit that Node. */
	build: string[];
	/** Settings that not every n8n knows. */
	env: Record<string, string>;
	/** Whether it is known to have the scheduler that n8n calls durable. */
	hasScheduler?: true;
	/** What it has the nodes for and does not do as it should, by the name of the check, and why. */
	without?: Record<string, string>;
	/** How a workflow is activated, which n8n 2 calls to publish it. */
	activatedBy: 'POST' | 'PATCH';
	/** The file with every package of the install; without one, npm chooses what is newest and fits. */
	lock?: string;
}

const here = import.meta.dirname;

// n8n 2 lets every community node be a tool
const n8n1 = { N8N_COMMUNITY_PACKAGES_ALLOW_TOOL_USAGE: 'true' };
// its list is fetched from n8n's makers
const noMcpRegistry = { N8N_DISABLED_MODULES: 'mcp-registry' };

const pinned = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')) as {
	dependencies: { n8n: string; node: string };
	overrides: Record<string, string>;
};

const overrides = {
	// n8n names an address of its own for it, which not every network reaches
	xlsx: '0.18.5',
	// newer ones ask for cssomnom, which was not to be had
	linkedom: '0.18.12',
	// a newer one was asked for before it was to be had
	'@smithy/core': '3.39.0',
	// newer ones have a package for each platform, of which npm locks only this machine's
	'msgpackr-extract': '3.0.4',
};

/** Oldest first. The last one is what `npm start` and `npm test` run; it is pinned in package.json, for updates. */
export const versions: Version[] = [
	{
		n8n: '1.123.81',
		node: '24.21.0',
		overrides,
		build: ['sqlite3', 'isolated-vm'],
		env: n8n1,
		activatedBy: 'PATCH',
		lock: join(here, '1.123.81', 'package-lock.json'),
	},
	{
		n8n: '2.0.3',
		node: '24.21.0',
		overrides,
		build: ['sqlite3'],
		env: {},
		activatedBy: 'POST',
	},
	// the first with what examples 1 to 3 need
	{
		n8n: '2.3.6',
		node: '24.21.0',
		overrides,
		build: ['sqlite3', 'isolated-vm'],
		env: {},
		without: { 'example 8': 'its rows have no order' },
		activatedBy: 'POST',
	},
	// in the middle
	{
		n8n: '2.20.12',
		node: '24.21.0',
		overrides: {
			...overrides,
			// newer ones ask for another @langchain/core than this n8n does, over which npm thinks for hours
			'@langchain/langgraph': '1.2.9',
			// a newer one was to be had before what it asks for
			'@aws-sdk/lib-storage': '3.1164.0',
		},
		build: ['sqlite3', 'isolated-vm'],
		env: {},
		without: { 'example 5': 'its review shows no values' },
		activatedBy: 'POST',
	},
	{
		...pinned.dependencies,
		overrides: pinned.overrides,
		build: ['sqlite3'],
		env: noMcpRegistry,
		hasScheduler: true,
		activatedBy: 'POST',
		lock: join(here, 'package-lock.json'),
	},
];

const newest = versions.at(-1)!;

/** The version of `STABLECOIN_RAMP_N8N`, or the newest. */
export function chosenVersion(): Version {
	const name = process.env.STABLECOIN_RAMP_N8N;
	if (!name) return newest;
	const found = versions.find(({ n8n }) => n8n === name);
	if (found) return found;
	const known = versions.map(({ n8n }) => n8n).join(', ');
	throw new Error(`n8n ${name} is not in playground/versions.mts. There are ${known}.`);
}
