import { usePlayground } from '../support/n8n/playground.mts';
import { start, stop } from './stage.mts';
import './scenes/finding.mts';
import './scenes/credential.mts';
import './scenes/names.mts';
import './scenes/running.mts';
import './scenes/form.mts';
import './scenes/register.mts';
import './scenes/canvases.mts';
import './scenes/sandboxPage.mts';
import './scenes/desk.mts';
import './scenes/payouts.mts';

afterAll(stop);
// As in n8n's own image. Without it n8n forbids the browser to keep the files that the editor is made of.
const env = { NODE_ENV: 'production' };
const playground = usePlayground(() => ({ editor: true, env }));
beforeAll(async () => await start(playground));
beforeEach(() => playground.sandbox.reset());
