import { appendFileSync } from 'node:fs';

/** A mark for each test that has ended, beside what jest writes in the end: what `npm test` counts meanwhile. */
export default class {
	readonly #file: string;

	constructor({ outputFile }: { outputFile: string }) {
		this.#file = outputFile.replace(/\.json$/, '.progress');
	}

	onTestCaseResult(_test: unknown, { status }: { status: string }): void {
		if (status === 'passed') appendFileSync(this.#file, '.');
		if (status === 'failed') appendFileSync(this.#file, 'F');
	}
}
