import { join } from 'node:path';
import families from '../jest.config.mjs';

const engine = families.projects.find(({ displayName }) => displayName === 'engine');

export default {
	...engine,
	testMatch: ['<rootDir>/test/mutation/together.test.mts'],
	testEnvironment: join(import.meta.dirname, 'environment.cjs'),
};
