const isQuick = process.env.QUICK === 'true';
// No number that the tests have a multiple of, so that what is left of a product has everything in it.
const share = 11;

/** How often something random is tried, or how much of something there is: less in `npm run test:quick`. */
export const times = (count: number): number => (isQuick ? Math.ceil(count / share) : count);

/** Which of many cases are tried. */
export const someOf = <T,>(cases: T[]): T[] =>
	isQuick ? cases.filter((_, index) => index % share === 0) : cases;
