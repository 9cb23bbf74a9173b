import { startSandbox, type Sandbox } from '../../sandbox/server.ts';
import { credentialsFor, loadEngine, type Engine } from './engine.ts';

let engine: Engine;
let sandbox: Sandbox;

beforeAll(async () => {
	engine = await loadEngine();
	sandbox = await startSandbox();
});
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.reset());

const read = async (parameters: Record<string, string | string[]>, extra = {}) =>
	await engine.run({
		parameters: { resource: 'rate', operation: 'otc', ...parameters },
		credentials: credentialsFor(sandbox),
		...extra,
	});

it('returns the rates as the service sent them', async () => {
	const { json, error } = await read({});
	expect(error).toBeUndefined();
	expect(json).toEqual([expect.objectContaining({ USD: expect.any(Number) })]);
});
