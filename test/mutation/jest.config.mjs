import { join } from 'node:path';
import families from '../jest.config.mjs';

const here = import.meta.dirname;
const engine = families.projects.find(({ displayName }) => displayName === 'engine');

export default {
	...engine,
	testEnvironment: join(here, 'environment.cjs'),
	setupFiles: [...engine.setupFiles, join(here, 'outside.cjs')],
};
