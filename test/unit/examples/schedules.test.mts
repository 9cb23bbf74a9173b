import { decisionsIn } from '../../support/examples.mts';

// In the tests of n8n no schedule runs, so nothing there would tell.
it.each([
	['01-append-rates.json', 'Every hour', { field: 'hours' }],
	['08-watch.json', 'Every fifteen minutes', { field: 'minutes', minutesInterval: 15 }],
])('%s starts as its trigger says: %s', (file, trigger, interval) => {
	const { parametersOf } = decisionsIn(file);
	expect(parametersOf(trigger)).toEqual({ rule: { interval: [interval] } });
});
