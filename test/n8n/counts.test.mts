import { startStand, type Stand } from '../bench/stand.mts';
import { installing } from '../support/n8n/playground.mts';

jest.setTimeout(300_000);

let stand: Stand;

beforeAll(async () => {
	stand = await startStand();
}, installing);

afterAll(async () => await stand?.close());

it.each([
	{ name: 'rates', requests: 1 },
	{ name: 'ratesByHttpRequest', requests: 40 },
	{ name: 'buys', requests: 40 },
	{ name: 'buysUnguarded', requests: 40 },
	{ name: 'buysTenAtATime', requests: 40 },
	{ name: 'buysWithRegister', requests: 40 },
	{ name: 'slowBuys', requests: 40 },
	{ name: 'buysByHttpRequest', requests: 40 },
	{ name: 'buysTenAtATimeByHttpRequest', requests: 40 },
	{ name: 'buysByBareLoop', requests: 40 },
	{ name: 'buysByPlainNode', requests: 40 },
] as const)(
	'the benchmark $name sends $requests requests for 40 items',
	async ({ name, requests }) => {
		expect(await stand.measure(name, 40)).toMatchObject({ requests, items: 40 });
	},
);
