/** What happened, and what to do next. */
export interface Words {
	message: string;
	description: string;
}

export const inOneLine = ({ message, description }: Words) => `${message}. ${description}`;

export const sentence = (text: string) => (/[.!?…)]$/.test(text) ? text : `${text}.`);

export interface Refusal extends Words {
	ok: false;
	/** What was refused may be a secret, so nothing of it is carried on. */
	secret?: true;
	/** The item for which a whole run is refused. */
	itemIndex?: number;
}

/** A value that could be read, or why it could not. */
export type Read<T> = { ok: true; value: T } | Refusal;

export const ok = <T>(value: T): { ok: true; value: T } => ({ ok: true, value });

/** Accepted, or why not. */
export type Verdict = { ok: true } | Refusal;

export const accept = { ok: true } as const;

export const refuse = (message: string, description: string): Refusal => ({
	ok: false,
	message,
	description,
});

/** Quotes short values only: a long one can be a secret pasted into the wrong field. */
export function quote(value: unknown): string {
	if (typeof value === 'string') {
		return value.length <= 20 ? JSON.stringify(value) : `a text of ${value.length} characters`;
	}
	if (value === null || value === undefined) return 'empty';
	if (Array.isArray(value)) return 'a list';
	return typeof value === 'object' ? 'an object' : String(value);
}
