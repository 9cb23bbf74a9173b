/** A description as the editor shows it. */
export const shown = (description: string) => description.replaceAll('<br>\n', '\n');
