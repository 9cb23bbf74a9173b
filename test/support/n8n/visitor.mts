import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'node-html-parser';

import { freshFetch, type FreshInit } from '../../../playground/freshFetch.mts';

/** What a person reads on a page of a form of n8n's, and can fill in. */
export interface FormPage {
	url: string;
	title: string;
	/** Everything that can be read on it. */
	text: string;
	fields: Field[];
	/** Fills in by label, leaves the rest as it is, presses the button, and waits for what comes next. */
	submit(answers?: Record<string, Answer>): Promise<FormPage>;
}

/** Several are posted under one name, as no browser does. */
type Answer = string | File | string[];

interface Field {
	label: string;
	value: string;
	/** What can be chosen, where that is so. */
	options?: string[];
}

interface Input extends Field {
	name: string;
	/** What is chosen of several. */
	checked?: string[];
}

/** What a page posts besides what a person sees. */
interface Posted {
	inputs: Input[];
	hidden: Array<{ name: string; value: string }>;
	token?: string;
}

/**
 * For an n8n that is to believe where a visitor comes from: from one address it takes a hundred sign-ins to forms in a
 * quarter of an hour, and the tests open more.
 */
export const behindAProxy = { N8N_PROXY_HOPS: '1' };

let visitors = 0;

/** Posts to forms as a browser does, with the session of somebody or of nobody. */
export function visitor(baseUrl: string, session = '') {
	const address = `10.0.${visitors >> 8}.${visitors++ & 255}`;
	const cookies = new Map<string, string>();
	if (session) cookies.set(session.split('=')[0]!, session.slice(session.indexOf('=') + 1));

	async function ask(url: string, init: FreshInit = {}): Promise<Response> {
		const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
		const headers = {
			'user-agent': 'Mozilla/5.0 Chrome/140.0',
			'x-forwarded-for': address,
			cookie,
			...init.headers,
		};
		const response = await freshFetch(url, { redirect: 'manual', ...init, headers });
		for (const one of response.headers.getSetCookie()) {
			const [pair = ''] = one.split(';');
			cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
		}
		return response;
	}

	async function open(url: string): Promise<FormPage> {
		const response = await ask(url);
		const location = response.headers.get('location');
		if (!location) return read(url, await response.text());
		const next = new URL(location, url).href;
		return await open(next.includes('/oauth/consent') ? await consent() : next);
	}

	/** Where n8n goes on when its user has agreed that the form learns who they are. */
	async function consent(): Promise<string> {
		const details = await ask(`${baseUrl}/rest/consent/details`);
		if (details.status === 401) return `${baseUrl}/signin`;
		const { data } = (await details.json()) as {
			data: { redirectUrl?: string; scopes?: string[] };
		};
		if (data.redirectUrl) return data.redirectUrl;
		const approved = await ask(`${baseUrl}/rest/consent/approve`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ approved: true, scopes: data.scopes }),
		});
		return ((await approved.json()) as { data: { redirectUrl: string } }).data.redirectUrl;
	}

	function read(url: string, html: string): FormPage {
		const root = parse(html);
		const body = root.querySelector('body');
		if (!body) throw new Error(`No page: ${html.slice(0, 500)}`);
		const frame = body.querySelector('iframe');
		for (const hidden of body.querySelectorAll('script, style, #submitted-form')) hidden.remove();
		const inputs = root.querySelectorAll('.inputs-wrapper > div').flatMap((group): Input[] => {
			const label = group.querySelector('label.form-label')?.text.trim() ?? '';
			const multi = group.querySelector('.multiselect');
			if (multi) {
				const options = multi
					.querySelectorAll('.multiselect-option label')
					.map((one) => one.text.trim());
				const checked = multi
					.querySelectorAll('input[checked]')
					.map((one) => one.getAttribute('value') ?? '');
				return [{ label, name: multi.id, value: '', options, checked }];
			}
			const select = group.querySelector('select');
			if (select) {
				const options = select.querySelectorAll('option');
				const chosen = options.find((one) => one.hasAttribute('selected'))?.getAttribute('value');
				const values = options.map((one) => one.getAttribute('value') ?? '').filter(Boolean);
				return [{ label, name: select.id, value: chosen ?? '', options: values }];
			}
			const input = group.querySelector('input, textarea');
			if (!input) return [];
			return [{ label, name: input.id, value: input.getAttribute('value') ?? input.text }];
		});
		const hidden = root
			.querySelectorAll('input[type=hidden]')
			.map((one) => ({ name: one.id, value: one.getAttribute('value') ?? '' }));
		const token = /const authToken = '([^']*)'/.exec(html)?.[1];
		return {
			url,
			title: root.querySelector('h1')?.text.trim() ?? root.querySelector('title')?.text ?? '',
			text: `${body.structuredText}${frame ? ' [a page within a page]' : ''}`,
			fields: inputs.map(({ label, value, options }) => ({
				label,
				value,
				...(options && { options }),
			})),
			submit: async (answers = {}) => await post(url, { inputs, hidden, token }, answers),
		};
	}

	async function post(
		url: string,
		{ inputs, hidden, token }: Posted,
		answers: Record<string, Answer>,
	): Promise<FormPage> {
		const unknown = Object.keys(answers).filter(
			(label) => !inputs.some((one) => one.label === label),
		);
		if (unknown.length > 0) {
			throw new Error(
				`No field ${unknown.join(', ')}; there are ${inputs.map(({ label }) => label).join(', ')}`,
			);
		}
		const form = new FormData();
		for (const { name, label, checked, value } of inputs) {
			const answer = answers[label];
			if (checked) form.append(name, JSON.stringify(answer === undefined ? checked : [answer]));
			else for (const one of [answer ?? value].flat()) form.append(name, one);
		}
		for (const { name, value } of hidden) form.append(name, value);
		const headers = token ? { 'x-auth-token': token } : undefined;
		const response = await ask(url, { method: 'POST', body: form, headers });
		const text = await response.text();
		if (response.status === 401) return read(url, '<body><h1>401</h1></body>');
		const waiting = waitingUrl(text) ?? (url.includes('form-waiting') ? url : undefined);
		if (!waiting) return read(url, text);
		return await next(waiting);
	}

	/** As the script on n8n's pages does: asks how the execution is, until there is a next page or an end. */
	async function next(url: string): Promise<FormPage> {
		const status = new URL(url);
		status.pathname += '/n8n-execution-status';
		for (let wait = 100; ; wait = Math.min(wait * 1.5, 1000)) {
			await sleep(wait);
			const said = (await (await ask(status.href)).text()).trim();
			if (said === 'form-waiting') return await open(url);
			if (said !== 'running' && said !== 'new' && said !== 'waiting') {
				return read(url, `<body><h1>${said}</h1></body>`);
			}
		}
	}

	return { open: async (path: string) => await open(`${baseUrl}${path}`), openAt: open };
}

function waitingUrl(text: string): string | undefined {
	try {
		return (JSON.parse(text) as { formWaitingUrl?: string }).formWaitingUrl;
	} catch {
		return undefined;
	}
}
