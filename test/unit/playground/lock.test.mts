import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';

import { hold, withLock } from '../../../playground/lock.mts';
import { until } from '../../support/waiting.mts';

const folder = mkdtempSync(join(tmpdir(), 'stablecoin-ramp-lock-'));
let what = '';
let counter = 0;
beforeEach(() => (what = join(folder, `thing-${++counter}`)));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const said = jest.spyOn(console, 'error').mockImplementation(() => {});
beforeEach(() => said.mockClear());
afterAll(() => said.mockRestore());

const who = 'another test';
const onLost = () => {};

const lockModule = join(__dirname, '..', '..', '..', 'playground', 'lock.mts');

/** Another process, which holds the lock until it is killed. */
async function holder() {
	const script = `import { hold } from ${JSON.stringify(lockModule)};
		await hold(${JSON.stringify(what)}, { onLost() {} });
		setInterval(() => {}, 1000);`;
	const child = execa('node', ['--input-type=module', '-e', script], { reject: false });
	await until(() => existsSync(`${what}.held`));
	return {
		async end(signal: NodeJS.Signals) {
			child.kill(signal);
			await child;
		},
	};
}

it('lets one work after the other', async () => {
	const done: string[] = [];
	const work = async (name: string) =>
		await withLock(what, { who }, async () => {
			done.push(`${name} begins`);
			await sleep(50);
			done.push(`${name} ends`);
		});
	await Promise.all([work('a'), work('b')]);
	const [first, second] = done[0] === 'a begins' ? ['a', 'b'] : ['b', 'a'];
	expect(done).toEqual([`${first} begins`, `${first} ends`, `${second} begins`, `${second} ends`]);
	expect(existsSync(`${what}.held`)).toBe(false);
});

it('is free again after work that threw', async () => {
	const work = async () => await Promise.reject(new Error('so it went'));
	await expect(withLock(what, { who }, work)).rejects.toThrow('so it went');
	expect(await withLock(what, { who }, async () => 'done')).toBe('done');
});

it.each([
	['a killed process', () => mkdirSync(`${what}.held`)],
	['an earlier version, with nothing in it', () => writeFileSync(what, '')],
	['an earlier version, with the id of a living process', () => writeFileSync(what, '1')],
])('is not disturbed by the lock of %s', async (_whose, leave) => {
	leave();
	const longAgo = Date.now() / 1000 - 60;
	if (existsSync(`${what}.held`)) utimesSync(`${what}.held`, longAgo, longAgo);
	expect(await withLock(what, { who }, async () => 'done')).toBe('done');
	expect(await hold(what, { onLost })).toBe(true);
	expect(said).not.toHaveBeenCalled();
});

it('is held by one process, and free at once when that ends', async () => {
	const other = await holder();
	expect(await hold(what, { onLost })).toBe(false);
	await other.end('SIGTERM');
	expect(await hold(what, { onLost })).toBe(true);
});

it('says once what it waits for and how it goes on, and stops waiting when it is told to', async () => {
	const other = await holder();
	const interrupted = new AbortController();
	const waiting = withLock(what, { who, signal: interrupted.signal }, async () => 'done');
	await until(() => said.mock.calls.length > 0);
	await sleep(1000);
	expect(said.mock.calls).toEqual([
		[
			`Waiting for another test (${what}.held). This goes on when it is done, or 15 seconds after it was killed; Ctrl-C stops.`,
		],
	]);
	interrupted.abort();
	await expect(waiting).rejects.toThrow('aborted');
	await other.end('SIGKILL');
});

it('tells who holds it that it was taken away', async () => {
	const lost = jest.fn();
	await hold(what, { onLost: lost });
	rmSync(`${what}.held`, { recursive: true });
	await until(() => lost.mock.calls.length === 1);
});

it.each([
	['a file', () => writeFileSync(`${what}.held`, '')],
	[
		'a folder with something in it',
		() => mkdirSync(join(`${what}.held`, 'something'), { recursive: true }),
	],
])('is not held by %s of its name that nobody touches', async (_, make) => {
	make();
	const longAgo = new Date(0);
	utimesSync(`${what}.held`, longAgo, longAgo);
	expect(await withLock(what, { who }, async () => 'done')).toBe('done');
});
