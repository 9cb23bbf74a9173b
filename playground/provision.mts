import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { freshFetch } from './freshFetch.mts';
import type { N8n } from './n8n.mts';
import type { Rest } from './rest.mts';
import { chosenVersion, type Version } from './versions.mts';

export const owner = { email: 'owner@example.com', password: 'Playground1' };

export interface CredentialData {
	secretKey: string;
	baseUrl: string;
	otcBaseUrl: string;
	businessId: string;
	linkTag: string;
	headerName: string;
}

export interface NodeType {
	name: string;
	version: number | number[];
	iconUrl?: { light: string; dark: string };
}

export interface Workflow {
	id: string;
	nodes: Array<{ type: string; typeVersion: number; parameters: object }>;
}

/** An example that this n8n cannot run, and the nodes that it lacks. */
export interface LeftOut {
	id: string;
	lacks: string[];
}

// An assistant needs a chat model's account first.
const startsByItself = new Set([
	'n8n-nodes-base.scheduleTrigger',
	'n8n-nodes-base.formTrigger',
	'n8n-nodes-base.errorTrigger',
	'n8n-nodes-stablecoin-ramp.stablecoinRampTrigger',
]);

const credential = { name: 'Stablecoin Ramp account', type: 'stablecoinRampApi' };
const examples = join(import.meta.dirname, '..', 'examples');

/**
 * The owner, the credential and the examples, through n8n's own interface. What is there already
 * stays as the person left it, but for the credential: it always points at the running sandbox.
 * `change` may alter an example before it is imported. Says which examples are left out.
 */
export async function provision(
	n8n: Pick<N8n, 'baseUrl' | 'rest'>,
	service: CredentialData,
	change = (workflow: Workflow): Workflow => workflow,
): Promise<LeftOut[]> {
	const { rest } = n8n;
	await signIn(rest);
	await pointCredentialAt(rest, service);
	const known = await nodeTypes(n8n);
	const leftOut: LeftOut[] = [];
	for await (const file of glob('*.json', { cwd: examples })) {
		const workflow = JSON.parse(await readFile(join(examples, file), 'utf8')) as Workflow;
		const lacks = lacking(workflow, known);
		if (lacks.length > 0) leftOut.push({ id: workflow.id, lacks });
		else await importWorkflow(rest, change(workflow));
	}
	return leftOut;
}

/** Everything the editor offers. */
export async function nodeTypes({
	baseUrl,
	rest,
}: Pick<N8n, 'baseUrl' | 'rest'>): Promise<NodeType[]> {
	const response = await freshFetch(`${baseUrl}/types/nodes.json`, {
		headers: { cookie: rest.cookie() },
	});
	return (await response.json()) as NodeType[];
}

function lacking({ nodes }: Workflow, known: NodeType[]): string[] {
	const lacks = nodes.filter(
		({ type, typeVersion }) =>
			!known.some(({ name, version }) => name === type && [version].flat().includes(typeVersion)),
	);
	return [...new Set(lacks.map(({ type, typeVersion }) => `${type} ${typeVersion}`))];
}

export async function signIn(rest: Rest): Promise<void> {
	const names = { firstName: 'Playground', lastName: 'Owner' };
	await rest.post('/owner/setup', { ...owner, ...names }).catch((reason: unknown) => {
		if (!String(reason).includes('already setup')) throw reason;
	});
	await rest.login(owner.email, owner.password);
}

/** Returns the credential's id. */
export async function pointCredentialAt(rest: Rest, service: CredentialData): Promise<string> {
	const { secretKey, baseUrl, otcBaseUrl, businessId, linkTag, headerName } = service;
	const data = { secretKey, baseUrl, otcBaseUrl, businessId, linkTag, headerName };
	const all = await rest.get<Array<{ id: string; name: string; type: string }>>('/credentials');
	const known = all.find(({ name, type }) => name === credential.name && type === credential.type);
	const body = { ...credential, data };
	const { id } = known
		? await rest.patch<{ id: string }>(`/credentials/${known.id}`, body)
		: await rest.post<{ id: string }>('/credentials', body);
	return id;
}

/** Imports a workflow unless one of its id is there, and publishes it if it starts by itself. */
async function importWorkflow(rest: Rest, workflow: Workflow): Promise<void> {
	const { exists } = await rest.get<{ exists: boolean }>(`/workflows/${workflow.id}/exists`);
	if (exists) return;
	const { id } = await rest.post<Workflow>('/workflows', { active: false, ...workflow });
	if (workflow.nodes.some(({ type }) => startsByItself.has(type))) await activate(rest, id);
}

type Ask = (rest: Rest, id: string, versionId: string) => Promise<unknown>;

const activating: Record<Version['activatedBy'], { on: Ask; off: Ask }> = {
	POST: {
		on: (rest, id, versionId) => rest.post(`/workflows/${id}/activate`, { versionId }),
		off: (rest, id) => rest.post(`/workflows/${id}/deactivate`),
	},
	PATCH: {
		on: (rest, id, versionId) => rest.patch(`/workflows/${id}`, { active: true, versionId }),
		off: (rest, id, versionId) => rest.patch(`/workflows/${id}`, { active: false, versionId }),
	},
};

/** Lets a workflow start by itself, or no longer: n8n 2 calls it to publish. */
export async function activate(rest: Rest, id: string, to: 'on' | 'off' = 'on'): Promise<void> {
	const { versionId } = await rest.get<{ versionId: string }>(`/workflows/${id}`);
	await activating[chosenVersion().activatedBy][to](rest, id, versionId);
}
