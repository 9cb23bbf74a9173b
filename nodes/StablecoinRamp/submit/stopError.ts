import { NodeOperationError, type INode, type NodeApiError } from 'n8n-workflow';

import { apiError, asHtml } from '../../../client/n8nErrors';
import { sentence } from '../../../client/refusal';
import { lastFour } from '../checks/account';
import { isMade } from './reference';
import { isSetback, neverSent, type Result, type Setback, type Standing } from './result';
import { hasRegister } from './settings';
import { stepsFor, timeInWords } from './steps';

/** Says what stopped a run, then what became of every item: whatever was accepted is named here. */
export function stopError(node: INode, results: Result[]): NodeApiError | NodeOperationError {
	const setbacks = [...results.entries()].filter((row): row is [number, Setback] =>
		isSetback(row[1]),
	);
	const [itemIndex, cause] = setbacks.find(([, { isLeftOver }]) => !isLeftOver) ?? setbacks[0]!;
	const isPlain = results.every(neverSent);

	const message = `${cause.message}${mark(itemIndex, results)}`;
	const description = [
		`${sentence(cause.description)}${isPlain ? ' Nothing was sent.' : ''}`,
		...stepsIn(results, cause, hasRegister(node)),
		...(isPlain ? otherRefusals(results, itemIndex) : overview(results, itemIndex)),
		...differencesInWords(results),
		...notWrittenIn(results),
		...whatSendsTheNew(results),
	]
		.map(asHtml)
		.join(newLine);
	const error =
		isPlain && cause.httpCode === undefined
			? new NodeOperationError(withoutWallet(node), message, { description, itemIndex })
			: apiError(
					withoutWallet(node),
					{ message, description },
					{ itemIndex, httpCode: cause.httpCode },
				);
	// n8n puts its own words in place of a message with a system code in it: a reference may well contain "eexist".
	error.message = message;
	return error;
}

/** In HTML the end of a line alone ends none. */
const newLine = '<br>\n';

/** What to do about all that is unknown stands once. */
function stepsIn(results: Result[], cause: Setback, withRegister: boolean): string[] {
	const steps = stepsFor(results, withRegister);
	return steps.length === 0 || cause.standing === 'unknown'
		? steps
		: ['What to do about what is unknown:', ...steps];
}

/** n8n stores the node with what it threw, and a secret may have been typed there. */
const withoutWallet = (node: INode): INode => {
	const parameters = { ...node.parameters };
	delete parameters.walletAddress;
	return { ...node, parameters };
};

const otherRefusals = (results: Result[], causeIndex: number): string[] =>
	[...results.entries()].flatMap(([index, result]) =>
		isSetback(result) && hasOwnWords.has(result.standing) && index !== causeIndex
			? [`${wordsOf(result)}${mark(index, results)}`]
			: [],
	);

const titles: Array<[Standing, string]> = [
	['accepted', 'Accepted in this run'],
	['acceptedBefore', 'Accepted before'],
	['unknown', 'Outcome unknown'],
	['rejected', 'Rejected'],
	['refused', 'Refused by the checks'],
	['closed', 'Closed by a person, not sent'],
	['unreadable', 'In the register in words that cannot be read, not sent'],
	['new', 'New, not sent'],
	['notLookedUp', 'Not sent, and nobody could say whether they are new'],
	['dryRun', 'Dry run, not sent'],
];

function overview(results: Result[], causeIndex: number): string[] {
	if (results.length === 1) return [];
	return titles.flatMap(([standing, title]) => {
		const rows = [...results.entries()]
			.filter(([, result]) => result.standing === standing)
			.map(([index, result]) => `${row(result, index === causeIndex)}${mark(index, results)}`);
		return rows.length === 0 ? [] : [`${title} (${rows.length}):`, ...rows];
	});
}

const hasOwnWords = new Set<Standing>(['rejected', 'refused', 'closed', 'unreadable']);

function row(result: Result, isCause: boolean): string {
	const { reference = 'not made yet', knownAs, standing } = result;
	const name = [knownAs, `reference ${reference}`].filter(Boolean).join(', ');
	if (!isSetback(result)) return name;
	if (!isCause && hasOwnWords.has(standing)) return `${name}: ${wordsOf(result)}`;
	const { lookFrom } = result;
	return lookFrom ? `${name}: look for it at or after ${timeInWords(lookFrom)}` : name;
}

