import { lstat, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { lock } from 'proper-lockfile';

// A lock is a folder beside what is locked, which its holder touches. It counts for nothing when it is no longer
// touched, whatever became of its holder: no process id is asked, which another process may have by now.
const touchedEvery = 1500;
const deadAfter = 15_000;
const folderOf = (what: string) => `${what}.held`;

/** Whether we hold it now, until this process ends; not if another process does. */
export async function hold(
	what: string,
	{ signal, onLost }: { signal?: AbortSignal; onLost: () => void },
): Promise<boolean> {
	const holder = watch(what);
	for (let asked = 1; ; asked++) {
		if (await take(what, onLost)) return true;
		if ((await holder()) === 'alive') return false;
		if (asked === 15) {
			console.error(
				`${what} is locked, by a process that was killed, it seems. To be sure takes ${deadAfter / 1000} seconds; Ctrl-C stops.`,
			);
		}
		await sleep(200, undefined, { signal });
	}
}

/** Does the work while no other process holds the lock; says once what it waits for. */
export async function withLock<T>(
	what: string,
	{ who, signal }: { who: string; signal?: AbortSignal },
	work: () => Promise<T>,
): Promise<T> {
	const holder = watch(what);
	for (let asked = 1; ; asked++) {
		const release = await take(what);
		if (release) return await work().finally(release);
		await holder();
		if (asked === 5) {
			console.error(
				`Waiting for ${who} (${folderOf(what)}). This goes on when it is done, or ${deadAfter / 1000} seconds after it was killed; Ctrl-C stops.`,
			);
		}
		await sleep(200, undefined, { signal });
	}
}

/** A file, or a folder with something in it: no lock of ours is like that. */
const noLock = new Set(['ENOTDIR', 'ENOTEMPTY']);

async function take(what: string, onLost?: () => void) {
	try {
		return await lock(what, {
			lockfilePath: folderOf(what),
			realpath: false,
			update: touchedEvery,
			stale: deadAfter,
			...(onLost && { onCompromised: onLost }),
		});
	} catch (reason) {
		const { code = '' } = reason as NodeJS.ErrnoException;
		if (code === 'ELOCKED') return undefined;
		if (!noLock.has(code)) throw reason;
		await forget(what);
		return undefined;
	}
}

/** Sees whether a lock is touched. Goes by how long we have watched it: clocks may have been set in between. */
function watch(what: string) {
	let seen: number | undefined;
	let since = performance.now();
	return async () => {
		const touched = (await lstat(folderOf(what)).catch(() => undefined))?.mtimeMs;
		if (touched === seen) {
			if (touched !== undefined && performance.now() - since > deadAfter) await forget(what);
			return 'perhaps dead';
		}
		const isFirst = seen === undefined;
		[seen, since] = [touched, performance.now()];
		return isFirst || touched === undefined ? 'perhaps dead' : 'alive';
	};
}

const forget = async (what: string) => await rm(folderOf(what), { recursive: true, force: true });
