import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

const project = (displayName, extra = {}) => ({
	displayName,
	rootDir: root,
	testMatch: [`<rootDir>/test/${displayName}/**/*.test.mts`],
	testEnvironment: 'node',
	moduleFileExtensions: ['ts', 'mts', 'js', 'mjs', 'cjs', 'json', 'node'],
	transform: {
		'\\.[mc]?[jt]s$': [
			'@swc/jest',
			{ jsc: { target: 'es2023', parser: { syntax: 'typescript' } } },
		],
	},
	...extra,
});

/** n8n is loaded outside of jest, once for all files of tests. */
const outside = {
	testEnvironment: join(root, 'test', 'support', 'outside', 'environment.cjs'),
	setupFiles: [join(root, 'test', 'support', 'outside', 'outside.cjs')],
};

export default {
	// Families run side by side, on machines that have other things to do too. Longer than `until` waits, which says for what.
	testTimeout: 300_000,
	projects: [
		project('unit', outside),
		project('contract', outside),
		project('engine', outside),
		project('n8n'),
		project('browser'),
		project('queue'),
	],
};
