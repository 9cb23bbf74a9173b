import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
	chromium,
	selectors,
	type Browser,
	type BrowserContext,
	type BrowserContextOptions,
	type Page,
	type PageScreenshotOptions,
} from 'playwright-core';

import type { Rest } from '../../playground/rest.mts';
import type { Playground } from '../support/n8n/playground.mts';
import { patience, soon } from '../support/waiting.mts';
import { findTool } from '../../scripts/tools.mts';
import { failures, leaveTraces, takeNotes } from './traces.mts';

const pictures = join(__dirname, '..', '..', 'examples', 'images');

// An opened node is then 1280 pixels wide.
export const desktop = { width: 1330, height: 800 };
export const phone: BrowserContextOptions = {
	viewport: { width: 390, height: 844 },
	isMobile: true,
	hasTouch: true,
};

const flags = [
	'--no-sandbox',
	'--disable-gpu',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	// what the editor would fetch from elsewhere must not decide how a test ends
	'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
];

/** One n8n and one browser for all scenes; `start` fills it. */
export const stage = {} as {
	playground: Playground;
	browser: Browser;
	/** Signed in to n8n. */
	owner: BrowserContext;
};

export async function start(playground: Playground): Promise<void> {
	rmSync(failures, { recursive: true, force: true });
	selectors.setTestIdAttribute('data-test-id');
	stage.playground = playground;
	stage.browser = await chromium.launch({
		executablePath: findTool('chromium'),
		args: flags,
		timeout: patience,
	});
	stage.owner = await newContext({
		viewport: desktop,
		colorScheme: 'light',
		reducedMotion: 'reduce',
	});
}

export async function stop(): Promise<void> {
	await stage.browser?.close();
}

/** A browser of somebody's own, in which no wait ends too early. */
export async function newContext(options: BrowserContextOptions): Promise<BrowserContext> {
	const context = await stage.browser.newContext(options);
	context.setDefaultTimeout(patience);
	return context;
}

type Play = (page: Page) => Promise<void>;

// Each wait of a scene has its own end, so the time for all of them only ends what nobody has thought of.
export const wholeScene = 5 * patience;

/**
 * A test in a page of its own, in the owner's browser or a visitor's. Of the scenes before it nothing is left but the
 * browser's cache, which makes the editor load faster. One that fails leaves its traces in test/.output/browser.
 */
export function scene(name: string, play: Play, visitor?: BrowserContextOptions): void {
	it(
		name,
		async () => {
			const context = visitor ? await newContext(visitor) : await ownersBrowser();
			const notes = takeNotes(context, stage.playground.n8n.baseUrl);
			try {
				await play(await context.newPage());
			} catch (reason) {
				await leaveTraces(context, notes, reason);
				throw reason;
			} finally {
				notes.end();
				if (visitor) await context.close();
				else await Promise.all(context.pages().map((page) => page.close()));
			}
		},
		wholeScene,
	);
}

/** Somebody's browser, signed in to n8n with their session. */
export async function signIn(
	context: BrowserContext,
	{ cookie }: Pick<Rest, 'cookie'>,
): Promise<void> {
	const [name = '', value = ''] = cookie().split('=');
	await context.addCookies([{ name, value, url: stage.playground.n8n.baseUrl }]);
}

/** Signed in to n8n, and without what n8n has kept in it. */
async function ownersBrowser(): Promise<BrowserContext> {
	await stage.owner.setStorageState({ cookies: [], origins: [] });
	await signIn(stage.owner, stage.playground.rest);
	return stage.owner;
}

/** A page is not wider than the screen it is on. */
export async function expectToFit(page: Page): Promise<void> {
	const { width } = page.viewportSize()!;
	await soon(async () =>
		expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width),
	);
}

/** A page says all of this. */
export async function expectWords(page: Page, ...words: string[]): Promise<void> {
	await soon(async () => {
		const said = await page.locator('body').innerText();
		for (const some of words) expect(said).toContain(some);
	});
}

// What n8n puts over what is to be seen, and the dots of its canvas, which make a picture large.
const leftOut = `
	.el-notification,
	[data-reka-popper-content-wrapper],
	[data-test-id='floating-nodes'],
	[data-test-id='ndv-search-container'],
	[data-test-id='canvas-background'],
	[data-test-id='canvas-node-toolbar'],
	.vue-flow__controls,
	[class*='executionButtons'] {
		display: none !important;
	}`;

/** Keeps what can be seen for the documentation, when asked to (`npm run screenshots`). */
export async function picture(
	page: Page,
	name: string,
	clip?: PageScreenshotOptions['clip'],
): Promise<void> {
	if (!process.env.SCREENSHOTS) return;
	const path = join(pictures, `${name}.png`);
	const { length } = await page.screenshot({
		path,
		animations: 'disabled',
		style: leftOut,
		clip,
	});
	expect({ path, isSmall: length < 150_000 }).toEqual({ path, isSmall: true });
}
