import { constants } from 'node:fs';
import { copyFile, glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { N8n } from './n8n.ts';
import type { Rest } from './rest.ts';

export const owner = { email: 'owner@example.com', password: 'Playground1' };

export interface CredentialData {
	secretKey: string;
	baseUrl: string;
	otcBaseUrl: string;
	businessId: string;
	linkTag: string;
	headerName: string;
}

interface Workflow {
	id: string;
	versionId: string;
	nodes: Array<{ type: string }>;
}

// An assistant needs a chat model's account first, and a list of payouts is started by a person.
const startsByItself = new Set([
	'n8n-nodes-base.scheduleTrigger',
	'n8n-nodes-base.formTrigger',
	'n8n-nodes-stablecoin-ramp.stablecoinRampTrigger',
]);

const credential = { name: 'Stablecoin Ramp account', type: 'stablecoinRampApi' };
const examples = join(import.meta.dirname, '..', 'examples');

/**
 * The owner, the credential and the examples, through n8n's own interface. What is there already
 * stays as the person left it, but for the credential: it always points at the running sandbox.
 */
export async function provision(
	{ rest, files }: Pick<N8n, 'rest' | 'files'>,
	service: CredentialData,
): Promise<void> {
	await signIn(rest);
	await pointCredentialAt(rest, service);
	for await (const file of glob('*.json', { cwd: examples })) {
		await importWorkflow(
			rest,
			JSON.parse(await readFile(join(examples, file), 'utf8')) as Workflow,
		);
	}
	for await (const file of glob('*.csv', { cwd: examples })) {
		await copyFile(join(examples, file), join(files, file), constants.COPYFILE_EXCL).catch(
			(reason: NodeJS.ErrnoException) => {
				if (reason.code !== 'EEXIST') throw reason;
			},
		);
	}
}

export async function signIn(rest: Rest): Promise<void> {
	const { userManagement } = await rest.get<{ userManagement: { showSetupOnFirstLoad: boolean } }>(
		'/settings',
	);
	if (userManagement.showSetupOnFirstLoad) {
		await rest.post('/owner/setup', { ...owner, firstName: 'Playground', lastName: 'Owner' });
	}
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
	const { id, versionId } = await rest.post<Workflow>('/workflows', workflow);
	if (workflow.nodes.some(({ type }) => startsByItself.has(type)))
		await rest.post(`/workflows/${id}/activate`, { versionId });
}
