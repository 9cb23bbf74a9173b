/** What must not be read in words that come from elsewhere, and what stands in its place. */
export type Hide = Record<string, string>;

const shortestKey = 8;

/** Keys are long; to hide a short one, such as "wrong", would only garble what the service says. */
export function hiddenKey(secretKey: unknown): Hide {
	const key = String(secretKey).trim();
	return key.length >= shortestKey ? { [key]: '***' } : {};
}

export const hideIn = (text: string, hide: Hide) =>
	Object.entries(hide)
		.map(([secret, instead]) => [secret.trim(), instead] as const)
		.filter(([secret]) => secret.length > 3)
		.sort(([one], [other]) => other.length - one.length)
		.reduce((shown, [secret, instead]) => shown.replaceAll(secret, instead), text);

/** The key in an answer that is passed on, whether it stands in a value or is the name of one. */
export function hideKey(body: unknown, secretKey: unknown): unknown {
	const hide = hiddenKey(secretKey);
	const hidden = (value: unknown): unknown => {
		if (typeof value === 'string') return hideIn(value, hide);
		if (Array.isArray(value)) return value.map(hidden);
		if (typeof value !== 'object' || value === null) return value ?? null;
		return Object.fromEntries(
			Object.entries(value).map(([name, one]) => [hideIn(name, hide), hidden(one)]),
		);
	};
	return hidden(body);
}
