import { join } from 'node:path';
import { chromium, selectors } from 'playwright-core';
import type {
	Browser,
	BrowserContext,
	BrowserContextOptions,
	Page,
	PageScreenshotOptions,
} from 'playwright-core';
import type { Playground } from '../support/playground.ts';
import { findTool } from '../../scripts/tools.mts';

const failures = join(__dirname, '..', '.output', 'browser');
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
	/** The owner's tab, which the next scene goes on in. */
	tab?: Page;
};

export async function start(playground: Playground): Promise<void> {
	selectors.setTestIdAttribute('data-test-id');
	stage.playground = playground;
	stage.browser = await chromium.launch({ executablePath: findTool('chromium'), args: flags });
	stage.owner = await stage.browser.newContext({
		viewport: desktop,
		colorScheme: 'light',
		reducedMotion: 'reduce',
	});
	const { rest, n8n } = playground;
	const [name = '', value = ''] = rest.cookie().split('=');
	await stage.owner.addCookies([{ name, value, url: n8n.baseUrl }]);
}

export async function stop(): Promise<void> {
	await stage.browser?.close();
}

type Play = (page: Page) => Promise<void>;

/** A test in the owner's browser, or in one of its own; leaves a screenshot when it fails. */
export function scene(name: string, play: Play, visitor?: BrowserContextOptions): void {
	it(name, async () => {
		const page = visitor
			? await (await stage.browser.newContext(visitor)).newPage()
			: await ownersTab();
		page.setDefaultTimeout(60_000);
		try {
			await play(page);
			if (!visitor) stage.tab = page;
		} catch (reason) {
			const file = `${name.replace(/\W+/g, '-')}.png`;
			await page.screenshot({ path: join(failures, file), fullPage: true });
			throw reason;
		} finally {
			if (visitor) await page.context().close();
			else if (stage.tab !== page) await page.close();
		}
	});
}

/** The tab of the last scene, or a new one after a scene that failed. */
async function ownersTab(): Promise<Page> {
	const page = stage.tab ?? (await stage.owner.newPage());
	delete stage.tab;
	await page.setViewportSize(desktop);
	await page.emulateMedia({ colorScheme: 'light' });
	return page;
}

/** How much wider a page is than the screen it is on. */
export async function widthBeyondScreen(page: Page): Promise<number> {
	const { width = 0 } = page.viewportSize() ?? {};
	return (await page.evaluate<number>('document.documentElement.scrollWidth')) - width;
}

// What n8n puts over what is to be seen, and the dots of its canvas, which make a picture large.
const leftOut = `
	.el-notification,
	[data-reka-popper-content-wrapper],
	[data-test-id='floating-nodes'],
	[data-test-id='ndv-search-container'],
	[data-test-id='canvas-background'],
	[data-test-id='canvas-node-toolbar'],
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
