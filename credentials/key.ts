type Key =
	| { ok: true; headerName: string; secretKey: string }
	| { ok: false; message: string; description: string };

const headerToken = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
const printable = /^[\x20-\x7e]+$/;

/** The header and the key in it, if a request can carry them. Left to itself the HTTP library sends what it can of them. */
export function readKey(credentials: { secretKey?: unknown; headerName?: unknown }): Key {
	const secretKey = String(credentials.secretKey ?? '').trim();
	const headerName = String(credentials.headerName ?? '').trim() || 'svc-sec-key';
	const enterAgain = "Open the credential and enter the Secret Key from the service's dashboard";

	if (secretKey === '') {
		return {
			ok: false,
			message: 'The credential has no Secret Key',
			description: `${enterAgain}.`,
		};
	}
	if (!printable.test(secretKey)) {
		return {
			ok: false,
			message: 'The Secret Key in the credential has characters that cannot be sent',
			description: `${enterAgain} again. It has no line breaks, accents or symbols beyond those of a keyboard.`,
		};
	}
	if (!headerToken.test(headerName)) {
		return {
			ok: false,
			message: 'The Header Name in the credential is not the name of a header',
			description: "Open the credential and write 'Header Name' without spaces, e.g. svc-sec-key.",
		};
	}
	return { ok: true, headerName, secretKey };
}
