import { ok, refuse, type Read } from './refusal';

interface Key {
	headerName: string;
	secretKey: string;
}

const headerToken = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
const printable = /^[\x20-\x7e]+$/;

/** The header and the key in it. The HTTP library would send what it can of a key that no request can carry. */
export function readKey(credentials: { secretKey?: unknown; headerName?: unknown }): Read<Key> {
	const secretKey = String(credentials.secretKey ?? '').trim();
	const headerName = String(credentials.headerName ?? '').trim() || 'svc-sec-key';
	const enterAgain = "Open the credential and enter the 'Secret Key' from the service's dashboard";

	if (secretKey === '') {
		return refuse("The credential has no 'Secret Key'", `${enterAgain}.`);
	}
	if (!printable.test(secretKey)) {
		return refuse(
			"The 'Secret Key' in the credential has characters that cannot be sent",
			`${enterAgain} again. It has no line breaks, accents or symbols beyond those of a keyboard.`,
		);
	}
	if (!headerToken.test(headerName)) {
		return refuse(
			"The 'Header Name' in the credential is not the name of a header",
			"Open the credential and write 'Header Name' without spaces, e.g. svc-sec-key.",
		);
	}
	return ok({ headerName, secretKey });
}
