import { readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Does the work while no other process holds the lock file; a dead process's lock counts for nothing. */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
	while (!(await take(file))) await sleep(500);
	try {
		return await work();
	} finally {
		await rm(file, { force: true });
	}
}

async function take(file: string) {
	try {
		await writeFile(file, String(process.pid), { flag: 'wx' });
		return true;
	} catch (reason) {
		if ((reason as NodeJS.ErrnoException).code !== 'EEXIST') throw reason;
		const holder = Number(await readFile(file, 'utf8').catch(() => ''));
		if (holder && !alive(holder)) await rm(file, { force: true });
		return false;
	}
}

function alive(pid: number) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (reason) {
		return (reason as NodeJS.ErrnoException).code === 'EPERM';
	}
}
