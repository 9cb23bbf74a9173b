const { rm } = require('node:fs/promises');
const { build } = require('esbuild');
const { dest, parallel, series, src } = require('gulp');
const { n8n } = require('./package.json');

const clean = () => rm('dist', { recursive: true, force: true });

// Each file requires n8n-workflow once, not once for each of its parts: n8n loads the package a millisecond faster.
const fromN8nWorkflow = [
	'NodeApiError',
	'NodeConnectionTypes',
	'NodeOperationError',
	'UserError',
	'sleep',
	'updateDisplayOptions',
];
const n8nWorkflowOnce = {
	name: 'n8n-workflow once',
	setup({ onResolve, onLoad }) {
		onResolve({ filter: /^n8n-workflow$/ }, ({ namespace }) =>
			namespace === 'once'
				? { path: 'n8n-workflow', external: true }
				: { path: 'n8n-workflow', namespace: 'once' },
		);
		onLoad({ filter: /.*/, namespace: 'once' }, () => ({
			contents: `export { ${fromN8nWorkflow.join(', ')} } from 'n8n-workflow';`,
		}));
	},
};

// What submits is a file of its own, required with the first buy or sell: n8n loads the package a quarter faster.
const submit = 'nodes/StablecoinRamp/submit/submit.ts';
const submitApart = {
	name: 'submit apart',
	setup({ onResolve }) {
		onResolve({ filter: /^\.\/submit\/submit$/ }, () => ({
			path: './submit/submit.js',
			external: true,
		}));
	},
};

// One file for each node and credential, and the one above, so that what ships needs nothing but n8n itself:
// the hash and base58 libraries behind the wallet checks are bundled, their licence lines kept.
const compile = () =>
	build({
		entryPoints: [
			...[...n8n.credentials, ...n8n.nodes].map((file) =>
				file.replace(/^dist\//, '').replace(/\.js$/, '.ts'),
			),
			submit,
		],
		outbase: '.',
		outdir: 'dist',
		bundle: true,
		platform: 'node',
		format: 'cjs',
		target: 'node20',
		// With require, as n8n itself loads the package.
		supported: { 'dynamic-import': false },
		plugins: [n8nWorkflowOnce, submitApart],
		legalComments: 'inline',
		logLevel: 'warning',
	});

const icons = () => src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));

// n8n finds the codex (*.node.json) and the output schemas beside the compiled node file.
const metadata = () => src('nodes/**/*.json').pipe(dest('dist/nodes'));

exports.default = series(clean, parallel(compile, icons, metadata));
