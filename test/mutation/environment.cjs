const Environment = require('@stryker-mutator/jest-runner/jest-env/node');

const built = /[\\/]dist[\\/](nodes|credentials)[\\/]/;

/** Seconds, and no mutant is noticed by it alone. */
const slow = /push out the first/;

/** What waits this long waits for something that a mutant has taken away. */
const longest = 15_000;

/** A test environment in which a mutant is tried in a second: n8n is loaded once, and the first test that fails ends it. */
module.exports = class extends Environment {
	constructor(config, context) {
		super(config, context);
		this.hasFailed = false;
		// What n8n loads is outside, and so is what an error is there.
		Object.assign(this.global, { Error, outside: require });
		globalThis.__stryker__ = this.global.__stryker__;
		// The package is loaded anew, because a mutant may be in what runs only then.
		for (const file of Object.keys(require.cache)) if (built.test(file)) delete require.cache[file];
	}

	handleTestEvent({ name, test }) {
		if (name === 'test_done' && test.errors.length > 0) this.hasFailed = true;
		if (name !== 'test_start') return;
		test.timeout = longest;
		if (this.hasFailed || slow.test(test.name)) test.mode = 'skip';
	}
};
