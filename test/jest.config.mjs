const project = (displayName, extra = {}) => ({
	displayName,
	rootDir: '..',
	testMatch: [`<rootDir>/test/${displayName}/**/*.test.ts`],
	testEnvironment: 'node',
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
	projects: ['unit', 'contract', 'engine', 'n8n', 'browser', 'queue'].map((name) => project(name)),
};
