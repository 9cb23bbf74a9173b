import type { IDataObject } from 'n8n-workflow';

import type { TransactionOperation } from '../../../../client/endpoints';
import { isObject } from '../../../../client/reply';
import { whatSaysNo } from '../../../../client/saysNo';
import { transactions } from './index';

/** Where an answer may tell of its transaction. */
const placesIn = ({ transaction, data, ...body }: IDataObject): IDataObject[] =>
	[transaction, body, data, isObject(data) && data.transaction].filter(isObject);

/** What in the body of a success casts doubt on it, if anything. */
export function doubtAbout(body: unknown, operation: TransactionOperation): string | undefined {
	if (!isObject(body)) return 'which is not a JSON object';
	const transaction = isObject(body.transaction) ? body.transaction : {};
	const isMessageAll = !isFilled(body.status) || idIn(body) === undefined;
	const no = placesIn(body)
		.map((place) => whatSaysNo(place, isMessageAll))
		.find(Boolean);
	if (no) return `which ${no}`;
	const isEmpty = Object.keys(transaction).length === 0;
	return transactions[operation].answersWithTransaction && isEmpty
		? 'which has no transaction in it'
		: undefined;
}

/** TRANSACTION_ALREADY_EXISTS and alreadyExists too, so words are not looked for as wholes. */
const existing =
	/already|duplicat|(?<!\bnot |\bno longer |\bno \w+ )exists|been[ _-]?used|used[ _-]before|\bin[ _-]use|(is|reference)[ _-]taken|(not|be)[ _-]?unique/i;

/** "You have already made too many requests" says nothing of a transaction. */
const existingTransaction =
	/duplicate[ _-](transaction|reference)|(transaction|reference)\b.{0,60}(?<!\bnot |\bno longer )(exists|already (been )?(used|submitted|accepted|processed|received))/i;

/** No id, though it stands where one would: "invalid", or that there is none. */
const isWord = /^([A-Z]?[a-z]+|0|N\/A|NONE|NULL)$/;

/** The id of a transaction, wherever in the body of a refusal it stands. */
function namedIn(body: unknown): string | undefined {
	if (typeof body !== 'object' || body === null) return undefined;
	// An id beside a message may be that of the request, and words in its place tell of a mistake.
	const id = isObject(body) ? idIn({ ...body, id: undefined }) : undefined;
	return id && !/\s/.test(id) && !isWord.test(id)
		? id
		: Object.values(body).map(namedIn).find(Boolean);
}

/** What in the body of a refusal says that there is such a transaction, if anything. */
export function whatIsThere(body: unknown, isAboutTheCaller: boolean): string | undefined {
	const named = namedIn(body);
	if (named) return `names transaction ${named}`;
	// "is_duplicate": false says that there is none.
	const said = JSON.stringify(body, (_, value: unknown) => value || undefined) ?? '';
	const saysSo = (isAboutTheCaller ? existingTransaction : existing).test(said);
	return saysSo ? 'says that there is one already' : undefined;
}

/** The transaction's id: inside of the transaction or beside it. */
export function idIn(answer: IDataObject): string | undefined {
	const names = ['transaction_id', 'transactionId', 'id'];
	const ids = names.flatMap((name) => placesIn(answer).map((place) => place[name]));
	const id = ids.find((one) => typeof one === 'number' || (typeof one === 'string' && one !== ''));
	return id === undefined ? undefined : String(id);
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
