import { statfs } from 'node:fs/promises';

const megabyte = 1024 ** 2;

/** Whether what somebody said means that a disk is full: npm, Node, SQLite. */
export const saysFull = (said: string) =>
	/ENOSPC|no space left|SQLITE_FULL|disk is full/i.test(said);

/** What is left in a folder, in megabytes. */
export async function megabytesIn(folder: string): Promise<number> {
	const { bavail, bsize, blocks } = await statfs(folder);
	// Some file systems do not tell.
	return blocks === 0 ? Infinity : Math.floor((bavail * bsize) / megabyte);
}