const wordsOf = ({ message, description }: Setback) =>
	`${sentence(message)} ${sentence(description)}`;

/** In the form in which the editor recognises it, so that it does not add its own. */
const mark = (itemIndex: number, results: Result[]) =>
	results.length > 1 ? ` [item ${itemIndex}]` : '';

/** A new execution knows a reference of the person's own; one that the node made belongs to this execution. */
function whatSendsTheNew(results: Result[]): string[] {
	const fresh = results.filter(({ standing }) => standing === 'new' || standing === 'notLookedUp');
	const known = results.filter(({ standing }) => knownStandings.has(standing));
	if (fresh.length === 0 || known.length === 0) return [];
	const areNew = fresh.every(({ standing }) => standing === 'new');
	const toSend = `To send the ${fresh.length} that ${areNew ? 'are new' : 'were not sent'}`;
	const stopsAgain = results.some(({ standing }) => ['unknown', 'rejected'].includes(standing));
	const goOn = "'On Error' in Settings to Continue (using error output)";
	// Of an item that has no reference yet, nobody knows whose it will be.
	if (fresh.some(({ reference }) => reference === undefined || isMade(reference))) {
		// A retry stops at what is unknown, and where it is rejected once more, as this one did.
		const press = stopsAgain
			? `set ${goOn}, save the workflow, and press Retry with currently saved workflow`
			: 'press Retry';
		return [
			`${toSend}, ${press} on this execution in n8n's list: a new execution would make other references and submit all of them again.`,
		];
	}
	// Skip stops at these, as this run did.
	const mustGoOn =
		stopsAgain ||
		known.some(({ standing }) => standing === 'closed' || standing === 'unreadable') ||
		known.some(({ isUnsettled }) => isUnsettled) ||
		known.some(({ standing, outcome }) => standing === 'acceptedBefore' && outcome === 'notSent');
	const goesOn = mustGoOn ? ` and ${goOn}` : '';
	return [
		`${toSend}, set 'If Already Submitted' in Options to Skip${goesOn}, then submit all of them again: what was accepted is passed over.`,
	];
}

const knownStandings = new Set<Standing>([
	'accepted',
	'acceptedBefore',
	'unknown',
	'closed',
	'unreadable',
]);

/** What to say of those that were not written down: by n8n's database, which has them as claimed, or by the register. */
export function notWrittenIn(results: Result[]): string[] {
	const unsettled = results.flatMap((one) => (one.isUnsettled ? [one.reference] : []));
	const notInRegister = results.filter(
		({ isNotInRegister, outcome }) => isNotInRegister && outcome !== 'notSent',
	);
	return [
		...(unsettled.length > 0
			? [
					`n8n's database did not take note of what became of ${unsettled.join(', ')}. Where no register has it, later executions will say that the outcome is unknown.`,
				]
			: []),
		...(notInRegister.length > 0
			? [
					`The register could not be completed. It lacks these, or still says 'sending' of them: ${notInRegister.map(withOutcome).join('; ')}. Write them there by hand.`,
				]
			: []),
	];
}

/** What the service answered otherwise than it was asked, with account numbers covered. */
export const differencesInWords = (results: Result[]): string[] =>
	results.flatMap(({ reference, knownAs, differs = [] }) => {
		if (differs.length === 0) return [];
		const words = differs.map(
			({ field, sent, answered }) =>
				`${field} ${shown(field, sent)} became ${shown(field, answered)}`,
		);
		return [
			`The service accepted reference ${reference}${knownAs ? `, ${knownAs},` : ''} and answered otherwise than it was asked: ${words.join('; ')}. Ask the service about it.`,
		];
	});

const shown = (field: string, value: string) =>
	field === 'account_number' ? lastFour(value) : JSON.stringify(value.slice(0, longestShown));

const longestShown = 100;

const withOutcome = ({ reference, outcome, knownAs }: Result) =>
	outcome === 'unknown'
		? `the outcome of reference ${reference} is unknown`
		: `reference ${reference} was ${outcome}${knownAs ? ` as ${knownAs}` : ''}`;
