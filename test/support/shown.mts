import { parse } from 'node-html-parser';

/** A description as the editor shows it. */
export const shown = (description: string) =>
	description
		.replaceAll('<br>\n', '\n')
		.replaceAll('&nbsp;', ' ')
		.replaceAll('&#96;', '`')
		.replaceAll('&lt;', '<')
		.replaceAll('&amp;', '&');

/** What the editor shows of a text that it takes for HTML, in which spaces are one and what is between backticks is code. */
export const readAsHtml = (html: string) =>
	parse(html.replace(/ +/g, ' ').replace(/`(.*?)`/g, '<code>$1</code>')).text.replaceAll(
		'\u00a0',
		' ',
	);
