import type { IDataObject } from 'n8n-workflow';

import type { TransactionOperation } from '../../../../client/endpoints';
import { isObject } from '../../../../client/reply';
import { inWords, whatSaysNo } from '../../../../client/saysNo';
import { transactions } from './index';

/** Where an answer may tell of its transaction. */
const placesIn = ({ transaction, data, ...body }: IDataObject): IDataObject[] =>
	[transaction, body, data, isObject(data) && data.transaction].filter(isObject);

/** What in the body of a success casts doubt on it, if anything. */
export function doubtAbout(body: unknown, operation: TransactionOperation): string | undefined {
	if (!isObject(body)) return 'which is not a JSON object';
	const transaction = isObject(body.transaction) ? body.transaction : {};
	// An id beside a message may be that of the request.
	const isNamed = idsIn({ ...body, id: undefined }).some((id) => !isNoId.test(id));
	const isClear = isNamed && typeof body.status === 'string' && /\p{L}/u.test(body.status);
	const no = placesIn(body)
		.map((place) => whatSaysNo(place, isClear))
		.find(Boolean);
	if (no) return `which ${no}`;
	const isEmpty = Object.keys(transaction).length === 0;
	return transactions[operation].answersWithTransaction && isEmpty
		? 'which has no transaction in it'
		: undefined;
}

/** Looked for in names too: alreadyExists, is_duplicate. */
const existing =
	/already|duplicat|(?<!\bnot |\bno longer |\bno (vendor|account|user|business|bank|network|such \w+) )exists|been[ _-]?used|reused|used this reference|used[ _-]before|(\b|_)in[ _-]use|(is|been|reference)[ _-]taken|unique|conflict|still pending|being processed/i;

/** In a refusal that may be about the caller: "You have already made too many requests" says nothing of a transaction. */
const existingTransaction =
	/\bduplicate (transaction|reference|payment)|\b(transaction|reference|payment)\b.{0,100}(?<!\b(not|no longer) )\b(exists|duplicate|unique|been used|in progress|already (being |been )?(used|submitted|accepted|processed|completed|received))\b/i;
const isAboutLimits = /^no |\b(limit|quota|too many)\b/i;

const textsIn = (body: unknown): string[] =>
	typeof body === 'object' && body !== null
		? Object.values(body).flatMap(textsIn)
		: [inWords(String(body))];

/** In the place of an id, and none. */
const isNoId = /\s|^(0|invalid|required|missing|none|null|nil|unknown|undefined|n\/a)$/i;

/** The id of a transaction, wherever in the body of a refusal it stands. */
function namedIn(body: unknown): string | undefined {
	if (typeof body !== 'object' || body === null) return undefined;
	// An id beside a message may be that of the request, and words in its place tell of a mistake.
	const ids = isObject(body) ? idsIn({ ...body, id: undefined }) : [];
	return ids.find((id) => !isNoId.test(id)) ?? Object.values(body).map(namedIn).find(Boolean);
}

/** What in the body of a refusal says that there is such a transaction, if anything. */
export function whatIsThere(body: unknown, isAboutTheCaller: boolean): string | undefined {
	const named = namedIn(body);
	if (named) return `names transaction ${named}`;
	const isSaid = (text: string) => existingTransaction.test(text) && !isAboutLimits.test(text);
	// "is_duplicate": false says that there is none.
	const whole = JSON.stringify(body, (_, value: unknown) => value || undefined) ?? '';
	const isThere = textsIn(body).some(isSaid) || (!isAboutTheCaller && existing.test(whole));
	return isThere ? 'says that there is one already' : undefined;
}

/** The transaction's id: inside of the transaction or beside it. */
export const idIn = (answer: IDataObject): string | undefined => idsIn(answer)[0];

function idsIn(answer: IDataObject): string[] {
	const names = ['transaction_id', 'transactionId', 'id'];
	return names
		.flatMap((name) => placesIn(answer).map((place) => place[name]))
		.filter((one) => typeof one === 'number' || (typeof one === 'string' && one !== ''))
		.map(String);
}

/** Its id in words, by which the service's dashboard knows it. */
export function idInWords(answer: IDataObject): string | undefined {
	const id = idIn(answer);
	return id === undefined ? undefined : `transaction ${id}`;
}

/** What is put out of an answer. One that names no id is not made any shorter: it is all there is to find the transaction by. */
export const receiptOf = (
	answer: IDataObject,
	reference: string,
	simplify: boolean,
): IDataObject =>
	simplify && idIn(answer) !== undefined ? simplified(answer) : whole(answer, reference);

/** The fields that people use, flat; whatever else the service told is there without Simplify. */
function simplified(answer: IDataObject): IDataObject {
	const transaction = isObject(answer.transaction) ? answer.transaction : {};
	const business = isObject(transaction.business) ? transaction.business : {};
	const fields: IDataObject = {
		transaction_id: idIn(answer),
		business_id: business.business_id,
		type: transaction.type,
		amount: transaction.amount,
		link_account_number: transaction.link_account_number,
		network: transaction.network,
		wallet_address: transaction.wallet_address,
		date_created: transaction.date_created,
	};
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The answer as it came. Where its `outcome` or `reference` differs from ours, ours is put out, and theirs is kept under `response`. */
function whole(answer: IDataObject, reference: string): IDataObject {
	const { outcome = 'accepted', reference: theirs = reference } = answer;
	return outcome === 'accepted' && theirs === reference ? answer : { ...answer, response: answer };
}

/** What the service answered otherwise than it was asked. */
export interface Difference {
	field: string;
	sent: string;
	answered: string;
}

/** Fields that an answer may repeat, by the names of the service. */
const compared = [
	'reference',
	'amount',
	'network',
	'wallet_address',
	'bank_name',
	'account_number',
	'account_name',
	'business_id',
	'link_tag',
];

/** In which a capital letter is another letter. */
const exactNetworks = new Set(['Stellar', 'Solana']);

export function differencesIn(answer: IDataObject, sent: IDataObject): Difference[] {
	const all = placesIn(answer).flatMap((place) => [place, place.business].filter(isObject));
	return compared.flatMap((field) => {
		const answered = all.map((place) => place[field]).find(isFilled);
		if (!isFilled(sent[field]) || answered === undefined) return [];
		const isExact = field === 'wallet_address' && exactNetworks.has(String(sent.network));
		const [one, other] = [sent[field], answered].map((value) => comparable(field, value, isExact));
		return one === other ? [] : [{ field, sent: String(sent[field]), answered: asText(answered) }];
	});
}

const isFilled = (value: unknown) => value !== undefined && value !== null && value !== '';

function comparable(field: string, value: unknown, isExact: boolean): unknown {
	const text = asText(value).normalize('NFKC').trim();
	if (field === 'amount' && text !== '') return Number(text);
	return isExact ? text : text.toLowerCase();
}

const asText = (value: unknown) =>
	typeof value === 'object' ? JSON.stringify(value) : String(value);
