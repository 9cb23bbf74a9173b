// n8n's verification scan of three folders: sources, then twice what is or might be published.
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

const [sources, ...published] = process.argv.slice(2);
const verdicts = [
	await analyzePackage(sources, [...SOURCE_FILE_PATTERNS, 'client/**/*.ts']),
	await Promise.all(published.map((folder) => analyzePackage(folder, ['**/*.js', 'package.json']))),
];
process.stdout.write(JSON.stringify(verdicts.flat()));
