import { usePlayground } from '../support/n8n/playground.ts';
import { start, stop } from './stage.ts';
import './scenes/finding.ts';
import './scenes/credential.ts';
import './scenes/names.ts';
import './scenes/running.ts';
import './scenes/form.ts';
import './scenes/desk.ts';
import './scenes/register.ts';
import './scenes/canvases.ts';
import './scenes/sandboxPage.ts';

afterAll(stop);
// As in n8n's own image. Without it n8n forbids the browser to keep the files that the editor is made of.
const env = { NODE_ENV: 'production' };
const playground = usePlayground(() => ({ editor: true, env }));
beforeAll(async () => await start(playground));
beforeEach(() => playground.sandbox.reset());
