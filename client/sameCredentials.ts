import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { notTheSame, ok, refuse, type Read } from './refusal';

/** More would wait for each other at n8n's database. */
const atOnce = 50;

/** A credential with an expression in it comes out for each item; one run has one, or is refused by the first that differs. */
export async function sameCredentials(
	length: number,
	ofItem: (index: number) => Promise<ICredentialDataDecryptedObject>,
): Promise<Read<ICredentialDataDecryptedObject>> {
	try {
		const credentials = await ofItem(0);
		const first = JSON.stringify(credentials);
		for (let begin = 1; begin < length; begin += atOnce) {
			const some = Array.from({ length: Math.min(atOnce, length - begin) }, (_, at) => begin + at);
			const refusals = await Promise.all(
				some.map(async (index) =>
					ofItem(index).then(
						(one) => (JSON.stringify(one) === first ? undefined : otherCredential),
						noCredential,
					),
				),
			);
			const other = refusals.findIndex((one) => one !== undefined);
			if (other >= 0) return { ...refusals[other]!, itemIndex: begin + other };
		}
		return ok(credentials);
	} catch (thrown) {
		return noCredential(thrown as Error);
	}
}

const noCredential = ({ message }: Error) =>
	refuse(message, 'Choose a working credential in the node');

const otherCredential = notTheSame('The credential', 'use one without expressions');
