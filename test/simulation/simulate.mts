// Two processes, a service, a database and a register that fail, and persons who do what the messages say. What each
// was told is compared with what the service has.
import { N8n, type Code, type Order, type Ran } from './n8n.mts';
import { Service } from './service.mts';
import { minute, World, type Place } from './world.mts';

export interface Findings {
	/** Transactions that the service has more often than anybody asked for. */
	twice: string[];
	/** Transactions of which nobody can learn. */
	lost: string[];
	/** What was told and is not so. */
	false: string[];
	story: string[];
}

const amounts: Record<string, number> = { a: 15000, b: 16000, c: 17000, d: 18000 };
const itemOf = (reference: string) => ({ reference, amount: amounts[reference]! });

/** What happened by one seed. */
export async function simulate(seed: number, code?: Code): Promise<Findings> {
	const world = new World(seed);
	const service = new Service(world);
	const n8n = new N8n(world, service, code);
	const { chance } = world;
	const findings: Findings = { twice: [], lost: [], false: [], story: world.story };
	/** Everybody wants the same at the same time, and processes come to a halt. */
	const isCrowd = chance.onceIn(2);
	const references = Object.keys(amounts).slice(0, isCrowd ? 1 : 1 + chance.below(4));
	const hasRegister = chance.onceIn(2);
	world.slowness = chance.pick(isCrowd ? [0, 3000] : [0, 1000, 20_000]);
	service.faultOnceIn = chance.pick([2, 3, 6, Infinity]);
	n8n.databaseFailsOnceIn = chance.pick([20, 60, Infinity, Infinity]);
	n8n.registerFailsOnceIn = chance.pick([10, 30, Infinity, Infinity]);
	const registerWorks = n8n.registerFailsOnceIn === Infinity;
	const troubleOnceIn = chance.pick(isCrowd ? [6, 12, 25] : [15, 40, 100, Infinity]);

	/** By reference, how often somebody has asked for more than one. */
	const askedFor = new Map<string, number>();
	/** The ids that somebody has been told. */
	const told = new Set<string>();
	let wasKilled = false;

	const skew = () => chance.pick([0, 0, -1, 1]) * chance.below(2.5 * minute);
	const places: Place[] = [n8n.start(skew()), n8n.start(skew())];
	const alive = (): Place => {
		const at = chance.below(2);
		if (places[at]!.isDead) places[at] = n8n.start(places[at]!.skew);
		return places[at]!;
	};

	/** Runs an order, and checks what was told of each item against what the service has. */
	async function execute(order: Order, kept?: Ran['kept']): Promise<Ran> {
		const place = alive();
		const { items, choice } = order;
		const before = new Set(service.transactions.map(({ reference }) => reference));
		world.tell(
			`${place.name} begins ${choice} of ${items.map(({ reference }) => reference).join(' ')}`,
		);
		if (choice === 'submitAgain') {
			for (const { reference } of items)
				askedFor.set(reference, (askedFor.get(reference) ?? 0) + 1);
		}
		const ran = await n8n.execute(place, order, kept);
		world.tell(
			`run ${ran.run} told ${ran.told.map(({ reference, outcome, id }) => `${reference} ${outcome} ${id ?? ''}`).join(', ')}`,
		);
		items.forEach(({ reference }, index) => {
			const one = ran.told[index]!;
			const has = service.of(reference);
			const isOfRun = has.some(({ run }) => run === ran.run);
			const say = (what: string) =>
				findings.false.push(
					`run ${ran.run}, item ${index}: ${reference} told as ${one.outcome}, ${what}: ${ran.said[index]}`,
				);
			if (one.id) {
				told.add(one.id);
				if (!has.some(({ id }) => id === one.id)) say(`and the service has no ${one.id}`);
			}
			if ((one.outcome === 'accepted' || one.outcome === 'skipped') && has.length === 0)
				say('and the service has none');
			if (one.outcome === 'accepted' && !one.id) say('without its id');
			const isNo = one.outcome === 'rejected' || one.outcome === 'notSent';
			if (isNo && isOfRun && items.filter((item) => item.reference === reference).length === 1)
				say('and the service has it of this run');
			// Where nothing was sent because of another item, nothing is said of this one.
			const isHonest = ran.said[index] === '' || aboutEarlier.test(ran.said[index]!);
			if (isNo && before.has(reference) && !isHonest) say('and the service had it before');
		});
		return ran;
	}

	/** A person who reads what was told, looks on the dashboard when that proves something, and acts by it. */
	async function follow(ran: Ran): Promise<void> {
		for (const [index, { outcome, reference = '' }] of ran.told.entries()) {
			if (outcome !== 'unknown') continue;
			await world.sleep(
				undefined,
				timeToLook(ran.said[index]!, world.now) + chance.below(3 * minute),
			);
			const all = service.of(reference);
			const [found] = all;
			world.tell(`somebody looks for ${reference}: ${found ? 'it is there' : 'it is not there'}`);
			if (found) {
				// It is written down by hand, where there is a register.
				const newest = n8n.table.rows().findLast((row) => row.reference === reference);
				n8n.table.change((row) =>
					row === newest && row.outcome !== 'accepted'
						? { ...row, outcome: 'accepted', transaction_id: found.id, response: null }
						: row,
				);
				for (const { id } of all) told.add(id);
				continue;
			}
			await world.sleep(undefined, chance.below(2 * minute));
			const items = [ran.order.items[index]!];
			await act(await execute({ ...ran.order, items, choice: 'submitUnknownAgain' }));
		}
	}

	let acts = 0;
	/** What a person does after a run. */
	async function act(ran: Ran): Promise<void> {
		if (++acts > 20) return;
		if (ran.isStopped && chance.onceIn(3)) {
			world.tell(`somebody retries run ${ran.run}`);
			await act(await execute(ran.order, structuredClone(ran.kept)));
		} else if (ran.told.some(({ outcome }) => outcome === 'unknown')) {
			await follow(ran);
		} else if (ran.told.some(({ outcome }) => outcome === 'notSent' || outcome === 'rejected')) {
			await world.sleep(undefined, chance.below(10 * minute));
			await act(await execute({ ...ran.order, choice: 'skip', onError: 'continueRegularOutput' }));
		}
	}

	const somebody = async (): Promise<void> => {
		await world.sleep(undefined, chance.below(isCrowd ? minute : chance.pick([1, 5, 40]) * minute));
		const count = 1 + chance.below(isCrowd ? 2 : 7);
		const order: Order = {
			items: Array.from({ length: count }, () => itemOf(chance.pick(references))),
			choice: chance.pick(['stop', 'skip', 'skip', 'submitUnknownAgain', 'submitAgain'] as const),
			onError: chance.pick(['stopWorkflow', 'continueRegularOutput'] as const),
			retryOnFail: chance.onceIn(3),
			parallelRequests: chance.pick([1, 1, 3]),
			hasRegister,
		};
		if (order.choice === 'submitUnknownAgain') {
			// Who chooses this has looked for all of them, and leaves out what is there.
			order.items = order.items.filter(({ reference }) => service.of(reference).length === 0);
		}
		if (order.items.length > 0) await act(await execute(order));
	};
	for (let persons = 2 + chance.below(4); persons > 0; persons--) void somebody();
	await world.run(() => {
		if (!chance.onceIn(troubleOnceIn)) return;
		const place = chance.pick(places);
		if (chance.onceIn(isCrowd ? 10 : 3)) {
			wasKilled = true;
			world.kill(place);
			void somebody();
		} else {
			place.frozenUntil =
				world.now + chance.below(chance.pick(isCrowd ? [5, 40] : [3, 8, 30]) * minute);
			world.tell(`${place.name} is frozen`);
		}
	});

	// Half an hour later everything works, and somebody asks what there is, with Skip.
	service.faultOnceIn = n8n.databaseFailsOnceIn = n8n.registerFailsOnceIn = Infinity;
	world.now += 30 * minute;
	const reported = service.transactions.slice();
	const rowsBefore = n8n.table.rows().slice();
	const items = references.map(itemOf);
	let audit: Ran | undefined;
	void execute({
		items,
		choice: 'skip',
		onError: 'continueRegularOutput',
		retryOnFail: false,
		parallelRequests: 1,
		hasRegister,
	}).then((ran) => (audit = ran));
	await world.run(() => {});

	for (const reference of references) {
		const times = service.of(reference).length;
		const most = 1 + (askedFor.get(reference) ?? 0);
		if (times > most) findings.twice.push(`${reference} ${times} times`);
		const rows = rowsBefore.filter((row) => row.reference === reference);
		const counts = rows.find((row) => row.outcome === 'accepted') ?? rows.at(-1);
		const isDenied = counts?.outcome === 'notSent' || counts?.outcome === 'rejected';
		// Whoever submits again has an answer of its own, and a register that fails is told of in the message.
		const isThere = reported.some((one) => one.reference === reference);
		if (isDenied && isThere && most === 1 && registerWorks) {
			findings.false.push(`the register has ${reference} as ${counts.outcome}`);
		}
	}
	for (const { id, reference } of reported) {
		const outcome = audit?.told.find((one) => one.reference === reference)?.outcome;
		if (outcome !== 'skipped' && outcome !== 'unknown')
			findings.lost.push(`${id} of ${reference} is ${outcome} in the end`);
		const isWritten = n8n.table.rows().some((row) => row.transaction_id === id);
		const isOpen =
			outcome === 'unknown' ||
			n8n.table.rows().some((row) => row.reference === reference && row.outcome !== 'accepted');
		const mayBeUntold = wasKilled && !hasRegister;
		if (!told.has(id) && !isWritten && !isOpen && !mayBeUntold)
			findings.lost.push(`${id} of ${reference}, which nobody was told`);
	}
	return findings;
}

/** Says that there may be an earlier one, that nobody could look, or that the checks have refused it. */
const aboutEarlier =
	/accepted before|submitted before|(may have been|was) accepted\.|could not|nobody could say|cannot be opened|Refused by the checks|is also the reference of item/;

/** How long the message says to wait before a look proves something. */
function timeToLook(said: string, now: number): number {
	const times = [...said.matchAll(/at or after (\d\d):(\d\d) UTC on (\d+) November/g)].map(
		([, hours, minutes, day]) => Date.UTC(2026, 10, Number(day), Number(hours), Number(minutes)),
	);
	return Math.max(0, ...times.map((time) => time - now));
}
