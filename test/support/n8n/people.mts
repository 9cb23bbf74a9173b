import { restClient, type Rest } from '../../../playground/rest.mts';

const password = 'Playground1';
const emailOf = (firstName: string) => `${firstName.toLowerCase()}@example.com`;

/** Somebody with an account in n8n, by the owner's invitation. Gives their session. */
export async function newUser(owner: Rest, baseUrl: string, firstName: string): Promise<Rest> {
	const [invited] = await owner.post<Array<{ user: { inviteAcceptUrl: string } }>>('/invitations', [
		{ email: emailOf(firstName), role: 'global:member' },
	]);
	const token = new URL(invited!.user.inviteAcceptUrl).searchParams.get('token');
	const account = { token, firstName, lastName: 'Example', password };
	await restClient(baseUrl).post('/invitations/accept', account);
	return await signedIn(baseUrl, firstName);
}

export async function signedIn(baseUrl: string, firstName: string): Promise<Rest> {
	const theirs = restClient(baseUrl);
	await theirs.login(emailOf(firstName), password);
	return theirs;
}
