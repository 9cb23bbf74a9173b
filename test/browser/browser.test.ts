import { start, stage, stop } from './stage.ts';
import './scenes/finding.ts';
import './scenes/credential.ts';
import './scenes/running.ts';
import './scenes/form.ts';
import './scenes/sandboxPage.ts';
import './scenes/canvases.ts';

// The first run on a machine installs n8n.
const installing = 20 * 60_000;
jest.setTimeout(120_000);

beforeAll(start, installing);
afterAll(stop);
beforeEach(() => stage.playground.sandbox.reset());
