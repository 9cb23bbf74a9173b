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
import './scenes/rates.mts';
import './scenes/month.mts';

afterAll(stop);
const env = {
	// The pages of examples 1 and 9 are drawn by Code nodes.
	N8N_RUNNERS_MODE: 'internal',
};
const playground = usePlayground(() => ({ editor: true, env }));
beforeAll(async () => await start(playground));
beforeEach(() => playground.sandbox.reset());
