import { startSandbox, type Sandbox } from '../../sandbox/server.mts';

/** A sandbox for the tests of a file, as new before each of them. It has nothing in it before the first test begins. */
export function useSandbox(): Sandbox {
	const sandbox = {} as Sandbox;
	beforeAll(async () => void Object.assign(sandbox, await startSandbox()));
	beforeEach(() => sandbox.reset());
	afterAll(async () => await sandbox.close());
	return sandbox;
}
