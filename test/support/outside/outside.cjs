// What is loaded outside of jest, once: see environment.cjs.
const outside = (name) => {
	const loaded = globalThis.outside(name);
	// In a process of n8n there is one set of rows; here there is one for each file of tests.
	if (name === 'n8n-core') loaded.DataDeduplicationService.assertSingleInstance = () => {};
	return loaded;
};
for (const name of [
	'n8n-core',
	'n8n-workflow',
	'fastify',
	'ajv',
	'ajv/dist/2020.js',
	'fast-check',
	'selfsigned',
	'yaml',
]) {
	jest.mock(name, () => outside(name));
}
