const { mixinJestEnvironment } = require('@stryker-mutator/jest-runner');
const fastCheck = require('fast-check');
const Environment = mixinJestEnvironment(require('../support/outside/environment.cjs'));

/** Seconds, and no mutant is noticed by it alone. */
const slow = /push out the first/;

/** What waits this long waits for something that a mutant has taken away. */
const longest = 15_000;

// That a mutant is noticed is enough: nobody reads by which example.
fastCheck.configureGlobal({ numRuns: 20, endOnFailure: true });

/** A test environment in which a mutant is tried in a second: the first test that fails ends it. */
module.exports = class extends Environment {
	constructor(config, context) {
		super(config, context);
		this.hasFailed = false;
		globalThis.__stryker__ = this.global.__stryker__;
	}

	handleTestEvent({ name, test }) {
		if (name === 'test_done' && test.errors.length > 0) this.hasFailed = true;
		if (name !== 'test_start') return;
		test.timeout = longest;
		if (this.hasFailed || slow.test(test.name)) test.mode = 'skip';
	}
};
