import { readFile } from 'node:fs/promises';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { RestRefusal } from './rest.ts';
import type { Rest } from './rest.ts';

export const owner = { email: 'owner@example.com', password: 'Playground1' };

export interface CredentialData {
	secretKey: string;
	baseUrl: string;
	otcBaseUrl: string;
	businessId: string;
	linkTag: string;
	headerName?: string;
}

interface Workflow {
	id: string;
	name: string;
	active: boolean;
	versionId: string;
	nodes: Array<{ type: string; disabled?: boolean }>;
}

const credential = { name: 'Stablecoin Ramp account', type: 'stablecoinRampApi' };
const examples = join(import.meta.dirname, '..', 'examples');

/**
 * The owner, the credential and the examples, through n8n's own interface. What is there already
 * stays as the person left it, but for the credential: it always points at the running sandbox.
 */
export async function provision(rest: Rest, data: CredentialData): Promise<void> {
	await signIn(rest);
	await pointCredentialAt(rest, data);
	for await (const file of glob('*.json', { cwd: examples })) {
		await importWorkflow(
			rest,
			JSON.parse(await readFile(join(examples, file), 'utf8')) as Workflow,
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
export async function pointCredentialAt(rest: Rest, data: CredentialData): Promise<string> {
	const all = await rest.get<Array<{ id: string; name: string; type: string }>>('/credentials');
	const known = all.find(({ name, type }) => name === credential.name && type === credential.type);
	const { id } = known
		? await rest.patch<{ id: string }>(`/credentials/${known.id}`, { ...credential, data })
		: await rest.post<{ id: string }>('/credentials', { ...credential, data });
	return id;
}

/** Imports a workflow unless one of its id is there; one that waits for events is published. */
export async function importWorkflow(rest: Rest, workflow: Workflow): Promise<void> {
	const exists = await rest.get(`/workflows/${workflow.id}`).catch((reason: unknown) => {
		if (reason instanceof RestRefusal && reason.status === 404) return undefined;
		throw reason;
	});
	if (exists) return;
	const { id, versionId } = await rest.post<Workflow>('/workflows', workflow);
	if (workflow.active) await rest.post(`/workflows/${id}/activate`, { versionId });
}
