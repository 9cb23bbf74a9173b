import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Ports that systems do not hand out by themselves: n8n takes seconds to open one, and it must still be free then. */
const lowest = 10_000;
const highest = 32_000;

/** A port that is free now. */
export async function freePort(): Promise<number | undefined> {
	for (let tries = 0; tries < 100; tries++) {
		const any = randomInt(lowest, highest);
		if (await isFree(any)) return any;
	}
	return undefined;
}

/** What a program needs a port for, and the flag that chooses it; some need those after it too. */
export interface Wanted {
	flag: string;
	port: number;
	whose: string[];
}

/** Says which of the ports are taken, by whom each is wanted, and one command with which all are free. */
export async function takenPorts(wanted: Wanted[]): Promise<string | undefined> {
	const taken: string[] = [];
	const flags: string[] = [];
	for (const { flag, port, whose } of wanted) {
		const before = taken.length;
		for (const [after, one] of whose.entries()) {
			if (!(await isFree(port + after))) taken.push(`Port ${port + after}, for ${one}`);
		}
		const isTaken = taken.length > before;
		flags.push(`${flag} ${isTaken ? await freeFrom(port, whose.length) : port}`);
	}
	if (taken.length === 0) return undefined;
	return (
		`${taken.join('. ')}: taken by another program (another npm start, perhaps).\n` +
		`Stop it, or choose other ports: npm start -- ${flags.join(' ')}`
	);
}

/** The next round port from which on so many are free. */
async function freeFrom(port: number, count: number): Promise<number> {
	for (let next = port + 10; next + count < 65_535; next += 10) {
		const free = await Promise.all(
			Array.from({ length: count }, (_, after) => isFree(next + after)),
		);
		if (free.every(Boolean)) return next;
	}
	return (await freePort()) ?? port;
}

/** On both addresses that localhost may mean, as far as the machine has them. */
const isFree = async (port: number) =>
	(await isFreeAt('127.0.0.1', port)) && (await isFreeAt('::1', port));

async function isFreeAt(host: string, port: number): Promise<boolean> {
	const server = createServer();
	return await new Promise((resolve) => {
		server.once('error', ({ code }: NodeJS.ErrnoException) =>
			resolve(code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT'),
		);
		server.listen(port, host, () => server.close(() => resolve(true)));
	});
}
