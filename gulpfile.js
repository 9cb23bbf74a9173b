const { readdir, readFile, rm, writeFile } = require('node:fs/promises');
const { join } = require('node:path');
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
// the hash and base58 libraries behind the wallet checks are bundled, and their licences ship beside them.
const compile = async () => {
	const { metafile } = await build({
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
		metafile: true,
	});
	await writeFile('dist/THIRD-PARTY-LICENSES.txt', await licencesOf(metafile));
};

/** The licences of the packages of which something is in a bundle. One without a licence file ends the build. */
async function licencesOf({ outputs }) {
	const files = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
	const folders = files.map((file) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0]);
	const texts = [...new Set(folders)].filter(Boolean).sort().map(licenceIn);
	return (await Promise.all(texts)).join('\n');
}

async function licenceIn(folder) {
	const { name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
	const file = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one));
	if (!file) throw new Error(`${name} is bundled, and has no licence file that could ship with it`);
	return `${name} ${version}\n\n${(await readFile(join(folder, file), 'utf8')).trim()}\n`;
}

const icons = () => src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));

// n8n finds the codex (*.node.json) and the output schemas beside the compiled node file.
const metadata = () => src('nodes/**/*.json').pipe(dest('dist/nodes'));

exports.default = series(clean, parallel(compile, icons, metadata));
