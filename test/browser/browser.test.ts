import { usePlayground } from '../support/playground.ts';
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
const playground = usePlayground(() => ({ editor: true }));
beforeAll(async () => await start(playground));
beforeEach(() => playground.sandbox.reset());
