import { readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Does the work while no other process holds the lock file. */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
	while (await heldBy(file)) await sleep(500);
	try {
		return await work();
	} finally {
		await rm(file, { force: true });
	}
}

/** Takes the lock file, or says which living process holds it. A dead one's lock counts for nothing. */
export async function heldBy(file: string): Promise<number | undefined> {
	for (;;) {
		try {
			await writeFile(file, String(process.pid), { flag: 'wx' });
			return undefined;
		} catch (reason) {
			if ((reason as NodeJS.ErrnoException).code !== 'EEXIST') throw reason;
		}
		const holder = Number(await readFile(file, 'utf8').catch(() => ''));
		if (holder && isAlive(holder)) return holder;
		if (holder) await rm(file, { force: true });
	}
}

function isAlive(pid: number) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (reason) {
		return (reason as NodeJS.ErrnoException).code === 'EPERM';
	}
}
