import { join } from 'node:path';

const project = (displayName, extra = {}) => ({
	displayName,
	rootDir: join(import.meta.dirname, '..'),
	testMatch: [`<rootDir>/test/${displayName}/**/*.test.ts`],
	testEnvironment: 'node',
	moduleFileExtensions: ['ts', 'mts', 'js', 'mjs', 'cjs', 'json', 'node'],
	transform: {
		'\\.[mc]?[jt]s$': [
			'@swc/jest',
			{ jsc: { target: 'es2023', parser: { syntax: 'typescript' } } },
		],
	},
	// ESM-only packages that the tests import
	transformIgnorePatterns: ['/node_modules/(?!(@noble|@scure)/)'],
	...extra,
});

export default {
	projects: [
		project('unit'),
		project('contract'),
		project('engine', { setupFiles: ['<rootDir>/test/engine/environment.ts'] }),
		project('n8n'),
		project('browser'),
		project('queue'),
	],
};
