import { progressLine, progressLines, type Run, type Running } from '../support/progress.mts';

const lint: Running = { name: 'lint', after: [], lastTime: { seconds: 40 } };
const code: Running = { name: 'code', after: ['lint'], lastTime: { seconds: 160, tests: 3787 } };
const n8n: Running = { name: 'n8n', after: [], lastTime: { seconds: 200, tests: 141 } };
const browser: Running = { name: 'browser', after: ['n8n'], lastTime: { seconds: 100, tests: 30 } };

const minute = 60_000;
const at = (...steps: Running[]): Run => ({ began: 0, steps });

describe('while tests run', () => {
	test('each that runs has a line: how many tests of how many, and how long of about how long', () => {
		const steps = [
			{ ...code, began: 40_000, done: 512 },
			{ ...n8n, began: 0, done: 9, failed: 1 },
		];
		expect(progressLines(at(...steps), minute)).toEqual([
			'  code  512 of 3787 tests, 0:20 of about 2:40',
			'  n8n   9 of 141 tests, 1 failed, 1:00 of about 3:20',
			'  all   1:00 of about 3:20',
		]);
	});

	test('the whole takes as long as the longest row of steps that wait for each other', () => {
		const lines = progressLines(
			at({ ...lint, began: 0 }, code, { ...n8n, began: 0 }, browser),
			minute / 2,
		);
		expect(lines.at(-1)).toBe('  all   0:30 of about 5:00; to come: code, browser');
	});

	test('what has ended before its turn is shown as it will be printed', () => {
		const steps = [
			{ ...code, began: 0 },
			{ ...n8n, began: 0, said: '✓ n8n (50 s, 141 tests)' },
		];
		expect(progressLines(at(...steps), minute)).toEqual([
			'  code  1:00 of about 2:40',
			'✓ n8n (50 s, 141 tests)',
			'  all   1:00 of about 2:40',
		]);
	});

	test('what takes longer than last time says so', () => {
		expect(progressLines(at({ ...lint, began: 0 }), minute)).toEqual([
			'  lint  1:00, last time 0:40',
			'  all   1:00, longer than last time',
		]);
	});

	test('before the first green run it says what it usually takes, and how many tests are done', () => {
		const first = { ...code, began: 0, done: 7, lastTime: undefined };
		expect(progressLines({ ...at(first, n8n), usually: 'about 12 minutes' }, minute)).toEqual([
			'  code  7 tests, 1:00',
			'  all   1:00 of about 12 minutes; to come: n8n',
		]);
		expect(progressLines(at(first), minute).at(-1)).toBe('  all   1:00');
	});

	test('in a log it is one line, with what runs', () => {
		const steps = [{ ...lint, said: '✓ lint (40 s)' }, { ...code, began: 0, done: 512 }, n8n];
		expect(progressLine(at(...steps), minute)).toBe('1:00 of about 4:20: code 512 of 3787 tests');
		const both = [
			{ ...lint, began: 0 },
			{ ...n8n, began: 0, done: 9 },
		];
		expect(progressLine(at(...both), minute)).toBe('1:00 of about 3:20: lint; n8n 9 of 141 tests');
	});
});
