import { readAddress } from '../../../client/addresses';

describe('plain http', () => {
	it.each([
		['http://localhost:4010', 'http://localhost:4010'],
		['http://127.0.0.1:4010/', 'http://127.0.0.1:4010'],
		['http://[::1]:4010', 'http://[::1]:4010'],
		['http://[0:0:0:0:0:0:0:1]:4010', 'http://[::1]:4010'],
		['http://host.docker.internal:4010', 'http://host.docker.internal:4010'],
		['HTTP://Host.Docker.Internal:4010/api/', 'http://host.docker.internal:4010/api'],
	])('is accepted on this machine: %s', (address, url) => {
		expect(readAddress(address, 'baseUrl')).toMatchObject({ ok: true, value: { url } });
	});

	it.each([
		'http://host.docker.internal.evil.com',
		'http://evil-host.docker.internal',
		'http://evil.host.docker.internal',
		'http://host.docker.internal.:4010',
		'http://host.docker.internal@evil.com',
		'http://127.0.0.1.evil.com',
		'http://127.0.0.1@evil.com',
		'http://localhost.evil.com',
		'http://localhost@evil.com',
		'http://evil.localhost',
		'http://127.0.0.2',
		'http://0.0.0.0:4010',
		'http://192.168.1.2:4010',
		'http://[::]:4010',
		'http://[::2]:4010',
		'http://[::ffff:127.0.0.1]:4010',
		'http://docker.internal',
		'http://sandbox:4010',
	])('is refused for any other host: %s', (address) => {
		expect(readAddress(address, 'baseUrl')).toMatchObject({
			ok: false,
			message: "The 'Base URL' in the credential does not start with https",
			description: expect.stringContaining(
				'only for localhost, 127.0.0.1, [::1] and host.docker.internal.',
			),
		});
		expect(readAddress(address.replace('http:', 'https:'), 'baseUrl')).not.toMatchObject({
			message: expect.stringContaining('https'),
		});
	});
});
