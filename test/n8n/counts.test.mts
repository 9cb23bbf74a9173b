import { startStand, type Stand } from '../bench/stand.mts';
import { installing } from '../support/n8n/playground.mts';

let stand: Stand;

beforeAll(async () => {
	stand = await startStand();
}, installing);

afterAll(async () => await stand?.close());

it.each([
	{ name: 'rates', requests: 1 },
	{ name: 'ratesByHttpRequest', requests: 10 },
	{ name: 'buys', requests: 10 },
	{ name: 'buysUnguarded', requests: 10 },
	{ name: 'buysTenAtATime', requests: 10 },
	{ name: 'buysWithRegister', requests: 10 },
	{ name: 'slowBuys', requests: 10 },
	{ name: 'buysByHttpRequest', requests: 10 },
	{ name: 'buysTenAtATimeByHttpRequest', requests: 10 },
	{ name: 'buysByBareLoop', requests: 10 },
	{ name: 'buysByPlainNode', requests: 10 },
] as const)(
	'the benchmark $name sends $requests requests for 10 items',
	async ({ name, requests }) => {
		expect(await stand.measure(name, 10)).toMatchObject({ requests, items: 10 });
	},
);
