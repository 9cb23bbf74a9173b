// The service, and the way to it.
import type { IDataObject } from 'n8n-workflow';

import { minute, type Place, type World } from './world.mts';

export interface Transaction {
	id: string;
	reference: string;
	amount: number;
	/** The run that asked for it. */
	run: number;
}

type Kind =
	| 'accept'
	| 'acceptAndBreakOff'
	| 'acceptAndFail'
	| 'acceptAndBeSilent'
	| 'breakOff'
	| 'fail'
	| 'beSilent'
	| 'reject'
	| 'refuseKey'
	| 'askForTime'
	| 'beAway';

const accepting = new Set<Kind>([
	'accept',
	'acceptAndBreakOff',
	'acceptAndFail',
	'acceptAndBeSilent',
]);
const kinds: Kind[] = [
	'acceptAndBreakOff',
	'acceptAndFail',
	'acceptAndBeSilent',
	'breakOff',
	'fail',
	'beSilent',
	'reject',
	'refuseKey',
	'askForTime',
	'beAway',
];

/** A request has ended after this time, whatever came. */
const longest = 4 * minute;

export class Service {
	readonly transactions: Transaction[] = [];
	/** One request in so many meets with something else than a plain yes. */
	faultOnceIn = Infinity;

	private readonly world: World;

	constructor(world: World) {
		this.world = world;
	}

	of(reference: string): Transaction[] {
		return this.transactions.filter((one) => one.reference === reference);
	}

	/** One request, as n8n's helper makes it: it arrives or not, and its answer comes back or not. */
	async request(
		place: Place,
		run: number,
		{ body, timeout = minute }: IDataObject,
	): Promise<object> {
		const { world } = this;
		const { reference, amount } = body as { reference: string; amount: number };
		const kind = world.chance.onceIn(this.faultOnceIn) ? world.chance.pick(kinds) : 'accept';
		if (kind === 'beAway') {
			return await world.step(place, 'no connection', () => {
				throw broken('ECONNREFUSED');
			});
		}
		const until = world.now + longest;
		let id = '';
		// It is on its way, whatever becomes of the process.
		const arrived = world
			.step(
				undefined,
				'arrive',
				() => {
					if (!accepting.has(kind)) return;
					id = `T-${this.transactions.length + 1}`;
					this.transactions.push({ id, reference, amount, run });
					world.tell(`the service accepts ${reference} as ${id}, of run ${run}`);
				},
				{ until },
			)
			.catch(() => undefined);
		if (kind === 'beSilent' || kind === 'acceptAndBeSilent') {
			await arrived;
			const from = Math.min(world.now + Number(timeout), until);
			return await world.step(
				place,
				'no answer',
				() => {
					throw broken('ECONNABORTED');
				},
				{ from },
			);
		}
		await arrived;
		return await world.step(place, 'answer', () => this.answer(kind, id, reference, amount));
	}

	private answer(kind: Kind, id: string, reference: string, amount: number): object {
		if (kind === 'breakOff' || kind === 'acceptAndBreakOff') throw broken('ECONNRESET');
		const status = { reject: 400, refuseKey: 401, askForTime: 429 }[kind as string];
		if (status) {
			const headers = kind === 'askForTime' ? { 'retry-after': '5' } : {};
			return { statusCode: status, headers, body: '{"message":"no"}' };
		}
		if (kind !== 'accept' || id === '') return { statusCode: 503, headers: {}, body: '' };
		const transaction = { transaction_id: id, reference, amount };
		return {
			statusCode: 200,
			headers: {},
			body: JSON.stringify({ status: 'success', transaction }),
		};
	}
}

const broken = (code: string) => Object.assign(new Error(code), { code });
