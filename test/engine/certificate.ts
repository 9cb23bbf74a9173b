import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface Certificate {
	key: string;
	cert: string;
}

const der = (tag: number, ...parts: Buffer[]): Buffer => {
	const content = Buffer.concat(parts);
	const { length } = content;
	const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
	return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const bits = (content: Buffer) => der(0x03, Buffer.of(0), content);
const time = (text: string) => der(0x18, Buffer.from(text));

const ecdsaWithSha256 = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
const commonName = der(0x06, Buffer.from('550403', 'hex'));
const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from('127.0.0.1')))));

/** A certificate that nobody has reason to trust: it is signed with its own key, made a moment ago. */
export function selfSignedCertificate(): Certificate {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const toBeSigned = sequence(
		der(0x02, Buffer.of(1), randomBytes(8)),
		ecdsaWithSha256,
		name,
		sequence(time('20200101000000Z'), time('21200101000000Z')),
		name,
		publicKey.export({ type: 'spki', format: 'der' }),
	);
	const certificate = sequence(
		toBeSigned,
		ecdsaWithSha256,
		bits(sign('sha256', toBeSigned, privateKey)),
	);
	const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
	return {
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
		cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
	};
}
