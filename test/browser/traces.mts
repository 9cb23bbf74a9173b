import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { BrowserContext, ConsoleMessage, Request, Response, WebError } from 'playwright-core';

export const failures = join(__dirname, '..', '.output', 'browser');

interface Notes {
	/** What the pages have said in their consoles. */
	said: string[];
	/** What they have asked n8n for, oldest first, and what came of it. */
	asked: Map<Request, string>;
	end(): void;
}

/** Writes down what the pages of a browser say and ask n8n for, but for the files that the editor is made of. */
export function takeNotes(context: BrowserContext, n8n: string): Notes {
	const began = Date.now();
	const time = () => `${((Date.now() - began) / 1000).toFixed(1)} s`;
	const notes = { said: [] as string[], asked: new Map<Request, string>() };
	const listeners = {
		console: (message: ConsoleMessage) =>
			notes.said.push(`${time()} ${message.type()}: ${message.text()}`),
		weberror: (error: WebError) => notes.said.push(`${time()} thrown: ${error.error().stack}`),
		request: (request: Request) => {
			const path = request.url().replace(n8n, '');
			if (!path.startsWith('/') || /^\/(assets|static|icons)\//.test(path)) return;
			notes.asked.set(request, `${time()} ${request.method()} ${path}: no answer`);
		},
		response: (response: Response) => answer(response.request(), String(response.status())),
		requestfailed: (request: Request) => answer(request, request.failure()?.errorText ?? ''),
	};
	const answer = (request: Request, what: string) => {
		const asked = notes.asked.get(request)?.replace(/: no answer$/, `: ${what} at ${time()}`);
		if (asked) notes.asked.set(request, asked);
	};
	const emitter = context as unknown as NodeJS.EventEmitter;
	for (const [event, listener] of Object.entries(listeners)) emitter.on(event, listener);
	const end = () => {
		for (const [event, listener] of Object.entries(listeners)) emitter.off(event, listener);
	};
	return { ...notes, end };
}

/** A picture of each page of a scene that failed, and beside it what the notes say. */
export async function leaveTraces(
	context: BrowserContext,
	{ said, asked }: Notes,
	reason: unknown,
): Promise<void> {
	const { currentTestName = '' } = expect.getState();
	const file = join(failures, currentTestName.replace(/\W+/g, '-'));
	const pages = context.pages();
	// A page that cannot be drawn must not hide why the scene failed.
	const drawn = await Promise.allSettled(
		pages.map(async (page, index) => {
			const path = `${file}${index > 0 ? `-${index + 1}` : ''}.png`;
			await page.screenshot({ path, fullPage: true, timeout: 20_000 });
			return basename(path);
		}),
	);
	const pictures = drawn.map((one, index) => {
		const picture = one.status === 'fulfilled' ? one.value : `no picture: ${one.reason}`;
		return `${pages[index]!.url()} ${picture}`;
	});
	mkdirSync(failures, { recursive: true });
	const parts = {
		[currentTestName]: [reason instanceof Error ? reason.stack : String(reason)],
		Pages: pictures,
		Console: said,
		'Last requests to n8n': [...asked.values()].slice(-50),
	};
	const text = Object.entries(parts).map(([title, lines]) => `${title}\n\n${lines.join('\n')}\n`);
	writeFileSync(`${file}.txt`, stripVTControlCharacters(text.join('\n')));
}
