// Our rules, for everything. What ships (.ts) is also held to n8n's: eslint.config.mjs of the root, in which n8n allows no
// other word. What does not ship is .mts, which n8n's rules leave alone.
import { defineConfig, globalIgnores } from 'eslint/config';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

export default defineConfig(
	globalIgnores(['dist', '.state', 'test/.output', 'playground/node_modules']),
	{
		files: ['**/*.{ts,mts}'],
		extends: [tseslint.configs.recommended],
		plugins: { 'import-x': importX },
		rules: {
			'@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
			'@typescript-eslint/no-unused-vars': [
				'error',
				{ argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
			],
			'import-x/no-cycle': ['error', { ignoreExternal: true }],
			'import-x/no-duplicates': ['error', { 'prefer-inline': true }],
			'import-x/order': [
				'error',
				{
					groups: [
						['builtin', 'external'],
						['parent', 'sibling', 'index'],
					],
					'newlines-between': 'always',
				},
			],
		},
		settings: {
			'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.mts'] },
			'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.mts', '.js'] })],
		},
	},
	{
		files: ['**/*.{ts,mts,mjs}'],
		ignores: ['test/**'],
		rules: {
			'no-restricted-imports': [
				'error',
				{ patterns: [{ regex: '/test/', message: 'What others need too is in scripts/.' }] },
			],
		},
	},
	{
		files: ['{playground,test/{browser,n8n,queue,support}}/**/*.mts'],
		rules: {
			'no-restricted-globals': [
				'error',
				{ name: 'fetch', message: 'n8n is asked by freshFetch (playground/freshFetch.mts).' },
			],
		},
	},
	{
		// What n8n asks of nodes/ alone is asked of what they share too.
		files: ['client/**/*.ts'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: n8nNodesBase.configs.nodes.rules,
	},
);
