const { mkdirSync } = require('node:fs');
const { join } = require('node:path');
const { TestEnvironment } = require('jest-environment-node');

const userFolder = join(
	__dirname,
	'../../../node_modules/.cache/engine',
	process.env.JEST_WORKER_ID ?? '1',
);
mkdirSync(userFolder, { recursive: true });

// n8n-core reads these when it is loaded.
process.env.N8N_USER_FOLDER = userFolder;
process.env.N8N_ENCRYPTION_KEY = 'engine-tests';
process.env.N8N_LOG_LEVEL = 'silent';

const built = /[\\/]dist[\\/](nodes|credentials)[\\/]/;

/** Where n8n is loaded once, and not again for each file of tests: that takes longer than most of them. */
module.exports = class extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		// An error that n8n makes outside is an Error for the tests too.
		Object.assign(this.global, { Error, outside: require });
		// The package is loaded anew for each file.
		for (const file of Object.keys(require.cache)) if (built.test(file)) delete require.cache[file];
	}
};
