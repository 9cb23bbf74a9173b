// What is mutated, and which tests are to notice, is in test/mutation.mts.
export default {
	testRunner: 'jest',
	jest: { configFile: 'test/mutation/jest.config.mjs', enableFindRelatedTests: false },
	testRunnerNodeArgs: ['--experimental-vm-modules'],
	coverageAnalysis: 'perTest',
	// With --experimental-vm-modules jest never lets go of the modules of a run: one process for all would get slow.
	maxTestRunnerReuse: 15,
	// Long, because a test that only waits for a busy machine must not count as one that has noticed something.
	timeoutMS: 20_000,
	tempDirName: 'test/.output/mutation',
	cleanTempDir: 'always',
	ignorePatterns: ['dist', '.state', 'test/.output', 'playground/node_modules'],
	reporters: [],
	logLevel: 'error',
};
