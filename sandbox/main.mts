import { parseArgs } from 'node:util';

import { startSandbox, type Sandbox } from './server.mts';

const usage = `npm run sandbox -- [options]
  --port <number>      base address (4010; 0 takes a free port)
  --otc-port <number>  OTC address (4011; 0 takes a free port)
  --host <address>     where to listen (127.0.0.1; 0.0.0.0 lets n8n in Docker reach it)
  --seed <number>      let the rates wander; the same seed wanders the same way`;

const thisMachine = ['127.0.0.1', '::1', 'localhost'];

/** What to know where others can reach the sandbox, as n8n in a container has to. */
function beyondThisMachine({ baseUrl, otcBaseUrl }: Sandbox): string {
	const [base, otc] = [new URL(baseUrl).port, new URL(otcBaseUrl).port];
	return `
For n8n in Docker:    Base URL http://host.docker.internal:${base}, OTC Base URL http://host.docker.internal:${otc}
Everybody in your network can reach this sandbox, read everything in it and change it.`;
}

const text = (value: string) => ({ type: 'string', default: value }) as const;

function whole(name: string, value: string, most: number): number {
	if (/^\d+$/.test(value) && Number(value) <= most) return Number(value);
	throw new Error(`--${name} takes a whole number up to ${most}, not "${value}".`);
}

try {
	const { values } = parseArgs({
		options: {
			port: text('4010'),
			'otc-port': text('4011'),
			host: text('127.0.0.1'),
			seed: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		console.log(usage);
	} else {
		const sandbox = await startSandbox({
			port: whole('port', values.port, 65535),
			otcPort: whole('otc-port', values['otc-port'], 65535),
			host: values.host,
			seed: values.seed === undefined ? undefined : whole('seed', values.seed, 2 ** 31),
			log: console.log,
		});
		for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, sandbox.close);
		console.log(`Sandbox ready. Page:  ${sandbox.baseUrl}/
Base URL:             ${sandbox.baseUrl}
OTC Base URL:         ${sandbox.otcBaseUrl}
Secret Key:           ${sandbox.secretKey}
Header Name:          ${sandbox.headerName}
Business ID:          ${sandbox.businessId}
Link Tag:             ${sandbox.linkTag}${thisMachine.includes(values.host) ? '' : beyondThisMachine(sandbox)}
Stop with Ctrl+C.`);
	}
} catch (refused) {
	const { code, message } = refused as NodeJS.ErrnoException;
	console.error(
		code === 'EADDRINUSE'
			? 'Something else listens on one of the two ports. Choose others, e.g. npm run sandbox -- --port 4020 --otc-port 4021'
			: `${message}\n${usage}`,
	);
	process.exitCode = 1;
}
